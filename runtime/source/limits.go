package source

import "fmt"

// Bounds of a text. The first two are configuration (`maxSourceBytes`, `maxNesting`); the others protect the
// engine's parser and have no setting.
const (
	// DefaultMaxBytes is the longest program that is accepted: 256 KiB.
	DefaultMaxBytes = 256 << 10

	// DefaultMaxNesting is how deep brackets and template substitutions may be nested.
	DefaultMaxNesting = 200

	// maxChain is how many operators one expression or unbraced statement may hold. The engine's parser and
	// compiler recurse once or more for each; 131,072 terms of `1+1+…` take hundreds of megabytes of stack.
	// The longest chain in hand-written code, a table of concatenated lines, stays under a few hundred.
	maxChain = 5000

	// maxArrowNesting is how deep arrow functions may be nested inside the parameter lists of arrow
	// functions. The engine's parser reads each such list twice, so level n costs 2^n readings: without a
	// bound, thirty levels hang it, and no interrupt reaches a parser. Written by hand, two are rare.
	maxArrowNesting = 8

	// maxFolded is how many logical operators may follow a literal in one expression: see folding. Written by
	// hand, `true || …` has one or two.
	maxFolded = 12
)

// Limits bound the text of a program, or of a string given to `eval`.
type Limits struct {
	MaxBytes   int // bytes of UTF-8; 0: DefaultMaxBytes
	MaxNesting int // brackets open at once; 0: DefaultMaxNesting
}

func (l Limits) withDefaults() Limits {
	if l.MaxBytes == 0 {
		l.MaxBytes = DefaultMaxBytes
	}
	if l.MaxNesting == 0 {
		l.MaxNesting = DefaultMaxNesting
	}
	return l
}

// Check reports what of text exceeds the limits, as a [*LimitError], or nil. It is linear in the text, does not
// recurse, and accepts any bytes: it is what to ask before showing a text to a parser.
func (l Limits) Check(text string) error {
	l = l.withDefaults()
	if err := l.checkSize(text); err != nil {
		return err
	}
	if s := scanText(text, l); s.limit != nil {
		return s.limit.at(NewText(text))
	}
	return nil
}

func (l Limits) checkSize(text string) error {
	if len(text) > l.MaxBytes {
		return &LimitError{Limit: "maxSourceBytes", Use: len(text), Bound: l.MaxBytes}
	}
	return nil
}

// LimitError says that a text exceeds a bound that is checked before it is parsed.
type LimitError struct {
	Limit    string   // "maxSourceBytes", "maxNesting", "operators in one expression", "nested arrow parameters" or "logical operators after a literal"
	Use      int      // what the text has, counted up to where the bound was passed
	Bound    int      // what it may have
	Position Position // where the bound was passed; zero for maxSourceBytes
}

// Error names the use, the bound and the place.
func (e *LimitError) Error() string {
	switch e.Limit {
	case "maxSourceBytes":
		return fmt.Sprintf("the program is too long: got %d bytes, want at most %d (maxSourceBytes)", e.Use, e.Bound)
	case "maxNesting":
		return fmt.Sprintf("brackets are nested too deep at %s: got %d levels, want at most %d (maxNesting)", e.Position, e.Use, e.Bound)
	}
	return fmt.Sprintf("too many %s at %s: got %d, want at most %d", e.Limit, e.Position, e.Use, e.Bound)
}

// exceeded is a LimitError whose place is still an offset.
type exceeded struct {
	limit            string
	use, bound, from int
}

func (e *exceeded) at(t *Text) *LimitError {
	return &LimitError{Limit: e.limit, Use: e.use, Bound: e.bound, Position: t.Position(e.from)}
}
