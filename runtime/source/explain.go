package source

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// SyntaxError is one reason why a text is no program.
type SyntaxError struct {
	Line, Column int    // the author's position, as in Position
	Message      string // what is wrong, without its place
	Hint         string // what is certainly meant or what to do, "" where nothing is certain
}

// Error puts the place before and the hint after the message.
func (e SyntaxError) Error() string {
	text := fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
	if e.Hint != "" {
		text += " (" + e.Hint + ")"
	}
	return text
}

// Errors are all reasons that could be found why a text is no program, at least one, in the order of their places.
type Errors []SyntaxError

// Error has one line for each.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// errors turns problems into errors, in the order of their places, each once.
func (p *Program) errors(found problems) Errors {
	sort.SliceStable(found, func(i, j int) bool { return found[i].from < found[j].from })
	errs := make(Errors, 0, len(found))
	for _, one := range found {
		place := p.Original.Position(one.from)
		e := SyntaxError{Line: place.Line, Column: place.Column, Message: one.message, Hint: one.hint}
		if len(errs) == 0 || errs[len(errs)-1] != e {
			errs = append(errs, e)
		}
	}
	return errs
}

// explain finds out why the engine refuses a program. The engine's parser knows that something is wrong, but words
// it poorly and seldom where it is; esbuild's says it well; the scanner knows which bracket it was. A problem on a
// line that has a more certain one is its consequence and is left out.
func (p *Program) explain(engine error) problems {
	found := append(problems(nil), p.problems...)
	for _, c := range p.scan.suspicious {
		found = append(found, c.problem(p.Original))
	}
	text := repairCharacters(p.Text, p.scan.suspicious)
	errs := p.transpile(text, api.LoaderJS)
	if len(errs) == 0 {
		if len(p.scan.suspicious) > 0 {
			return found
		}
		if unsupported := p.unsupported(nil); len(unsupported) > 0 {
			return p.add(found, unsupported)
		}
		return p.add(found, engineProblem(engine))
	}
	if typeScript := p.typeScript(text, errs); len(typeScript) > 0 {
		return p.add(found, typeScript)
	}
	return p.add(found, p.brackets(text, errs))
}

// add adds the problems that stand on a line of their own.
func (p *Program) add(found, more problems) problems {
	lines := make(map[int]bool, len(found))
	for _, one := range found {
		lines[p.Original.Position(one.from).Line] = true
	}
	for _, one := range more {
		if !lines[p.Original.Position(one.from).Line] {
			found = append(found, one)
		}
	}
	return found
}

// engineProblem is what the engine says, where nobody else has anything to say.
func engineProblem(err error) problems {
	e, ok := err.(*engineError)
	if !ok {
		return problems{{message: err.Error()}}
	}
	return problems{{from: e.from, message: strings.Replace(e.message, "Unexpected token ILLEGAL", "Unexpected character", 1)}}
}

// unsupported lists the uses of features the engine lacks, of those for which want is true.
func (p *Program) unsupported(want func(featureText) bool) problems {
	var found problems
	for _, f := range p.scan.features {
		text := f.kind.text()
		if want != nil && !want(text) {
			continue
		}
		if f.kind == DynamicImport {
			text.hint = p.scan.dynamicImportHint(f.from, text.hint)
		}
		found.add(f.from, text.message, text.hint)
	}
	return found
}

// brackets joins esbuild's errors with what the scanner knows about brackets: one that closes nothing is reported
// itself, and taken out to see what else is wrong; one that is not closed explains the first error behind it.
func (p *Program) brackets(text string, errs problems) problems {
	s := scanText(text, Limits{MaxNesting: math.MaxInt})
	var found problems
	var open []issue
	repaired := []byte(text)
	for _, i := range s.issues {
		if i.kind != strayCloser {
			open = append(open, i)
			continue
		}
		found.add(i.from, fmt.Sprintf("Unexpected \"%c\"", text[i.from]), i.describe(p.Original))
		blankBytes(repaired, i.from, i.from+1)
	}
	if len(found) > 0 {
		errs = p.transpile(string(repaired), api.LoaderJS)
	}
	// The innermost first: it is the one an error behind several is about.
	sort.SliceStable(open, func(i, j int) bool { return open[i].open > open[j].open })
	for _, i := range open {
		if !p.attach(i, s, errs) && i.kind != unterminatedString {
			found.add(i.from, p.hint(i, s), "")
		}
	}
	return append(found, errs...)
}

// attach makes an issue the hint of the first error behind it, and reports whether that error had none yet.
func (p *Program) attach(i issue, s *scan, errs problems) bool {
	for j := range errs {
		e := &errs[j]
		if i.kind == unterminatedComment && strings.HasPrefix(e.message, "Expected \"*/\"") {
			e.from = i.open // esbuild shows it before the white space in front
		}
		if e.from < i.open {
			continue
		}
		if e.hint != "" {
			return false
		}
		switch i.kind {
		case unclosed:
			if e.from >= p.lastToken() {
				e.message = fmt.Sprintf("Expected \"%c\" but found end of file", closer(s.text[i.open]))
			}
		case unterminatedTemplate:
			e.message = strings.Replace(e.message, "Unterminated string literal", "Unterminated template literal", 1)
		}
		e.hint = p.hint(i, s)
		return true
	}
	return false
}

// hint says which bracket or literal does not close, and which one that probably is.
func (p *Program) hint(i issue, s *scan) string {
	hint := i.describe(p.Original)
	if i.kind == unclosed {
		if real := s.misindented(i.open); real >= 0 {
			hint += fmt.Sprintf("; by the indentation it is the one at %s that is not closed", p.Original.Position(real))
		}
	}
	return hint
}

// transpile has esbuild read text and returns its errors, in its wording and with offsets in text. The text is
// wrapped, so that `await` and `return` are legal, and everything that shows the wrapper is taken out again. The
// wrapper is not the engine's, so that a text that closes the one does not fit into the other.
func (p *Program) transpile(text string, loader api.Loader) problems {
	result := api.Transform("[async function(){\n"+text+"\n}]", api.TransformOptions{
		Loader:   loader,
		Target:   api.ESNext,
		LogLevel: api.LogLevelSilent,
		LogLimit: maxFindings,
	})
	var found problems
	for _, m := range result.Errors {
		found = append(found, p.esbuildProblem(m))
	}
	return found
}

func (p *Program) esbuildProblem(m api.Message) problem {
	message, _, _ := strings.Cut(m.Text, "\n")
	message = strings.TrimSuffix(message, ":")
	if m.Location == nil {
		return problem{message: message}
	}
	line := m.Location.Line - wrapperLines
	if line > p.Original.Lines() {
		return problem{from: p.lastToken(), message: endOfFile(message)}
	}
	one := problem{from: p.Original.byteOffset(line, m.Location.Column), message: message, hint: p.esbuildHint(m)}
	if strings.HasPrefix(message, "The JSX syntax extension") {
		one.message, one.hint = `Unexpected "<"`, "JSX is not accepted"
	}
	return one
}

// esbuildHint makes a hint of a note that points at another place: `The symbol "x" was originally declared here:`.
func (p *Program) esbuildHint(m api.Message) string {
	for _, note := range m.Notes {
		what, ok := strings.CutSuffix(note.Text, " here:")
		if !ok || note.Location == nil || strings.HasPrefix(what, "The opening ") || what == "" {
			continue
		}
		line := note.Location.Line - wrapperLines
		if line < 1 {
			continue // the wrapper
		}
		place := p.Original.Position(p.Original.byteOffset(line, note.Location.Column))
		return fmt.Sprintf("%s%s at %s", strings.ToLower(what[:1]), what[1:], place)
	}
	return ""
}

// endOfFile rewords an error at the wrapper's closing brackets, which the author does not see.
func endOfFile(message string) string {
	if expected, _, ok := strings.Cut(message, " but found "); ok {
		return expected + " but found end of file"
	}
	if strings.HasPrefix(message, "Unexpected ") {
		return "Unexpected end of file"
	}
	return message
}

// lastToken returns the offset of the end of the last token, where an unexpected end of file is shown.
func (p *Program) lastToken() int {
	if n := len(p.scan.tokens); n > 0 {
		return int(p.scan.tokens[n-1].end)
	}
	return len(p.Text)
}
