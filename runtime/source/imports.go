package source

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/responses-as-code/gg/gg"
)

// Import is one binding a program imports from a gg module.
type Import struct {
	Module string // "gg" or "gg:<module>", such as "gg:views"
	Name   string // what is imported; "" is the module itself (import * as …, or import "gg"), "default" its default
	Local  string // what the program calls it; "" for an import of no binding (import "gg")

	// Position is where the local name stands, or the import itself where there is none.
	Position
}

// binding is one name of an import clause.
type binding struct {
	name  string
	nameT token
	local token
}

// importDeclaration reads what follows `import`.
func (m *modules) importDeclaration(start token) error {
	if specifier, t, ok := m.str(); ok {
		return m.imported(start, t, specifier, nil)
	}
	if m.typeOnly() {
		m.p.problems.add(int(start.start), typeScriptRefusal, "")
		return errRefused
	}
	var bindings []binding
	if t, ok := m.name(); ok {
		bindings = append(bindings, binding{name: "default", nameT: t, local: t})
		if m.peek() == "=" {
			m.p.problems.add(int(start.start), typeScriptRefusal, "")
			return errRefused
		}
		if m.peek() != "from" && !m.take(",") {
			return m.unexpected(`"from"`)
		}
	}
	switch {
	case m.take("*"):
		if !m.take("as") {
			return m.unexpected(`"as"`)
		}
		t, ok := m.name()
		if !ok {
			return m.unexpected("identifier")
		}
		bindings = append(bindings, binding{nameT: t, local: t})
	case m.take("{"):
		named, err := m.named()
		if err != nil {
			return err
		}
		for _, b := range named {
			if b.local.kind == tokenString {
				return malformed{from: int(b.local.start), message: fmt.Sprintf("Expected identifier but found %q", m.text(b.local))}
			}
		}
		bindings = append(bindings, named...)
	}
	if !m.take("from") {
		return m.unexpected(`"from"`)
	}
	specifier, t, ok := m.str()
	if !ok {
		return m.unexpected("string")
	}
	return m.imported(start, t, specifier, bindings)
}

// errRefused says that a problem has been noted and only the blanking is left to do.
var errRefused = errors.New("refused")

// typeOnly reports whether `import type …` is TypeScript's: `type` followed by another name, or by braces.
func (m *modules) typeOnly() bool {
	if m.peek() != "type" || m.next+1 >= len(m.tokens) {
		return false
	}
	after := m.tokens[m.next+1]
	text := m.text(after)
	return text == "{" || text == "*" || after.kind == tokenName && text != "from"
}

// named reads the names between braces, after the opening one: `a, b as c, "d" as e }`.
func (m *modules) named() ([]binding, error) {
	var bindings []binding
	for !m.take("}") {
		var b binding
		if value, t, ok := m.str(); ok {
			b = binding{name: value, nameT: t}
			if m.peek() != "as" {
				return nil, m.unexpected(`"as"`)
			}
		} else if t, ok := m.name(); ok {
			b = binding{name: m.text(t), nameT: t, local: t}
		} else {
			return nil, m.unexpected("identifier")
		}
		if m.take("as") {
			if _, t, ok := m.str(); ok {
				b.local = t // of an export; importDeclaration refuses it
			} else if t, ok := m.name(); ok {
				b.local = t
			} else {
				return nil, m.unexpected("identifier")
			}
		}
		bindings = append(bindings, b)
		if !m.take(",") && m.peek() != "}" {
			return nil, m.unexpected(`"}"`)
		}
	}
	return bindings, nil
}

// attributes skips import attributes: `with { type: "json" }`.
func (m *modules) attributes() error {
	if !m.take("with") && !m.take("assert") {
		return nil
	}
	if !m.take("{") {
		return m.unexpected(`"{"`)
	}
	for !m.take("}") {
		if m.next >= len(m.tokens) {
			return m.unexpected(`"}"`)
		}
		m.next++
	}
	return nil
}

// imported checks an import whose clause and specifier have been read, and takes it out.
func (m *modules) imported(start, specifierT token, specifier string, bindings []binding) error {
	if err := m.attributes(); err != nil {
		return err
	}
	if err := m.end(); err != nil {
		return err
	}
	m.remove(start)
	if specifier != "gg" && !strings.HasPrefix(specifier, "gg:") {
		message, hint := foreignModule(specifier)
		m.p.problems.add(int(specifierT.start), message, hint)
		return nil
	}
	var names []string
	if m.known != nil {
		if names = m.known(specifier); len(names) == 0 {
			m.unknownModule(specifier, specifierT)
			return nil
		}
	}
	if len(bindings) == 0 {
		m.p.Imports = append(m.p.Imports, Import{Module: specifier, Position: m.place(start)})
	}
	for _, b := range bindings {
		m.bind(specifier, b, names)
	}
	return nil
}

func (m *modules) place(t token) Position { return m.p.Original.Position(int(t.start)) }

// bind notes one imported binding, unless its module has no such name or the program has another of it.
func (m *modules) bind(module string, b binding, names []string) {
	if m.known != nil && b.name != "" && b.name != "default" && !slices.Contains(names, b.name) {
		hint := ""
		if near, ok := gg.Nearest(b.name, names); ok {
			hint = fmt.Sprintf("did you mean `%s`?", near)
		}
		m.p.problems.add(int(b.nameT.start), fmt.Sprintf("module %q has no export %q", module, b.name), hint)
		return
	}
	local := m.text(b.local)
	for _, other := range m.p.Imports {
		if other.Local == local {
			m.p.problems.add(int(b.local.start), alreadyDeclared(local), fmt.Sprintf("`%s` was imported at %s", local, other.Position))
			return
		}
	}
	m.p.Imports = append(m.p.Imports, Import{Module: module, Name: b.name, Local: local, Position: m.place(b.local)})
}

// alreadyDeclared is esbuild's wording for a second declaration.
func alreadyDeclared(name string) string {
	return fmt.Sprintf("The symbol %q has already been declared", name)
}

func (m *modules) unknownModule(specifier string, t token) {
	hint := `import from "gg"`
	near, ok := gg.Nearest(strings.TrimPrefix(specifier, "gg:"), m.known("gg"))
	if ok && len(m.known("gg:"+near)) > 0 {
		hint = fmt.Sprintf("did you mean \"gg:%s\"?", near)
	}
	m.p.problems.add(int(t.start), fmt.Sprintf("there is no module %q", specifier), hint)
}
