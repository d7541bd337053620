throw { code: 42, reasons: ["a", "b"] };
