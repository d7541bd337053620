package prelude

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// parseHost is the host parser of the URL standard; it gives the host as it is serialized. Opaque hosts are
// those of schemes that are not special.
func parseHost(s string, opaque bool) (host string, ok bool) {
	if strings.HasPrefix(s, "[") {
		if !strings.HasSuffix(s, "]") {
			return "", false
		}
		return parseIPv6(s[1 : len(s)-1])
	}
	if opaque {
		if strings.ContainsAny(s, "\x00\t\n\r #/:<>?@[\\]^|") {
			return "", false
		}
		return percentEncode(s, controlSet), true
	}
	domain, ok := domainToASCII(strings.ToValidUTF8(percentDecode(s), "\uFFFD"))
	if !ok || domain == "" || strings.IndexFunc(domain, forbiddenInDomain) >= 0 {
		return "", false
	}
	if endsInNumber(domain) {
		return parseIPv4(domain)
	}
	return domain, true
}

func forbiddenInDomain(c rune) bool {
	return c <= ' ' || c == 0x7F || strings.ContainsRune("#/:<>?@[\\]^|%", c)
}

// domainToASCII makes the form of a domain that goes over the wire.
func domainToASCII(domain string) (string, bool) {
	lower := strings.ToLower(domain)
	ascii := strings.IndexFunc(domain, func(c rune) bool { return c >= utf8.RuneSelf }) < 0
	if ascii && !strings.HasPrefix(lower, "xn--") && !strings.Contains(lower, ".xn--") {
		return lower, true
	}
	if len(domain) > maxDomain || slices.Contains(strings.Split(lower, "."), "xn--") {
		return "", false // the encoding of nothing
	}
	encoded, err := domains().ToASCII(domain)
	// A label of Punycode that is not what it would be encoded as is none.
	return encoded, err == nil && (!ascii || encoded == lower)
}

// maxDomain is how long a domain may be, in bytes, that has to be encoded: that takes time in proportion to the
// square of its length. Those of the DNS have 253 at most.
const maxDomain = 1 << 14

// domains is UTS #46 as the URL standard uses it.
var domains = sync.OnceValue(func() *idna.Profile {
	return idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false), idna.CheckHyphens(false),
		idna.CheckJoiners(true), idna.BidiRule(), idna.VerifyDNSLength(false))
})

func parseIPv6(s string) (string, bool) {
	if strings.ContainsRune(s, '%') {
		return "", false // a zone
	}
	address, err := netip.ParseAddr(s)
	if err != nil || !address.Is6() {
		return "", false
	}
	return "[" + serializeIPv6(address.As16()) + "]", true
}

// serializeIPv6 is the IPv6 serializer: no dotted end, and the first of the longest runs of two zeros or more
// is left out.
func serializeIPv6(address [16]byte) string {
	var pieces [8]uint16
	for i := range pieces {
		pieces[i] = uint16(address[2*i])<<8 | uint16(address[2*i+1])
	}
	from, length := -1, 1
	for i := 0; i < len(pieces); i++ {
		n := 0
		for i+n < len(pieces) && pieces[i+n] == 0 {
			n++
		}
		if n > length {
			from, length = i, n
		}
		i += n
	}
	var b strings.Builder
	for i := 0; i < len(pieces); i++ {
		if i == from {
			b.WriteString("::")
			i += length - 1
			continue
		}
		if i > 0 && i != from+length {
			b.WriteByte(':')
		}
		b.WriteString(strconv.FormatUint(uint64(pieces[i]), 16))
	}
	return b.String()
}

// endsInNumber reports whether a domain must be an IPv4 address, because its last label is a number.
func endsInNumber(domain string) bool {
	labels := strings.Split(domain, ".")
	if labels[len(labels)-1] == "" {
		if len(labels) == 1 {
			return false
		}
		labels = labels[:len(labels)-1]
	}
	last := labels[len(labels)-1]
	if last != "" && strings.Trim(last, "0123456789") == "" {
		return true
	}
	_, ok := parseIPv4Number(last)
	return ok
}

// parseIPv4 is the IPv4 parser: one to four numbers, decimal, octal or hexadecimal, the last of which fills
// what is left.
func parseIPv4(s string) (string, bool) {
	parts := strings.Split(s, ".")
	if parts[len(parts)-1] == "" && len(parts) > 1 {
		parts = parts[:len(parts)-1]
	}
	if len(parts) > 4 {
		return "", false
	}
	var address uint64
	for i, part := range parts {
		n, ok := parseIPv4Number(part)
		if !ok {
			return "", false
		}
		if i < len(parts)-1 {
			if n > 255 {
				return "", false
			}
			address |= n << (8 * (3 - i))
			continue
		}
		if n >= 1<<(8*(5-len(parts))) {
			return "", false
		}
		address |= n
	}
	return netip.AddrFrom4([4]byte{byte(address >> 24), byte(address >> 16), byte(address >> 8), byte(address)}).String(), true
}

func parseIPv4Number(s string) (uint64, bool) {
	base := 10
	switch {
	case s == "":
		return 0, false
	case len(s) >= 2 && (s[:2] == "0x" || s[:2] == "0X"):
		s, base = s[2:], 16
	case len(s) >= 2 && s[0] == '0':
		s, base = s[1:], 8
	}
	if s == "" {
		return 0, true
	}
	if s[0] == '+' || s[0] == '-' {
		return 0, false
	}
	n, err := strconv.ParseUint(s, base, 64)
	if err != nil && strings.Trim(s, "0123456789abcdefABCDEF") == "" && err.(*strconv.NumError).Err == strconv.ErrRange {
		return 1 << 40, true // too much for any place
	}
	return n, err == nil
}
