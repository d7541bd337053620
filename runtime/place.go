package runtime

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/dop251/goja/ast"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/runtime/source"
)

// offset is a place of the program in UTF-16 code units from its start, -1 when it is not known.
func (a *accepted) offset(site gg.Site) int {
	if site.Line == 0 {
		return -1
	}
	line := 1
	for i := 0; i < len(a.file.Source()); {
		if line == site.Line {
			return i + site.Column - 1
		}
		i = nextLine(a.file.Source(), i)
		line++
	}
	return len(a.file.Source())
}

// nextLine is the offset of the line after the one that holds offset i.
func nextLine(s string, i int) int {
	for ; i < len(s); i++ {
		switch {
		case s[i] == '\n':
			return i + 1
		case s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n':
			return i + 2
		case s[i] == '\r':
			return i + 1
		}
	}
	return i
}

// site is the place of an offset.
func (a *accepted) site(offset int) gg.Site {
	at := a.file.Position(offset)
	return gg.Site{Line: at.Line, Column: at.Column}
}

// snippet shows a place with the lines around it and a caret, empty when the place is not known.
func (a *accepted) snippet(site gg.Site) string {
	if a == nil || a.text == nil || site.Line == 0 {
		return ""
	}
	snippet := a.text.Snippet(site.Line, site.Column, snippetWidth)
	if last := a.text.Lines(); site.Line < last && a.text.Line(last) == "" {
		// The empty line after the final newline is none that anybody wrote.
		snippet = strings.TrimSuffix(snippet, "\n"+strconv.Itoa(last)+" |")
	}
	return snippet
}

// snippetWidth is the most columns of a source line that a snippet shows.
const snippetWidth = 100

// text is a part of the program as its author wrote it, in one line.
func (x *explainer) text(n ast.Expression) string {
	a := x.e.accepted
	start, end := a.site(offsetOf(n.Idx0())), a.site(endOffset(n))
	s := a.text.String()
	low := a.text.Offset(source.Position{Line: start.Line, Column: start.Column})
	high := a.text.Offset(source.Position{Line: end.Line, Column: end.Column})
	if low < 0 || high > len(s) || low >= high {
		return "it"
	}
	if low, high = balanced(s, low, high); low < 0 {
		return "it"
	}
	return shorten(strings.TrimSuffix(s[low:high], "?."), 60)
}

// balanced widens a part of a text until each bracket in it has its partner: parentheses are no nodes. Where
// that does not help, low is -1. A parenthesis around all of it is left out.
func balanced(s string, low, high int) (int, int) {
	for range 8 {
		open := 0
		missing := 0 // closing brackets whose opening ones stand before
		for _, c := range s[low:high] {
			switch c {
			case '(', '[', '{':
				open++
			case ')', ']', '}':
				if open--; open < 0 {
					missing, open = missing+1, 0
				}
			}
		}
		if open == 0 && missing == 0 {
			return low, high
		}
		if missing > 0 {
			i := strings.LastIndexAny(s[:low], "([{")
			if i < 0 {
				return -1, -1
			}
			low = i
		}
		if open > 0 {
			i := strings.IndexAny(s[high:], ")]}")
			if i < 0 {
				return -1, -1
			}
			high += i + 1
		}
	}
	return -1, -1
}

// endOffset is where an expression ends. The engine's own answer counts the bytes of a name, not what the
// author counts.
func endOffset(n ast.Expression) int {
	switch n := n.(type) {
	case *ast.Identifier:
		return offsetOf(n.Idx) + len(utf16.Encode([]rune(n.Name.String())))
	case *ast.DotExpression:
		return endOffset(&n.Identifier)
	case *ast.OptionalChain:
		return endOffset(n.Expression)
	case *ast.Optional:
		return endOffset(n.Expression)
	case *ast.PrivateDotExpression:
		return endOffset(&n.Identifier.Identifier) + 1 // the # is not part of its name
	case *ast.AwaitExpression:
		if call, ok := n.Argument.(*ast.CallExpression); ok && len(call.ArgumentList) > 0 {
			return endOffset(call.ArgumentList[0]) // inside what notes the await
		}
	case *ast.StringLiteral:
		return offsetOf(n.Idx) + len(utf16.Encode([]rune(n.Literal)))
	}
	return offsetOf(n.Idx1())
}
