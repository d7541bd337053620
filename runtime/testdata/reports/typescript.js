interface Row { id: number }
const rows: Row[] = [];
