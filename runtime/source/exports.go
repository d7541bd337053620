package source

import (
	"fmt"
	"strings"
)

// DefaultKind says what a program exports by default.
type DefaultKind uint8

// The kinds of default export. In each but DefaultNone the value is read from the binding Default.Name, in the
// scope of the program's body.
const (
	// DefaultNone: the program has no default export.
	DefaultNone DefaultKind = iota

	// DefaultBinding: a binding of the program's own: `export default function main() {}`, `class C {}`,
	// `export { main as default }`. Text is the declaration without the two keywords.
	DefaultBinding

	// DefaultFunction: a function without a name, declared in Text under the hidden name in the place of the
	// keywords: `export default async function () {}` has become `async function __gg_0`, padded, and `() {}`.
	DefaultFunction

	// DefaultClass: the same for a class without a name.
	DefaultClass

	// DefaultExpression: any other value, assigned to the hidden name in Text: `export default a + b` has become
	// `__gg_0 =        a + b`. Parse declares the hidden name around the program.
	DefaultExpression
)

// Default is a program's default export. The zero value is none.
type Default struct {
	Kind DefaultKind

	// Name is the binding that holds it. A hidden name occurs nowhere in the program; it has six characters, as
	// `export` does, so that it fits wherever that keyword stands.
	Name string

	// Position is where `export` stands.
	Position
}

// Hidden reports whether Name is not one the author wrote: it must not show in a report.
func (d Default) Hidden() bool { return d.Kind > DefaultBinding }

// exportDeclaration reads what follows `export`.
func (m *modules) exportDeclaration(start token) error {
	switch word := m.peek(); word {
	case "default":
		m.next++
		return m.exportDefault(start, m.tokens[m.next-1])
	case "const", "let", "var", "function", "class", "async":
		m.blank(int(start.start), int(start.end))
		return nil
	case "{":
		m.next++
		return m.exportNames(start)
	case "*":
		m.p.problems.add(int(start.start), "`export *` is not supported: a program exports at most a default", "")
		return errRefused
	case "type", "interface", "enum", "namespace", "declare", "abstract":
		m.p.problems.add(int(start.start), typeScriptRefusal, "")
		return errRefused
	}
	return m.unexpected("declaration")
}

// exportNames reads `export { a, b as default }` after the opening brace.
func (m *modules) exportNames(start token) error {
	names, err := m.named()
	if err != nil {
		return err
	}
	if m.take("from") {
		if _, _, ok := m.str(); !ok {
			return m.unexpected("string")
		}
		m.p.problems.add(int(start.start), "`export … from` is not supported: a program exports at most a default", "")
		return errRefused
	}
	if err := m.end(); err != nil {
		return err
	}
	m.remove(start)
	for _, b := range names {
		if alias := m.text(b.local); alias == "default" || alias == `"default"` || alias == `'default'` {
			m.setDefault(start, DefaultBinding, m.text(b.nameT))
		}
	}
	return nil
}

func (m *modules) setDefault(start token, kind DefaultKind, name string) {
	if m.p.Default.Kind != DefaultNone {
		m.p.problems.add(int(start.start), "Multiple exports with the same name \"default\"", fmt.Sprintf("the first default export is at %s", m.p.Default.Position))
		return
	}
	m.p.Default = Default{Kind: kind, Name: name, Position: m.place(start)}
}

// exportDefault reads what follows `export default`. The three kinds of rewriting put only keywords and the hidden
// name where keywords stood; nothing else moves.
func (m *modules) exportDefault(start, def token) error {
	if m.next >= len(m.tokens) {
		return m.unexpected("expression")
	}
	keywords, last := []string{}, m.next
	at := func(i int) string {
		if i < len(m.tokens) {
			return m.text(m.tokens[i])
		}
		return ""
	}
	switch {
	case at(last) == "class":
		keywords = append(keywords, "class")
	case at(last) == "function":
		keywords = append(keywords, "function")
	case at(last) == "async" && at(last+1) == "function" && !m.tokens[last+1].newline:
		keywords = append(keywords, "async", "function")
		last++
	case at(last) == "abstract" && at(last+1) == "class", at(last) == "interface":
		m.p.problems.add(int(start.start), typeScriptRefusal, "")
		return errRefused
	default:
		m.assignDefault(start, def)
		return nil
	}
	if at(last+1) == "*" {
		keywords = append(keywords, "*")
		last++
	}
	if name := m.declaredName(last + 1); name != "" {
		m.blank(int(start.start), int(start.end))
		m.blank(int(def.start), int(def.end))
		m.setDefault(start, DefaultBinding, name)
		return nil
	}
	return m.nameDefault(start, m.tokens[last], keywords)
}

// declaredName returns the name of the function or class whose keywords end before token i.
func (m *modules) declaredName(i int) string {
	if i >= len(m.tokens) {
		return ""
	}
	if t := m.tokens[i]; t.kind == tokenName || m.text(t) == "yield" || m.text(t) == "await" {
		return m.text(t)
	}
	return ""
}

// assignDefault turns `export default` before an expression into an assignment: the hidden name where `export`
// stood, `=` where `default` did. A `=` continues the line before it, so line terminators in between do no harm;
// what stands before is ended by the line terminator or semicolon that `export` needs as well.
func (m *modules) assignDefault(start, def token) {
	hidden := m.hiddenName()
	out := m.bytes()
	m.blank(int(start.start), int(start.end))
	m.blank(int(def.start), int(def.end))
	copy(out[start.start:], hidden)
	out[def.start] = '='
	m.setDefault(start, DefaultExpression, hidden)
}

// nameDefault declares a function or class without a name under the hidden one, by writing its keywords anew over
// those the author wrote, from `export` to last. A declaration is what the standard makes of it; an assignment
// would be called by a parenthesis on the next line.
func (m *modules) nameDefault(start, last token, keywords []string) error {
	hidden := m.hiddenName()
	declaration := strings.Join(append(keywords, hidden), " ")
	from, to := int(start.start), int(last.end)
	if m.p.Original.Position(from).Line != m.p.Original.Position(to).Line || len(declaration) > to-from {
		return malformed{from: from, message: "an `export default` of a function or class without a name stands on one line: join the lines, or name it"}
	}
	m.blank(from, to)
	copy(m.out[from:], declaration)
	kind := DefaultFunction
	if keywords[0] == "class" {
		kind = DefaultClass
	}
	m.setDefault(start, kind, hidden)
	return nil
}

// hiddenName returns a name of six characters that occurs nowhere in the program.
func (m *modules) hiddenName() string {
	if m.hidden != "" {
		return m.hidden
	}
	const digits = "0123456789abcdefghijklmnopqrstuvwxyz"
	for _, prefix := range [...]string{"__gg_", "_$gg_", "$_gg_", "$$gg_"} {
		for _, digit := range digits {
			m.hidden = prefix + string(digit)
			if !strings.Contains(m.p.scan.text, m.hidden) {
				return m.hidden
			}
		}
	}
	return m.hidden // a program that holds all 144 names gets its own assignment back
}
