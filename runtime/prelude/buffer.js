// Buffer of Node, without what Node has deprecated. Natives: see buffer.go.
(function (native) {
	"use strict";
	const { Uint8Array, define, hide, typeError, rangeError, isArray } = native;
	const { kind, size, encodingOf, fromText, toText, fill, index, compare, copy, swap, numbers } = native;

	function isObject(v) {
		return typeof v === "object" ? v !== null : typeof v === "function";
	}

	function received(v) {
		return v === null ? "null" : typeof v;
	}

	// encoding gives the name of an encoding: "utf8" if there is none.
	function encoding(name) {
		if (name === undefined || name === null || name === "") {
			return "utf8";
		}
		const known = encodingOf(`${name}`);
		if (known === undefined) {
			typeError(`Buffer: the encoding "${name}" is not known`);
		}
		return known;
	}

	function requireBytes(v, what) {
		if (kind(v) !== "Uint8Array") {
			typeError(what + ": a Buffer or Uint8Array is needed, got " + received(v));
		}
	}

	function requireSize(n, what) {
		if (typeof n !== "number") {
			typeError(what + ": the size must be a number, got " + received(n));
		}
		if (!(n >= 0 && n <= 9007199254740991)) {
			rangeError(what + ": the size must be at least 0, got " + n);
		}
		return n - n % 1;
	}

	// position is a number made whole, between 0 and most; `otherwise` if there is none.
	function position(n, most, otherwise) {
		if (n === undefined) {
			return otherwise;
		}
		n = +n;
		return n >= most ? most : n > 0 ? n - n % 1 : 0;
	}

	class Buffer extends Uint8Array {
		constructor(value, encodingOrOffset, length) {
			if (typeof value === "string") {
				super(fromText(value, encoding(encodingOrOffset)));
			} else if (typeof value === "number") {
				super(requireSize(value, "Buffer"));
			} else if (kind(value) === "ArrayBuffer") {
				super(value, encodingOrOffset, length);
			} else {
				super(isObject(value) ? position(value.length, 9007199254740991, 0) : 0);
				for (let i = 0; i < this.length; i++) {
					this[i] = value[i];
				}
			}
		}

		static from(value, encodingOrOffset, length) {
			if (typeof value === "string" || kind(value) === "ArrayBuffer") {
				return new Buffer(value, encodingOrOffset, length);
			}
			if (typeof value === "object" && value !== null) {
				if (kind(value) === "Uint8Array") {
					const made = new Buffer(size(value));
					copy(value, made, 0, 0, size(value));
					return made;
				}
				const inner = typeof value.valueOf === "function" ? value.valueOf() : value;
				if (inner !== value && (typeof inner === "string" || typeof inner === "object" && inner !== null)) {
					return Buffer.from(inner, encodingOrOffset, length);
				}
				if (value.length !== undefined) {
					return new Buffer(value);
				}
				if (value.type === "Buffer" && isArray(value.data)) {
					return new Buffer(value.data);
				}
				if (typeof value[native.toPrimitive] === "function") {
					return Buffer.from(value[native.toPrimitive]("string"), encodingOrOffset);
				}
			}
			typeError("Buffer.from: a string, a Buffer, an ArrayBuffer or an array is needed, got " + received(value));
		}

		static alloc(length, value = 0, encodingName = undefined) {
			const made = new Buffer(requireSize(length, "Buffer.alloc"));
			if (value !== 0) {
				made.fill(value, encodingName);
			}
			return made;
		}

		static allocUnsafe(length) {
			return new Buffer(requireSize(length, "Buffer.allocUnsafe"));
		}

		static allocUnsafeSlow(length) {
			return new Buffer(requireSize(length, "Buffer.allocUnsafeSlow"));
		}

		static concat(list, length = undefined) {
			if (!isArray(list)) {
				typeError("Buffer.concat: an array is needed, got " + received(list));
			}
			let total = 0;
			for (let i = 0; i < list.length; i++) {
				requireBytes(list[i], "Buffer.concat");
				total += size(list[i]);
			}
			const made = new Buffer(length === undefined ? total : requireSize(length, "Buffer.concat"));
			for (let i = 0, at = 0; i < list.length; i++) {
				at += copy(list[i], made, at, 0, size(list[i]));
			}
			return made;
		}

		static byteLength(value, encodingName = undefined) {
			if (typeof value === "string") {
				const known = encodingName === undefined ? "utf8" : encodingOf(`${encodingName}`);
				return size(fromText(value, known === undefined ? "utf8" : known));
			}
			if (kind(value) === undefined) {
				typeError("Buffer.byteLength: a string, a Buffer or an ArrayBuffer is needed, got " + received(value));
			}
			return size(value);
		}

		static isBuffer(value) {
			return native.inherits(Buffer.prototype, value);
		}

		static isEncoding(name) {
			return typeof name === "string" && name !== "" && encodingOf(name) !== undefined;
		}

		static compare(a, b) {
			requireBytes(a, "Buffer.compare");
			requireBytes(b, "Buffer.compare");
			return compare(a, 0, size(a), b, 0, size(b));
		}

		toString(encodingName = undefined, start = undefined, stop = undefined) {
			const most = size(this);
			return toText(this, encoding(encodingName), position(start, most, 0), position(stop, most, most));
		}

		toLocaleString(encodingName, start, stop) {
			return this.toString(encodingName, start, stop);
		}

		toJSON() {
			const data = [];
			for (let i = 0; i < this.length; i++) {
				define(data, i, this[i]);
			}
			return { type: "Buffer", data };
		}

		equals(other) {
			requireBytes(other, "Buffer.equals");
			return compare(this, 0, size(this), other, 0, size(other)) === 0;
		}

		compare(other, otherStart, otherEnd, start, stop) {
			requireBytes(other, "Buffer.compare");
			const most = size(this), otherMost = size(other);
			return compare(this, position(start, most, 0), position(stop, most, most),
				other, position(otherStart, otherMost, 0), position(otherEnd, otherMost, otherMost));
		}

		copy(target, targetStart, start, stop) {
			requireBytes(target, "Buffer.copy");
			const most = size(this);
			return copy(this, target, position(targetStart, size(target), 0), position(start, most, 0), position(stop, most, most));
		}

		// slice shares its memory, as Node has it, and unlike that of Uint8Array.
		slice(start, stop) {
			return native.subarray(this, start, stop);
		}

		write(text, offset, length, encodingName) {
			if (typeof text !== "string") {
				typeError("Buffer.write: a string is needed, got " + received(text));
			}
			if (typeof offset === "string") {
				encodingName = offset;
				offset = length = undefined;
			} else if (typeof length === "string") {
				encodingName = length;
				length = undefined;
			}
			const most = size(this);
			offset = position(offset, 9007199254740991, 0);
			if (offset > most) {
				rangeError(`Buffer.write: the offset must be at most ${most}, got ${offset}`);
			}
			return native.write(this, text, offset, position(length, most - offset, most - offset), encoding(encodingName));
		}

		fill(value, start, stop, encodingName) {
			if (typeof start === "string") {
				encodingName = start;
				start = stop = undefined;
			} else if (typeof stop === "string") {
				encodingName = stop;
				stop = undefined;
			}
			const most = size(this);
			if (typeof value !== "string" && kind(value) !== "Uint8Array") {
				value = +value & 255;
			}
			fill(this, value, position(start, most, 0), position(stop, most, most), encoding(encodingName));
			return this;
		}

		indexOf(value, from, encodingName) {
			return find(this, value, from, encodingName, false);
		}

		lastIndexOf(value, from, encodingName) {
			return find(this, value, from, encodingName, true);
		}

		includes(value, from, encodingName) {
			return find(this, value, from, encodingName, false) !== -1;
		}

		swap16() {
			swap(this, 2);
			return this;
		}

		swap32() {
			swap(this, 4);
			return this;
		}

		swap64() {
			swap(this, 8);
			return this;
		}
	}

	function find(buffer, value, from, encodingName, last) {
		if (typeof from === "string") {
			encodingName = from;
			from = undefined;
		}
		if (typeof value === "number") {
			value &= 255;
		} else if (typeof value !== "string" && kind(value) !== "Uint8Array") {
			typeError("Buffer.indexOf: a string, a number or a Buffer is needed, got " + received(value));
		}
		let at = from === undefined ? NaN : +from;
		if (at !== at) {
			at = last ? size(buffer) : 0;
		}
		if (at < 0) {
			at += size(buffer);
		}
		return index(buffer, value, at, encoding(encodingName), last);
	}

	numbers(Buffer.prototype);
	hide(Buffer, "poolSize", 8192);
	return { Buffer };
})
