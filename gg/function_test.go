package gg_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg"
)

func schemaText(t *testing.T, f *gg.Function) (arguments, result string) {
	t.Helper()
	in, err := f.Arguments()
	require.NoError(t, err)
	out, err := f.Result()
	require.NoError(t, err)
	inText, err := json.Marshal(in)
	require.NoError(t, err)
	outText, err := json.Marshal(out)
	require.NoError(t, err)
	return string(inText), string(outText)
}

func TestSchemasOfGoTypes(t *testing.T) {
	type embedded struct {
		Limit int `json:"limit,omitempty" gg:"min=1"`
	}
	type named struct {
		A string `json:"a"`
	}
	for name, test := range map[string]struct {
		function   *gg.Function
		in, out    string
		positional []string
	}{
		"scalars": {
			gg.Func("a.b", "x", returning[struct {
				Text   string  `json:"text" jsonschema:"some text"`
				Number float64 `json:"number"`
				Flag   bool    `json:"flag,omitempty"`
				Small  uint8   `json:"small,omitempty"`
				Big    uint64  `json:"big,omitzero"`
				Plain  int
				hidden int
				Not    int `json:"-"`
			}, int]()),
			`{"type":"object","properties":{"text":{"type":"string","description":"some text"},"number":{"type":"number"},"flag":{"type":"boolean"},` +
				`"small":{"type":"integer","minimum":0,"maximum":255},"big":{"type":"integer","minimum":0,"maximum":9007199254740991},` +
				`"Plain":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991}},"required":["text","number","Plain"],"additionalProperties":false}`,
			`{"type":"integer"}`,
			[]string{"text", "number", "Plain"},
		},
		"optional by pointer": {
			gg.Func("a.b", "x", returning[struct {
				A *string `json:"a"`
				B *int    `json:"b,omitempty" gg:"min=0,max=9"`
				C string  `json:"c"`
			}, *named]()),
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer","minimum":0,"maximum":9},"c":{"type":"string"}},"required":["c"],"additionalProperties":false}`,
			`{"types":0}`,
			[]string{"c"},
		},
		"tags": {
			gg.Func("a.b", "x", returning[struct {
				P float64  `json:"p" gg:"positive,max=10"`
				W int      `json:"w" gg:"positive"`
				T string   `json:"t" gg:"nonempty,default=a b"`
				L []string `json:"l" gg:"nonempty"`
				E string   `json:"e" gg:"enum=one|two,default=one"`
				K string   `json:"k" gg:"const=key"`
				F string   `json:"f" gg:"function"`
				N int      `json:"n" gg:"min=-2,max=4294967295,default=5"`
			}, struct{}]()),
			`{"type":"object","properties":{"p":{"type":"number","maximum":10,"exclusiveMinimum":0},"w":{"type":"integer","maximum":9007199254740991,"exclusiveMinimum":0},` +
				`"t":{"type":"string","default":"a b","minLength":1},"l":{"type":"array","items":{"type":"string"},"minItems":1},` +
				`"e":{"type":"string","default":"one","enum":["one","two"]},"k":{"type":"string","const":"key"},"f":{"type":"string","format":"gg-function"},` +
				`"n":{"type":"integer","default":5,"minimum":-2,"maximum":4294967295}},"required":["p","w","t","l","e","k","f","n"],"additionalProperties":false}`,
			`{"type":"object","additionalProperties":false}`,
			[]string{"p", "w", "t", "l", "e", "k", "f", "n"},
		},
		"nested": {
			gg.Func("a.b", "x", returning[struct {
				embedded
				List []named          `json:"list,omitempty"`
				Map  map[string]named `json:"map,omitempty"`
				When time.Time        `json:"when,omitzero"`
				Raw  json.RawMessage  `json:"raw,omitempty"`
				Data []byte           `json:"data,omitempty"`
				Any  any              `json:"any,omitempty"`
				Num  json.Number      `json:"num,omitempty"`
			}, []named]()),
			`{"type":"object","properties":{"limit":{"type":"integer","minimum":1,"maximum":9007199254740991},` +
				`"list":{"type":"array","items":{"type":"object","title":"named","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}},` +
				`"map":{"type":"object","additionalProperties":{"type":"object","title":"named","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}},` +
				`"when":{"type":"string"},"raw":true,"data":{"type":"string","contentEncoding":"base64"},"any":true,"num":{"type":"number"}},"additionalProperties":false}`,
			`{"type":"array","items":{"type":"object","title":"named","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}}`,
			nil,
		},
		"nullable results": {
			gg.Func("a.b", "x", returning[struct{}, struct {
				Always *int  `json:"always"`
				Absent *int  `json:"absent,omitempty"`
				List   []int `json:"list"`
			}]()),
			`{"type":"object","additionalProperties":false}`,
			`{"type":"object","properties":{"always":{"type":["null","integer"]},"absent":{"type":"integer"},"list":{"type":"array","items":{"type":"integer"}}},"required":["always","list"],"additionalProperties":false}`,
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			in, out := schemaText(t, test.function)
			require.JSONEq(t, test.in, in)
			if test.out != `{"types":0}` {
				require.JSONEq(t, test.out, out)
			} else {
				require.JSONEq(t, `{"type":["null","object"],"title":"named","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`, out)
			}
			require.Equal(t, test.positional, test.function.Positional)
		})
	}
}

func TestTypesThatCannotBe(t *testing.T) {
	type loop struct {
		Next []*loop `json:"next,omitempty"`
	}
	for want, f := range map[string]*gg.Function{
		`type chan int is unsupported`: gg.Func("a.b", "x", returning[struct {
			C chan int `json:"c"`
		}, int]()),
		`cycle detected for type gg_test.loop`: gg.Func("a.b", "x", returning[struct{ L loop }, int]()),
		`field N of struct { N int "json:\"n\" gg:\"min=ten\"" }: gg tag: "ten" is not a number`: gg.Func("a.b", "x", returning[struct {
			N int `json:"n" gg:"min=ten"`
		}, int]()),
		`gg tag: unknown word "positiv"`: gg.Func("a.b", "x", returning[struct {
			N int `json:"n" gg:"positiv"`
		}, int]()),
		`schema of "a.b": unexpected end of JSON input`:       gg.RawFunc("a.b", "x", nil, nil),
		`schema of "a.b": type must be "object", got "array"`: gg.RawFunc("a.b", "x", json.RawMessage(`{"type":"array"}`), nil),
		`schema of "a.b": type must be "object", got ""`:      gg.RawFunc("a.b", "x", json.RawMessage(`{}`), nil),
	} {
		_, err := f.Arguments()
		require.ErrorContains(t, err, want)
		_, err = f.Check(json.RawMessage(`{}`))
		require.Equal(t, gg.Other, gg.AsError(err).Code, "a function that cannot be described is its author's fault")
		require.Equal(t, "gg.a.b(…)", gg.Signature(f))
	}
}

func TestRawFunc(t *testing.T) {
	var got json.RawMessage
	f := gg.RawFunc("a.b", "x", json.RawMessage(`{"type":"object","properties":{"z":{},"a":{"type":"integer"}},"required":["z"]}`),
		func(_ context.Context, args json.RawMessage) (any, error) {
			got = args
			return json.RawMessage(`{"raw":1}`), nil
		})
	require.Equal(t, []string{"z"}, f.Positional)
	parameters, err := f.Parameters()
	require.NoError(t, err)
	require.Len(t, parameters, 2)
	require.Equal(t, "z", parameters[0].Name)
	require.True(t, parameters[0].Positional && parameters[0].Required)
	require.Equal(t, "a", parameters[1].Name)
	require.False(t, parameters[1].Positional || parameters[1].Required)

	result, err := f.Invoke(context.Background(), gg.Call{Op: "a.b", Args: json.RawMessage(`{"z":{"<":1},"a":2}`)})
	require.NoError(t, err)
	require.Equal(t, `{"z":{"<":1},"a":2}`, string(got))
	require.Equal(t, `{"raw":1}`, string(result.Value))
}

func TestInvoke(t *testing.T) {
	ctx := context.Background()
	call := gg.Call{Seq: 3, Op: "a.b", Args: json.RawMessage(`{}`), Site: gg.Site{Line: 7, Column: 9}}
	type none = struct{}

	t.Run("results", func(t *testing.T) {
		result := func(v any) func(context.Context, none) (any, error) {
			return func(context.Context, none) (any, error) { return v, nil }
		}
		for want, v := range map[string]any{
			`{"a":"<b>&"}`: map[string]string{"a": "<b>&"}, `5`: 5, `null`: json.RawMessage("null"), `[]`: []int{}, `"x\ny"`: "x\ny",
		} {
			got, err := gg.Func("a.b", "x", result(v)).Invoke(ctx, call)
			require.NoError(t, err)
			require.Equal(t, want, string(got.Value))
		}
		for _, v := range []any{nil, struct{}{}} {
			got, err := gg.Func("a.b", "x", result(v)).Invoke(ctx, call)
			require.NoError(t, err)
			require.Nil(t, got.Value, "undefined")
		}
		_, err := gg.Func("a.b", "x", result(func() {})).Invoke(ctx, call)
		require.Equal(t, gg.Other, gg.AsError(err).Code)
	})

	t.Run("arguments arrive", func(t *testing.T) {
		var got windowIn
		f := gg.Func("a.b", "x", func(_ context.Context, in windowIn) (none, error) { got = in; return none{}, nil })
		c := call
		c.Args = json.RawMessage(`{"path":"p","offset":-0,"limit":1e2}`)
		_, err := f.Invoke(ctx, c)
		require.NoError(t, err)
		limit := int64(100)
		require.Equal(t, windowIn{Path: "p", Limit: &limit}, got)
	})

	t.Run("refusals are located", func(t *testing.T) {
		f := gg.Func("a.b", "x", func(_ context.Context, in shellIn) (none, error) {
			t.Error("called")
			return none{}, nil
		})
		_, err := f.Invoke(ctx, call)
		require.EqualError(t, err, "`a.b` failed (invalid-argument): `command` must be a string, got undefined")
		require.Equal(t, call.Site, gg.AsError(err).Site)
	})

	t.Run("what no schema can say", func(t *testing.T) {
		c := call
		f := gg.Func("a.b", "x", returning[struct {
			E    Expect     `json:"e,omitempty"`
			When *time.Time `json:"when,omitempty"`
		}, none]())
		c.Args = json.RawMessage(`{"e":{"ratio":1e300}}`)
		_, err := f.Invoke(ctx, c)
		require.EqualError(t, err, "`a.b` failed (invalid-argument): `e.ratio` must fit float32, got number 1e300")
		c.Args = json.RawMessage(`{"when":"noon"}`)
		_, err = f.Invoke(ctx, c)
		require.Equal(t, gg.InvalidArgument, gg.AsError(err).Code)
	})

	t.Run("a shared error is not changed", func(t *testing.T) {
		shared := &gg.Error{Code: gg.Refused, Message: "no", Data: map[string]json.RawMessage{"output": json.RawMessage(`"o"`)}}
		f := gg.Func("a.b", "x", func(context.Context, none) (none, error) { return none{}, fmt.Errorf("wrapped: %w", shared) })
		for line := range 3 {
			c := call
			c.Site.Line = line
			_, err := f.Invoke(ctx, c)
			got := gg.AsError(err)
			require.NotSame(t, shared, got)
			require.Equal(t, gg.Error{Operation: "a.b", Code: gg.Refused, Message: "no", Site: c.Site, Data: shared.Data}, *got)
		}
		require.Equal(t, "", shared.Operation)
		require.Equal(t, gg.Site{}, shared.Site)
	})

	t.Run("a plain error", func(t *testing.T) {
		f := gg.Func("a.b", "x", func(context.Context, none) (none, error) { return none{}, context.DeadlineExceeded })
		_, err := f.Invoke(ctx, call)
		require.Equal(t, gg.LimitExceeded, gg.AsError(err).Code)
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})

	t.Run("a panic passes", func(t *testing.T) {
		f := gg.Func("a.b", "x", func(context.Context, none) (none, error) { panic("mine") })
		require.PanicsWithValue(t, "mine", func() { _, _ = f.Invoke(ctx, call) })
	})

	t.Run("effects are gathered, in order, of failed calls too", func(t *testing.T) {
		boom := errors.New("boom")
		blob := gg.NewBlob("image/png", []byte("png"))
		f := gg.Func("a.b", "x", func(ctx context.Context, _ none) (string, error) {
			gg.Show(ctx, gg.ViewChange{Change: gg.Opened, View: gg.View{Selector: "one"}}, blob)
			gg.Show(ctx, gg.ViewChange{Change: gg.Closed, View: gg.View{Selector: "two"}})
			var all sync.WaitGroup
			for range 20 {
				all.Go(func() { gg.Show(ctx, gg.ViewChange{View: gg.View{Selector: "side"}}) })
			}
			all.Wait()
			return "lost", boom
		})
		result, err := f.Invoke(ctx, call)
		require.ErrorIs(t, err, boom)
		require.Nil(t, result.Value)
		require.Len(t, result.Views, 22)
		require.Equal(t, "one", result.Views[0].View.Selector)
		require.Equal(t, gg.Closed, result.Views[1].Change)
		require.Equal(t, []gg.Blob{blob}, result.Blobs)
		require.Len(t, blob.ID, 32)
		gg.Show(ctx, gg.ViewChange{}) // outside a call: nobody's
	})
}

func TestConcurrentChecks(t *testing.T) {
	f := sample(t).Lookup("tree.walk")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				_, err := f.Check(json.RawMessage(`{"root":{"label":"a"},"exit":[1,"2"]}`))
				if err == nil || gg.AsError(err).Message != "`exit[1]` must be a whole number, got \"2\"" {
					t.Error(err)
				}
				if _, err := f.Check(json.RawMessage(`{"root":{"label":"a"}}`)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}
