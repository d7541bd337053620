// DOMException, as in Web IDL. Its name and code are properties of the prototype there; here each exception
// has a name of its own, which is what those who print errors look at.
(function (native) {
	"use strict";
	const { Error, hide, toStringTag, code } = native;

	class DOMException extends Error {
		constructor(message = "", options = "Error") {
			super(`${message}`);
			let name = options;
			if (typeof options === "object" && options !== null) {
				name = options.name === undefined ? "Error" : options.name;
				if (options.cause !== undefined) {
					hide(this, "cause", options.cause);
				}
			}
			hide(this, "name", `${name}`);
		}

		get code() {
			return code(this.name);
		}
	}
	hide(DOMException.prototype, toStringTag, "DOMException");
	return { DOMException };
})
