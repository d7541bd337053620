(function (native) {
	"use strict";
	const { iterator, asyncIterator, define, call, isConstructor, typeError } = native;

	function isObject(v) {
		return typeof v === "object" ? v !== null : typeof v === "function";
	}

	// What is awaited becomes the element; a mapped value is awaited too.
	async function fromAsync(items, mapper, thisArg) {
		const mapping = mapper !== undefined;
		if (mapping && typeof mapper !== "function") {
			typeError("Array.fromAsync: the mapper must be a function, got " + typeof mapper);
		}
		if (items === null || items === undefined) {
			typeError("Array.fromAsync: the items must be iterable or array-like, got " + items);
		}
		const make = isConstructor(this);
		let open = items[asyncIterator], sync = false;
		if (open === undefined || open === null) {
			open = items[iterator];
			sync = true;
		}
		if (open === undefined || open === null) {
			const source = items;
			let length = +source.length;
			length = length > 0 ? (length < 9007199254740991 ? length - length % 1 : 9007199254740991) : 0;
			const result = make ? new this(length) : [];
			for (let i = 0; i < length; i++) {
				let value = await source[i];
				if (mapping) {
					value = await call(mapper, thisArg, value, i);
				}
				define(result, i, value);
			}
			result.length = length;
			return result;
		}
		if (typeof open !== "function") {
			typeError("Array.fromAsync: the items are not iterable");
		}
		const result = make ? new this() : [];
		const source = call(open, items);
		if (!isObject(source)) {
			typeError("Array.fromAsync: the iterator is not an object");
		}
		const next = source.next;
		for (let i = 0; ; i++) {
			let step = call(next, source);
			if (!sync) {
				step = await step;
			}
			if (!isObject(step)) {
				typeError("Array.fromAsync: the iterator's result is not an object");
			}
			if (step.done) {
				result.length = i;
				return result;
			}
			let finished = false;
			try {
				let value = step.value;
				if (sync) {
					value = await value;
				}
				if (mapping) {
					value = await call(mapper, thisArg, value, i);
				}
				define(result, i, value);
				finished = true;
			} finally {
				if (!finished) {
					await close(source, sync);
				}
			}
		}
	}

	// close tells an iterator that no more is wanted, because of an error that goes before its own.
	async function close(source, sync) {
		try {
			const stop = source.return;
			if (stop !== undefined && stop !== null) {
				const result = call(stop, source);
				if (!sync) {
					await result;
				}
			}
		} catch {
		}
	}

	async function run(callback) {
		await undefined;
		callback();
	}

	return { fromAsync, run };
})
