package runtime

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"

	"github.com/responses-as-code/gg/bindings"
	"github.com/responses-as-code/gg/budget"
	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/runtime/rewrite"
)

// A diagnosis finds out what a value was when a program failed. The engine says that something was
// “undefined or null”; the variable that held it is gone with its function. But a program is
// deterministic: its clock stands still, its randomness has a seed, and the results of its calls are
// known. So it is run once more, against those results and nothing else, with one expression watched: the
// one that failed. If it does not fail in the same place again, nothing is said.

// Bounds of a diagnosis: a program is only run again when that is cheap.
const (
	diagnosisCompute = time.Second // the most that the program may have computed, and may compute again
	diagnosisBytes   = 16 << 20    // the most of results that is remembered for it
)

// seen is what a diagnosis found.
type seen struct {
	known   bool
	object  string   // `null`, `undefined`, `an array of 3`
	keys    []string // of the object, or of the object that held it when it is nothing
	members []string // all names that can be read from it, inherited ones too
}

// answer is the result of a call, remembered.
type answer struct {
	op, args string
	result   gg.Result
	err      error
}

// memory is what a run has been told so far, as long as a diagnosis could use it.
type memory struct {
	answers []answer
	times   []time.Time // what the clock showed, after each call and each turn of the loop
	bytes   int
	spoilt  bool // too much to remember, or not in one order
}

func (m *memory) add(a answer) {
	if m.bytes += len(a.args) + len(a.result.Value) + 64; m.bytes > diagnosisBytes {
		m.spoilt, m.answers = true, nil
	}
	if !m.spoilt {
		m.answers = append(m.answers, a)
	}
}

// rawFailure is a failure in the engine's words and at its place: what two runs of a program must agree on.
type rawFailure struct {
	kind, message string
	site          gg.Site
}

// diagnose runs the program again and looks at the object whose property could not be read.
func (e *execution) diagnose(failed *memberNode) seen {
	if e.again != nil || e.memory.spoilt || e.budget.Usage().Compute > diagnosisCompute {
		return seen{}
	}
	limits, err := budget.New(budget.Limits{Wall: 2 * diagnosisCompute, Compute: diagnosisCompute}, nil)
	if err != nil {
		return seen{}
	}
	again := &repetition{answers: e.memory.answers, times: e.memory.times}
	r := newExecution(Config{Now: e.config.Now, Seed: e.seed}, e.session, &silentRun{info: e.run.Info(), budget: limits}, e.program)
	r.again, r.clock, r.started = again, e.started, e.started
	r.watched = failed.name
	r.execute(e.ctx)
	if r.raw != e.raw || !again.certain(catches(e.accepted.tree)) {
		return seen{}
	}
	var found seen
	r.guarded(func() { found = r.see(again) })
	return found
}

// see describes what was looked at last.
func (e *execution) see(again *repetition) seen {
	s := seen{known: true, object: bindings.Brief(e.vm, again.looked)}
	holder := again.looked
	if goja.IsNull(holder) || goja.IsUndefined(holder) {
		holder = again.owner
	}
	if holder == nil || goja.IsNull(holder) || goja.IsUndefined(holder) {
		return s
	}
	o := holder.ToObject(e.vm)
	if _, isProxy := o.Export().(goja.Proxy); isProxy {
		return s
	}
	const most = 20
	for _, key := range o.Keys() {
		if len(s.keys) == most {
			s.keys = append(s.keys, "…")
			break
		}
		if _, err := strconv.Atoi(key); err != nil {
			s.keys = append(s.keys, shorten(key, 40))
		}
	}
	for ; o != nil; o = o.Prototype() {
		s.members = append(s.members, o.GetOwnPropertyNames()...)
	}
	return s
}

// repetition is the second run of a program, for a diagnosis.
type repetition struct {
	answers []answer
	times   []time.Time

	looks   int        // how often the object was looked at
	nothing int        // how often it was null or undefined
	looked  goja.Value // the object whose property is read, as it was last
	owner   goja.Value // what that object was read from
}

// serve gives the next answer, if the program makes the same call as before.
func (r *repetition) serve(c bindings.Call) (answer, bool) {
	if len(r.answers) == 0 || r.answers[0].op != c.Function.Name || r.answers[0].args != string(c.Args) {
		return answer{}, false
	}
	next := r.answers[0]
	r.answers = r.answers[1:]
	return next, true
}

// time gives what the clock showed next, or shows now when it showed nothing more.
func (r *repetition) time(now time.Time) time.Time {
	if len(r.times) == 0 {
		return now
	}
	next := r.times[0]
	r.times = r.times[1:]
	return next
}

// look takes what a watched expression gave: which is 0 for the object, 1 for what it was read from.
func (r *repetition) look(call goja.FunctionCall) goja.Value {
	v := call.Argument(0)
	if call.Argument(1).ToInteger() != 0 {
		r.owner = v
		return v
	}
	r.looked = v
	r.looks++
	if goja.IsNull(v) || goja.IsUndefined(v) {
		r.nothing++
	}
	return v
}

// certain reports whether the last look is the one that failed. Where the program catches errors, an
// earlier one may be the one that was thrown in the end.
func (r *repetition) certain(catches bool) bool {
	if r.looks == 0 {
		return false
	}
	if goja.IsNull(r.looked) || goja.IsUndefined(r.looked) {
		return !catches || r.nothing == 1
	}
	return !catches || r.looks == 1
}

// catches reports whether a program handles errors anywhere.
func catches(tree *ast.Program) bool {
	found := false
	rewrite.Visit(tree, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.TryStatement:
			found = found || n.Catch != nil
		case *ast.DotExpression:
			switch n.Identifier.Name {
			case "catch", "then", "allSettled", "any":
				found = true
			}
		}
	})
	return found
}

// watch puts a look around the object of the member expression whose name stands at an offset, and around
// what that object is read from.
func watch(tree *ast.Program, name int) {
	rewrite.Visit(tree, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.DotExpression:
			if offsetOf(n.Identifier.Idx) == name {
				n.Left = watched(n.Left)
			}
		case *ast.BracketExpression:
			if offsetOf(n.LeftBracket) == name {
				n.Left = watched(n.Left)
			}
		}
	})
}

func watched(object ast.Expression) ast.Expression {
	last := lastOffset(object)
	switch n := object.(type) {
	case *ast.SuperExpression:
		return object
	case *ast.DotExpression:
		if _, super := n.Left.(*ast.SuperExpression); !super {
			n.Left = rewrite.Watched(n.Left, 1, lastOffset(n.Left))
		}
	}
	return rewrite.Watched(object, 0, last)
}

// silentRun is the host of a diagnosis: it does nothing.
type silentRun struct {
	info   gg.RunInfo
	budget *budget.Budget
}

func (r *silentRun) Info() gg.RunInfo                       { return r.info }
func (r *silentRun) Budget() *budget.Budget                 { return r.budget }
func (r *silentRun) Emit(gg.Event)                          {}
func (r *silentRun) End(context.Context) (gg.Ending, error) { return gg.Ending{}, nil }
func (r *silentRun) Call(context.Context, gg.Call) (gg.Result, error) {
	return gg.Result{}, gg.Errorf(gg.Unavailable, "nothing is called twice")
}

// newSeed picks the seed of a run.
func newSeed(wanted int64) int64 {
	if wanted != 0 {
		return wanted
	}
	return rand.Int64()
}

// keyList writes names for a hint.
func keyList(names []string) string { return strings.Join(names, ", ") }
