// Run the tests; for each failure show the lines of the file around it, not the whole log.
const { exitCode, output } = gg.shell.shell("sh run-tests.sh", { timeoutSecs: 600 });
const failures = [...output.matchAll(/^FAIL (\S+):(\d+): (.*)$/gm)];
for (const [, path, line, message] of failures) {
  gg.views.openText(`why ${path}:${line}`, message);
  gg.views.openFile(path, { offset: Math.max(1, Number(line) - 2), limit: 5 });
}
if (exitCode !== 0 && failures.length === 0) gg.views.openText("test output", output);
if (exitCode === 0) gg.session.finish("all tests pass");
