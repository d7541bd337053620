package prelude

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/dop251/goja"
)

// FuzzURL finds URLs whose serialization is another URL, and setters that lose what makes it one.
func FuzzURL(f *testing.F) {
	for _, seed := range []string{
		"http://u:p@h:81/a/../b?q#f", "file:///C|/x", "foo:a b", "http://[::1]/", "http://0x7f.1/", "//h", "a:/.//p", "http://münchen/",
	} {
		f.Add(seed, "http://a/b/c", "x:80/y?z#w")
	}
	f.Fuzz(func(t *testing.T, text, base, value string) {
		u := parseURL(text, parseURL(base, nil))
		if u == nil {
			return
		}
		again := func(what string) {
			href := u.String()
			v := parseURL(href, nil)
			if v == nil {
				t.Fatalf("%s: %q is no URL any more", what, href)
			}
			if v.String() != href {
				t.Fatalf("%s: %q becomes %q", what, href, v.String())
			}
		}
		again("parsed")
		for _, part := range urlParts {
			u.change(part, value)
			again(part)
		}
	})
}

// FuzzDecode finds texts that depend on how their bytes are cut into pieces.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("é€😀\xff\xe2\x82A\xf0\x9f"), 3)
	f.Add([]byte{0x3d, 0xd8, 0x00, 0xde, 0x41}, 1)
	f.Fuzz(func(t *testing.T, data []byte, at int) {
		if at < 0 || at > len(data) {
			return
		}
		for _, encoding := range []string{"utf-8", "utf-16le", "utf-16be", "windows-1252"} {
			whole, rest, _ := decodeText(encoding, data, false, false)
			if len(rest) > 0 {
				t.Fatalf("%s: %d bytes left at the end", encoding, len(rest))
			}
			for i := 0; i < len(whole); i++ {
				if utf16.IsSurrogate(rune(whole[i])) {
					if i+1 == len(whole) || utf16.DecodeRune(rune(whole[i]), rune(whole[i+1])) == 0xFFFD {
						t.Fatalf("%s: a lone surrogate at %d", encoding, i)
					}
					i++
				}
			}
			head, rest, _ := decodeText(encoding, data[:at], false, true)
			tail, _, _ := decodeText(encoding, append(append([]byte(nil), rest...), data[at:]...), false, false)
			if got := string(utf16.Decode(append(head, tail...))); got != string(utf16.Decode(whole)) {
				t.Fatalf("%s: in two pieces %q, whole %q", encoding, got, string(utf16.Decode(whole)))
			}
			_, _, ok := decodeText(encoding, data, true, false)
			if wrong := strings.ContainsRune(string(utf16.Decode(whole)), 0xFFFD); ok == wrong && !containsReplacement(encoding, data) {
				t.Fatalf("%s: fatal gives %v, and the text is %q", encoding, ok, string(utf16.Decode(whole)))
			}
		}
	})
}

// containsReplacement reports whether data may have an honest U+FFFD.
func containsReplacement(encoding string, data []byte) bool {
	switch encoding {
	case "utf-8":
		return strings.Contains(string(data), "\uFFFD")
	case "utf-16le":
		return strings.Contains(string(data), "\xfd\xff")
	case "utf-16be":
		return strings.Contains(string(data), "\xff\xfd")
	}
	return false
}

// FuzzBytes finds bytes that do not come back from an encoding of Buffer's, and texts that break one.
func FuzzBytes(f *testing.F) {
	f.Add([]byte("h\xc3\xa9llo"), "aGk=-_ x")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		r := &realm{vm: goja.New()}
		for _, encoding := range []string{"hex", "base64", "base64url", "latin1"} {
			s := r.bytesToText(data, encoding).(goja.String)
			if got := encodeText(s, encoding); string(got) != string(data) {
				t.Fatalf("%s: %x comes back as %x", encoding, data, got)
			}
		}
		for _, encoding := range []string{"hex", "base64", "base64url", "latin1", "ascii", "utf16le", "utf8"} {
			encodeText(r.vm.ToValue(text).(goja.String), encoding)
		}
		if strict, ok := forgivingBase64(text); ok && string(strict) != string(lenientBase64(text)) {
			t.Fatalf("%q is %x and %x", text, strict, lenientBase64(text))
		}
	})
}

// FuzzNumber finds numbers that lose more than what is behind the third digit.
func FuzzNumber(f *testing.F) {
	f.Add(1234567.8915)
	f.Add(-0.0005)
	f.Add(1e21)
	f.Fuzz(func(t *testing.T, x float64) {
		s := formatNumber(x)
		if s == "NaN" || strings.HasSuffix(s, "∞") {
			return
		}
		v := goja.New().ToValue(strings.ReplaceAll(s, ",", "")).ToFloat()
		if d := v - x; d > 0.0005000001+x*1e-15 && x > 0 || d < -0.0005000001+x*1e-15 && x < 0 {
			t.Fatalf("%v is written %s", x, s)
		}
	})
}
