package prelude

import (
	"slices"
	"strings"
)

// property reads the braces of \p{…}, whose escape begins at start.
func (p *patternParser) property(start int) (codePoints, error) {
	body, _, closed := strings.Cut(strings.TrimPrefix(p.text[p.at:], "{"), "}")
	if !strings.HasPrefix(p.text[p.at:], "{") || !closed {
		return nil, &patternError{"a property stands in braces, as in " + p.text[start:start+2] + "{L}"}
	}
	p.at += len(body) + len("{}")
	name, value, hasValue := strings.Cut(body, "=")
	set, ok := unicodeData().lookup(name, value, hasValue)
	if !ok {
		return nil, &patternError{unicodeData().unknown(body)}
	}
	return set, nil
}

// ofStrings are the properties that hold sequences of characters. They need the flag v.
var ofStrings = map[string]string{
	"Basic_Emoji":                 "Emoji_Presentation",
	"Emoji_Keycap_Sequence":       "Emoji",
	"RGI_Emoji":                   "Extended_Pictographic",
	"RGI_Emoji_Flag_Sequence":     "Regional_Indicator",
	"RGI_Emoji_Modifier_Sequence": "Emoji_Modifier",
	"RGI_Emoji_Tag_Sequence":      "Extended_Pictographic",
	"RGI_Emoji_ZWJ_Sequence":      "Extended_Pictographic",
	"RGI_Modifier_Sequence":       "Emoji_Modifier",
	"RGI_Flag_Sequence":           "Regional_Indicator",
	"RGI_ZWJ_Sequence":            "Extended_Pictographic",
}

// unknown says that Unicode has no property of this name, and which are near.
func (data *unicodeProperties) unknown(body string) string {
	if near, ok := ofStrings[body]; ok {
		return `the property "` + body + `" is of the flag v, which the engine does not support; near: \p{` + near + "}"
	}
	message := `invalid property name "` + body + `"`
	if near := data.near(body); near != nil {
		message += `; near: \p{` + strings.Join(near, `}, \p{`) + "}"
	}
	return message
}

// maxNear is how many near names an error lists.
const maxNear = 3

// near lists what a misspelt property may have meant, nearest first. A script is found without `Script=`, as other languages
// have it, and the prefixes Is and In, which others put before a name, count for nothing.
func (data *unicodeProperties) near(body string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	property, value, hasValue := strings.Cut(body, "=")
	wanted := loose(value)
	if !hasValue {
		wanted = loose(property)
	}
	consider := func(prefix string, penalty int, properties [][]string) {
		for _, aliases := range properties {
			nearest := candidate{distance: len(wanted)/3 + 1}
			for _, name := range aliases {
				if d := distance(wanted, loose(name)); d < nearest.distance {
					nearest = candidate{prefix + name, d}
				}
			}
			if nearest.name != "" {
				nearest.distance = 2*nearest.distance + penalty
				found = append(found, nearest)
			}
		}
	}
	scripts := data.names[script]
	switch {
	case !hasValue:
		for _, prefix := range []string{"", "is", "in"} {
			given := wanted
			if wanted = strings.TrimPrefix(wanted, prefix); wanted != "" {
				consider("", 0, slices.Concat(data.names[generalCategory], data.names[binaryProperty]))
				consider("Script=", 1, scripts)
			}
			wanted = given
		}
		consider("", 0, [][]string{{"Any"}, {"ASCII"}, {"Assigned"}})
	case distance(loose(property), "generalcategory") <= 3 || loose(property) == "gc" || loose(property) == "category":
		consider("General_Category=", 0, data.names[generalCategory])
	default:
		prefix := "Script="
		if loose(property) == "scx" || strings.Contains(loose(property), "ext") {
			prefix = "Script_Extensions="
		}
		consider(prefix, 0, scripts)
		consider("", 1, slices.Concat(data.names[generalCategory], data.names[binaryProperty]))
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.distance - b.distance })
	var names []string
	for _, c := range found {
		if !slices.Contains(names, c.name) && len(names) < maxNear {
			names = append(names, c.name)
		}
	}
	return names
}

// loose is a name without what is commonly got wrong: capitals, underscores, blanks and hyphens. It is cut where no name is
// that long.
func loose(name string) string {
	const longest = 40
	name = strings.ToLower(strings.NewReplacer("_", "", " ", "", "-", "").Replace(name))
	return name[:min(len(name), longest)]
}

// distance counts the insertions, deletions and substitutions of bytes between two names.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
