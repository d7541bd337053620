let n = 0;
gg.shell.shell("true");
for (;;) n++;
