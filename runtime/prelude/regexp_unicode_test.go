package prelude

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// TestTheTableAgreesWithGo compares the table, which comes from Node, with what Go knows of the same characters. Go's Unicode
// is older, 15.0: only characters that it knows at all are asked about, and not what Unicode has changed since.
func TestTheTableAgreesWithGo(t *testing.T) {
	changed := codePoints{{0x295, 0x295}, {0x1171E, 0x1171E}} // a letter that is no longer cased, a mark that is spacing now
	enlarged := []string{"Sentence_Terminal", "STerm", "Diacritic", "Extender", "Terminal_Punctuation"}
	known := tableSet(unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs)
	known = intersection(known, changed.complement(utf8.MaxRune))
	data := unicodeData()
	compared := 0
	compare := func(kind, name string, table *unicode.RangeTable) {
		set, ok := data.property(kind, name)
		require.True(t, ok, name)
		require.Equal(t, intersection(tableSet(table), known), intersection(set, known), "%s %s", kind, name)
		compared++
	}
	for name, table := range unicode.Categories {
		compare(generalCategory, name, table)
	}
	for name, table := range unicode.Scripts {
		compare(script, name, table)
	}
	for name, table := range unicode.Properties {
		if _, ok := data.property(binaryProperty, name); ok && !slices.Contains(enlarged, name) {
			compare(binaryProperty, name, table)
		}
	}
	require.Greater(t, compared, 200)
}

// tableSet is the set of Go's tables.
func tableSet(tables ...*unicode.RangeTable) codePoints {
	var spans []span
	for _, table := range tables {
		for _, r := range table.R16 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				spans = append(spans, span{c, c})
			}
		}
		for _, r := range table.R32 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				spans = append(spans, span{c, c})
			}
		}
	}
	return newCodePoints(spans)
}

func intersection(a, b codePoints) codePoints {
	union := slices.Concat(a.complement(utf8.MaxRune), b.complement(utf8.MaxRune))
	return newCodePoints(union).complement(utf8.MaxRune)
}

// TestFoldsAgreeWithGo holds the sets of the flags iu against Go's: those of Go are all there, and what is there besides
// are characters that it does not know and the pairs that Unicode 15.1 added.
func TestFoldsAgreeWithGo(t *testing.T) {
	same := map[rune][]rune{}
	for _, orbit := range unicodeData().folds {
		for _, r := range orbit {
			same[r] = orbit
		}
	}
	added := []rune{0x390, 0x1FD3, 0x3B0, 0x1FE3, 0xFB05, 0xFB06}
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if r == 'İ' || r == 'ı' || !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.S) {
			continue // İ and ı: see foldsAstray
		}
		orbit := []rune{r}
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			orbit = append(orbit, other)
		}
		if len(orbit) == 1 && (same[r] == nil || slices.Contains(added, r) || slices.ContainsFunc(same[r], func(r rune) bool { return !unicode.IsLetter(r) })) {
			continue
		}
		require.ElementsMatch(t, orbit, same[r], "U+%04X", r)
	}
}

// TestTheEngineKnowsEveryProperty asks both engines behind goja about the characters around every edge of every property.
func TestTheEngineKnowsEveryProperty(t *testing.T) {
	if underRace {
		t.Skip("nothing here runs beside anything else, and it would take a minute")
	}
	vm := regExpVM(t)
	_, err := vm.RunString(`var ask = (property, edges) => {
		const linear = new RegExp("^(?:\\p{" + property + "}|\\P{" + property + "}{2})$", "u");
		const backtracking = new RegExp("^(?=)\\p{" + property + "}$", "u");
		let wrong = "";
		for (const [first, last] of edges) {
			for (const c of [first - 1, first, last, last + 1]) {
				if (c < 0 || c > 0x10ffff) continue;
				const text = String.fromCodePoint(c), want = c >= first && c <= last;
				if (linear.test(text) !== want || backtracking.test(text) !== want) wrong += " " + c.toString(16);
			}
		}
		return wrong;
	}`)
	require.NoError(t, err)
	data := unicodeData()
	for kind, names := range data.names {
		for _, name := range slices.Concat(names...) {
			set, ok := data.property(kind, name)
			require.True(t, ok, name)
			property := name
			if kind != binaryProperty {
				property = kind + "=" + name
			}
			var edges strings.Builder
			for _, s := range set {
				fmt.Fprintf(&edges, "[%d,%d],", s.first, s.last)
			}
			wrong, err := vm.RunString(`ask("` + property + `", [` + edges.String() + `])`)
			require.NoError(t, err, property)
			require.Empty(t, wrong.String(), property)
		}
	}
}
