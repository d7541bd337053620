const until = Date.now() + 50;
while (Date.now() < until) {}
