await Promise.any([Promise.reject(new Error("one")), Promise.reject(new TypeError("two"))]);
