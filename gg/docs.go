package gg

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Page is the documentation of one name: of a function, of a module (its brief, and its functions with
// their signatures), or of `gg` itself (every module). The `gg.` in front may be left out. For a name that
// is none, ok is false and near holds up to three that it may have been meant for.
func (c *Catalogue) Page(name string) (text string, near []string, ok bool) {
	if _, page := c.page(name); page != nil {
		return page(), nil, true
	}
	return "", c.nearNames(strings.TrimPrefix(barePageName(name), "gg."), c.entries()), false
}

// PageTitle is the full name of what a page is about: `gg.shell.shell` for `shell.shell`. It is empty when
// there is no such page.
func (c *Catalogue) PageTitle(name string) string {
	title, _ := c.page(name)
	return title
}

func (c *Catalogue) page(name string) (title string, page func() string) {
	name = barePageName(name)
	if name == "gg" {
		return name, c.overview
	}
	for _, e := range c.entries() {
		if e.name == name || e.name == "gg."+name {
			return e.name, e.page
		}
	}
	if m, ok := c.Module(strings.TrimPrefix(name, "gg.")); ok {
		return "gg." + m.Name, func() string { return modulePage(m) }
	}
	return "", nil
}

// barePageName is a name without what people write around it.
func barePageName(name string) string { return strings.TrimSuffix(strings.TrimSpace(name), "()") }

func (c *Catalogue) overview() string {
	var b strings.Builder
	b.WriteString("gg: what a program can call")
	for _, m := range c.modules {
		b.WriteString("\n\ngg." + m.Name + ": " + m.Brief)
		for _, f := range m.Functions {
			b.WriteString("\n- `" + programName(f) + "`: " + f.Brief)
		}
	}
	b.WriteString("\n\ngg itself")
	for _, e := range c.entries() {
		if e.module == "" {
			b.WriteString("\n- `" + e.name + "`: " + e.brief)
		}
	}
	return b.String()
}

func modulePage(m Module) string {
	lines := []string{"gg." + m.Name + ": " + m.Brief}
	for _, f := range m.Functions {
		lines = append(lines, Signature(f)+"\n    "+f.Brief)
	}
	return paragraphs(lines...)
}

// functionPage is made for a reader who is about to write the call: how it is written, what goes in, what
// comes out, how it fails, and a program that works.
func functionPage(f *Function) string {
	blocks := []string{Signature(f), f.Brief, strings.TrimSpace(f.Detail)}
	if parameters, err := f.Parameters(); err == nil {
		root, _ := f.Arguments() // Parameters has seen it
		p := page{root: root}
		var positional, options []string
		for _, parameter := range parameters {
			if parameter.Positional {
				positional = append(positional, p.member(parameter.Name, parameter.Schema, parameter.Required, 0)...)
			} else {
				options = append(options, p.member(parameter.Name, parameter.Schema, parameter.Required, 0)...)
			}
		}
		blocks = append(blocks, section("Parameters", positional), section("Options", options))
	}
	if result, err := f.Result(); err == nil && !isNothing(result) {
		blocks = append(blocks, page{root: result, result: true}.returns(result))
	}
	var errors []string
	for _, e := range f.Errors {
		errors = append(errors, "- `"+string(e.Code)+"`: "+e.When)
	}
	blocks = append(blocks, section("Fails with", errors))
	if example := strings.Trim(f.Example, "\n"); example != "" {
		blocks = append(blocks, "Example\n```js\n"+example+"\n```")
	}
	return paragraphs(blocks...)
}

// page lists the members of types.
type page struct {
	root   *jsonschema.Schema
	result bool // members of a result: one that is absent is not optional but undefined
}

// pageDepth is how deep members of members are listed; a type that contains itself has no end.
const pageDepth = 3

// member lists one member, and below it its own.
func (p page) member(path string, s *jsonschema.Schema, required bool, depth int) []string {
	w := typeWriter{root: p.root}
	target := Definition(p.root, s)
	kind := w.write(s, 0)
	if _, named := typeName(s); !named && s.Ref == "" && target.Type == "object" && len(target.Properties) > 0 {
		kind = "object" // its members follow
	}
	notes := []string{kind}
	switch {
	case p.result && !required:
		notes = append(notes, "may be absent")
	case p.result:
	case len(target.Default) > 0:
		notes = append(append(notes, rules(target)...), "default "+defaultText(target.Default))
	case required:
		notes = append(notes, rules(target)...)
	default:
		notes = append(append(notes, rules(target)...), "optional")
	}
	line := "- `" + path + "` (" + strings.Join(notes, ", ") + ")"
	if about := cmp.Or(s.Description, target.Description); about != "" {
		line += ": " + about
	}
	return append([]string{line}, p.members(path, s, depth+1)...)
}

func (p page) members(path string, s *jsonschema.Schema, depth int) []string {
	s = Definition(p.root, s)
	if s == nil || depth > pageDepth {
		return nil
	}
	var lines []string
	for _, name := range propertyNames(s) {
		at := name
		if path != "" {
			at = path + "." + name
		}
		lines = append(lines, p.member(at, s.Properties[name], slices.Contains(s.Required, name), depth)...)
	}
	if s.Items != nil {
		lines = append(lines, p.members(path+"[]", s.Items, depth)...)
	}
	for _, alternative := range Alternatives(s) {
		lines = append(lines, p.members(path, alternative, depth)...)
	}
	return lines
}

// returns lists what a result holds; the members of each type when it is one of several.
func (p page) returns(s *jsonschema.Schema) string {
	w := typeWriter{root: p.root}
	kinds := Alternatives(s)
	if len(kinds) < 2 {
		title := "Returns"
		if s.Description != "" {
			title += ": " + s.Description
		}
		lines := p.members("", s, 0)
		if len(lines) == 0 && s.Description == "" {
			return "" // the signature has said it all
		}
		return strings.Join(append([]string{title}, lines...), "\n")
	}
	lines := []string{"Returns one of"}
	for _, kind := range kinds {
		lines = append(lines, "`"+w.write(kind, 0)+"`")
		lines = append(lines, p.members("", kind, 0)...)
	}
	return strings.Join(lines, "\n")
}

// rules says what the type of a value leaves open.
func rules(s *jsonschema.Schema) []string {
	var notes []string
	whole := slices.Contains(schemaTypes(s), "integer")
	positive := s.ExclusiveMinimum != nil && *s.ExclusiveMinimum == 0
	bounds := *s
	if bounds.Maximum != nil && *bounds.Maximum == MaxSafeInteger { // the bound of whole numbers in general
		bounds.Maximum = nil
		if bounds.Minimum != nil && *bounds.Minimum == -MaxSafeInteger {
			bounds.Minimum = nil
		}
	}
	switch note := strings.TrimPrefix(strings.TrimSpace(rangeText(&bounds)), "of "); {
	case positive && whole:
		notes = append(notes, "positive whole")
	case positive:
		notes = append(notes, "positive")
	case whole && bounds.Minimum != nil && bounds.Maximum != nil:
		notes = append(notes, "whole "+note)
	case whole && note != "":
		notes = append(notes, "whole", note)
	case whole:
		notes = append(notes, "whole")
	case note != "":
		notes = append(notes, note)
	}
	if positive && bounds.Maximum != nil {
		notes = append(notes, "at most "+numberText(*bounds.Maximum))
	}
	notes = append(notes, lengthRules(s.MinLength, s.MaxLength, "character")...)
	if len(s.PrefixItems) == 0 { // the type of a tuple says it
		notes = append(notes, lengthRules(s.MinItems, s.MaxItems, "element")...)
	}
	if s.Pattern != "" {
		notes = append(notes, "matches `"+s.Pattern+"`")
	}
	return notes
}

func lengthRules(least, most *int, of string) []string {
	var notes []string
	switch {
	case least != nil && *least == 1:
		notes = append(notes, "not empty")
	case least != nil && *least > 1:
		notes = append(notes, "at least "+counted(*least, of))
	}
	if most != nil {
		notes = append(notes, "at most "+counted(*most, of))
	}
	return notes
}

// defaultText writes a default as a program would.
func defaultText(value json.RawMessage) string {
	return strings.Join(strings.Fields(string(value)), " ")
}

func section(title string, lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return title + "\n" + strings.Join(lines, "\n")
}

// paragraphs joins texts with an empty line between them, and leaves empty ones out.
func paragraphs(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), "\n\n")
}
