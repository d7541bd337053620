package config

import "strings"

// isNumber reports whether text is a number as JSON writes it (RFC 8259, section 6): no plus sign, no
// leading zero, digits on both sides of the point.
func isNumber(text string) bool {
	text = strings.TrimPrefix(text, "-")
	whole, rest := digits(text)
	if whole == "" || len(whole) > 1 && whole[0] == '0' {
		return false
	}
	if strings.HasPrefix(rest, ".") {
		fraction, after := digits(rest[1:])
		if fraction == "" {
			return false
		}
		rest = after
	}
	if rest == "" {
		return true
	}
	if rest[0] != 'e' && rest[0] != 'E' {
		return false
	}
	rest = rest[1:]
	if rest != "" && (rest[0] == '+' || rest[0] == '-') {
		rest = rest[1:]
	}
	exponent, rest := digits(rest)
	return exponent != "" && rest == ""
}

// digits splits text behind its leading decimal digits.
func digits(text string) (leading, rest string) {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return text[:n], text[n:]
}

// magnitude says how a number compares with the range of a key.
type magnitude int

const (
	unfit  magnitude = iota // not a whole number, or less than 1
	fits                    // a whole number from 1 to the bound
	excess                  // a whole number beyond the bound
)

// count reads the raw text of a JSON number as a whole number from 1 to most. It works on the text: 40.0
// and 1e2 are whole numbers, no digit is lost to floating point, and the cost does not grow with the
// exponent.
func count(text string, most int64) (int64, magnitude) {
	if text[0] == '-' {
		return 0, unfit
	}
	whole, rest := digits(text)
	var fraction string
	if strings.HasPrefix(rest, ".") {
		fraction, rest = digits(rest[1:])
	}
	exponent := 0
	if rest != "" {
		exponent = smallInt(rest[1:])
	}
	// The number is mantissa × 10^exponent, and the mantissa does not end in a zero.
	exponent -= len(fraction)
	mantissa := strings.TrimLeft(whole+fraction, "0")
	trimmed := strings.TrimRight(mantissa, "0")
	exponent += len(mantissa) - len(trimmed)
	if trimmed == "" || exponent < 0 {
		return 0, unfit
	}
	if len(trimmed)+exponent > 19 { // more digits than any int64 has
		return 0, excess
	}
	var value uint64 // 19 digits fit
	for _, digit := range []byte(trimmed + strings.Repeat("0", exponent)) {
		value = value*10 + uint64(digit-'0')
	}
	if value > uint64(most) {
		return 0, excess
	}
	return int64(value), fits
}

// smallInt reads an exponent. Far from zero it stops counting: no document is long enough (see MaxBytes)
// to hold the zeros that would make up for 10^8.
func smallInt(text string) int {
	sign := 1
	switch text[0] {
	case '-':
		sign, text = -1, text[1:]
	case '+':
		text = text[1:]
	}
	value := 0
	for _, digit := range []byte(text) {
		if value = value*10 + int(digit-'0'); value > 1e8 {
			return sign * 1e8
		}
	}
	return sign * value
}
