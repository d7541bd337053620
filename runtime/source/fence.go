package source

import (
	"fmt"
	"sort"
	"strings"
)

// fencedBlock is a fenced block of Markdown, as CommonMark has it: a line of at least three backticks or tildes,
// indented by at most three spaces, a language tag after it, and a closing line of at least as many.
type fencedBlock struct {
	open     int    // offset of the opening line
	from, to int    // the content
	end      int    // end of the closing line, terminator excluded; the text's end where it is missing
	closed   bool   // there is a closing line
	opened   bool   // there is an opening line; a lone one at the end of the text closes what precedes it
	tag      string // first word of the info string, in lower case
}

// maxBlocks bounds how many fenced blocks of one text are looked at.
const maxBlocks = 64

// findFence finds the one fenced program of a text, or returns nil where the text is a program as it stands. It
// refuses a text with several fenced programs, and one whose only block says that it is another language.
//
// What makes it a fence: a backtick fence that the scanner meets as a token is an empty template used as a tag,
// which throws whenever it runs, so no program means it; a pair of tilde fences as tokens is two statements
// without effect. A text in which no fence is a token, because all stand in comments, strings or templates, is
// read as Markdown only where it is not a program.
func findFence(original *Text, text string) (*fencedBlock, error) {
	first := firstFence(text)
	if first < 0 {
		return nil, nil
	}
	var blocks []fencedBlock
	for from := first; from >= 0 && len(blocks) < maxBlocks; {
		block := readBlock(text, from)
		blocks = append(blocks, block)
		from = -1
		if rest := fenceLines(text, block.end); len(rest) > 0 {
			from = rest[0]
		}
	}
	if last := blocks[0]; len(blocks) == 1 && last.tag == "" && !last.closed && strings.TrimSpace(text[last.from:]) == "" {
		// Nothing follows it: what opened this fence was left out, and the program stands before it.
		return &fencedBlock{open: last.open, from: 0, to: last.open, end: len(text), closed: true}, nil
	}
	return chooseBlock(original, blocks)
}

// firstFence returns the offset of the line that opens the first fenced block of a text, or -1 where the text is
// a program, well-formed or not.
func firstFence(text string) int {
	lines := fenceLines(text, 0)
	if len(lines) == 0 {
		return -1
	}
	s := scanText(text, Limits{}.withDefaults())
	first, tildes, fenced := -1, 0, false
	for _, line := range lines {
		marker := line + indent(text, line)
		token := s.tokenAt(marker)
		if !token && !s.swallowed(marker) {
			continue
		}
		if first < 0 {
			first = line
		}
		if token && text[marker] == '`' {
			fenced = true
		} else if token {
			tildes++
		}
	}
	if first < 0 || !fenced && tildes < 2 && parses(text) {
		return -1
	}
	return first
}

// swallowed reports whether what stands at offset may be part of a literal or comment only because prose was read
// as a program: a stray backtick or apostrophe, or an opened comment, that the fence itself ends or nothing does.
func (s *scan) swallowed(offset int) bool {
	i := sort.Search(len(s.tokens), func(i int) bool { return int(s.tokens[i].end) > offset })
	if i < len(s.tokens) && int(s.tokens[i].start) < offset {
		t := s.tokens[i]
		if t.kind == tokenTemplate && int(t.end)-1 == offset {
			return true
		}
	}
	for _, issue := range s.issues {
		if (issue.kind == unterminatedTemplate || issue.kind == unterminatedComment) && issue.open < offset {
			return true
		}
	}
	return false
}

// tokenAt reports whether a token begins at offset.
func (s *scan) tokenAt(offset int) bool {
	i := sort.Search(len(s.tokens), func(i int) bool { return int(s.tokens[i].start) >= offset })
	return i < len(s.tokens) && int(s.tokens[i].start) == offset
}

// parses reports whether the engine's parser takes text as it stands, imports and exports aside.
func parses(text string) bool {
	p := &Program{Original: NewText(text), Text: text, scan: scanText(text, Limits{}.withDefaults())}
	if p.scan.limit != nil {
		return false
	}
	p.takeModules(nil)
	tree, _ := p.parse(nil)
	return tree != nil
}

// fenceLines returns the offsets of the lines at or after from that open a fence.
func fenceLines(text string, from int) []int {
	var lines []int
	if rest := text[from:]; !strings.Contains(rest, "```") && !strings.Contains(rest, "~~~") {
		return nil
	}
	for start := lineAfter(text, from); start < len(text); start = nextLine(text, start) {
		if _, _, _, ok := fenceAt(text, start); ok {
			lines = append(lines, start)
		}
	}
	return lines
}

// lineAfter returns from where it begins a line, else the beginning of the next one.
func lineAfter(text string, from int) int {
	if from == 0 || text[from-1] == '\n' || text[from-1] == '\r' {
		return from
	}
	return nextLine(text, from)
}

// nextLine returns the offset after the next Markdown line ending (\n, \r, \r\n) at or after from.
func nextLine(text string, from int) int {
	i := strings.IndexAny(text[from:], "\n\r")
	if i < 0 {
		return len(text)
	}
	i += from
	if text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n' {
		i++
	}
	return i + 1
}

// fenceAt reads the opening fence on the line that begins at start.
func fenceAt(text string, start int) (char byte, length int, info string, ok bool) {
	line := text[start:]
	if i := strings.IndexAny(line, "\n\r"); i >= 0 {
		line = line[:i]
	}
	body := strings.TrimLeft(line, " ")
	if len(line)-len(body) > 3 || body == "" || body[0] != '`' && body[0] != '~' {
		return 0, 0, "", false
	}
	char = body[0]
	info = strings.TrimLeft(body, string(char))
	length = len(body) - len(info)
	info = strings.TrimSpace(info)
	if length < 3 || char == '`' && strings.Contains(info, "`") {
		return 0, 0, "", false
	}
	return char, length, info, true
}

// closesFence reports whether the run of char at offset stands alone on its line, indented by at most three
// spaces, and is at least length long.
func closesFence(text string, offset int, char byte, length int) bool {
	start := offset
	for start > 0 && offset-start < 3 && text[start-1] == ' ' {
		start--
	}
	if start > 0 && text[start-1] != '\n' && text[start-1] != '\r' {
		return false
	}
	c, n, info, ok := fenceAt(text, start)
	return ok && c == char && n >= length && info == ""
}

// readBlock reads the block whose opening line begins at open. Its end is the first closing line that would be a
// token of the program inside, so that one in a comment or template does not end it; where there is none, the
// first closing line of any kind; else the block runs to the end of the text, as it does where a stop sequence
// took the closing fence.
func readBlock(text string, open int) fencedBlock {
	char, length, info, _ := fenceAt(text, open)
	block := fencedBlock{open: open, from: nextLine(text, open), tag: fenceTag(info), opened: true}
	marker := -1
	s := newScanner(text, block.from, Limits{}.withDefaults())
	s.fence, s.fenceLen = char, length
	if s.run(); s.stopped >= 0 {
		marker = s.stopped
	}
	for start := block.from; marker < 0 && start < len(text); start = nextLine(text, start) {
		if i := start + indent(text, start); i < len(text) && text[i] == char && closesFence(text, i, char, length) {
			marker = i
		}
	}
	if marker < 0 {
		block.to, block.end = len(text), len(text)
		return block
	}
	block.closed = true
	block.to = strings.LastIndexAny(text[:marker], "\n\r") + 1
	block.end = nextLine(text, marker)
	return block
}

// fenceTag returns the first word of an info string, in lower case: `JavaScript {1,3}` is javascript.
func fenceTag(info string) string {
	if i := strings.IndexAny(info, " \t{:,"); i >= 0 {
		info = info[:i]
	}
	return strings.ToLower(info)
}

// tagLanguage returns the language a tag stands for; anything that is not TypeScript is JavaScript.
func tagLanguage(tag string) Language {
	switch tag {
	case "ts", "tsx", "mts", "cts", "typescript":
		return TypeScript
	}
	return JavaScript
}

// blockKind is what a fenced block says it is.
type blockKind uint8

const (
	blockProgram blockKind = iota // tagged as JavaScript or TypeScript
	blockUnknown                  // no tag, or one that may mean anything
	blockOther                    // tagged as something else
)

func (b fencedBlock) kind() blockKind {
	switch b.tag {
	case "js", "javascript", "mjs", "cjs", "jsx", "es6", "ecmascript", "node", "nodejs", "ts", "tsx", "mts", "cts", "typescript":
		return blockProgram
	case "sh", "bash", "shell", "zsh", "fish", "console", "shellsession", "powershell", "bat", "cmd",
		"text", "txt", "plaintext", "output", "log", "diff", "patch", "markdown", "md",
		"json", "jsonc", "json5", "jsonl", "yaml", "yml", "toml", "ini", "xml", "html", "css", "csv", "sql", "graphql",
		"python", "py", "go", "golang", "rust", "rs", "ruby", "rb", "java", "kotlin", "swift", "c", "cpp", "c++", "csharp", "cs",
		"php", "perl", "lua", "dockerfile", "makefile", "make":
		return blockOther
	}
	return blockUnknown
}

// chooseBlock picks the program among the fenced blocks: the only one tagged as one; else the only one that may
// be one.
func chooseBlock(t *Text, blocks []fencedBlock) (*fencedBlock, error) {
	for _, kind := range [...]blockKind{blockProgram, blockUnknown} {
		var found []fencedBlock
		for _, b := range blocks {
			if b.kind() == kind {
				found = append(found, b)
			}
		}
		switch {
		case len(found) == 1:
			return &found[0], nil
		case len(found) > 1:
			places := make([]string, len(found))
			for i, b := range found {
				places[i] = fmt.Sprint(t.Position(b.open).Line)
			}
			second := t.Position(found[1].open)
			return nil, Errors{{
				Line: second.Line, Column: second.Column,
				Message: fmt.Sprintf("the reply holds %d fenced programs, at lines %s", len(found), joinAnd(places)),
				Hint:    "answer with one program",
			}}
		}
	}
	place := t.Position(blocks[0].open)
	return nil, Errors{{
		Line: place.Line, Column: place.Column,
		Message: fmt.Sprintf("the fenced block is tagged %q, want a program in JavaScript", blocks[0].tag),
		Hint:    "answer with a JavaScript program; commands are run with gg.shell.shell",
	}}
}

// joinAnd joins words as in "1, 5 and 9".
func joinAnd(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// notice counts what goes with the fence.
func (b fencedBlock) notice(t *Text) string {
	if !b.opened {
		return "removed one Markdown fence (1 line; the opening one is missing)"
	}
	prose := 0
	for _, around := range [...]string{t.text[:b.open], t.text[b.end:]} {
		around = strings.TrimPrefix(around, byteOrderMark)
		for line := range strings.Lines(strings.ReplaceAll(around, "\r", "\n")) {
			if strings.TrimSpace(line) != "" {
				prose++
			}
		}
	}
	notice := "removed one Markdown fence (2 lines)"
	if !b.closed {
		notice = "removed one Markdown fence (1 line; the closing one is missing)"
	}
	if prose > 0 {
		notice += fmt.Sprintf(" and %s of prose around it", plural(prose, "line"))
	}
	return notice
}
