package gg_test

import (
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg"
)

func TestDefinition(t *testing.T) {
	text, number := &jsonschema.Schema{Type: "string"}, &jsonschema.Schema{Type: "number"}
	to := func(ref string) *jsonschema.Schema { return &jsonschema.Schema{Ref: ref} }
	root := &jsonschema.Schema{
		Type: "object",
		Defs: map[string]*jsonschema.Schema{
			"text": text, "chain": to("#/definitions/number"), "here": to("#/$defs/there"), "there": to("#/$defs/here"), "self": to("#/$defs/self"),
		},
		Definitions: map[string]*jsonschema.Schema{"number": number},
	}
	for ref, want := range map[string]*jsonschema.Schema{
		"#": root, "#/$defs/text": text, "#/definitions/number": number, "#/$defs/chain": number,
	} {
		require.Same(t, want, gg.Definition(root, to(ref)), ref)
	}
	for _, ref := range []string{"#/$defs/none", "#/properties/a", "https://example.com/schema", "#text"} {
		s := to(ref)
		require.Same(t, s, gg.Definition(root, s), ref)
	}
	for _, circle := range []string{"#/$defs/self", "#/$defs/here"} {
		require.NotEmpty(t, gg.Definition(root, to(circle)).Ref, "a circle leads nowhere, but the way ends")
	}
	require.Same(t, text, gg.Definition(root, text))
	require.Nil(t, gg.Definition(root, nil))
}

func TestAlternatives(t *testing.T) {
	a, b, c := &jsonschema.Schema{}, &jsonschema.Schema{}, &jsonschema.Schema{}
	s := &jsonschema.Schema{AnyOf: []*jsonschema.Schema{a, b}, OneOf: []*jsonschema.Schema{c}, AllOf: []*jsonschema.Schema{c}}
	require.Equal(t, []*jsonschema.Schema{a, b, c}, gg.Alternatives(s))
	require.Empty(t, gg.Alternatives(a))

	s.OneOf = nil
	gg.Alternatives(s)[0] = nil
	require.Same(t, a, s.AnyOf[0], "the list is the caller's")
}
