gg.shell.shell("true", { timeoutSecs: "60" });
