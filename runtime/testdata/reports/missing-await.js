const later = Promise.resolve([1, 2]);
later.map(n => n + 1);
