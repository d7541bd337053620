// Iterator and its helpers, as in ECMAScript 2025. Natives: prototype, which is %Iterator.prototype%.
(function (native) {
	"use strict";
	const { iterator, toStringTag, call, define, hide, typeError, rangeError, prototype } = native;

	function isObject(v) {
		return typeof v === "object" ? v !== null : typeof v === "function";
	}

	// open is GetIteratorDirect: the method `next` is read once.
	function open(source) {
		return { source, next: source.next };
	}

	function pull(opened) {
		const step = call(opened.next, opened.source);
		if (!isObject(step)) {
			typeError("the result of an iterator must be an object, got " + typeof step);
		}
		return step;
	}

	function close(source) {
		const stop = source.return;
		if (stop !== undefined && stop !== null) {
			const result = call(stop, source);
			if (!isObject(result)) {
				typeError("the result of an iterator's return must be an object, got " + typeof result);
			}
		}
	}

	// quietly closes because of an error, which goes before one of closing.
	function quietly(source) {
		try {
			close(source);
		} catch {
		}
	}

	function requireIterator(name, source) {
		if (!isObject(source)) {
			typeError("Iterator.prototype." + name + ": `this` must be an object, got " + typeof source);
		}
	}

	function requireFunction(name, source, f) {
		if (typeof f !== "function") {
			quietly(source);
			typeError("Iterator.prototype." + name + ": the callback must be a function, got " + typeof f);
		}
	}

	function requireCount(name, source, limit) {
		let count;
		try {
			count = +limit;
		} catch (error) {
			quietly(source);
			throw error;
		}
		if (!(count > -1)) {
			quietly(source);
			rangeError("Iterator.prototype." + name + ": the limit must be a number of at least 0, got " + count);
		}
		// Infinity % 1 is NaN.
		return count === Infinity ? count : count - count % 1;
	}

	// flattenable is GetIteratorFlattenable.
	function flattenable(v, strings, what) {
		if (!isObject(v) && !(strings && typeof v === "string")) {
			typeError(what + ": an iterable object is needed, got " + (v === null ? "null" : typeof v));
		}
		const method = v[iterator];
		const source = method === undefined || method === null ? v : call(method, v);
		if (!isObject(source)) {
			typeError(what + ": the iterator must be an object, got " + typeof source);
		}
		return open(source);
	}

	function Base() {
	}
	Base.prototype = prototype;

	// Helper is what map, filter and their like return. `step` gives the next value by calling `yield`, or
	// ends by not calling it; `abandon` closes what it reads from.
	class Helper extends Base {
		#step;
		#abandon;
		#state = "fresh"; // then suspended, running, done

		constructor(step, abandon) {
			super();
			this.#step = step;
			this.#abandon = abandon;
		}

		next() {
			const state = this.#state;
			if (state === "running") {
				typeError("Iterator Helper is already running");
			}
			if (state === "done") {
				return { value: undefined, done: true };
			}
			this.#state = "running";
			let result;
			try {
				const step = this.#step;
				result = step();
			} finally {
				this.#state = result === undefined ? "done" : "suspended";
			}
			return result === undefined ? { value: undefined, done: true } : result;
		}

		return() {
			const state = this.#state;
			if (state === "running") {
				typeError("Iterator Helper is already running");
			}
			if (state !== "done") {
				this.#state = "done";
				const abandon = this.#abandon;
				abandon();
			}
			return { value: undefined, done: true };
		}
	}
	delete Helper.prototype.constructor;
	hide(Helper.prototype, toStringTag, "Iterator Helper");

	// guarded calls back, and closes the source when that throws.
	function guarded(source, f, value, index) {
		let finished = false;
		try {
			const result = f(value, index);
			finished = true;
			return result;
		} finally {
			if (!finished) {
				quietly(source);
			}
		}
	}

	const methods = {
		map(mapper) {
			requireIterator("map", this);
			requireFunction("map", this, mapper);
			const opened = open(this);
			let index = 0;
			return new Helper(() => {
				const step = pull(opened);
				if (!step.done) {
					return { value: guarded(opened.source, mapper, step.value, index++), done: false };
				}
			}, () => close(opened.source));
		},

		filter(predicate) {
			requireIterator("filter", this);
			requireFunction("filter", this, predicate);
			const opened = open(this);
			let index = 0;
			return new Helper(() => {
				for (;;) {
					const step = pull(opened);
					if (step.done) {
						return;
					}
					const value = step.value;
					if (guarded(opened.source, predicate, value, index++)) {
						return { value, done: false };
					}
				}
			}, () => close(opened.source));
		},

		take(limit) {
			requireIterator("take", this);
			let left = requireCount("take", this, limit);
			const opened = open(this);
			return new Helper(() => {
				if (left <= 0) {
					close(opened.source);
					return;
				}
				left--;
				const step = pull(opened);
				if (!step.done) {
					return { value: step.value, done: false };
				}
			}, () => close(opened.source));
		},

		drop(limit) {
			requireIterator("drop", this);
			let left = requireCount("drop", this, limit);
			const opened = open(this);
			return new Helper(() => {
				for (; left > 0; left--) {
					if (pull(opened).done) {
						return;
					}
				}
				const step = pull(opened);
				if (!step.done) {
					return { value: step.value, done: false };
				}
			}, () => close(opened.source));
		},

		flatMap(mapper) {
			requireIterator("flatMap", this);
			requireFunction("flatMap", this, mapper);
			const opened = open(this);
			let index = 0, inner;
			return new Helper(() => {
				for (;;) {
					if (inner === undefined) {
						const step = pull(opened);
						if (step.done) {
							return;
						}
						let next;
						try {
							next = flattenable(mapper(step.value, index++), false, "Iterator.prototype.flatMap");
						} finally {
							if (next === undefined) {
								quietly(opened.source);
							}
						}
						inner = next;
					}
					let step;
					try {
						const result = pull(inner);
						step = result.done ? { done: true } : { value: result.value, done: false };
					} finally {
						if (step === undefined) {
							quietly(opened.source);
						}
					}
					if (!step.done) {
						return step;
					}
					inner = undefined;
				}
			}, () => {
				let finished = inner === undefined;
				try {
					if (!finished) {
						close(inner.source);
						finished = true;
					}
				} finally {
					if (!finished) {
						quietly(opened.source);
					}
				}
				close(opened.source);
			});
		},

		reduce(reducer) { // and an initial value, which may be undefined
			requireIterator("reduce", this);
			requireFunction("reduce", this, reducer);
			const opened = open(this);
			let index = 0, accumulator = arguments[1];
			if (arguments.length < 2) {
				const step = pull(opened);
				if (step.done) {
					typeError("Iterator.prototype.reduce: an empty iterator needs an initial value");
				}
				accumulator = step.value;
				index = 1;
			}
			for (;; index++) {
				const step = pull(opened);
				if (step.done) {
					return accumulator;
				}
				let finished = false;
				try {
					accumulator = reducer(accumulator, step.value, index);
					finished = true;
				} finally {
					if (!finished) {
						quietly(opened.source);
					}
				}
			}
		},

		toArray() {
			requireIterator("toArray", this);
			const opened = open(this);
			const result = [];
			for (let i = 0; ; i++) {
				const step = pull(opened);
				if (step.done) {
					return result;
				}
				define(result, i, step.value);
			}
		},

		forEach(callback) {
			requireIterator("forEach", this);
			requireFunction("forEach", this, callback);
			const opened = open(this);
			for (let i = 0; ; i++) {
				const step = pull(opened);
				if (step.done) {
					return;
				}
				guarded(opened.source, callback, step.value, i);
			}
		},

		some(predicate) {
			requireIterator("some", this);
			requireFunction("some", this, predicate);
			const opened = open(this);
			for (let i = 0; ; i++) {
				const step = pull(opened);
				if (step.done) {
					return false;
				}
				if (guarded(opened.source, predicate, step.value, i)) {
					close(opened.source);
					return true;
				}
			}
		},

		every(predicate) {
			requireIterator("every", this);
			requireFunction("every", this, predicate);
			const opened = open(this);
			for (let i = 0; ; i++) {
				const step = pull(opened);
				if (step.done) {
					return true;
				}
				if (!guarded(opened.source, predicate, step.value, i)) {
					close(opened.source);
					return false;
				}
			}
		},

		find(predicate) {
			requireIterator("find", this);
			requireFunction("find", this, predicate);
			const opened = open(this);
			for (let i = 0; ; i++) {
				const step = pull(opened);
				if (step.done) {
					return undefined;
				}
				const value = step.value;
				if (guarded(opened.source, predicate, value, i)) {
					close(opened.source);
					return value;
				}
			}
		},
	};

	function Iterator() {
		if (new.target === undefined || new.target === Iterator) {
			typeError("Iterator is abstract: extend it, or use Iterator.from");
		}
	}
	native.fix(Iterator, prototype);

	// Wrapper is what Iterator.from makes of an iterator that inherits from elsewhere.
	class Wrapper extends Base {
		#opened;

		constructor(opened) {
			super();
			this.#opened = opened;
		}

		next() {
			return call(this.#opened.next, this.#opened.source);
		}

		return() {
			const stop = this.#opened.source.return;
			if (stop === undefined || stop === null) {
				return { value: undefined, done: true };
			}
			return call(stop, this.#opened.source);
		}
	}
	delete Wrapper.prototype.constructor;

	const statics = {
		from(value) {
			const opened = flattenable(value, true, "Iterator.from");
			return native.inherits(prototype, opened.source) ? opened.source : new Wrapper(opened);
		},
	};
	hide(Iterator, "from", statics.from);
	hide(prototype, "constructor", Iterator);
	hide(prototype, toStringTag, "Iterator");

	return { Iterator, methods };
})
