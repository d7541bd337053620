package source

import (
	"sort"
	"strings"
)

// FeatureKind is a piece of syntax the engine lacks or gets wrong.
type FeatureKind uint8

// The features a scan looks for. Each is refused by [Parse] with one line that names it.
const (
	ForAwait          FeatureKind = iota + 1 // for await (… of …)
	AsyncGenerator                           // async function*, async *method
	DynamicImport                            // import(…)
	ImportMeta                               // import.meta
	Decorator                                // @decorator
	Using                                    // using x = …, await using x = …
	Accessor                                 // accessor x, in a class
	RegExpSets                               // /…/v
	RegExpIndices                            // /…/d
	RegExpModifiers                          // /(?i:…)/
	ChainedComparison                        // a < b < c, which the engine groups from the right
	HTMLComment                              // <!--
	LegacyDecimal                            // 08
)

// Feature is one use of such syntax.
type Feature struct {
	Kind FeatureKind
	Position
}

type feature struct {
	kind FeatureKind
	from int
}

// featureText is what is said of a feature, and what to write instead.
type featureText struct {
	message, hint string

	// parses says that the engine's parser takes the feature, so that nothing would stop it before it runs, or
	// before the compiler refuses it with less to say.
	parses bool
}

func (k FeatureKind) text() featureText {
	switch k {
	case ForAwait:
		return featureText{message: "`for await` is not supported by the engine", hint: "use a plain `for … of` and await each value in it"}
	case AsyncGenerator:
		return featureText{message: "async generators are not supported by the engine", hint: "collect the values in an array and return it", parses: true}
	case DynamicImport:
		return featureText{message: "dynamic `import()` is not supported by the engine", hint: "use the global `gg`, or an import of \"gg\" at the top of the program"}
	case ImportMeta:
		return featureText{message: "`import.meta` is not supported by the engine", hint: "`gg.args` holds what the caller passed"}
	case Decorator:
		return featureText{message: "decorators are not supported by the engine", hint: "call the decorator as a function"}
	case Using:
		return featureText{message: "`using` declarations are not supported by the engine", hint: "use `try … finally`"}
	case Accessor:
		return featureText{message: "`accessor` fields are not supported by the engine", hint: "write a getter and a setter"}
	case RegExpSets:
		return featureText{message: "the regular expression flag `v` is not supported by the engine", hint: "use the flag `u`", parses: true}
	case RegExpIndices:
		return featureText{message: "the regular expression flag `d` is not supported by the engine", hint: "use `match.index` and the lengths of the groups", parses: true}
	case RegExpModifiers:
		return featureText{message: "regular expression modifiers such as `(?i:…)` are not supported by the engine", hint: "put the flag after the closing `/`", parses: true}
	case ChainedComparison:
		return featureText{message: "chained comparisons such as `a < b < c` are not supported by the engine", hint: "write `a < b && b < c`", parses: true}
	case HTMLComment:
		return featureText{message: "HTML-like comments (`<!--`) are not supported by the engine", hint: "use `//`"}
	}
	return featureText{message: "decimal numbers with a leading zero are not supported by the engine", hint: "drop the zero"}
}

// String returns what the feature's refusal says.
func (k FeatureKind) String() string { return k.text().message }

func (s *scanner) use(k FeatureKind, from int) {
	if len(s.features) < maxFindings {
		s.features = append(s.features, feature{kind: k, from: from})
	}
}

func (s *scan) publicFeatures(t *Text) []Feature {
	if len(s.features) == 0 {
		return nil
	}
	features := make([]Feature, len(s.features))
	for i, f := range s.features {
		features[i] = Feature{Kind: f.kind, Position: t.Position(f.from)}
	}
	return features
}

// dynamicImportHint says what to call instead of the module that the import(…) at offset names, and otherwise.
func (s *scan) dynamicImportHint(offset int, otherwise string) string {
	i := sort.Search(len(s.tokens), func(i int) bool { return int(s.tokens[i].start) >= offset })
	if i+2 >= len(s.tokens) || s.tokens[i+2].kind != tokenString {
		return otherwise
	}
	specifier := strings.Trim(s.text[s.tokens[i+2].start:s.tokens[i+2].end], "\"'")
	if specifier == "gg" || strings.HasPrefix(specifier, "gg:") {
		return otherwise
	}
	_, hint := foreignModule(specifier)
	return hint
}

// regExpFeatures looks at a literal whose body ends at slash and whose flags end at end.
func (s *scanner) regExpFeatures(start, slash, end int) {
	flags := s.text[slash+1 : end]
	if strings.Contains(flags, "v") {
		s.use(RegExpSets, start)
	}
	if strings.Contains(flags, "d") {
		s.use(RegExpIndices, start)
	}
	body := s.text[start+1 : slash]
	for {
		i := strings.Index(body, "(?")
		if i < 0 {
			return
		}
		body = body[i+len("(?"):]
		modifiers := strings.TrimLeft(body, "ims-")
		if len(modifiers) < len(body) && strings.HasPrefix(modifiers, ":") {
			s.use(RegExpModifiers, start)
			return
		}
	}
}
