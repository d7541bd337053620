package runtime

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/runtime/prelude"
	"github.com/responses-as-code/gg/runtime/rewrite"
	"github.com/responses-as-code/gg/runtime/source"
)

// accepted is a program that is ready to run.
type accepted struct {
	text     *source.Text
	tree     *ast.Program // rewritten: positions are offsets in file, from 1
	file     *file.File   // counts as the author does
	compiled *goja.Program
	notices  []string

	hidden     string // the name of a default export that the author did not write
	usesRegExp bool   // it needs the constructor that understands \p{…}
}

// accept reads, parses, rewrites and compiles a program. The error is a *source.LimitError,
// source.Errors, or what the compiler said. instrument, when set, may change the rewritten tree.
func accept(p Program, settings gg.Settings, catalogue *gg.Catalogue, instrument func(*ast.Program)) (*accepted, error) {
	read, err := source.Read(p.Source, source.Options{
		Name:   p.Name,
		Limits: source.Limits{MaxBytes: settings.MaxSourceBytes, MaxNesting: settings.MaxNesting},
		Known:  knownNames(catalogue),
	})
	if err != nil {
		return &accepted{text: source.NewText(p.Source)}, err
	}
	a := &accepted{text: read.Original, notices: read.Notices}
	parsed, err := source.Parse(read)
	if err != nil {
		return a, err
	}
	units := newUnits(read.Original)
	a.file = file.NewFile(p.Name, units.text, 1)
	a.tree = parsed.Program
	program := &rewrite.Program{
		Tree:          parsed.Program,
		Main:          parsed.Body,
		Place:         func(at file.Idx) int { return units.of(parsed.Offset(at)) },
		File:          a.file,
		Pattern:       needsConstructor,
		Imports:       importsOf(read.Imports),
		ExportDefault: rewrite.Export{Name: read.Default.Name, Parameter: read.Default.Kind == source.DefaultExpression},
	}
	rewrite.Apply(program)
	// Before the constructor is made, `/x/.constructor` is still the engine's own.
	a.usesRegExp = program.UsesRegExp || strings.Contains(read.Text, ".constructor") || strings.Contains(read.Text, ".compile")
	if read.Default.Hidden() {
		a.hidden = read.Default.Name
	}
	if instrument != nil {
		instrument(a.tree)
	}
	a.compiled, err = compile(parsed.Program)
	var syntax *goja.CompilerSyntaxError
	if errors.As(err, &syntax) {
		return a, compileErrors(read, syntax)
	}
	return a, err
}

// needsConstructor reports whether the engine would answer a regular expression wrongly.
func needsConstructor(pattern, flags string) bool {
	_, changed, err := prelude.RewriteRegExp(pattern, flags)
	return changed || err != nil
}

// compile compiles a tree. A defect of the engine's compiler is an error like any other.
func compile(tree *ast.Program) (p *goja.Program, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("the engine cannot compile this program: %v", x)
		}
	}()
	p, err = goja.CompileAST(tree, false)
	if defect := (*goja.CompilerSyntaxError)(nil); err != nil && !errors.As(err, &defect) {
		return nil, fmt.Errorf("the engine cannot compile this program: %w", err)
	}
	return p, err
}

// compileErrors words what only the compiler finds: a name declared twice, an illegal assignment. The tree
// has the author's positions by now, so it is parsed again for one that still has the parser's.
func compileErrors(p *source.Program, found *goja.CompilerSyntaxError) error {
	parsed, err := source.Parse(p)
	if err != nil {
		return err
	}
	_, err = compile(parsed.Program)
	if again := (*goja.CompilerSyntaxError)(nil); errors.As(err, &again) && !strings.HasPrefix(again.Message, "Compiler bug") {
		return parsed.CompileError(again.Offset, again.Message)
	}
	at := found.File.Position(found.Offset)
	message := found.Message
	if rest, defect := strings.CutPrefix(message, "Compiler bug: "); defect {
		message = "the engine cannot compile this: " + rest + "; write it in another way"
	}
	return source.Errors{{Line: at.Line, Column: at.Column, Message: message}}
}

// knownNames says what can be imported: from `gg` its modules and own functions, from `gg:views` the
// functions of that module.
func knownNames(catalogue *gg.Catalogue) func(module string) []string {
	return func(module string) []string {
		var names []string
		if module == "gg" {
			for _, m := range catalogue.Modules() {
				names = append(names, m.Name)
			}
			for _, f := range catalogue.Functions() {
				if f.Module() == "" {
					names = append(names, f.Name)
				}
			}
			return append(names, "args", "ApiError")
		}
		m, _ := catalogue.Module(strings.TrimPrefix(module, "gg:"))
		for _, f := range m.Functions {
			names = append(names, f.Base())
		}
		return names
	}
}

func importsOf(list []source.Import) []rewrite.Import {
	var imports []rewrite.Import
	for _, i := range list {
		bound := rewrite.Import{Local: i.Local}
		if module := strings.TrimPrefix(i.Module, "gg:"); module != i.Module {
			bound.Path = append(bound.Path, module)
		}
		if i.Name != "" && i.Name != "default" {
			bound.Path = append(bound.Path, i.Name)
		}
		if i.Local == "" {
			continue
		}
		imports = append(imports, bound)
	}
	return imports
}

// units maps byte offsets of a text to offsets in UTF-16 code units, in which the author counts.
type units struct {
	text    string // one byte for each unit; line terminators as they are
	offsets []int  // by byte offset; nil when the text is ASCII and nothing needs mapping
}

func newUnits(t *source.Text) *units {
	s := t.String()
	if isASCII(s) {
		return &units{text: s}
	}
	u := &units{offsets: make([]int, 0, len(s)+1)}
	var text strings.Builder
	for i, r := range s {
		width := len(string(r))
		if r == '\uFFFD' && !strings.HasPrefix(s[i:], "\uFFFD") {
			width = 1
		}
		for range width {
			u.offsets = append(u.offsets, text.Len())
		}
		switch {
		case i == 0 && r == '\uFEFF': // a byte order mark is no column
		case r == '\u2028', r == '\u2029':
			text.WriteByte('\n')
		case r < 0x80:
			text.WriteByte(byte(r))
		case r > 0xFFFF:
			text.WriteString("xx")
		default:
			text.WriteByte('x')
		}
	}
	u.offsets = append(u.offsets, text.Len())
	u.text = text.String()
	return u
}

func (u *units) of(offset int) int {
	if u.offsets == nil || offset < 0 {
		return max(offset, 0)
	}
	return u.offsets[min(offset, len(u.offsets)-1)]
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
