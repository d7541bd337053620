// answer(expression) evaluates it and gives a text that shows the value, or a Promise's value, or the name of
// the error that was thrown: the same text in every engine that does the same. It is run by Node, whose texts
// are the golden files, and by the engine with the prelude.
function answer(expression) {
	function property(key) {
		return typeof key === "symbol" ? key.toString() : /^\w+$/.test(key) ? key : JSON.stringify(key);
	}
	function show(v, seen) {
		switch (typeof v) {
		case "string":
			return JSON.stringify(v);
		case "number":
			return Object.is(v, -0) ? "-0" : String(v);
		case "bigint":
			return v + "n";
		case "symbol":
			return v.toString();
		case "function":
			return "function " + v.name + "/" + v.length;
		}
		if (v === null || typeof v !== "object") {
			return String(v);
		}
		if (seen.includes(v)) {
			return "^" + (seen.length - seen.indexOf(v));
		}
		seen = [...seen, v];
		const inner = x => show(x, seen);
		const name = Object.getPrototypeOf(v) === null ? "null" : v.constructor === undefined ? "?" : v.constructor.name;
		if (v instanceof Error) {
			return name + "{" + v.name + ": " + JSON.stringify(v.message) + ("cause" in v ? ", cause " + inner(v.cause) : "") + "}";
		}
		if (v instanceof Map) {
			return name + "{" + [...v].map(([k, x]) => inner(k) + " => " + inner(x)).join(", ") + "}";
		}
		if (v instanceof Set) {
			return name + "{" + [...v].map(inner).join(", ") + "}";
		}
		if (v instanceof Date) {
			return name + " " + (isNaN(v) ? "invalid" : v.toISOString());
		}
		if (v instanceof RegExp) {
			return name + " " + v + " " + v.lastIndex;
		}
		if (v instanceof ArrayBuffer) {
			return name + "[" + Array.from(new Uint8Array(v)).join(" ") + "]";
		}
		if (v instanceof DataView) {
			return name + "[" + Array.from(new Uint8Array(v.buffer, v.byteOffset, v.byteLength)).join(" ") + "]";
		}
		if (ArrayBuffer.isView(v)) {
			return name + "[" + Array.from(v).join(" ") + "]";
		}
		if (v instanceof URL) {
			return name + " " + v.href;
		}
		if (v instanceof URLSearchParams) {
			return name + " " + v;
		}
		if (v instanceof Promise) {
			return name;
		}
		if (v instanceof Number || v instanceof String || v instanceof Boolean || v instanceof BigInt) {
			return name + "(" + inner(v.valueOf()) + ")";
		}
		if (Array.isArray(v)) {
			let items = [];
			for (let i = 0; i < v.length; i++) {
				items.push(i in v ? inner(v[i]) : "-");
			}
			items = items.concat(Object.keys(v).filter(k => !(k >>> 0 < v.length && /^\d+$/.test(k))).map(k => property(k) + ": " + inner(v[k])));
			return (name === "Array" ? "" : name) + "[" + items.join(", ") + "]";
		}
		const items = Reflect.ownKeys(v).filter(k => Object.prototype.propertyIsEnumerable.call(v, k)).map(k => property(k) + ": " + inner(v[k]));
		return (name === "Object" ? "" : name) + "{" + items.join(", ") + "}";
	}
	function thrown(e) {
		return "!! " + (e instanceof Error ? e.name : show(e, []));
	}
	let promise;
	try {
		promise = (0, eval)("(async () => (" + expression + "))()");
	} catch (e) {
		return Promise.resolve(thrown(e));
	}
	return promise.then(v => show(v, []), thrown);
}
