shell.shell("ls");
