const data = { rows: null, total: 3 };
const ids = data.rows.map(row => row.id);
