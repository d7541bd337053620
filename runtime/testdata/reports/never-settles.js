const ready = () => new Promise(resolve => { /* forgotten */ });
async function main() {
  await ready();
}
await main();
