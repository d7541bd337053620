// Turn a build log into a summary: how many warnings of each kind, and where the first one is.
import { session, shell, views } from "gg";

const build = shell.shell("cat build.log; exit 2");
/** @type {Map<string, { count: number, first: string }>} */
const kinds = new Map();
for (const [, path, line, kind] of build.output.matchAll(/^(\S+?):(\d+):.* warning: .*\[-W([\w-]+)\]$/gm)) {
  const seen = kinds.get(kind) ?? { count: 0, first: `${path}:${line}` };
  kinds.set(kind, { ...seen, count: seen.count + 1 });
}
views.openText("build", { exitCode: build.exitCode, warnings: Object.fromEntries(kinds) });
session.finish(`the build failed with exit code ${build.exitCode}`);
