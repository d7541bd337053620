gg.shell.shell("true");
gg.views.openfile("README.md");
