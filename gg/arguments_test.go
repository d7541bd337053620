package gg_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg"
)

// message is the text of a refusal. Every refusal is an *Error with the code invalid-argument, in one line.
func message(t *testing.T, err error) string {
	t.Helper()
	var refusal *gg.Error
	require.True(t, errors.As(err, &refusal), "%T is no *gg.Error", err)
	require.Equal(t, gg.InvalidArgument, refusal.Code)
	require.NotContains(t, refusal.Message, "\n")
	return refusal.Message
}

func TestCheckRefuses(t *testing.T) {
	c := sample(t)
	for _, test := range []struct{ function, args, want string }{
		// not an object
		{"shell.shell", `5`, "expected an object of arguments, got 5"},
		{"shell.shell", `[]`, "expected an object of arguments, got array"},
		{"shell.shell", `null`, "expected an object of arguments, got null"},
		{"shell.shell", `"ls"`, "expected an object of arguments, got \"ls\""},
		{"shell.shell", `{"command"`, "arguments are not JSON: unexpected end"},
		{"shell.shell", ` `, "arguments are not JSON: unexpected end"},
		{"shell.shell", `{command: 1}`, "arguments are not JSON: invalid character 'c' looking for beginning of object key string"},
		{"shell.shell", `{"command":"ls"} {"command":"rm"}`, "arguments are not JSON: something follows the value at byte 18"},

		// strings
		{"shell.shell", ``, "`command` must be a string, got undefined"},
		{"shell.shell", `{}`, "`command` must be a string, got undefined"},
		{"shell.shell", `{"command":null}`, "`command` must be a string, got null"},
		{"shell.shell", `{"command":{"command":"ls"}}`, "`command` must be a string, got object"},
		{"shell.shell", `{"command":["ls"]}`, "`command` must be a string, got array"},
		{"shell.shell", `{"command":true}`, "`command` must be a string, got true"},
		{"shell.shell", `{"command":-0}`, "`command` must be a string, got -0"},
		{"shell.shell", `{"command":""}`, "`command` must not be empty"},
		{"docs.open", `{"name":""}`, "`name` must not be empty"},

		// positive numbers
		{"shell.shell", `{"command":"ls","timeoutSecs":0}`, "`timeoutSecs` must be a positive number, got 0"},
		{"shell.shell", `{"command":"ls","timeoutSecs":-0}`, "`timeoutSecs` must be a positive number, got -0"},
		{"shell.shell", `{"command":"ls","timeoutSecs":-0.5}`, "`timeoutSecs` must be a positive number, got -0.5"},
		{"shell.shell", `{"command":"ls","timeoutSecs":"60"}`, "`timeoutSecs` must be a positive number, got \"60\""},
		{"shell.shell", `{"command":"ls","timeoutSecs":-1e400}`, "`timeoutSecs` must be a positive number, got -1e400"},
		{"shell.shell", `{"command":"ls","timeoutSecs":1e400}`, "`timeoutSecs` must be a finite number, got 1e400"},
		{"shell.shell", `{"command":"ls","timeoutSecs":1e-400}`, "`timeoutSecs` must be a positive number, got 1e-400"},

		// whole numbers
		{"files.readFile", `{"path":"a","offset":-1}`, "`offset` must be a whole number 0..4294967295, got -1"},
		{"files.readFile", `{"path":"a","offset":1.5}`, "`offset` must be a whole number 0..4294967295, got 1.5"},
		{"files.readFile", `{"path":"a","offset":4294967296}`, "`offset` must be a whole number 0..4294967295, got 4294967296"},
		{"files.readFile", `{"path":"a","offset":1e400}`, "`offset` must be a whole number 0..4294967295, got 1e400"},
		{"files.readFile", `{"path":"a","offset":1` + strings.Repeat("0", 300) + `}`, "`offset` must be a whole number 0..4294967295, got 1e+300"},
		{"files.readFile", `{"path":"a","offset":"1"}`, "`offset` must be a whole number 0..4294967295, got \"1\""},
		{"files.readFile", `{"path":"a","limit":0}`, "`limit` must be a whole number 1..4294967295, got 0"},
		{"shell.run", `{"command":"ls","expect":{"exit":9007199254740993}}`, "`expect.exit` must be a whole number -9007199254740991..9007199254740991, got 9007199254740993"},

		// true or false, one of several
		{"shell.run", `{"command":"ls","full":1}`, "`full` must be true or false, got 1"},
		{"shell.run", `{"command":"ls","signal":"HUP"}`, "`signal` must be one of \"TERM\", \"KILL\", got \"HUP\""},
		{"tree.walk", `{"root":{"label":"a"},"colour":"blue"}`, "`colour` must be one of \"red\", 3, null, got \"blue\""},

		// unknown options
		{"files.readFile", `{"path":"a","limits":1}`, "unknown option `limits`; did you mean `limit`?"},
		{"files.readFile", `{"path":"a","OFFSET":1}`, "unknown option `OFFSET`; did you mean `offset`?"},
		{"shell.shell", `{"command":"ls","timeout":5}`, "unknown option `timeout`; did you mean `timeoutSecs`?"},
		{"shell.shell", `{"command":"ls","x":5,"b":6}`, "unknown option `b`; there is `timeoutSecs`"},
		{"files.readFile", `{"path":"a","zzzzzz":1}`, "unknown option `zzzzzz`; there are `offset`, `limit`"},
		{"sleep", `{"ms":1,"zzzzzz":1}`, "unknown option `zzzzzz`; there are no options"},
		{"sleep", "{\"ms\":1,\"a\\n`b\":1}", "unknown option `[\"a\\n\\u0060b\"]`; there are no options"},
		{"sleep", `{"ms":1,"` + strings.Repeat("é", 100) + `":1}`, "unknown option `" + strings.Repeat("é", 60) + "…`; there are no options"},
		{"sleep", `{"ms":1,"__proto__":1}`, "unknown option `__proto__`; there are no options"},

		// inside other values
		{"shell.run", `{"command":"ls","expect":5}`, "`expect` must be an object, got 5"},
		{"shell.run", `{"command":"ls","expect":[]}`, "`expect` must be an object, got array"},
		{"shell.run", `{"command":"ls","expect":{"exit":"0"}}`, "`expect.exit` must be a whole number -9007199254740991..9007199254740991, got \"0\""},
		{"shell.run", `{"command":"ls","expect":{"exits":0}}`, "unknown option `expect.exits`; did you mean `expect.exit`?"},
		{"shell.run", `{"command":"ls","expect":{"zzzzzz":0}}`, "unknown option `expect.zzzzzz`; there are `exit`, `writable`, `ratio`"},
		{"shell.run", `{"command":"ls","expect":{"writable":["a","b",3]}}`, "`expect.writable[2]` must be a string, got 3"},
		{"shell.run", `{"command":"ls","expect":{"writable":["a",null]}}`, "`expect.writable[1]` must be a string, got null"},
		{"shell.run", `{"command":"ls","env":{"PATH":1}}`, "`env.PATH` must be a string, got 1"},
		{"shell.run", `{"command":"ls","env":{"a b":1}}`, "`env[\"a b\"]` must be a string, got 1"},
		{"shell.run", `{"command":"ls","tags":[]}`, "`tags` must not be empty"},
		{"shell.run", `{"command":"ls","tags":"a"}`, "`tags` must be an array, got \"a\""},

		// the first fault in declared order
		{"shell.run", `{"full":1,"expect":{"exit":"x"},"command":7}`, "`command` must be a string, got 7"},
		{"shell.run", `{"full":1,"expect":{"exit":"x"},"command":"ls"}`, "`expect.exit` must be a whole number -9007199254740991..9007199254740991, got \"x\""},

		// the last of two members of one name is judged
		{"shell.run", `{"command":"ls","expect":{"exit":1},"expect":{"exit":"x"}}`, "`expect.exit` must be a whole number -9007199254740991..9007199254740991, got \"x\""},

		// schemas written by hand
		{"tree.walk", `{}`, "`root` must be an object, got undefined"},
		{"tree.walk", `{"root":{"label":1}}`, "`root.label` must be a string, got 1"},
		{"tree.walk", `{"root":{"label":"a","children":[{"label":"b","children":[{}]}]}}`, "`root.children[0].children[0].label` must be a string, got undefined"},
		{"tree.walk", `{"root":{"label":"a","lable":"b"}}`, "unknown option `root.lable`; did you mean `root.label`?"},
		{"tree.walk", `{"root":{"label":"a"},"exit":"0"}`, "`exit` must be a whole number or an array, got \"0\""},
		{"tree.walk", `{"root":{"label":"a"},"exit":[1,"2"]}`, "`exit[1]` must be a whole number, got \"2\""},
		{"tree.walk", `{"root":{"label":"a"},"exit":[]}`, "`exit` must not be empty"},
		{"tree.walk", `{"root":{"label":"a"},"sandbox":"yes"}`, "`sandbox` must be true or false or an object, got \"yes\""},
		{"tree.walk", `{"root":{"label":"a"},"sandbox":{"writable":["/tmp",1]}}`, "`sandbox.writable[1]` must be a string, got 1"},
		{"tree.walk", `{"root":{"label":"a"},"shape":{"kind":"circle","radius":0}}`, "`shape.radius` must be a positive number, got 0"},
		{"tree.walk", `{"root":{"label":"a"},"shape":{"kind":"box"}}`, "`shape.side` must be a number, got undefined"},
		{"tree.walk", `{"root":{"label":"a"},"shape":3}`, "`shape` must be an object, got 3"},
		{"tree.walk", `{"root":{"label":"a"},"name":5}`, "`name` must be a string or null, got 5"},
		{"tree.walk", `{"root":{"label":"a"},"name":"abcdef"}`, "`name` must have at most 5 characters, got 6"},
		{"tree.walk", `{"root":{"label":"a"},"name":"A"}`, "`name` must match ^[a-z]+$, got \"A\""},
		{"tree.walk", `{"root":{"label":"a"},"point":[1]}`, "`point` must have at least 2 elements, got 1"},
		{"tree.walk", `{"root":{"label":"a"},"point":[1,"2"]}`, "`point[1]` must be a number, got \"2\""},
		{"tree.mixed", `{"at":1,"more":5}`, "`more` must be a string, got 5"},
		{"tree.mixed", `{"to":"x"}`, "`at` must be a number, got undefined"},
	} {
		t.Run(test.function+test.args, func(t *testing.T) {
			_, err := c.Lookup(test.function).Check(json.RawMessage(test.args))
			require.Error(t, err)
			require.Equal(t, test.want, message(t, err))
		})
	}
}

func TestCheckAccepts(t *testing.T) {
	c := sample(t)
	deep := strings.Repeat(`{"label":"a","children":[`, 500) + `{"label":"z"}` + strings.Repeat(`]}`, 500)
	for _, test := range []struct{ function, args, want string }{
		// what needs no change comes back byte for byte
		{"shell.shell", `{"command":"ls"}`, `{"command":"ls"}`},
		{"shell.shell", ` { "command" : "a\"b:\\n<é>", "timeoutSecs":60 } `, ` { "command" : "a\"b:\\n<é>", "timeoutSecs":60 } `},
		{"shell.shell", `{"command":"null 1.0 -0 1e3 : :"}`, `{"command":"null 1.0 -0 1e3 : :"}`},
		{"shell.shell", `{"command":"ls","timeoutSecs":` + "1" + strings.Repeat("0", 300) + `}`, `{"command":"ls","timeoutSecs":1` + strings.Repeat("0", 300) + `}`},
		{"files.list", ``, `{}`},

		// null is absent
		{"shell.shell", `{"command":"ls","timeoutSecs":null}`, `{"command":"ls"}`},
		{"files.list", `{"dir":null}`, `{}`},
		{"shell.run", `{"command":"<ls>","expect":{"exit":null,"ratio":0.5},"env":null}`, `{"command":"<ls>","expect":{"ratio":0.5}}`},
		{"tree.walk", `{"root":{"label":"a","children":null},"sandbox":{"writable":null},"name":null}`, `{"root":{"label":"a"},"sandbox":{}}`},
		{"tree.walk", `{"root":{"label":"a","children":[{"label":"b","children":null}]},"anything":[null,{"x":null}]}`, `{"anything":[null,{"x":null}],"root":{"children":[{"label":"b"}],"label":"a"}}`},

		{"tree.walk", `{"root":{"label":"a"},"anything":null}`, `{"root":{"label":"a"}}`},

		// whole numbers, however they are written
		{"files.readFile", `{"path":"a","offset":1.0,"limit":1e3}`, `{"limit":1000,"offset":1,"path":"a"}`},
		{"files.readFile", `{"path":"a","offset":-0}`, `{"offset":0,"path":"a"}`},
		{"files.readFile", `{"path":"a","offset":4294967295.0}`, `{"offset":4294967295,"path":"a"}`},
		{"shell.shell", `{"command":"ls","timeoutSecs":1e300}`, `{"command":"ls","timeoutSecs":1e300}`},
		{"shell.shell", `{"command":"ls","timeoutSecs":1e-12}`, `{"command":"ls","timeoutSecs":1e-12}`},
		{"sleep", `{"ms":0.5}`, `{"ms":0.5}`},

		// of several members of one name, what was judged is what arrives
		{"shell.run", `{"command":"ls","expect":{"exit":"x"},"expect":{"ratio":1}}`, `{"command":"ls","expect":{"ratio":1}}`},
		{"shell.shell", `{"command":5,"command":"ls"}`, `{"command":"ls"}`},

		// schemas written by hand
		{"tree.walk", `{"root":` + deep + `}`, `{"root":` + deep + `}`},
		{"tree.walk", `{"root":{"label":"a"},"exit":[1,2],"sandbox":true,"shape":{"kind":"box","side":1},"point":[1,2],"colour":3}`, `{"root":{"label":"a"},"exit":[1,2],"sandbox":true,"shape":{"kind":"box","side":1},"point":[1,2],"colour":3}`},
		{"tree.free", `{"a":[1,{"b":false}]}`, `{"a":[1,{"b":false}]}`},
		{"tree.mixed", `{"at":1,"x":"y"}`, `{"at":1,"x":"y"}`},
	} {
		t.Run(test.function+test.args[:min(len(test.args), 80)], func(t *testing.T) {
			got, err := c.Lookup(test.function).Check(json.RawMessage(test.args))
			require.NoError(t, err)
			require.Equal(t, test.want, string(got))
		})
	}
}

// Rules that have no words of ours are told in the library's, in one line.
func TestCheckWithoutWords(t *testing.T) {
	f := gg.RawFunc("a.b", "does it", json.RawMessage(`{
		"type": "object", "maxProperties": 2, "required": ["x"],
		"properties": {"x": {"type": "number", "multipleOf": 2}, "y": {"type": "array", "uniqueItems": true}, "z": {"not": {"type": "string"}}}
	}`), nil, gg.Local())
	for _, test := range []struct{ args, want string }{
		{`{"x":3}`, "`x` is not accepted: multipleOf: 3/1 is not a multiple of 2.000000"},
		{`{"x":2,"y":[7,7]}`, "`y` is not accepted: uniqueItems: array items "},
		{`{"x":2,"z":"s"}`, "`z` is not accepted: not: validated against "},
		{`{"x":2,"y":[],"z":1}`, "arguments are not accepted: maxProperties: "},
	} {
		_, err := f.Check(json.RawMessage(test.args))
		require.Error(t, err, test.args)
		require.Contains(t, message(t, err), test.want)
	}
}

func TestMismatch(t *testing.T) {
	c := sample(t)
	for _, test := range []struct {
		function string
		path     []string
		got      string
		want     string
	}{
		{"shell.shell", []string{"timeoutSecs"}, "NaN", "`timeoutSecs` must be a positive number, got NaN"},
		{"shell.shell", []string{"command"}, "function", "`command` must be a string, got function"},
		{"files.readFile", []string{"offset"}, "Infinity", "`offset` must be a whole number 0..4294967295, got Infinity"},
		{"shell.run", []string{"expect", "writable", "[2]"}, "symbol", "`expect.writable[2]` must be a string, got symbol"},
		{"shell.run", []string{"env", "PATH"}, "BigInt", "`env.PATH` must be a string, got BigInt"},
		{"tree.walk", []string{"root", "children", "[0]", "label"}, "a cycle", "`root.children[0].label` must be a string, got a cycle"},
		{"tree.walk", []string{"sandbox", "writable", "[0]"}, "undefined", "`sandbox.writable[0]` must be a string, got undefined"},
		{"tree.walk", []string{"anything", "x"}, "function", "`anything.x` cannot be passed to a call, got function"},
		{"shell.shell", []string{"nope", "deeper"}, "NaN", "`nope.deeper` cannot be passed to a call, got NaN"},
	} {
		require.Equal(t, test.want, message(t, c.Lookup(test.function).Mismatch(test.path, test.got)))
	}
	require.Equal(t, "expected an options object, got number", message(t, gg.NotOptions("number")))
	require.Equal(t, "expected an options object, got array", message(t, gg.NotOptions("array")))
}

func TestDescribe(t *testing.T) {
	for want, value := range map[string]any{
		"null":                               nil,
		"true":                               true,
		"-1":                                 -1.0,
		"4294967296":                         4294967296.0,
		"1e+21":                              1e21,
		"1e-7":                               1e-7,
		"-0":                                 json.Number("-0"),
		"1e400":                              json.Number("1e400"),
		"1.50":                               json.Number("1.50"),
		"array":                              []any{},
		"object":                             map[string]any{},
		`"a\"b\\c\nd\te\r\u0000\u2028<é>"`:   "a\"b\\c\nd\te\r\x00\u2028<é>",
		`"😀"`:                                "😀",
		`"\udb40\udc01"`:                     "\U000E0001",
		`"` + strings.Repeat("ü", 60) + `…"`: strings.Repeat("ü", 61),
		`"` + strings.Repeat("ü", 60) + `"`:  strings.Repeat("ü", 60),
	} {
		require.Equal(t, want, gg.Describe(value))
	}
}

// FuzzArguments proves of any text: no panic; a refusal is one line; what is accepted is what the library
// accepts, and stays as it is when it is checked again; what the library accepts is refused only for a
// number that is none.
func FuzzArguments(f *testing.F) {
	functions := []string{"shell.shell", "shell.run", "files.readFile", "tree.walk", "tree.mixed", "tree.free"}
	for i := range functions {
		for _, args := range []string{
			`{"command":"ls","timeoutSecs":0.5}`, `{"command":"ls","timeoutSecs":1e400}`, `{"path":"a","offset":-0,"limit":1.0}`,
			`{"command":"ls","expect":{"exit":1,"exit":null,"writable":["a",null]},"env":{"a b":"c"}}`,
			`{"root":{"label":"a","children":[{"label":"b"}]},"exit":[1],"sandbox":{"writable":[]},"shape":{"kind":"circle","radius":1},"name":"a"}`,
			`{"at":1,"to":null,"x":"y"}`, `[]`, `{"a\n` + "`" + `":1}`, `{"command":"\ud800"}`, `nul`, ` `, `{"":""}`,
		} {
			f.Add(uint8(i), []byte(args))
		}
	}
	c := sample(f)
	f.Fuzz(func(t *testing.T, which uint8, args []byte) {
		function := c.Lookup(functions[int(which)%len(functions)])
		schema, err := function.Arguments()
		require.NoError(t, err)
		resolved, err := schema.CloneSchemas().Resolve(nil)
		require.NoError(t, err)

		checked, err := function.Check(args)
		if err != nil {
			text := message(t, err)
			require.True(t, utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r == '\u2028' }) < 0, "%q", text)
			require.Less(t, len(text), 4000)
			var value map[string]any
			if json.Unmarshal(args, &value) == nil && value != nil {
				require.Error(t, resolved.Validate(value), text)
			}
			return
		}
		var value map[string]any
		require.NoError(t, json.Unmarshal(checked, &value))
		require.NoError(t, resolved.Validate(value))
		again, err := function.Check(checked)
		require.NoError(t, err)
		require.Equal(t, string(checked), string(again))
	})
}

func ExampleFunction_Check() {
	find := gg.Func("crm.find", "finds a customer", returning[struct {
		Name  string `json:"name" jsonschema:"the customer's name" gg:"nonempty"`
		Limit int    `json:"limit,omitempty" gg:"min=1,max=100"`
	}, []string]())
	_, err := find.Check(json.RawMessage(`{"name": "Ann", "limit": 0}`))
	fmt.Println(err)
	// Output: invalid-argument: `limit` must be a whole number 1..100, got 0
}
