package prelude

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// installRegExp puts a constructor in the place of the engine's RegExp that gives the engine each pattern as RewriteRegExp spells
// it, and shows the original wherever a program can see it. It is made when a program first uses the name: that costs 15 µs
// (most of it for the engine's own), the accessor that waits for it 2 µs.
//
// It differs from what ECMAScript has in one thing: RegExp(re), without new, copies re, where it should return it. The engine does
// not tell the two apart.
func installRegExp(vm *goja.Runtime) error {
	global := vm.GlobalObject()
	get := func(goja.FunctionCall) goja.Value {
		constructor, err := newRegExps(vm)
		must(err)
		must(global.DefineDataProperty("RegExp", constructor, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
		return constructor
	}
	set := func(call goja.FunctionCall) goja.Value {
		must(global.DefineDataProperty("RegExp", call.Argument(0), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
		return goja.Undefined()
	}
	return global.DefineAccessorProperty("RegExp", vm.ToValue(get), vm.ToValue(set), goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// regExps is what stands behind the constructor RegExp of one VM.
type regExps struct {
	vm        *goja.Runtime
	prototype *goja.Object
	construct goja.Constructor // the engine's constructor
	exec      goja.Callable    // the engine's RegExp.prototype.exec
	source    native           // the engine's getters
	flags     [6]struct {
		letter byte
		get    native
	}

	constructor *goja.Object // the one that programs use

	// templates are patterns that have been compiled; a copy of one costs 1 µs. They save a literal in a loop, and
	// String.prototype.split, which constructs anew each time, from compiling again.
	templates     map[patternKey]*goja.Object
	templateBytes int
}

type patternKey struct{ pattern, flags string }

// What is kept of compiled patterns, for each VM. When it is full it is emptied: a program that makes so many has no use for them.
const (
	maxTemplates     = 64
	maxTemplateBytes = 1 << 18 // of patterns as they are written for the engine; a compiled one takes some ten times as much
)

func newRegExps(vm *goja.Runtime) (*goja.Object, error) {
	engine, err := engineRegExp(vm)
	if err != nil {
		return nil, err
	}
	x := &regExps{vm: vm, prototype: engine.Get("prototype").(*goja.Object), templates: map[patternKey]*goja.Object{}}
	x.construct, _ = goja.AssertConstructor(engine)
	compile, ok := goja.AssertFunction(x.prototype.Get("compile"))
	split, okSplit := goja.AssertFunction(x.prototype.GetSymbol(goja.SymSplit))
	var okExec bool
	if x.exec, okExec = goja.AssertFunction(x.prototype.Get("exec")); !ok || !okSplit || !okExec {
		return nil, errNoRegExp
	}
	if x.source, err = engineGetter(x.prototype, "source"); err != nil {
		return nil, err
	}
	for i, name := range []string{"global", "ignoreCase", "multiline", "dotAll", "unicode", "sticky"} {
		x.flags[i].letter = "gimsuy"[i]
		if x.flags[i].get, err = engineGetter(x.prototype, name); err != nil {
			return nil, err
		}
	}
	function := func(name string, length int, f any) *goja.Object {
		o := vm.ToValue(f).(*goja.Object)
		err = errors.Join(err,
			o.DefineDataProperty("name", vm.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE),
			o.DefineDataProperty("length", vm.ToValue(length), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
		return o
	}
	method := func(name string, length int, f native) {
		err = errors.Join(err, x.prototype.DefineDataProperty(name, function(name, length, f), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	x.constructor = function("RegExp", 2, x.newRegExp)
	species := function("get [Symbol.species]", 0, func(call goja.FunctionCall) goja.Value { return call.This })
	source := function("get source", 0, x.originalSource)
	splitter := function("[Symbol.split]", 2, func(call goja.FunctionCall) goja.Value { return x.split(call, split) })
	method("toString", 0, x.toText)
	method("compile", 2, func(call goja.FunctionCall) goja.Value { return x.compile(call, compile) })
	err = errors.Join(err,
		x.constructor.DefineDataProperty("prototype", x.prototype, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE),
		x.constructor.DefineAccessorPropertySymbol(goja.SymSpecies, species, nil, goja.FLAG_TRUE, goja.FLAG_FALSE),
		x.prototype.DefineDataPropertySymbol(goja.SymSplit, splitter, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE),
		x.prototype.DefineAccessorProperty("source", source, nil, goja.FLAG_TRUE, goja.FLAG_FALSE),
		x.prototype.DefineDataProperty("constructor", x.constructor, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return x.constructor, err
}

var errNoRegExp = errors.New("the program has changed RegExp.prototype before it used RegExp")

// engineRegExp finds the engine's constructor, which the accessor hides, on one of the objects behind the global one.
func engineRegExp(vm *goja.Runtime) (*goja.Object, error) {
	for o := vm.GlobalObject().Prototype(); o != nil; o = o.Prototype() {
		if engine, ok := o.Get("RegExp").(*goja.Object); ok {
			return engine, nil
		}
	}
	return nil, errNoRegExp
}

// describer is Object.getOwnPropertyDescriptor of a VM in which no program runs: one that a program may have changed would not do.
// It takes objects of any VM; what it gives belongs to its own, and so it has one user at a time.
var describer struct {
	sync.Mutex
	vm       *goja.Runtime
	describe native
}

// engineGetter takes the getter out of an accessor property.
func engineGetter(of *goja.Object, name string) (native, error) {
	describer.Lock()
	defer describer.Unlock()
	if describer.describe == nil {
		describer.vm = goja.New()
		object := describer.vm.GlobalObject().Get("Object").(*goja.Object)
		describer.describe = object.Get("getOwnPropertyDescriptor").Export().(native)
	}
	key := describer.vm.ToValue(name)
	found, ok := describer.describe(goja.FunctionCall{Arguments: []goja.Value{of, key}}).(*goja.Object)
	if !ok {
		return nil, errNoRegExp
	}
	getter, ok := found.Get("get").Export().(native)
	if !ok {
		return nil, errNoRegExp
	}
	return getter, nil
}

// newRegExp is the constructor.
func (x *regExps) newRegExp(call goja.ConstructorCall) *goja.Object {
	pattern, flags := call.Argument(0), call.Argument(1)
	from, isObject := pattern.(*goja.Object)
	switch {
	case isObject && isRegExp(from):
		pattern = x.vm.ToValue(x.pattern(from))
		if goja.IsUndefined(flags) {
			flags = x.vm.ToValue(x.flagsOf(from))
		}
	case isObject && matchesLikeRegExp(from):
		pattern = orUndefined(from.Get("source"))
		if goja.IsUndefined(flags) {
			flags = orUndefined(from.Get("flags"))
		}
	}
	re := x.create(patternText(pattern), patternText(flags))
	if call.NewTarget != nil && call.NewTarget != x.constructor {
		must(re.SetPrototype(call.This.Prototype())) // a class that extends RegExp
	}
	return re
}

// isRegExp reports whether o is a regular expression of the engine, and no Proxy of one.
func isRegExp(o *goja.Object) bool { return o.ClassName() == "RegExp" }

// matchesLikeRegExp reports whether an object says that it is to be taken for a regular expression.
func matchesLikeRegExp(o *goja.Object) bool {
	matcher := o.GetSymbol(goja.SymMatch)
	return matcher != nil && matcher.ToBoolean()
}

func orUndefined(v goja.Value) goja.Value {
	if v == nil {
		return goja.Undefined()
	}
	return v
}

// pattern returns the pattern of a regular expression as the program wrote it.
func (x *regExps) pattern(re *goja.Object) string {
	pattern := patternText(x.source(goja.FunctionCall{This: re}))
	if original, _, ok := originalPattern(pattern); ok {
		return original
	}
	return pattern
}

// flagsOf returns the flags of a regular expression, whatever the program has made of its properties.
func (x *regExps) flagsOf(re *goja.Object) string {
	var letters []byte
	for _, flag := range x.flags {
		if flag.get(goja.FunctionCall{This: re}).ToBoolean() {
			letters = append(letters, flag.letter)
		}
	}
	return string(letters)
}

// create makes a regular expression.
func (x *regExps) create(pattern, flags string) *goja.Object {
	key := patternKey{pattern, flags}
	template := x.templates[key]
	if template == nil {
		written := x.rewrite(pattern, flags)
		var err error
		template, err = x.construct(nil, x.vm.ToValue(written), x.vm.ToValue(flags))
		if err != nil {
			panic(x.refusal(err, pattern, flags))
		}
		// The engine asks whether what it is to copy is a regular expression; the program must not have a say in that.
		must(template.DefineDataPropertySymbol(goja.SymMatch, x.vm.ToValue(true), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
		x.keep(key, template, len(written))
	}
	re, err := x.construct(nil, template)
	must(err)
	return re
}

// keep remembers a compiled pattern.
func (x *regExps) keep(key patternKey, template *goja.Object, size int) {
	if len(x.templates) >= maxTemplates || x.templateBytes+size > maxTemplateBytes {
		clear(x.templates)
		x.templateBytes = 0
	}
	x.templates[key] = template
	x.templateBytes += size
}

// rewrite spells a pattern for the engine, or throws a SyntaxError.
func (x *regExps) rewrite(pattern, flags string) string {
	written, _, err := RewriteRegExp(pattern, flags)
	if err != nil {
		panic(x.syntaxError(err.Error()))
	}
	return written
}

// syntaxError makes a SyntaxError. It comes from the engine's constructor, because the name may belong to the program by now.
func (x *regExps) syntaxError(message string) goja.Value {
	_, err := x.construct(nil, x.vm.ToValue("("))
	var exception *goja.Exception
	if !errors.As(err, &exception) {
		panic(err) // the program is being stopped
	}
	o := exception.Value().(*goja.Object)
	must(o.DefineDataProperty("message", x.vm.ToValue(message), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return o
}

// refusal words what the engine says of a pattern with the pattern as the program wrote it.
func (x *regExps) refusal(err error, pattern, flags string) any {
	var exception *goja.Exception
	if !errors.As(err, &exception) {
		return err
	}
	o, ok := exception.Value().(*goja.Object)
	if !ok {
		return err
	}
	message := o.Get("message").String()
	if strings.HasPrefix(message, "Invalid flags") {
		return o
	}
	worded := syntaxError(pattern, flags, engineReason(message)).Error()
	must(o.DefineDataProperty("message", x.vm.ToValue(worded), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return o
}

// engineReason takes the reason out of a message of the engine's, which quotes the pattern as it was spelt for it.
func engineReason(message string) string {
	const marker = "error parsing regexp: "
	i := strings.LastIndex(message, marker)
	if i < 0 {
		return message
	}
	reason := message[i+len(marker):]
	for _, end := range []string{": `", " in `"} {
		if j := strings.Index(reason, end); j >= 0 {
			return reason[:j]
		}
	}
	return strings.TrimRight(reason, ")")
}

// compile is RegExp.prototype.compile, with which a regular expression becomes another one.
func (x *regExps) compile(call goja.FunctionCall, engine goja.Callable) goja.Value {
	pattern, flags := call.Argument(0), call.Argument(1)
	if from, ok := pattern.(*goja.Object); !ok || !isRegExp(from) {
		text := patternText(pattern)
		flags = x.vm.ToValue(patternText(flags))
		pattern = x.vm.ToValue(x.rewrite(text, flags.String()))
		result, err := engine(call.This, pattern, flags)
		if err != nil {
			panic(x.refusal(err, text, flags.String()))
		}
		return result
	}
	result, err := engine(call.This, pattern, flags)
	must(err)
	return result
}

// split is RegExp.prototype[Symbol.split]. The engine's is used but for patterns that may match nothing or something: there it
// takes the empty match behind another one for a separator.
func (x *regExps) split(call goja.FunctionCall, engine goja.Callable) goja.Value {
	if re, ok := call.This.(*goja.Object); ok && isRegExp(re) {
		pattern, emptyToo, _ := originalPattern(x.source(call).String())
		if emptyToo && re.Get("constructor") == x.constructor && x.constructor.GetSymbol(goja.SymSpecies) == x.constructor {
			return x.splitAtMatches(call, pattern, x.flagsOf(re))
		}
	}
	result, err := engine(call.This, call.Arguments...)
	must(err)
	return result
}

// splitAtMatches splits at every match that is not an empty one behind the last: what ECMAScript finds by trying at each place.
func (x *regExps) splitAtMatches(call goja.FunctionCall, pattern, flags string) goja.Value {
	text, ok := call.Argument(0).ToString().(goja.String)
	if !ok {
		panic(x.vm.NewTypeError("Cannot convert a Symbol value to a string"))
	}
	most := float64(math.MaxUint32)
	if limit := call.Argument(1); !goja.IsUndefined(limit) {
		most = math.Mod(math.Trunc(limit.ToFloat()), 1<<32) // ToUint32
		if most < 0 {
			most += 1 << 32
		}
	}
	re := x.create(pattern, strings.NewReplacer("g", "", "y", "").Replace(flags)+"g")
	var parts []any
	add := func(part goja.Value) bool {
		if !(float64(len(parts)) < most) { // NaN is none
			return false
		}
		parts = append(parts, part)
		return true
	}
	from := 0
	for {
		result, err := x.exec(re, text)
		must(err)
		match, ok := result.(*goja.Object)
		if !ok {
			break
		}
		if text.Length() == 0 {
			return x.vm.NewArray()
		}
		at, end := int(match.Get("index").ToInteger()), int(re.Get("lastIndex").ToInteger())
		if at >= text.Length() {
			break
		}
		if end == at {
			must(re.Set("lastIndex", end+advance(text, end, strings.Contains(flags, "u"))))
		}
		if end == from {
			continue
		}
		if !add(text.Substring(from, at)) {
			return x.vm.NewArray(parts...)
		}
		for i := range int(match.Get("length").ToInteger()) - 1 {
			if !add(match.Get(strconv.Itoa(i + 1))) {
				return x.vm.NewArray(parts...)
			}
		}
		from = end
	}
	add(text.Substring(from, text.Length()))
	return x.vm.NewArray(parts...)
}

// advance is the length of the character at a place: two code units for a pair of surrogates with the flag u.
func advance(text goja.String, at int, unicode bool) int {
	if unicode && at+1 < text.Length() && utf16.DecodeRune(rune(text.CharAt(at)), rune(text.CharAt(at+1))) != utf8.RuneError {
		return 2
	}
	return 1
}

// originalSource is the getter of RegExp.prototype.source.
func (x *regExps) originalSource(call goja.FunctionCall) goja.Value {
	source := x.source(call)
	text := source.String()
	if original, _, ok := originalPattern(text); ok {
		return x.vm.ToValue(escapePattern(original))
	}
	const slash = `\u002f` // what the engine makes of a slash
	if !strings.Contains(text, slash) || strings.ContainsRune(text, utf8.RuneError) {
		return source
	}
	return x.vm.ToValue(escapePattern(strings.ReplaceAll(text, slash, "/")))
}

// escapePattern writes a pattern so that it can stand between slashes.
func escapePattern(pattern string) string {
	if pattern == "" {
		return "(?:)"
	}
	var out strings.Builder
	inClass, escaped := false, false
	for _, r := range pattern {
		switch {
		case r == '\n' || r == '\r' || r == 0x2028 || r == 0x2029:
			if !escaped {
				out.WriteByte('\\')
			}
			out.WriteString(map[rune]string{'\n': "n", '\r': "r", 0x2028: "u2028", 0x2029: "u2029"}[r])
			escaped = false
			continue
		case escaped:
			escaped = false
		case r == '\\':
			escaped = true
		case r == '[':
			inClass = true
		case r == ']':
			inClass = false
		case r == '/' && !inClass:
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}

// toText is RegExp.prototype.toString. The engine's shows the pattern as it was spelt for it.
func (x *regExps) toText(call goja.FunctionCall) goja.Value {
	re, ok := call.This.(*goja.Object)
	if !ok {
		panic(x.vm.NewTypeError("Method RegExp.prototype.toString called on incompatible receiver %s", typeOf(call.This)))
	}
	return x.vm.ToValue("/" + patternText(orUndefined(re.Get("source"))) + "/" + patternText(orUndefined(re.Get("flags"))))
}

// patternText is what a value is as a pattern or as flags: undefined is nothing, and a surrogate without its other half, which no Go
// string can hold, is written as an escape.
func patternText(v goja.Value) string {
	if goja.IsUndefined(v) {
		return ""
	}
	s, ok := v.ToString().(goja.String)
	if !ok {
		return v.String()
	}
	text := s.String()
	if !strings.ContainsRune(text, utf8.RuneError) {
		return text
	}
	var out strings.Builder
	escaping := false // an odd number of backslashes stands in front
	for i := 0; i < s.Length(); i++ {
		r := rune(s.CharAt(i))
		if utf16.IsSurrogate(r) && i+1 < s.Length() {
			if pair := utf16.DecodeRune(r, rune(s.CharAt(i+1))); pair != utf8.RuneError {
				r = pair
				i++
			}
		}
		switch {
		case !utf16.IsSurrogate(r):
			escaping = r == '\\' && !escaping
			out.WriteRune(r)
		case escaping:
			escaping = false
			out.WriteByte('u')
			out.WriteString(hexUnit(r))
		default:
			out.WriteString(`\u`)
			out.WriteString(hexUnit(r))
		}
	}
	return out.String()
}
