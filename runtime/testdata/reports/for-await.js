for await (const x of []) console.log(x);
