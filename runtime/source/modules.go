package source

import (
	"errors"
	"fmt"
)

// problem is a refusal whose place is still an offset in the text.
type problem struct {
	from          int
	message, hint string
}

type problems []problem

func (p *problems) add(from int, message, hint string) {
	*p = append(*p, problem{from: from, message: message, hint: hint})
}

// modules takes the import and export declarations out of a text.
type modules struct {
	p      *Program
	tokens []token
	next   int    // index of the next token
	out    []byte // the text with what was taken out blanked; nil until something is
	known  func(module string) []string
	hidden string // name for a default export that has none
}

// takeModules reads every import and export declaration, blanks it in p.Text, and fills p.Imports and p.Default.
// What it refuses is added to p.problems and blanked too, so that what else is wrong can be found.
func (p *Program) takeModules(known func(module string) []string) {
	m := &modules{p: p, tokens: p.scan.tokens, known: known}
	for m.next < len(m.tokens) {
		t := m.tokens[m.next]
		m.next++
		if t.kind != tokenKeyword {
			continue
		}
		switch m.text(t) {
		case "import":
			if after := m.peek(); after != "(" && after != "." {
				m.declaration(t, m.importDeclaration)
			}
		case "export":
			m.declaration(t, m.exportDeclaration)
		}
	}
	if m.out != nil {
		p.Text = string(m.out)
	}
}

// declaration reads one declaration, which only the top level may hold, and reports what is malformed in it.
func (m *modules) declaration(t token, read func(start token) error) {
	word := m.text(t)
	if t.depth > 0 || !t.fresh {
		m.p.problems.add(int(t.start), fmt.Sprintf("Unexpected %q", word), fmt.Sprintf("an %s stands at the top level of a program, as a statement of its own", word))
		m.blank(int(t.start), int(t.end))
		return
	}
	if err := read(t); err != nil {
		if e, ok := errors.AsType[malformed](err); ok {
			m.p.problems.add(e.from, e.message, "")
		}
		m.skipDeclaration(t)
	}
}

// malformed is an error in the grammar of a declaration.
type malformed struct {
	from    int
	message string
}

func (e malformed) Error() string { return e.message }

// unexpected words what stands where something else is wanted, as esbuild does.
func (m *modules) unexpected(want string) error {
	if m.next >= len(m.tokens) {
		return malformed{from: len(m.p.Text), message: fmt.Sprintf("Expected %s but found end of file", want)}
	}
	t := m.tokens[m.next]
	return malformed{from: int(t.start), message: fmt.Sprintf("Expected %s but found %q", want, m.text(t))}
}

// skipDeclaration blanks a malformed declaration up to the next statement.
func (m *modules) skipDeclaration(start token) {
	for m.next < len(m.tokens) {
		t := m.tokens[m.next]
		if t.depth == 0 && t.fresh {
			break
		}
		m.next++
		if t.depth == 0 && m.text(t) == ";" {
			break
		}
	}
	m.remove(start)
}

func (m *modules) text(t token) string { return m.p.scan.text[t.start:t.end] }

// peek returns the text of the next token, "" at the end.
func (m *modules) peek() string {
	if m.next >= len(m.tokens) {
		return ""
	}
	return m.text(m.tokens[m.next])
}

// take consumes the next token where it reads text.
func (m *modules) take(text string) bool {
	if m.peek() != text {
		return false
	}
	m.next++
	return true
}

// name consumes an identifier and returns it.
func (m *modules) name() (token, bool) {
	if m.next < len(m.tokens) {
		if t := m.tokens[m.next]; t.kind == tokenName || t.kind == tokenKeyword {
			m.next++
			return t, true
		}
	}
	return token{}, false
}

// str consumes a string and returns its contents; a specifier with escapes in it names nothing.
func (m *modules) str() (value string, t token, ok bool) {
	if m.next >= len(m.tokens) || m.tokens[m.next].kind != tokenString {
		return "", token{}, false
	}
	t = m.tokens[m.next]
	text := m.text(t)
	if len(text) < 2 || text[0] != text[len(text)-1] {
		return "", token{}, false
	}
	m.next++
	return text[1 : len(text)-1], t, true
}

// end consumes what ends a declaration: a semicolon, a new statement, or the end of the text.
func (m *modules) end() error {
	if m.next >= len(m.tokens) || m.take(";") {
		return nil
	}
	if t := m.tokens[m.next]; !t.newline {
		return m.unexpected(`";"`)
	}
	return nil
}

// remove blanks the declaration from start to the last token consumed. Where a statement without a semicolon
// stands before it a semicolon is left behind, so that what follows cannot become its continuation.
func (m *modules) remove(start token) {
	m.blank(int(start.start), int(m.tokens[m.next-1].end))
	if before, ok := m.before(start); ok && m.text(before) != ";" {
		m.out[start.start] = ';'
	}
}

// before returns the token before t.
func (m *modules) before(t token) (token, bool) {
	for i := m.next - 1; i > 0; i-- {
		if m.tokens[i].start == t.start {
			return m.tokens[i-1], true
		}
	}
	return token{}, false
}

func (m *modules) bytes() []byte {
	if m.out == nil {
		m.out = []byte(m.p.Text)
	}
	return m.out
}

func (m *modules) blank(from, to int) { blankBytes(m.bytes(), from, to) }
