const count = 5;
for (const n of count) console.log(n);
