package prelude

import (
	"encoding/hex"
	"strings"
)

// RewriteRegExp spells a pattern so that the engine answers for it as ECMAScript says; changed reports whether it had to. It is for
// the constructor RegExp, which does this by itself, and for whoever compiles the literals of a program: a literal whose pattern
// changes is to be built by that constructor. These are mended:
//
//   - \p{…} and \P{…} with the flag u become classes of code points. Every General_Category, Script, Script_Extensions and
//     binary property of ECMAScript 2024 is known, as of Unicode 17, in classes and out of them, with the flag i or not. The
//     engine itself takes them for letters or knows less.
//   - Surrogates, and characters that are two of them without the flag u, are spelt so that they are found (/😀|done/).
//   - [^] and [] reach as far as Unicode does.
//
// Goja has two engines, one that takes linear time and one that backtracks. These go to the one that backtracks, because
// the linear one has another answer:
//
//   - ^ and $ with the flag m: /;$/m matches nowhere in a file with CRLF;
//   - a group inside a repetition, which keeps what it matched in an earlier round (/(?:(a)|b)*/);
//   - a named group with the flag u, which has no name in a text that is not ASCII;
//   - a pattern with the flag g that may match nothing, of which the empty match behind another one is left out; split has to be told
//     of such patterns as well;
//   - characters with the flag i that Go folds and ECMAScript does not (/[\u0080-\uffff]/i matches k in Go).
//
// Not mended: without the flag u, /k/i matches the kelvin sign too and /s/i the letter ſ, as long as the linear engine is asked; a
// pattern that String.prototype.match, matchAll or search is given as a string goes to the engine as it is.
//
// The result carries the original, which RegExp.prototype.source shows. The text of an error is that of a SyntaxError. A pattern
// that is none is returned as it is, for the engine to refuse; so is one that the engine refuses although ECMAScript does not.
// With the flag u, an escaped punctuation mark that needs no escape (/\@/u) is taken for itself, where ECMAScript refuses it.
func RewriteRegExp(pattern, flags string) (newPattern string, changed bool, err error) {
	if reason := unsupportedFlag(flags); reason != "" {
		return "", false, syntaxError(pattern, flags, reason)
	}
	tree, err := parsePattern(pattern, flags)
	switch err := err.(type) {
	case nil:
	case *patternError:
		return "", false, syntaxError(pattern, flags, err.reason)
	default:
		return pattern, false, nil
	}
	w := patternWriter{
		unicode:    strings.Contains(flags, "u"),
		multiline:  strings.Contains(flags, "m"),
		ignoreCase: strings.Contains(flags, "i"),
	}
	w.tree(tree)
	written := w.out.String()
	emptyToo := tree.mayMatchNothing() && tree.mayMatchSomething()
	backtrack := w.backtrack || w.unicode && tree.namedGroup || strings.Contains(flags, "g") && emptyToo
	if written == pattern && !backtrack && !emptyToo && !strings.HasPrefix(pattern, originalStart) {
		return pattern, false, nil
	}
	return withOriginal(pattern, emptyToo, backtrack) + written, true, nil
}

// unsupportedFlag says why a flag cannot be used, in the words in which literals are refused.
func unsupportedFlag(flags string) string {
	switch {
	case strings.Contains(flags, "v"):
		return "the flag v is not supported by the engine: use the flag u"
	case strings.Contains(flags, "d"):
		return "the flag d is not supported by the engine: use match.index and the lengths of the groups"
	}
	return ""
}

// patternError is what is wrong with a pattern.
type patternError struct{ reason string }

func (e *patternError) Error() string { return e.reason }

// syntaxError words a refusal the way other engines do.
func syntaxError(pattern, flags, reason string) error {
	return &patternError{"Invalid regular expression: /" + shortPattern(pattern) + "/" + flags + ": " + reason}
}

// shortPattern cuts a pattern that nobody would read in a message.
func shortPattern(pattern string) string {
	const longest = 200 // characters; patterns written by hand are shorter
	if n := 0; len(pattern) > longest {
		for i := range pattern {
			if n++; n > longest {
				return pattern[:i] + "…"
			}
		}
	}
	return pattern
}

// A rewritten pattern begins with a group that is repeated no time at all, in which the original stands in hexadecimal. The NUL
// keeps it apart from what programs write. Behind the original may stand the mark of a pattern that matches nothing or something,
// which split has to know, and a look-ahead, when the pattern has to run on the engine that backtracks: the other one has none.
const (
	originalStart     = "(?:\x00"
	originalEmptyToo  = "~"
	originalBacktrack = "(?=)"
	originalEnd       = "){0}"
)

func withOriginal(pattern string, emptyToo, backtrack bool) string {
	var marks string
	if emptyToo {
		marks += originalEmptyToo
	}
	if backtrack {
		marks += originalBacktrack
	}
	return originalStart + hex.EncodeToString([]byte(pattern)) + marks + originalEnd
}

// originalPattern finds the original in a rewritten pattern, and whether it matches nothing or something.
func originalPattern(pattern string) (original string, emptyToo, ok bool) {
	rest, ok := strings.CutPrefix(pattern, originalStart)
	if !ok {
		return "", false, false
	}
	digits, _, ok := strings.Cut(rest, originalEnd)
	if !ok {
		return "", false, false
	}
	digits = strings.TrimSuffix(digits, originalBacktrack)
	digits, emptyToo = strings.CutSuffix(digits, originalEmptyToo)
	decoded, err := hex.DecodeString(digits)
	return string(decoded), emptyToo, err == nil
}
