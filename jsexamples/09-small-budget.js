// Stop before a limit does: look at the budget inside the loop.
const seen = [];
const { calls: before } = gg.budget.remaining();
for (let n = 1; n <= 1000; n++) {
  const { calls, wallMs } = gg.budget.remaining();
  if (calls < before - 10 || wallMs < 1000) break;
  seen.push(gg.shell.shell(`echo ${n}`).output.trim());
}
gg.session.finish(`stopped after ${seen.length} of 1000`);
seen;
