// Page through a log that is too long to look at, and show only the place that matters.
const page = 1000;
const first = gg.files.readFile("server.log", { limit: 1 });
if (first.kind !== "text") throw new Error("server.log is not text");
const errors = [];
for (let offset = 1; offset <= first.totalLines; offset += page) {
  const lines = gg.files.readTextFile("server.log", { offset, limit: page }).split("\n");
  for (const [i, line] of lines.entries()) {
    if (line.includes(" ERROR ")) errors.push(offset + i);
  }
}
gg.views.openText("errors", `${errors.length} of ${first.totalLines} lines, the first is line ${errors[0]}`);
gg.views.openFile("server.log", { offset: Math.max(1, errors[0] - 1), limit: 3 });
