// Parse JSON that a command prints, and say clearly when it is not what was expected.
const { exitCode, output } = gg.shell.shell("cat services.json");
if (exitCode !== 0) throw new Error(`services.json: exit code ${exitCode}`);
/** @type {{ services: { name: string, status: string }[] }} */
const { services } = JSON.parse(output);
const down = services.filter(({ status }) => status !== "up");
gg.views.openText("not up", down.map(({ name, status }) => `${name}: ${status}`).join("\n") || "none");
