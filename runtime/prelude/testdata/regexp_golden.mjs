// Prints what this Node answers for the cases on standard input, which are JavaScript; regexp_test.go runs it with -update.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const answers = (0, eval)(readFileSync(fileURLToPath(new URL("regexp_answers.js", import.meta.url)), "utf8"));
const { patterns, texts } = (0, eval)(`(${readFileSync(0, "utf8")})`);
for (const [pattern, flags] of patterns) console.log(answers(pattern, flags, texts).join("\n"));
