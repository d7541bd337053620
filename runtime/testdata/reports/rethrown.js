function open() { return undefinedThing; }
try { open(); } catch (error) { throw error; }
