// TextEncoder and TextDecoder of the Encoding standard.
(function (native) {
	"use strict";
	const { hide, toStringTag, typeError, encode, encodeInto, encodingName, decode } = native;

	class TextEncoder {
		#encoder = true; // what makes an object a TextEncoder

		get encoding() {
			return this.#encoder && "utf-8";
		}

		encode(input = "") {
			return this.#encoder && encode(`${input}`);
		}

		encodeInto(source, destination) {
			return this.#encoder && encodeInto(`${source}`, destination);
		}
	}
	hide(TextEncoder.prototype, toStringTag, "TextEncoder");

	class TextDecoder {
		#encoding;
		#fatal;
		#ignoreBOM;
		#rest; // bytes of a character that is not whole yet
		#started = false; // something has come out since the stream began

		constructor(label = "utf-8", options = undefined) {
			this.#encoding = encodingName(`${label}`);
			this.#fatal = !!options?.fatal;
			this.#ignoreBOM = !!options?.ignoreBOM;
		}

		get encoding() {
			return this.#encoding;
		}

		get fatal() {
			return this.#fatal;
		}

		get ignoreBOM() {
			return this.#ignoreBOM;
		}

		decode(input = undefined, options = undefined) {
			const more = !!options?.stream;
			const decoded = decode(this.#encoding, this.#fatal, input, this.#rest, more);
			if (decoded === null) {
				this.#rest = undefined;
				this.#started = false;
				typeError("TextDecoder.decode: the data is not valid " + this.#encoding);
			}
			let text = decoded.text;
			if (!this.#started && !this.#ignoreBOM && this.#encoding !== "windows-1252" && native.first(text) === "\uFEFF") {
				text = native.tail(text);
				this.#started = true;
			}
			this.#started = more && (this.#started || text.length > 0);
			this.#rest = more ? decoded.rest : undefined;
			return text;
		}
	}
	hide(TextDecoder.prototype, toStringTag, "TextDecoder");

	return { TextEncoder, TextDecoder };
})
