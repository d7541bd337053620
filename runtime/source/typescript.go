package source

import "github.com/evanw/esbuild/pkg/api"

// typeScriptRefusal is all there is to say about TypeScript until programs may be written in it. This file is the
// only place that decides so.
const typeScriptRefusal = "TypeScript is not accepted in this version"

// maxTypeScriptConditionals is how many conditionals one expression may hold, nested in any way, for the text to be
// tried as TypeScript. There `a ? (b) : c => d` is ambiguous, and esbuild reads it twice or more: each one nested in
// another costs four times as much (sixteen: 0.8 s), and nothing interrupts it.
const maxTypeScriptConditionals = 8

// typeScript reports a text that is TypeScript and not JavaScript: one that esbuild takes as the former, but not,
// for the reasons in errs, as the latter. A text that says it is TypeScript and is malformed is reported as such.
func (p *Program) typeScript(text string, errs problems) problems {
	const hint = "leave the types out"
	if p.scan.conditionals > maxTypeScriptConditionals {
		return nil
	}
	asTypeScript := p.transpile(text, api.LoaderTS)
	switch {
	case len(asTypeScript) == 0:
		return problems{{from: errs[0].from, message: typeScriptRefusal, hint: hint}}
	case p.Language == TypeScript:
		return append(problems{{from: errs[0].from, message: typeScriptRefusal, hint: hint}}, asTypeScript...)
	}
	return nil
}
