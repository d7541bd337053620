// Start something in the background and wait until it answers, but not for ever.
gg.shell.shell("(sleep 0.2; echo ready > server.state) > /dev/null 2>&1 &");
let state = "";
for (let attempt = 1; attempt <= 100 && state === ""; attempt++) {
  await gg.sleep(50);
  state = gg.shell.shell("cat server.state 2> /dev/null || true").output.trim();
}
state || "it never came up";
