// The smallest useful program: run a command, put its output in front of the model.
const { output } = gg.shell.shell("echo Hello from a shell command.");
gg.views.openText("greeting", output);
