const list = [{ id: 1 }];
function third(rows) {
  const row = rows[2];
  return row.id;
}
const ids = [1, 2].map(() => third(list));
