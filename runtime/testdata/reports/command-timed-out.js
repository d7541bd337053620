const make = command => gg.shell.shell(command, { timeoutSecs: 0.2 });
make("echo compiling; sleep 30");
