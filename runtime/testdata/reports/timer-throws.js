setTimeout(() => { throw new Error("from a timer"); }, 1);
await gg.sleep(20);
