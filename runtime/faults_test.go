package runtime_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/config"
	"github.com/responses-as-code/gg/gg/local"
	"github.com/responses-as-code/gg/runtime"
)

// TestStopsInLaterTurns holds that a program that goes on after a timer is stopped like any other.
func TestStopsInLaterTurns(t *testing.T) {
	c := config.Fresh()
	c.Programs.Compute = time.Second
	s := session(t, local.Config{Config: c})
	for source, limit := range map[string]string{
		"await gg.sleep(1);\n(function f(){f()})()":                                          "stack",
		"await gg.sleep(1);\nfor(;;);":                                                       "compute",
		"(async()=>{ await gg.sleep(1); (function f(){f()})() })();\nawait gg.sleep(20);\n1": "stack",
		"setTimeout(() => { for(;;); }, 1); await gg.sleep(50)":                              "compute",
	} {
		outcome := runIn(t, s, source)
		require.Equal(t, runtime.Limit, outcome.Status, "%s\n%s", source, outcome.ModelText())
		require.EqualValues(t, limit, outcome.Error.Limit, source)
	}
}

func TestMemoryStopsInLaterTurns(t *testing.T) {
	c := config.Fresh()
	c.Programs.Compute = 5 * time.Minute // a busy machine, and a race detector, take their time
	c.Programs.MaxMemoryBytes = 64 << 20
	outcome := runIn(t, session(t, local.Config{Config: c}), "await gg.sleep(1);\nconst a=[]; for(;;) a.push('y'.repeat(1e6)+a.length);")
	require.Equal(t, runtime.Limit, outcome.Status, outcome.ModelText())
	require.EqualValues(t, "memory", outcome.Error.Limit)
}

// TestReadingWhatWasThrownIsWatched holds that values a report has to read run under the budget.
func TestReadingWhatWasThrownIsWatched(t *testing.T) {
	c := config.Fresh()
	c.Programs.Compute = time.Second
	s := session(t, local.Config{Config: c})
	for _, source := range []string{
		"Promise.reject({get message(){for(;;);}});1",
		"throw {get message(){for(;;);}}",
		"({get x(){for(;;);}})",
		"for(let i=0;i<100;i++) (async()=>{ const o={a:null}; o.a.b })();\nlet s=0; for(let j=0;j<1000000;j++)s+=j; 1",
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		rt, err := runtime.New(runtime.Config{})
		require.NoError(t, err)
		_, err = rt.Run(ctx, s, runtime.Program{Source: source})
		require.NoError(t, err)
		require.NoError(t, ctx.Err(), source)
		cancel()
	}
}

func TestWhatIsReported(t *testing.T) {
	s := session(t, local.Config{})
	for _, c := range []struct {
		source       string
		line, column int
		has, hasNot  string
	}{
		{"throw {list:[...Array(20000).keys()]}", 1, 1, "19999", "could not be read"},
		{"throw {get a(){ let s=0; for(let i=0;i<100000;i++) s+=i; return s}, b:2}", 1, 1, `"b":2`, "could not be read"},
		{"const e=new Error('g'); Object.defineProperty(e,'name',{get(){return 'N'}}); throw e", 1, 9, "g", "could not be read"},
		{"new Map(['ab'])", 1, 1, "Value is not an object: ab", "is not a function"},
		{"[1].map(5)", 1, 5, "Value is not an object: 5", "`[1].map` is not a function"},
		{"throw new TypeError('Value is not an object: 5')", 1, 7, "Value is not an object: 5", "is not a function"},
		{"throw new TypeError('object is not iterable')", 1, 7, "TypeError: object is not iterable", ""},
		{"try { throw 'bad' } catch {}\nconst msg = 'bad';\nthrow msg;", 3, 1, "bad", ""},
		{"1;\nawait Promise.reject(5)", 2, 1, "5", ""},
		{"1;\nawait {then(){}}", 2, 1, "nothing will settle", ""},
		{"const e=new Error('a'); e.message=5; throw e", 1, 9, "Error: 5", ""},
		{"const e=new Error('cyc'); e.cause=e; throw e", 1, 9, "Caused by Error: cyc", "cyc; caused by"},
		{"throw new AggregateError([new AggregateError([new Error('deep')],'in')],'agg')", 1, 7, "deep", ""},
		{"throw new AggregateError(['é1'],'m')", 1, 7, "É1", "\ufffd"},
		{"eval('1 +')", 1, 1, "SyntaxError: <eval>", "SyntaxError: SyntaxError"},
		{"const r=(await Promise.resolve(null)).foo", 1, 39, "`await Promise.resolve(null)` is null", "`a`"},
		{"class A{ static #p=null; static t(){ return A.#p.x } } A.t()", 1, 50, "`A.#p` is null", ""},
		{"const t=Date.now();\nawait gg.sleep(10);\nconst d={items: Date.now()-t<100 ? null : undefined};\nd.items.map(x=>x)", 4, 9, "`d.items` is null", "is undefined"},
		{"let first;\nfor (const o of [{q:null,z:1},{q:undefined,w:2}]) { try { o.q.x } catch(e){ first ??= e } }\nthrow first", 2, 63, "null or undefined", "has keys"},
	} {
		outcome := runIn(t, s, c.source)
		text := outcome.ModelText()
		require.NotNil(t, outcome.Error, "%s\n%s", c.source, text)
		require.Contains(t, text, c.has, c.source)
		if c.hasNot != "" {
			require.NotContains(t, text, c.hasNot, c.source)
		}
		require.Equal(t, [2]int{c.line, c.column}, [2]int{outcome.Error.Line, outcome.Error.Column}, "%s\n%s", c.source, text)
	}
}

func TestWhatIsAnswered(t *testing.T) {
	s := session(t, local.Config{})
	for source, value := range map[string]string{
		"let a; setTimeout((x,y)=>{a=[x,y]},1,'p','q'); await gg.sleep(5); a":                            `["p","q"]`,
		"function g(){ return (()=>arguments[1])() }\ng(1,2)":                                            `2`,
		"(function(){ return [1].map(()=>arguments.length) })(1,2)":                                      `[2]`,
		"class A { m() { return (() => arguments[0])() } }\nnew A().m(7)":                                `7`,
		"({ m(x) { 'use strict'; return (() => () => arguments.length)()() } }).m(1, 2, 3)":              `3`,
		"do { try { 3 } finally { 4; break; } } while(0)":                                                `4`,
		"try { eval('['.repeat(300)+']'.repeat(300)); 1 } catch(e) { [e.name, e.message.slice(0, 28)] }": `["SyntaxError","brackets are nested too deep"]`,
		"const x = 3; [eval('x + 1'), new Function('a', 'return a * 2')(4), Function('return 5')()]":     `[4,8,5]`,
		"try { new Function('1;'.repeat(200000)); 1 } catch(e) { e.name }":                               `"SyntaxError"`,
		"L: { try { 1; } catch { 2 } finally { 12; break L; } }":                                         `12`,
		"try { 1 } finally { 2 }":                                                            `1`,
		"import * as gg from 'gg'; typeof gg":                                                `"object"`,
		"'use strict';\nasync () => 5":                                                       `5`,
		"gg.views.openText('x', 'y');\n\"done\"\n```\n":                                      `"done"`,
		"for(const x of [1]) { 5; if(false) switch(0) {case 0: if(false) 8; else 10; } }\n6": `6`,
	} {
		outcome := runIn(t, s, source)
		require.Equal(t, runtime.OK, outcome.Status, "%s\n%s", source, outcome.ModelText())
		require.JSONEq(t, value, string(outcome.Value), source)
	}
	require.Equal(t, runtime.RuntimeError, runIn(t, s, "import * as gg from 'gg'; gg = 1").Status, "an import is a constant")
	class := runIn(t, s, "export default class A { }")
	require.Equal(t, runtime.OK, class.Status, class.ModelText())
}

func TestConsoleWithoutTextIsBounded(t *testing.T) {
	outcome := runIn(t, session(t, local.Config{}), "for (let i=0;i<200000;i++) console.log('')\n1")
	require.Less(t, len(outcome.Console), 70000)
}

func TestAProgramsNameMayBeOdd(t *testing.T) {
	s := session(t, local.Config{})
	rt, err := runtime.New(runtime.Config{})
	require.NoError(t, err)
	for _, name := range []string{"reply (1).js", "a:1:2(3).js", "at x (y:1:1.js", "日本 .js"} {
		outcome, err := rt.Run(context.Background(), s, runtime.Program{Name: name, Source: "const d={a:null};\nfunction f() { d.a.b }\nf()", Run: gg.RunInfo{}})
		require.NoError(t, err)
		require.Equal(t, 2, outcome.Error.Line, name)
		require.Equal(t, "f", outcome.Error.Stack[0].Function, name)
		require.Contains(t, outcome.Error.Hint, "`d.a` is null", name)
	}
}
