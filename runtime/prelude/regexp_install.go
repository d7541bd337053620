package prelude

import (
	"errors"
	"sync"

	"github.com/dop251/goja"
)

// installRegExp puts a constructor in the place of the engine's RegExp that gives the engine each pattern as RewriteRegExp spells
// it, and shows the original wherever a program can see it. It is made when a program first uses the name: that costs some 15 µs
// beside the engine's own 10; the accessor that waits for it costs 2. Until then RegExp.prototype is the engine's: a host that
// compiles a program with /x/.constructor in it, but without the name RegExp, touches the name first.
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

	// What source said last, and of which regular expression: split asks twice, and the text is long.
	lastRead    *goja.Object
	lastPattern string
	lastEmpty   bool
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
	exec, isExec := goja.AssertFunction(x.prototype.Get("exec"))
	compile, isCompile := goja.AssertFunction(x.prototype.Get("compile"))
	split, isSplit := goja.AssertFunction(x.prototype.GetSymbol(goja.SymSplit))
	if !isExec || !isCompile || !isSplit {
		return nil, errNoRegExp
	}
	x.exec = exec
	if x.source, err = engineGetter(x.prototype, "source"); err != nil {
		return nil, err
	}
	for i, name := range []string{"global", "ignoreCase", "multiline", "dotAll", "unicode", "sticky"} {
		x.flags[i].letter = "gimsuy"[i]
		if x.flags[i].get, err = engineGetter(x.prototype, name); err != nil {
			return nil, err
		}
	}
	err = x.define(compile, split)
	return x.constructor, err
}

// define makes the constructor, and puts what has to know of rewritten patterns in the place of the engine's: its own compile and
// split are given.
func (x *regExps) define(compile, split goja.Callable) error {
	var errs []error
	function := func(name string, length int, f any) *goja.Object {
		o := x.vm.ToValue(f).(*goja.Object)
		errs = append(errs,
			o.DefineDataProperty("name", x.vm.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE),
			o.DefineDataProperty("length", x.vm.ToValue(length), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
		return o
	}
	method := func(name string, length int, f native) {
		errs = append(errs, x.prototype.DefineDataProperty(name, function(name, length, f), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	method("toString", 0, x.toText)
	method("compile", 2, func(call goja.FunctionCall) goja.Value { return x.compile(call, compile) })
	splitter := function("[Symbol.split]", 2, func(call goja.FunctionCall) goja.Value { return x.split(call, split) })
	source := function("get source", 0, x.originalSource)

	x.constructor = function("RegExp", 2, x.newRegExp)
	species := function("get [Symbol.species]", 0, func(call goja.FunctionCall) goja.Value { return call.This })
	errs = append(errs,
		x.prototype.DefineDataPropertySymbol(goja.SymSplit, splitter, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE),
		x.prototype.DefineAccessorProperty("source", source, nil, goja.FLAG_TRUE, goja.FLAG_FALSE),
		x.prototype.DefineDataProperty("constructor", x.constructor, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE),
		x.constructor.DefineDataProperty("prototype", x.prototype, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE),
		x.constructor.DefineAccessorPropertySymbol(goja.SymSpecies, species, nil, goja.FLAG_TRUE, goja.FLAG_FALSE))

	legacy := function("", 0, func(goja.FunctionCall) goja.Value {
		panic(x.vm.NewTypeError("RegExp.$1 and its like are not supported by the engine: use the result of exec or match"))
	})
	for _, name := range []string{"$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9", "$&", "$_", "$+", "$`", "$'",
		"input", "lastMatch", "lastParen", "leftContext", "rightContext"} {
		errs = append(errs, x.constructor.DefineAccessorProperty(name, legacy, nil, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	return errors.Join(errs...)
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
		text, _ := x.pattern(from)
		pattern = x.vm.ToValue(text)
		if goja.IsUndefined(flags) {
			flags = x.vm.ToValue(x.flagsOf(from))
		}
	case isObject && matchesLikeRegExp(from):
		pattern = orUndefined(from.Get("source"))
		if goja.IsUndefined(flags) {
			flags = orUndefined(from.Get("flags"))
		}
	}
	re := x.create(x.text(pattern), x.text(flags))
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

// pattern returns the pattern of a regular expression as the program wrote it, and whether it is marked as one that matches nothing
// or something.
func (x *regExps) pattern(re *goja.Object) (pattern string, emptyToo bool) {
	if x.lastRead != re {
		x.lastPattern, x.lastEmpty = x.text(x.source(goja.FunctionCall{This: re})), false
		if original, emptyToo, ok := originalPattern(x.lastPattern); ok {
			x.lastPattern, x.lastEmpty = original, emptyToo
		}
		x.lastRead = re
	}
	return x.lastPattern, x.lastEmpty
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

// compile is RegExp.prototype.compile, with which a regular expression becomes another one.
func (x *regExps) compile(call goja.FunctionCall, engine goja.Callable) goja.Value {
	x.lastRead = nil
	pattern, flags := call.Argument(0), call.Argument(1)
	if from, ok := pattern.(*goja.Object); !ok || !isRegExp(from) {
		text := x.text(pattern)
		flags = x.vm.ToValue(x.text(flags))
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
