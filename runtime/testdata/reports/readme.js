const data = { items: null, total: 3 };
const rows = data.items.map(r => r.id);
