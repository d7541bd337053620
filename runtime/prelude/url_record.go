package prelude

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// urlRecord is a URL as the URL standard has it.
type urlRecord struct {
	scheme             string
	username, password string
	host               string // serialized
	hasHost            bool
	port               int      // -1: none, or the scheme's own
	path               []string // segments
	opaque             bool     // opaquePath is the path
	opaquePath         string
	query, fragment    string
	hasQuery           bool
	hasFragment        bool
}

// urlParts are the parts a URL has for programs.
var urlParts = [...]string{
	"href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash",
}

// part gives one of urlParts.
func (u *urlRecord) part(name string) string {
	switch name {
	case "href":
		return u.String()
	case "origin":
		return u.origin()
	case "protocol":
		return u.scheme + ":"
	case "username":
		return u.username
	case "password":
		return u.password
	case "host":
		if u.port >= 0 {
			return u.host + ":" + strconv.Itoa(u.port)
		}
		return u.host
	case "hostname":
		return u.host
	case "port":
		if u.port >= 0 {
			return strconv.Itoa(u.port)
		}
	case "pathname":
		return u.pathname()
	case "search":
		if u.query != "" {
			return "?" + u.query
		}
	case "hash":
		if u.fragment != "" {
			return "#" + u.fragment
		}
	}
	return ""
}

func (u *urlRecord) pathname() string {
	if u.opaque {
		return u.opaquePath
	}
	var b strings.Builder
	for _, segment := range u.path {
		b.WriteByte('/')
		b.WriteString(segment)
	}
	return b.String()
}

// String is the URL serializer.
func (u *urlRecord) String() string {
	var b strings.Builder
	b.WriteString(u.scheme + ":")
	switch {
	case u.hasHost:
		b.WriteString("//")
		if u.username != "" || u.password != "" {
			b.WriteString(u.username)
			if u.password != "" {
				b.WriteString(":" + u.password)
			}
			b.WriteByte('@')
		}
		b.WriteString(u.part("host"))
	case !u.opaque && len(u.path) > 1 && u.path[0] == "":
		b.WriteString("/.")
	}
	b.WriteString(u.pathname())
	if u.hasQuery {
		b.WriteString("?" + u.query)
	}
	if u.hasFragment {
		b.WriteString("#" + u.fragment)
	}
	return b.String()
}

func (u *urlRecord) origin() string {
	switch u.scheme {
	case "blob":
		if inner := parseURL(u.pathname(), nil); inner != nil && (inner.scheme == "http" || inner.scheme == "https") {
			return inner.origin()
		}
	case "ftp", "http", "https", "ws", "wss":
		return u.scheme + "://" + u.part("host")
	}
	return "null"
}

// defaultPort is the port of a special scheme: -1 for file, and special is false for all others.
func defaultPort(scheme string) (port int, special bool) {
	switch scheme {
	case "ftp":
		return 21, true
	case "http", "ws":
		return 80, true
	case "https", "wss":
		return 443, true
	case "file":
		return -1, true
	}
	return -1, false
}

func (u *urlRecord) special() bool {
	_, special := defaultPort(u.scheme)
	return special
}

// shorten takes the last segment off the path, but for the drive of a file URL.
func (u *urlRecord) shorten() {
	if len(u.path) == 0 || u.scheme == "file" && len(u.path) == 1 && isNormalDrive(u.path[0]) {
		return
	}
	u.path = u.path[:len(u.path)-1]
}

// change sets a part as its setter does, as far as the value goes; false means that there is no such part.
func (u *urlRecord) change(part, value string) bool {
	clean := removeTabs(value)
	noCredentials := !u.hasHost || u.host == "" || u.scheme == "file"
	switch part {
	case "protocol":
		parseInto(u, clean+":", schemeStartState)
	case "username":
		if noCredentials {
			return false
		}
		u.username = percentEncode(value, userinfoSet)
	case "password":
		if noCredentials {
			return false
		}
		u.password = percentEncode(value, userinfoSet)
	case "host":
		if u.opaque {
			return false
		}
		parseInto(u, clean, hostState)
	case "hostname":
		if u.opaque {
			return false
		}
		parseInto(u, clean, hostnameState)
	case "port":
		if noCredentials {
			return false
		}
		if value == "" {
			u.port = -1
			return true
		}
		parseInto(u, clean, portState)
	case "pathname":
		if u.opaque {
			return false
		}
		u.path = nil
		parseInto(u, clean, pathStartState)
	case "search":
		u.query, u.hasQuery = "", value != ""
		if value != "" {
			parseInto(u, strings.TrimPrefix(clean, "?"), queryState)
		}
	case "hash":
		u.fragment, u.hasFragment = "", value != ""
		if value != "" {
			parseInto(u, strings.TrimPrefix(clean, "#"), fragmentState)
		}
	}
	return true
}

// encodeSet says which ASCII characters have to be percent-encoded; those beyond always are.
type encodeSet func(c byte) bool

func controlSet(c byte) bool      { return c < 0x20 || c > 0x7E }
func fragmentSet(c byte) bool     { return controlSet(c) || strings.IndexByte(" \"<>`", c) >= 0 }
func querySet(c byte) bool        { return controlSet(c) || strings.IndexByte(" \"#<>", c) >= 0 }
func specialQuerySet(c byte) bool { return querySet(c) || c == '\'' }
func pathSet(c byte) bool         { return querySet(c) || strings.IndexByte("?^`{}", c) >= 0 }
func userinfoSet(c byte) bool     { return pathSet(c) || strings.IndexByte("/:;=@[\\]|", c) >= 0 }

func percentEncode(s string, set encodeSet) string {
	var b strings.Builder
	for i := range len(s) {
		if set(s[i]) {
			writePercent(&b, s[i])
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func writePercent(b *strings.Builder, c byte) {
	const digits = "0123456789ABCDEF"
	b.WriteByte('%')
	b.WriteByte(digits[c>>4])
	b.WriteByte(digits[c&15])
}

// percentDecode decodes what is encoded, and leaves every other percent sign alone. The result need not be
// UTF-8.
func percentDecode(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			n, _ := strconv.ParseUint(s[i+1:i+3], 16, 8)
			b = append(b, byte(n))
			i += 2
			continue
		}
		b = append(b, s[i])
	}
	return string(b)
}

func isHex(c byte) bool   { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isAlpha(c rune) bool { return c < utf8.RuneSelf && 'a' <= c|0x20 && c|0x20 <= 'z' }

// removeTabs drops ASCII tabs and newlines, which count nowhere in a URL.
func removeTabs(s string) string {
	if !strings.ContainsAny(s, "\t\n\r") {
		return s
	}
	return strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
}

func isDrive(s string) bool {
	return len(s) == 2 && isAlpha(rune(s[0])) && (s[1] == ':' || s[1] == '|')
}

func isNormalDrive(s string) bool { return isDrive(s) && s[1] == ':' }

// startsWithDrive reports whether a path, or the rest of one, begins with the drive of a Windows machine.
func startsWithDrive(s string) bool {
	return len(s) >= 2 && isDrive(s[:2]) && (len(s) == 2 || strings.IndexByte("/\\?#", s[2]) >= 0)
}

func isSingleDot(s string) bool { return s == "." || strings.EqualFold(s, "%2e") }

func isDoubleDot(s string) bool {
	switch strings.ToLower(s) {
	case "..", ".%2e", "%2e.", "%2e%2e":
		return true
	}
	return false
}
