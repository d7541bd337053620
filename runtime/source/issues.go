package source

import (
	"fmt"
	"strings"
)

// issueKind is how a bracket or literal fails to close.
type issueKind uint8

const (
	unclosed issueKind = iota
	wrongCloser
	strayCloser
	unterminatedString
	unterminatedTemplate
	unterminatedComment
)

// issue is a bracket or literal that does not close.
type issue struct {
	kind issueKind
	open int // offset of what was opened; of the closing bracket itself for strayCloser
	from int // offset where it shows
}

func (s *scanner) report(i issue) {
	if len(s.issues) < maxFindings {
		s.issues = append(s.issues, i)
	}
}

// describe words an issue with the places the author sees.
func (i issue) describe(t *Text) string {
	open := t.Position(i.open)
	switch i.kind {
	case unclosed:
		bracket := string(t.text[i.open])
		if bracket == "$" {
			bracket = "${"
		}
		return fmt.Sprintf("`%s` opened at %s is never closed", bracket, open)
	case wrongCloser:
		bracket := string(t.text[i.open])
		return fmt.Sprintf("`%s` opened at %s is closed by `%c` at %s", bracket, open, t.text[i.from], t.Position(i.from))
	case strayCloser:
		return fmt.Sprintf("`%c` at %s closes nothing", t.text[i.open], open)
	case unterminatedString:
		return fmt.Sprintf("the string opened at %s is not closed on its line", open)
	case unterminatedTemplate:
		return fmt.Sprintf("the template opened at %s is never closed", open)
	}
	return fmt.Sprintf("the comment opened at %s is never closed", open)
}

// misindented looks for the block that really lacks its brace, where the one at offset open is found unclosed at
// the end of the text: in an indented program it is the first one whose apparent closing brace stands further
// left than the line that opened it. It returns -1 where the indentation says nothing.
func (s *scan) misindented(open int) int {
	var stack []int
	for _, t := range s.tokens {
		if t.kind != tokenPunct {
			continue
		}
		switch s.text[t.start] {
		case '{':
			stack = append(stack, int(t.start))
		case '}':
			if len(stack) == 0 {
				continue
			}
			last := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if last <= open || !t.newline {
				continue
			}
			if indent(s.text, int(t.start)) < indent(s.text, last) {
				return last
			}
		}
	}
	return -1
}

// indent returns how many bytes of white space the line of offset begins with.
func indent(text string, offset int) int {
	start := strings.LastIndexAny(text[:offset], "\n\r") + 1
	line := text[start:]
	return len(line) - len(strings.TrimLeft(line, " \t"))
}
