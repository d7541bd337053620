package prelude

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// unicodeText holds the properties that ECMAScript knows, in the Unicode version its head names; how it is written stands
// there. The tables are our own because Go's follow the toolchain, and what a program answers must not: a recorded run
// would come out differently under another Go. Besides, Go has neither emoji properties nor Script_Extensions.
//
//go:embed regexp_unicode.txt
var unicodeText string

//go:generate sh -c "node testdata/regexp_unicode.mjs > regexp_unicode.new && mv regexp_unicode.new regexp_unicode.txt"

// The kinds of properties in the table.
const (
	generalCategory  = "gc"
	script           = "sc"
	scriptExtensions = "scx"
	binaryProperty   = "bp"
)

// unicodeProperties is the table, opened.
type unicodeProperties struct {
	written map[string]string     // ranges as they are written, by "kind name"
	names   map[string][][]string // by kind: the names of each property, the shortest first
	folds   [][]rune              // sets of code points that are the same under the flags iu

	mu   sync.Mutex
	read map[string]codePoints // what has been asked for; at most one entry for every name
}

// unicodeData opens the table when a program needs it for the first time: about 0.1 ms, once in a process.
var unicodeData = sync.OnceValue(func() *unicodeProperties {
	data := &unicodeProperties{written: map[string]string{}, names: map[string][][]string{}, read: map[string]codePoints{}}
	for line := range strings.Lines(unicodeText) {
		line = strings.TrimSuffix(line, "\n")
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case "#", "":
		case "fold":
			data.folds = readFolds(rest)
		default:
			names, ranges, _ := strings.Cut(rest, " ")
			aliases := strings.Split(names, ",")
			data.names[kind] = append(data.names[kind], aliases)
			for _, name := range aliases {
				data.written[kind+" "+name] = ranges
			}
		}
	}
	return data
})

// property returns the code points of a property; ok is false when the table has none of that kind and name.
func (data *unicodeProperties) property(kind, name string) (set codePoints, ok bool) {
	key := kind + " " + name
	ranges, ok := data.written[key]
	if !ok && kind == scriptExtensions {
		return data.property(script, name) // no character of it is used in another script
	}
	if !ok {
		return nil, false
	}
	data.mu.Lock()
	defer data.mu.Unlock()
	set, ok = data.read[key]
	if !ok {
		set = readRanges(ranges)
		data.read[key] = set
	}
	return set, true
}

// lookup resolves what stands between the braces of \p{…}: a property and its value, or either a general category or a
// binary property. Names are exactly those of ECMAScript: no other case, no blanks.
func (data *unicodeProperties) lookup(property, value string, hasValue bool) (codePoints, bool) {
	if hasValue {
		switch property {
		case "General_Category", "gc":
			return data.property(generalCategory, value)
		case "Script", "sc":
			return data.property(script, value)
		case "Script_Extensions", "scx":
			return data.property(scriptExtensions, value)
		}
		return nil, false
	}
	switch property {
	case "Any":
		return codePoints{{0, utf8.MaxRune}}, true
	case "ASCII":
		return codePoints{{0, 0x7F}}, true
	case "Assigned":
		unassigned, ok := data.property(generalCategory, "Cn")
		return unassigned.complement(utf8.MaxRune), ok
	}
	if set, ok := data.property(generalCategory, property); ok {
		return set, true
	}
	return data.property(binaryProperty, property)
}

// readRanges reads the ranges of one property.
func readRanges(text string) codePoints {
	set := make(codePoints, 0, strings.Count(text, ",")+1)
	next := rune(0)
	for entry := range strings.SplitSeq(text, ",") {
		gap, more, _ := strings.Cut(entry, "+")
		first := next + number36(gap)
		last := first + number36(more)
		set = append(set, span{first, last})
		next = last + 1
	}
	return set
}

// readFolds reads the sets of code points that are the same under the flags iu.
func readFolds(text string) [][]rune {
	folds := make([][]rune, 0, strings.Count(text, ",")+1)
	first := rune(0)
	for entry := range strings.SplitSeq(text, ",") {
		var orbit []rune
		r := first
		for distance := range strings.SplitSeq(entry, "+") {
			r += number36(distance)
			orbit = append(orbit, r)
		}
		first = orbit[0]
		folds = append(folds, orbit)
	}
	return folds
}

// number36 reads a number in base 36; nothing is 0. The table is our own, so a mistake in it is ours.
func number36(digits string) rune {
	if digits == "" {
		return 0
	}
	n, err := strconv.ParseInt(digits, 36, 32)
	if err != nil {
		panic("regexp_unicode.txt: " + err.Error())
	}
	return rune(n)
}
