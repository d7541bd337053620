package runtime

import (
	"github.com/dop251/goja"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/runtime/source"
)

// marks is where a program has awaited and thrown: what the engine does not say. The compiled program
// reports both through hidden functions (see package rewrite).
type marks struct {
	awaits []awaited // of Promises that were pending, oldest first
	throws []throwMark
}

type awaited struct {
	promise *goja.Promise // nil for an object that is none: it may have a `then`
	site    gg.Site
}

type throwMark struct {
	value goja.Value
	site  gg.Site
	fresh bool // of an expression, not of a variable: the program made it
}

// maxMarks bounds how many marks are kept: programs that throw and await in loops are common.
const maxMarks = 256

// await notes that the program is about to await a value.
func (m *marks) await(v goja.Value, site gg.Site) {
	o, ok := v.(*goja.Object)
	if !ok {
		return
	}
	promise, _ := o.Export().(*goja.Promise)
	if promise != nil && promise.State() == goja.PromiseStateFulfilled {
		return
	}
	if len(m.awaits) == maxMarks {
		kept := m.awaits[:0]
		for _, a := range m.awaits {
			if a.promise != nil && a.promise.State() == goja.PromiseStatePending {
				kept = append(kept, a)
			}
		}
		if len(kept) == maxMarks {
			kept = append(kept[:maxMarks/2], kept[maxMarks/2+1:]...)
		}
		m.awaits = kept
	}
	m.awaits = append(m.awaits, awaited{promise, site})
}

// pendingAwait is where the program waits: the oldest await that is still waiting is the innermost one,
// because an argument is evaluated before the await around it.
func (m *marks) pendingAwait() gg.Site {
	for _, a := range m.awaits {
		if a.promise != nil && a.promise.State() == goja.PromiseStatePending {
			return a.site
		}
	}
	if last := len(m.awaits) - 1; last >= 0 {
		return m.awaits[last].site
	}
	return gg.Site{}
}

// awaitOf is where the program awaited the Promise that was rejected with a value: the place of an error
// that no line of the program made.
func (m *marks) awaitOf(reason goja.Value) gg.Site {
	for i := len(m.awaits) - 1; i >= 0; i-- {
		a := m.awaits[i]
		if a.promise != nil && a.promise.State() == goja.PromiseStateRejected && reason != nil && a.promise.Result().SameAs(reason) {
			return a.site
		}
	}
	return gg.Site{}
}

// throw notes that the program is about to throw a value. Throwing a variable (`throw e` in a catch block)
// that holds an object thrown before is passing it on: it keeps the place where it was thrown first.
func (m *marks) throw(v goja.Value, site gg.Site, variable bool) {
	_, isObject := v.(*goja.Object)
	for i, t := range m.throws {
		if t.value.SameAs(v) {
			if !variable || !isObject {
				m.throws[i].site = site
			}
			return
		}
	}
	if len(m.throws) == maxMarks {
		m.throws = append(m.throws[:0], m.throws[1:]...)
	}
	m.throws = append(m.throws, throwMark{v, site, !variable})
}

// throwSite is where a value was thrown, the zero Site when no throw statement did it.
func (m *marks) throwSite(v goja.Value) gg.Site {
	if v == nil {
		v = goja.Undefined()
	}
	for i := len(m.throws) - 1; i >= 0; i-- {
		if m.throws[i].value.SameAs(v) {
			return m.throws[i].site
		}
	}
	return gg.Site{}
}

// made reports whether the program itself made a value that it threw: then its words are the program's own.
func (m *marks) made(v goja.Value) bool {
	for _, t := range m.throws {
		if t.fresh && v != nil && t.value.SameAs(v) {
			return true
		}
	}
	return false
}

// hidden are the arguments of a compiled program, in the order of rewrite.Hidden.
func (e *execution) hidden() []goja.Value {
	site := func(offset goja.Value) gg.Site {
		at := e.accepted.file.Position(int(offset.ToInteger()))
		return gg.Site{Line: at.Line, Column: at.Column}
	}
	noteAwait := func(call goja.FunctionCall) goja.Value {
		v := call.Argument(0)
		e.globals.Awaited(v)
		e.marks.await(v, site(call.Argument(1)))
		return v
	}
	noteThrow := func(call goja.FunctionCall) goja.Value {
		v := call.Argument(0)
		e.marks.throw(v, site(call.Argument(1)), call.Argument(2).ToBoolean())
		return v
	}
	look := goja.Undefined()
	if e.again != nil {
		look = e.vm.ToValue(e.again.look)
	}
	regExp := goja.Undefined()
	if e.accepted.usesRegExp {
		regExp = e.vm.Get("RegExp")
	}
	return []goja.Value{
		goja.Undefined(), e.vm.ToValue(noteAwait), e.vm.ToValue(noteThrow), regExp, e.globals.Global(), e.vm.ToValue(e.vetSource), look,
	}
}

// vetSource refuses a text for eval or Function that a program's own text may not be either: the parser
// could not be interrupted.
func (e *execution) vetSource(call goja.FunctionCall) goja.Value {
	text, ok := call.Argument(0).(goja.String)
	if !ok {
		return call.Argument(0)
	}
	limits := source.Limits{MaxBytes: e.settings.MaxSourceBytes, MaxNesting: e.settings.MaxNesting}
	if err := limits.Check(text.String()); err != nil {
		refusal, newErr := e.vm.New(e.vm.Get("SyntaxError"), e.vm.ToValue(err.Error()))
		if newErr != nil {
			panic(newErr)
		}
		panic(refusal)
	}
	return text
}
