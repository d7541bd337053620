// Compare what two commands print, line by line, and show only what differs.
const [before, after] = ["before", "after"].map(when => {
  const { output } = gg.shell.shell(`sort packages-${when}.txt`);
  return new Set(output.split("\n").filter(line => line));
});
gg.views.openText("packages", {
  gone: [...before].filter(line => !after.has(line)),
  added: [...after].filter(line => !before.has(line)),
});
