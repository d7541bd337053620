const out = gg.shell("ls");
