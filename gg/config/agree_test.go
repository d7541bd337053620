package config

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/require"
)

// TestSchemaAgrees: two judges that share no code, the reader here and a JSON Schema library with the
// shipped schema, come to the same verdict on whatever a configuration can be turned into.
func TestSchemaAgrees(t *testing.T) {
	schema := compiled(t)
	random := rand.New(rand.NewPCG(1, 2))
	verdicts := map[bool]int{}
	for range 4000 {
		var document any
		require.NoError(t, json.Unmarshal([]byte([]string{example, full}[random.IntN(2)]), &document))
		for range random.IntN(4) {
			document = mutate(random, document)
		}
		data, err := json.Marshal(document)
		require.NoError(t, err)
		c, refusal := Parse(data, "gg.json", nil)
		objection := accepts(t, schema, data)
		require.Equal(t, refusal == nil, objection == nil, "%s\nParse: %v\nschema: %v", data, refusal, objection)
		verdicts[refusal == nil]++
		if refusal == nil {
			checkAccepted(t, c)
		}
	}
	require.Greater(t, verdicts[true], 500, "too few are accepted to show anything")
	require.Greater(t, verdicts[false], 500, "too few are refused to show anything")
}

// checkAccepted: a configuration survives being written and read, and is complete.
func checkAccepted(t *testing.T, c *Config) {
	t.Helper()
	again, err := c.Checked(nil)
	require.NoError(t, err)
	require.Equal(t, c, again)
	if c.Shell.Enabled {
		require.NoError(t, c.Shell.Policy.Validate())
	}
}

// values are put in the place of others.
var values = []string{
	`null`, `true`, `false`, `{}`, `[]`, `[1]`, `[""]`, `["a"]`, `{"a":"b"}`, `{"GG_CALL":"b"}`, `{"a=":"b"}`, `{"a":1}`,
	`0`, `-0`, `1`, `-1`, `4.5`, `40.0`, `1e2`, `15e-1`, `20e-1`, `100000`, `100001`, `1e6`, `1000001`, `2147483647`, `2147483648`,
	`2562047`, `2562048`, `9223372036`, `9223372037`, `9223372036854`, `9223372036855`, `9007199254740991`, `9007199254740992`, `1e400`, `1e-400`,
	`""`, `"lots"`, `"offload"`, `"inline"`, `"process"`, `"none"`, `"all"`, `"write"`, `"arrival"`, `"never"`, `"~"`, `"~/a"`, `"~a"`,
	`"a\u0000b"`, `"A=B"`, `"GG_CALL"`, `"shell"`, `"programs"`, `"files"`, `"views"`, `"docs"`, `"run"`, `"shel"`,
}

// mutate changes one thing somewhere in a document.
func mutate(random *rand.Rand, document any) any {
	var places []func(change func(any) any) // each replaces the value at one place
	var collect func(value any, replace func(any))
	collect = func(value any, replace func(any)) {
		places = append(places, func(change func(any) any) { replace(change(value)) })
		switch value := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				collect(value[name], func(v any) { value[name] = v })
			}
		case []any:
			for i, element := range value {
				collect(element, func(v any) { value[i] = v })
			}
		}
	}
	collect(document, func(v any) { document = v })
	places[random.IntN(len(places))](func(value any) any {
		switch v := value.(type) {
		case map[string]any:
			names := slices.Sorted(maps.Keys(v))
			switch random.IntN(4) {
			case 0:
				if len(names) > 0 {
					delete(v, names[random.IntN(len(names))])
				}
				return v
			case 1:
				v[allNames[random.IntN(len(allNames))]] = anyValue(random)
				return v
			}
		case []any:
			switch random.IntN(4) {
			case 0:
				if len(v) > 0 {
					return slices.Delete(slices.Clone(v), 0, 1)
				}
			case 1:
				if len(v) > 0 {
					return append(slices.Clone(v), v[random.IntN(len(v))])
				}
			case 2:
				return append(slices.Clone(v), anyValue(random))
			}
		}
		return anyValue(random)
	})
	return document
}

func anyValue(random *rand.Rand) any { return json.RawMessage(values[random.IntN(len(values))]) }

// allNames are the keys there are anywhere, and some that are none.
var allNames = func() []string {
	names := []string{"", "maxLine", "Enabled", "x y"}
	new(Config).keys().each("", func(_ string, k key) { names = append(names, k.name) })
	return names
}()

// FuzzParse: no text brings the reader down; what is accepted is JSON, right by the schema, and the same
// after being written; what is refused is so in clean lines, in order, with places inside the text.
func FuzzParse(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte(full))
	for _, c := range refused {
		f.Add([]byte(c.text))
	}
	for _, text := range []string{"", "\uFEFF{}", "{] // x", `{"a": 'b'}`, "[1,]", `"\ud83d\ude00"`, "{\"a\\u12\xff", `{"capabilities":[],}`} {
		f.Add([]byte(text))
	}
	schema := compiled(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse(data, "gg.json", nil)
		if err == nil {
			require.NoError(t, accepts(t, schema, data))
			checkAccepted(t, c)
			return
		}
		require.Nil(t, c)
		checkRefusal(t, data, err.(*Error))
		checkAgreement(t, schema, data, err.(*Error))
	})
}

func checkRefusal(t *testing.T, data []byte, refusal *Error) {
	t.Helper()
	require.NotEmpty(t, refusal.Defects)
	require.Len(t, strings.Split(refusal.Error(), "\n"), len(refusal.Defects))
	lines := strings.Split(string(data), "\n")
	for i, d := range refusal.Defects {
		for _, r := range d.String() {
			require.True(t, unicode.IsPrint(r), "%q", d)
		}
		require.NotEmpty(t, d.Path)
		require.NotEmpty(t, d.Problem)
		require.True(t, 1 <= d.Line && d.Line <= len(lines), "%+v", d)
		require.True(t, 1 <= d.Column && d.Column <= len(lines[d.Line-1])+1, "%+v", d)
		if i > 0 {
			before := refusal.Defects[i-1]
			require.True(t, before.Line < d.Line || before.Line == d.Line && before.Column <= d.Column, "%+v then %+v", before, d)
		}
	}
}

// hugeExponent is in a number that the schema library would write out.
var hugeExponent = regexp.MustCompile(`[eE][+-]?[0-9]{4}`)

// checkAgreement: encoding/json reads what our reader reads, except for half surrogate pairs, size and
// depth; and the schema refuses what was refused for more than it can see.
func checkAgreement(t *testing.T, schema *jsonschema.Schema, data []byte, refusal *Error) {
	t.Helper()
	if strings.HasPrefix(refusal.Defects[0].Path, "gg.json:") {
		text := strings.TrimPrefix(string(data), "\uFEFF")
		if json.Valid([]byte(text)) {
			require.Regexp(t, `half of a surrogate pair|not UTF-8|nested deeper|larger than`, refusal.Error())
		}
		return
	}
	require.True(t, json.Valid([]byte(strings.TrimPrefix(string(data), "\uFEFF"))), "read although it is not JSON")
	if !seenByParseAlone(refusal) && !hugeExponent.Match(data) {
		require.Error(t, accepts(t, schema, data))
	}
}
