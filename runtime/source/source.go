// Package source knows what the text of a program is before anything runs: it takes what an agent wrote,
// removes what is not program (a Markdown fence, prose around it, a byte order mark), takes its imports and
// exports out, refuses what no parser should be shown, and hands the rest to the engine's parser.
//
//	program, err := source.Read("```js\nimport { shell } from \"gg\";\nshell.shell(\"ls\").output\n```\n", source.Options{})
//	// program.Notices: removed one Markdown fence (2 lines)
//	// program.Imports: shell from "gg", at 2:10
//	tree, err := source.Parse(program)
//	// tree.Body: the statements as goja's AST
//	// tree.Position(node.Idx0()): where the author sees the node
//
// Nothing here moves a character. Whatever is removed is replaced by spaces of the same length in bytes, line
// terminators kept, so an offset in the text given to the engine is the same offset in the text the author wrote.
// Positions are the author's: lines and columns are 1-based, columns count UTF-16 code units, a byte order mark
// is no column.
//
// A refusal is either a [*LimitError] (too long, nested too deep) or [Errors], which lists every problem that
// could be found, not only the first.
//
// What is not promised: the scanner in this package is no parser. It is used for facts (where brackets,
// strings and imports are) and for wording; with the exceptions documented at [Read] and [Parse] it never
// refuses what the engine's parser takes. Whether a program makes sense is found out by running it.
package source

// Language is the language a program is taken to be written in.
type Language uint8

// The languages a program may say it is written in.
const (
	JavaScript Language = iota // anything that does not say otherwise
	TypeScript                 // a name that ends in .ts, .tsx, .mts or .cts, or such a tag on the fence
)

// String returns the language's name.
func (l Language) String() string {
	if l == TypeScript {
		return "TypeScript"
	}
	return "JavaScript"
}

// Options say how a text is read. The zero value reads JavaScript under the default limits and lets every name
// of a gg module through.
type Options struct {
	// Name is the file name the text came from, used for its ending only. Empty: JavaScript.
	Name string

	// Limits bound the text itself; zero fields mean the documented defaults.
	Limits Limits

	// Known lists the names a module exports ("gg", "gg:views"), in declared order, and is empty for a module
	// that does not exist. It is asked only about modules a program imports from, and about "gg" to find the
	// nearest name. Nil: any module "gg:…" and any name is let through.
	Known func(module string) []string
}

// Program is a text that has been read: recovered, scanned, its imports and exports taken out.
type Program struct {
	// Original is the text as the author wrote it; every position refers to it.
	Original *Text

	// Text is what the engine is given: as long as Original, in bytes, and with the same line terminators.
	Text string

	// Language is what the name or the fence's tag says; the text itself may turn out to be another.
	Language Language

	// Imports are the bindings the program imports from gg, in order of appearance.
	Imports []Import

	// Default says what the program's default export is and how to find it in Text.
	Default Default

	// Notices say what was removed from the text, counted, for whoever wrote it.
	Notices []string

	// Features are the uses of syntax that deserve the engine's attention, in order of appearance, at most
	// 100 of them.
	Features []Feature

	problems problems // refusals found so far; Parse reports them
	scan     *scan    // of Original, with what was recovered blanked
}

// Read takes a program out of src.
//
// It refuses with a [*LimitError] what exceeds the limits, and with [Errors] what is not one program: text that
// is not UTF-8, two fenced programs, a fence tagged with another language. Every other problem, such as an
// import of something that is not gg, is kept and reported by [Parse] together with the syntax errors.
//
// A text that reads as a program as it stands is never altered: a fence counts only where it would be a token,
// so one inside a string, template or comment stays.
func Read(src string, opts Options) (*Program, error) {
	limits := opts.Limits.withDefaults()
	if err := limits.checkSize(src); err != nil {
		return nil, err
	}
	original := NewText(src)
	if err := checkEncoding(original); err != nil {
		return nil, err
	}
	p := &Program{Original: original, Text: src, Language: languageOfName(opts.Name)}
	if err := p.recover(); err != nil {
		return nil, err
	}
	p.scan = scanText(p.Text, limits)
	if p.scan.limit != nil {
		return nil, p.scan.limit.at(original)
	}
	p.Features = p.scan.publicFeatures(original)
	p.takeModules(opts.Known)
	return p, nil
}

// EnginePosition converts a position of the engine in the text that [Parse] gave it (1-based line, 1-based
// column in bytes, as in goja's stack frames) into the author's. A place in the wrapper becomes the nearest
// place of the program.
func (p *Program) EnginePosition(line, column int) Position {
	if line <= wrapperLines {
		return p.Original.Position(0)
	}
	return p.Original.Position(p.Original.byteOffset(line-wrapperLines, column-1))
}
