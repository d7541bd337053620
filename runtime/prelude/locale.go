package prelude

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// installLocale replaces the methods that depend on a locale and can be reached without naming a global, and
// adds the methods of String.prototype that the engine lacks.
//
// There is one locale, en-US, and there are no options: what a program asks beyond that is refused by name,
// because an answer in the wrong format looks like the right one.
func (r *realm) installLocale() error {
	text := r.vm.ToValue("").ToObject(r.vm).Prototype()
	number := r.vm.ToValue(0).ToObject(r.vm).Prototype()
	bigInt := r.vm.ToValue(new(big.Int)).ToObject(r.vm).Prototype()
	array := r.vm.NewArray().Prototype()
	return errors.Join(
		r.method(text, "localeCompare", 1, r.localeCompare),
		r.method(text, "toLocaleLowerCase", 0, func(call goja.FunctionCall) goja.Value {
			return r.localeCase(call, "toLocaleLowerCase", func(p *pristine) native { return p.toLowerCase })
		}),
		r.method(text, "toLocaleUpperCase", 0, func(call goja.FunctionCall) goja.Value {
			return r.localeCase(call, "toLocaleUpperCase", func(p *pristine) native { return p.toUpperCase })
		}),
		r.method(text, "isWellFormed", 0, r.isWellFormed),
		r.method(text, "toWellFormed", 0, r.toWellFormed),
		r.method(number, "toLocaleString", 0, r.numberToLocaleString),
		r.method(bigInt, "toLocaleString", 0, r.bigIntToLocaleString),
		r.method(array, "toLocaleString", 0, r.arrayToLocaleString),
	)
}

// amendDate replaces what depends on a locale.
func (r *realm) amendDate(date *goja.Object) error {
	prototype := date.Get("prototype").(*goja.Object)
	var errs []error
	for _, m := range []struct{ name, layout string }{
		{"toLocaleString", dateLayout + ", " + timeLayout},
		{"toLocaleDateString", dateLayout},
		{"toLocaleTimeString", timeLayout},
	} {
		errs = append(errs, r.method(prototype, m.name, 0, func(call goja.FunctionCall) goja.Value {
			o, ok := call.This.(*goja.Object)
			if !ok || o.ExportType() != typeTime {
				panic(r.vm.NewTypeError("Date.prototype.%s: `this` must be a Date, got %s", m.name, typeOf(call.This)))
			}
			r.plainLocale("Date.prototype."+m.name, call.Argument(0), call.Argument(1), "use toISOString, or getFullYear and the like")
			p := borrow()
			defer p.release()
			ms := p.timeOf(on(o)).ToFloat()
			if ms != ms {
				return r.vm.ToValue("Invalid Date")
			}
			return r.vm.ToValue(formatDate(time.UnixMilli(int64(ms)), m.layout))
		}))
	}
	return errors.Join(errs...)
}

// The formats of en-US; the year, which may be beyond what package time writes, is put in as a word.
const (
	dateLayout = "1/2/yyyy"
	timeLayout = "3:04:05 PM"
)

// formatDate writes a time as en-US does, in its own time zone. Years before 1 count backwards, without
// saying so.
func formatDate(t time.Time, layout string) string {
	year := t.Year()
	if year <= 0 {
		year = 1 - year
	}
	return strings.Replace(t.Format(layout), "yyyy", strconv.Itoa(year), 1)
}

const numberHint = "use toFixed"

func (r *realm) numberToLocaleString(call goja.FunctionCall) goja.Value {
	value := call.This
	if o, ok := value.(*goja.Object); ok && o.ClassName() == "Number" {
		value = r.vm.ToValue(o.Export())
	}
	if !goja.IsNumber(value) {
		panic(r.vm.NewTypeError("Number.prototype.toLocaleString: `this` must be a number, got %s", typeOf(value)))
	}
	r.plainLocale("Number.prototype.toLocaleString", call.Argument(0), call.Argument(1), numberHint)
	return r.vm.ToValue(formatNumber(value.ToFloat()))
}

func (r *realm) bigIntToLocaleString(call goja.FunctionCall) goja.Value {
	value := call.This
	if o, ok := value.(*goja.Object); ok && o.ExportType() == typeBigInt {
		value = r.vm.ToValue(o.Export())
	}
	if !goja.IsBigInt(value) {
		panic(r.vm.NewTypeError("BigInt.prototype.toLocaleString: `this` must be a BigInt, got %s", typeOf(value)))
	}
	r.plainLocale("BigInt.prototype.toLocaleString", call.Argument(0), call.Argument(1), numberHint)
	return r.vm.ToValue(groupDigits(value.String()))
}

// arrayToLocaleString hands its arguments on to the elements, as the engine does not: they are the ones to
// refuse them.
func (r *realm) arrayToLocaleString(call goja.FunctionCall) goja.Value {
	array := call.This.ToObject(r.vm)
	if slices.Contains(r.writing, array) {
		return r.vm.ToValue("") // an array that is in itself
	}
	r.writing = append(r.writing, array)
	defer func() { r.writing = r.writing[:len(r.writing)-1] }()
	p := borrow()
	defer p.release()
	var b goja.StringBuilder
	for i := range array.Get("length").ToInteger() {
		r.breathe()
		if i > 0 {
			b.WriteRune(',')
		}
		element := p.get(on(nil, array, r.vm.ToValue(i)))
		if goja.IsUndefined(element) || goja.IsNull(element) {
			continue
		}
		write := r.callable(element.ToObject(r.vm).Get("toLocaleString"), "toLocaleString")
		text, err := write(element, call.Arguments...)
		must(err)
		b.WriteString(r.text(text))
	}
	return b.String()
}

// formatNumber writes a number as en-US does: groups of three digits, at most three digits behind the point.
func formatNumber(f float64) string {
	switch {
	case f != f:
		return "NaN"
	case f > maxFloat:
		return "∞"
	case f < -maxFloat:
		return "-∞"
	}
	// ICU rounds what JavaScript prints, not the binary value behind it: 1.0005 is 1.001.
	return groupDigits(roundDecimal(strconv.FormatFloat(f, 'f', -1, 64), 3))
}

const maxFloat = 0x1p1023 * (1 + (1 - 0x1p-52))

// roundDecimal rounds a plain decimal number to that many digits behind the point, halves away from zero,
// and drops zeros at the end.
func roundDecimal(s string, digits int) string {
	whole, fraction, _ := strings.Cut(s, ".")
	if len(fraction) > digits {
		up := fraction[digits] >= '5'
		fraction = fraction[:digits]
		if up {
			sign := ""
			if whole[0] == '-' {
				sign, whole = "-", whole[1:]
			}
			number := increment(whole + fraction)
			whole, fraction = sign+number[:len(number)-digits], number[len(number)-digits:]
		}
	}
	if fraction = strings.TrimRight(fraction, "0"); fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// increment adds one to a number of decimal digits.
func increment(digits string) string {
	b := []byte(digits)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] != '9' {
			b[i]++
			return string(b)
		}
		b[i] = '0'
	}
	return "1" + string(b)
}

// groupDigits puts a comma between groups of three digits of a decimal number.
func groupDigits(s string) string {
	whole, fraction, point := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	var b strings.Builder
	b.WriteString(sign)
	for i, digit := range []byte(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(digit)
	}
	if point {
		b.WriteString("." + fraction)
	}
	return b.String()
}

// localeCompare compares by the root collation of CLDR, which is that of English.
func (r *realm) localeCompare(call goja.FunctionCall) goja.Value {
	this := r.thisString(call, "localeCompare")
	r.plainLocale("String.prototype.localeCompare", call.Argument(1), call.Argument(2),
		"compare what toLowerCase returns, or the numbers in the texts")
	p := borrow()
	defer p.release()
	return p.localeCompare(on(this, r.text(call.Argument(0))))
}

// localeCase changes the case as all languages do but a few, which are refused.
func (r *realm) localeCase(call goja.FunctionCall, name string, convert func(*pristine) native) goja.Value {
	this := r.thisString(call, name)
	for _, tag := range r.locales(call.Argument(0)) {
		switch language, _, _ := strings.Cut(strings.ToLower(tag), "-"); language {
		case "az", "el", "hy", "lt", "tr":
			panic(r.vm.NewTypeError("String.prototype.%s: the rules of locale %q are not known here", name, tag))
		}
	}
	p := borrow()
	defer p.release()
	return convert(p)(on(this))
}

// thisString is the string that a method of String.prototype was called on.
func (r *realm) thisString(call goja.FunctionCall, name string) goja.String {
	if goja.IsUndefined(call.This) || goja.IsNull(call.This) {
		panic(r.vm.NewTypeError("String.prototype.%s: `this` must be a string, got %s", name, typeOf(call.This)))
	}
	return r.text(call.This)
}

// plainLocale refuses every locale but those that mean en-US, and every option.
func (r *realm) plainLocale(method string, locales, options goja.Value, hint string) {
	if tags := r.locales(locales); len(tags) > 0 {
		switch tags[0] {
		case "en-US", "en", "en-us", "und":
		default:
			panic(r.vm.NewTypeError("%s: locale %q is not known here, only \"en-US\"", method, tags[0]))
		}
	}
	if goja.IsUndefined(options) {
		return
	}
	o := options.ToObject(r.vm)
	var names []string
	for _, name := range o.Keys() {
		if v := o.Get(name); v != nil && !goja.IsUndefined(v) {
			names = append(names, strconv.Quote(name))
		}
	}
	if len(names) > 0 {
		word := "option "
		if len(names) > 1 {
			word = "options "
		}
		panic(r.vm.NewTypeError("%s: %s not known here: %s", method, word+strings.Join(names, ", ")+isOrAre(len(names)), hint))
	}
}

func isOrAre(n int) string {
	if n == 1 {
		return " is"
	}
	return " are"
}

// locales reads a locales argument: nothing, a tag, or a list of tags.
func (r *realm) locales(v goja.Value) []string {
	var tags []string
	switch {
	case goja.IsUndefined(v):
	case goja.IsString(v):
		tags = []string{v.String()}
	default:
		o, ok := v.(*goja.Object)
		if !ok {
			panic(r.vm.NewTypeError("incorrect locale information provided: got %s", typeOf(v)))
		}
		for i := range min(o.Get("length").ToInteger(), 100) {
			if tag := o.Get(strconv.FormatInt(i, 10)); tag != nil {
				tags = append(tags, tag.String())
			}
		}
	}
	if i := slices.IndexFunc(tags, func(tag string) bool { return !isLanguageTag(tag) }); i >= 0 {
		panic(r.newRangeError(fmt.Sprintf("incorrect locale information provided: %q", tags[i])))
	}
	return tags
}

// isLanguageTag reports whether s has the shape of a BCP 47 language tag.
func isLanguageTag(s string) bool {
	for i, part := range strings.Split(s, "-") {
		if len(part) == 0 || len(part) > 8 || i == 0 && (len(part) < 2 || len(part) == 4) {
			return false
		}
		for _, c := range []byte(part) {
			letter := c|0x20 >= 'a' && c|0x20 <= 'z'
			if !letter && (i == 0 || c < '0' || c > '9') {
				return false
			}
		}
	}
	return true
}
