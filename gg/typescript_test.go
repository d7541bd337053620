package gg_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg"
)

func echo(_ context.Context, args json.RawMessage) (any, error) { return args, nil }

var schemaTypes = []struct{ schema, want string }{
	{`{"type":"string"}`, `string`},
	{`{"type":"integer"}`, `number`},
	{`{"type":"number","minimum":1}`, `number`},
	{`{"type":"boolean"}`, `boolean`},
	{`{"type":"null"}`, `null`},
	{`{}`, `unknown`},
	{`true`, `unknown`},
	{`false`, `never`},
	{`{"type":["null","string","integer","number"]}`, `string | number | null`},

	{`{"const":"a\"b"}`, `"a\"b"`},
	{`{"const":1.5}`, `1.5`},
	{`{"const":null}`, `null`},
	{`{"const":true,"type":"boolean"}`, `true`},
	{`{"enum":["a","b",1,false,null,"a"]}`, `"a" | "b" | 1 | false | null`},
	{`{"enum":["only"]}`, `"only"`},
	{`{"enum":[[1,"a"],{"b":2}]}`, `[1,"a"] | {"b":2}`},

	{`{"type":"array"}`, `unknown[]`},
	{`{"type":"array","items":{"type":"string"}}`, `string[]`},
	{`{"type":"array","items":{"type":"array","items":{"type":"number"}}}`, `number[][]`},
	{`{"type":"array","items":{"enum":["a","b"]}}`, `("a" | "b")[]`},
	{`{"type":"array","items":{"allOf":[{"type":"object","properties":{"a":{}}},{"type":"object","properties":{"b":{}}}]}}`, `({ a?: unknown } & { b?: unknown })[]`},
	{`{"type":"array","prefixItems":[{"type":"string"},{"type":"number"}],"items":false,"minItems":2}`, `[string, number]`},
	{`{"type":"array","prefixItems":[{"type":"string"},{"enum":[1,2]}],"items":false,"minItems":1}`, `[string, (1 | 2)?]`},
	{`{"type":"array","prefixItems":[{"type":"string"}],"items":{"enum":[1,2]},"minItems":1}`, `[string, ...(1 | 2)[]]`},
	{`{"type":"array","prefixItems":[{"type":"string"}]}`, `[string?, ...unknown[]]`},

	{`{"type":"object"}`, `Record<string, unknown>`},
	{`{"type":"object","additionalProperties":false}`, `Record<string, never>`},
	{`{"type":"object","additionalProperties":{"type":"number"}}`, `Record<string, number>`},
	{`{"type":"object","patternProperties":{"^x":{"type":"number"}},"additionalProperties":false}`, `Record<string, never>`},
	{`{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"number"}},"required":["b"]}`, `{ b: string; a?: number }`},
	{`{"properties":{"a":{"type":"number"}}}`, `{ a?: number }`},
	{`{"type":"object","properties":{"a-b":{},"1":{},"größe":{},"":{},"class":{}}}`, `{ ""?: unknown; "1"?: unknown; "a-b"?: unknown; class?: unknown; größe?: unknown }`},
	{`{"type":"object","properties":{"a":{"type":"number"}},"additionalProperties":{"type":"string"}}`, `{ a?: number; [name: string]: unknown }`},
	{`{"type":"object","properties":{"a":{"type":"number"}},"additionalProperties":false}`, `{ a?: number }`},
	{`{"type":"object","title":"Named","properties":{"a":{}}}`, `Named`},
	{`{"type":"object","title":"lower[x.Y]","properties":{"a":{}}}`, `Lower`},
	{`{"type":"object","title":"some words","properties":{"a":{}}}`, `{ a?: unknown }`},
	{`{"type":"string","title":"Named"}`, `string`},

	{`{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"number"}]}`, `string | number`},
	{`{"oneOf":[{"type":"object","title":"A","properties":{"kind":{"const":"a"}}},{"type":"null"}]}`, `A | null`},
	{`{"allOf":[{"type":"object","properties":{"a":{}}},{"anyOf":[{"type":"object","properties":{"b":{}}},{"type":"object","properties":{"c":{}}}]}]}`, `{ a?: unknown } & ({ b?: unknown } | { c?: unknown })`},
	{`{"allOf":[{},{"type":"string"}]}`, `string`},
	{`{"allOf":[{"minLength":1},{"maxLength":2}]}`, `unknown`},
	{`{"type":"object","properties":{"a":{}},"allOf":[{"type":"object","properties":{"b":{}}}]}`, `{ b?: unknown } & { a?: unknown }`},
	{`{"$ref":"#/$defs/tree-node"}`, `TreeNode`},
	{`{"type":"array","items":{"$ref":"#/$defs/tree-node"}}`, `TreeNode[]`},
	{`{"$ref":"#"}`, `unknown`},
	{`{"type":"string","format":"gg-function"}`, `string | Function`},
}

const typeDefinitions = `"$defs": {"tree-node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree-node"}}}}`

func TestTypes(t *testing.T) {
	for _, test := range schemaTypes {
		f := gg.RawFunc("a.b", "x", json.RawMessage(`{"type":"object","properties":{"v":`+test.schema+`},"required":["v"],`+typeDefinitions+`,"additionalProperties":false}`), echo)
		require.Equal(t, "gg.a.b(v: "+test.want+"): unknown", gg.Signature(f), test.schema)
	}
}

// Draft 7 calls definitions by another name.
func TestOlderDraft(t *testing.T) {
	f := gg.RawFunc("a.b", "x", json.RawMessage(`{
		"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "required": ["v"],
		"properties": {"v": {"$ref": "#/definitions/old"}},
		"definitions": {"old": {"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": false}}
	}`), echo)
	require.Equal(t, "gg.a.b(v: Old): unknown", gg.Signature(f))
	for args, want := range map[string]string{
		`{"v":{"n":"1"}}`: "`v.n` must be a whole number, got \"1\"",
		`{"v":{"m":"1"}}`: "unknown option `v.m`; did you mean `v.n`?",
	} {
		_, err := f.Check(json.RawMessage(args))
		require.Equal(t, want, message(t, err))
	}
	checked, err := f.Check(json.RawMessage(`{"v":{"n":1.0}}`))
	require.NoError(t, err)
	require.Equal(t, `{"v":{"n":1}}`, string(checked))
}

// The compiler takes every type, too.
func TestTypesWithTheCompiler(t *testing.T) {
	var functions []*gg.Function
	for i, test := range schemaTypes {
		functions = append(functions, gg.RawFunc(fmt.Sprintf("a.f%d", i), "x", json.RawMessage(`{"type":"object","properties":{"v":`+test.schema+`},"required":["v"],`+typeDefinitions+`}`), echo))
	}
	c, err := gg.NewCatalogue(nil, functions...)
	require.NoError(t, err)
	text, err := gg.Declarations(c)
	require.NoError(t, err)
	compile(t, text, nil)
}

// What a parameter must be is said in the same words by its page and by a refusal.
func TestRules(t *testing.T) {
	for _, test := range []struct{ schema, page, refusal string }{
		{`{"type":"number"}`, "number", "a number"},
		{`{"type":"number","exclusiveMinimum":0}`, "number, positive", "a positive number"},
		{`{"type":"number","exclusiveMinimum":0,"maximum":5}`, "number, positive, at most 5", "a positive number of at most 5"},
		{`{"type":"integer","exclusiveMinimum":0}`, "number, positive whole", "a positive whole number"},
		{`{"type":"number","minimum":-1.5}`, "number, at least -1.5", "a number of at least -1.5"},
		{`{"type":"number","maximum":7}`, "number, at most 7", "a number of at most 7"},
		{`{"type":"number","exclusiveMinimum":3}`, "number, over 3", "a number over 3"},
		{`{"type":"number","exclusiveMaximum":3}`, "number, under 3", "a number under 3"},
		{`{"type":"number","minimum":0,"maximum":1}`, "number, 0..1", "a number 0..1"},
		{`{"type":"integer"}`, "number, whole", "a whole number"},
		{`{"type":"integer","minimum":2}`, "number, whole, at least 2", "a whole number of at least 2"},
		{`{"type":"integer","minimum":0,"maximum":4294967295}`, "number, whole 0..4294967295", "a whole number 0..4294967295"},
		{`{"type":"integer","minimum":0,"maximum":9007199254740991}`, "number, whole, at least 0", "a whole number 0..9007199254740991"},
		{`{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991}`, "number, whole", "a whole number -9007199254740991..9007199254740991"},
		{`{"type":"string","minLength":1,"maxLength":9}`, "string, not empty, at most 9 characters", "a string"},
		{`{"type":"string","minLength":3}`, "string, at least 3 characters", "a string"},
		{`{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string"}}`, "string[], not empty, at most 2 elements", "an array"},
		{`{"type":"object","additionalProperties":{"type":"string"}}`, "Record<string, string>", "an object"},
		{`{"type":["string","null"]}`, "string | null", "a string or null"},
		{`{"anyOf":[{"type":"string"},{"type":"boolean"},{"type":"string"}]}`, "string | boolean", "a string or true or false"},
	} {
		f := gg.RawFunc("a.b", "x", json.RawMessage(`{"type":"object","properties":{"v":`+test.schema+`},"required":["v"]}`), echo)
		c, err := gg.NewCatalogue(nil, f)
		require.NoError(t, err)
		page, _, _ := c.Page("a.b")
		require.True(t, strings.HasSuffix(page, "\n- `v` ("+test.page+")"), "%s: %s", test.schema, page)
		_, err = f.Check(json.RawMessage(`{}`))
		require.Equal(t, "`v` must be "+test.refusal+", got undefined", message(t, err), test.schema)
	}
	f := gg.RawFunc("a.b", "x", json.RawMessage(`{"type":"object","properties":{"v":{},"w":{"minLength":3,"type":"string"},"n":{"type":"array","maxItems":1}},"required":["v","else"]}`), echo, gg.Positional("v"))
	for args, want := range map[string]string{
		`{}`:                  "`v` must be given",
		`{"v":1}`:             "`else` must be given",
		`{"v":1,"w":"é"}`:     "`w` must have at least 3 characters, got 1",
		`{"v":1,"n":[1,2,3]}`: "`n` must have at most 1 element, got 3",
	} {
		_, err := f.Check(json.RawMessage(args))
		require.Equal(t, want, message(t, err))
	}
}

// A deep value is explained to the depth that a program can pass, and in a line that can be read.
func TestDeepFault(t *testing.T) {
	f := sample(t).Lookup("tree.walk")
	for _, depth := range []int{3, 5000} {
		tree := strings.Repeat(`{"label":"a","children":[`, depth) + `{"label":1}` + strings.Repeat(`]}`, depth)
		_, err := f.Check(json.RawMessage(`{"root":` + tree + `}`))
		require.Error(t, err)
		text := message(t, err)
		require.Less(t, len(text), 1500)
		if depth == 3 {
			require.Equal(t, "`root.children[0].children[0].children[0].label` must be a string, got 1", text)
		}
	}
}
