// URL and URLSearchParams of the URL standard. Natives: see url.go.
(function (native) {
	"use strict";
	const { define, hide, iterator, toStringTag, call, typeError, iterators } = native;
	const { parse, change, invalid, decodeForm, encodeForm, sortForm, text } = native;

	function requireArguments(count, least, what) {
		if (count < least) {
			typeError(what + ": " + (least === 1 ? "an argument is" : least + " arguments are") + " missing");
		}
	}

	function isObject(v) {
		return typeof v === "object" ? v !== null : typeof v === "function";
	}

	function Base() {
	}
	Base.prototype = iterators;

	// FieldIterator goes over the fields of a URLSearchParams while they may change.
	class FieldIterator extends Base {
		#fields;
		#kind;
		#index = 0;

		constructor(fields, kind) {
			super();
			this.#fields = fields;
			this.#kind = kind;
		}

		next() {
			const fields = this.#fields;
			const list = fields();
			const i = this.#index;
			if (i >= list.length) {
				return { value: undefined, done: true };
			}
			this.#index = i + 2;
			const kind = this.#kind;
			return { value: kind === "key" ? list[i] : kind === "value" ? list[i + 1] : [list[i], list[i + 1]], done: false };
		}
	}
	delete FieldIterator.prototype.constructor;
	hide(FieldIterator.prototype, toStringTag, "URLSearchParams Iterator");

	let setFields, follow;

	class URLSearchParams {
		#list = []; // names and values in turn
		#changed; // tells the URL that this belongs to

		constructor(init = "") {
			if (isObject(init)) {
				const same = #list in init; // the engine compiles no `in` of a private name within `&&`
				if (same) {
					this.#list = decodeForm(encodeForm(init.#list));
					return;
				}
				const open = init[iterator];
				if (open !== undefined && open !== null) {
					this.#addPairs(init, open);
				} else {
					this.#addProperties(init);
				}
				return;
			}
			const query = `${init}`;
			this.#list = decodeForm(native.first(query) === "?" ? native.tail(query) : query);
		}

		#add(name, value) {
			const list = this.#list;
			define(list, list.length, name);
			define(list, list.length, value);
		}

		#addPairs(init, open) {
			if (typeof open !== "function") {
				typeError("URLSearchParams: the list is not iterable");
			}
			native.each(init, pair => {
				if (!isObject(pair) || typeof pair[iterator] !== "function") {
					typeError("URLSearchParams: each pair must be an iterable of a name and a value");
				}
				const both = [];
				native.each(pair, part => {
					define(both, both.length, text(part));
				});
				if (both.length !== 2) {
					typeError("URLSearchParams: each pair must have a name and a value, got " + both.length + " items");
				}
				this.#add(both[0], both[1]);
			});
		}

		#addProperties(init) {
			const keys = native.keys(init);
			for (let i = 0; i < keys.length; i++) {
				this.#add(text(keys[i]), text(init[keys[i]]));
			}
		}

		#update() {
			const changed = this.#changed;
			if (changed !== undefined) {
				changed(encodeForm(this.#list));
			}
		}

		get size() {
			return this.#list.length / 2;
		}

		append(name, value) {
			requireArguments(arguments.length, 2, "URLSearchParams.append");
			this.#add(text(name), text(value));
			this.#update();
		}

		delete(name, value = undefined) {
			requireArguments(arguments.length, 1, "URLSearchParams.delete");
			name = text(name);
			if (value !== undefined) {
				value = text(value);
			}
			const list = this.#list, kept = [];
			for (let i = 0; i < list.length; i += 2) {
				if (list[i] !== name || value !== undefined && list[i + 1] !== value) {
					define(kept, kept.length, list[i]);
					define(kept, kept.length, list[i + 1]);
				}
			}
			this.#list = kept;
			this.#update();
		}

		get(name) {
			requireArguments(arguments.length, 1, "URLSearchParams.get");
			name = text(name);
			const list = this.#list;
			for (let i = 0; i < list.length; i += 2) {
				if (list[i] === name) {
					return list[i + 1];
				}
			}
			return null;
		}

		getAll(name) {
			requireArguments(arguments.length, 1, "URLSearchParams.getAll");
			name = text(name);
			const list = this.#list, all = [];
			for (let i = 0; i < list.length; i += 2) {
				if (list[i] === name) {
					define(all, all.length, list[i + 1]);
				}
			}
			return all;
		}

		has(name, value = undefined) {
			requireArguments(arguments.length, 1, "URLSearchParams.has");
			name = text(name);
			if (value !== undefined) {
				value = text(value);
			}
			const list = this.#list;
			for (let i = 0; i < list.length; i += 2) {
				if (list[i] === name && (value === undefined || list[i + 1] === value)) {
					return true;
				}
			}
			return false;
		}

		set(name, value) {
			requireArguments(arguments.length, 2, "URLSearchParams.set");
			name = text(name);
			value = text(value);
			const list = this.#list, kept = [];
			let found = false;
			for (let i = 0; i < list.length; i += 2) {
				if (list[i] !== name) {
					define(kept, kept.length, list[i]);
					define(kept, kept.length, list[i + 1]);
				} else if (!found) {
					found = true;
					define(kept, kept.length, name);
					define(kept, kept.length, value);
				}
			}
			this.#list = kept;
			if (!found) {
				this.#add(name, value);
			}
			this.#update();
		}

		sort() {
			this.#list = sortForm(this.#list);
			this.#update();
		}

		forEach(callback, thisArg = undefined) {
			if (typeof callback !== "function") {
				typeError("URLSearchParams.forEach: the callback must be a function, got " + typeof callback);
			}
			for (let i = 0; i < this.#list.length; i += 2) {
				call(callback, thisArg, this.#list[i + 1], this.#list[i], this);
			}
		}

		keys() {
			this.#list;
			return new FieldIterator(() => this.#list, "key");
		}

		values() {
			this.#list;
			return new FieldIterator(() => this.#list, "value");
		}

		entries() {
			this.#list;
			return new FieldIterator(() => this.#list, "entry");
		}

		toString() {
			return encodeForm(this.#list);
		}

		static {
			setFields = (params, list) => {
				params.#list = list;
			};
			follow = (params, changed) => {
				params.#changed = changed;
			};
		}
	}
	hide(URLSearchParams.prototype, iterator, URLSearchParams.prototype.entries);
	hide(URLSearchParams.prototype, toStringTag, "URLSearchParams");

	function query(parts) {
		const search = parts.search;
		return decodeForm(search === "" ? "" : native.tail(search));
	}

	class URL {
		#parts; // of the URL, by name; replaced as a whole
		#params;

		constructor(url, base = undefined) {
			requireArguments(arguments.length, 1, "URL");
			url = `${url}`;
			if (base !== undefined) {
				base = `${base}`;
			}
			this.#parts = parse(url, base);
			if (this.#parts === null) {
				invalid(url, base);
			}
		}

		static canParse(url, base = undefined) {
			requireArguments(arguments.length, 1, "URL.canParse");
			return parse(`${url}`, base === undefined ? base : `${base}`) !== null;
		}

		static parse(url, base = undefined) {
			requireArguments(arguments.length, 1, "URL.parse");
			url = `${url}`;
			base = base === undefined ? base : `${base}`;
			return parse(url, base) === null ? null : new URL(url, base);
		}

		#change(part, value) {
			const parts = change(this.#parts.href, part, `${value}`);
			if (parts !== null) {
				this.#parts = parts;
			}
		}

		#refresh() {
			if (this.#params !== undefined) {
				setFields(this.#params, query(this.#parts));
			}
		}

		get href() {
			return this.#parts.href;
		}

		set href(value) {
			value = `${value}`;
			const parts = parse(value);
			if (parts === null) {
				invalid(value);
			}
			this.#parts = parts;
			this.#refresh();
		}

		get origin() {
			return this.#parts.origin;
		}

		get protocol() {
			return this.#parts.protocol;
		}

		set protocol(value) {
			this.#change("protocol", value);
		}

		get username() {
			return this.#parts.username;
		}

		set username(value) {
			this.#change("username", value);
		}

		get password() {
			return this.#parts.password;
		}

		set password(value) {
			this.#change("password", value);
		}

		get host() {
			return this.#parts.host;
		}

		set host(value) {
			this.#change("host", value);
		}

		get hostname() {
			return this.#parts.hostname;
		}

		set hostname(value) {
			this.#change("hostname", value);
		}

		get port() {
			return this.#parts.port;
		}

		set port(value) {
			this.#change("port", value);
		}

		get pathname() {
			return this.#parts.pathname;
		}

		set pathname(value) {
			this.#change("pathname", value);
		}

		get search() {
			return this.#parts.search;
		}

		set search(value) {
			this.#change("search", value);
			this.#refresh();
		}

		get searchParams() {
			if (this.#params === undefined) {
				const params = new URLSearchParams();
				setFields(params, query(this.#parts));
				follow(params, search => this.#change("search", search));
				this.#params = params;
			}
			return this.#params;
		}

		get hash() {
			return this.#parts.hash;
		}

		set hash(value) {
			this.#change("hash", value);
		}

		toString() {
			return this.#parts.href;
		}

		toJSON() {
			return this.#parts.href;
		}
	}
	hide(URL.prototype, toStringTag, "URL");

	return { URL, URLSearchParams };
})
