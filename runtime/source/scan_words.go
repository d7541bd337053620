package source

import "strings"

// word scans an identifier or reserved word and notes what it leaves behind.
func (s *scanner) word() {
	start := s.pos
	s.skipPart()
	text := s.text[start:s.pos]
	if s.isProperty() {
		s.emit(tokenName, start, false)
		s.prevWord = text
		s.operand = true
		return
	}
	class := classify(text)
	if class == wordOperator && !s.top().key && (text == "in" || text == "instanceof") {
		s.link()
		s.compare(start)
		s.emit(tokenKeyword, start, false)
		s.prevWord = text
		return
	}
	before, beforeWord, bodyOf := s.prev, s.prevWord, s.boundary
	fresh := s.begins()
	f := s.top()
	if f.role == roleClass && fresh {
		f.key = true
	}
	if f.key {
		class = wordName
	}
	if class == wordName {
		s.name(start, text, fresh)
		return
	}
	s.emit(tokenKeyword, start, fresh)
	s.prevWord = text
	switch class {
	case wordOperand:
		s.operand = true
		if text == "this" || text == "super" {
			f.read(plain)
		} else {
			f.read(literal)
		}
	case wordOperator:
		s.link()
		if text != "typeof" && text != "void" {
			f.read(plain)
		}
		if text == "await" && beforeWord == "for" {
			s.use(ForAwait, int(before.start))
			s.prevWord = "for" // its head is what follows
		}
	case wordHead:
		s.link()
		if text == "catch" {
			s.boundary = body
		}
	case wordBody:
		if text == "else" {
			f.chain = f.chainBefore
		}
		s.link()
		s.boundary = body
	case wordFunction, wordClassDecl:
		f.read(plain)
		s.pend(class, fresh || bodyOf == body)
	case wordStatement:
		if text == "import" {
			s.importWord(start)
		}
	}
}

// pend notes that the last token, `function` or `class`, has its body still to come, and whether it is declared, as
// it is where a statement begins, or an expression.
func (s *scanner) pend(class wordClass, declared bool) {
	f := s.top()
	last := s.tokens[len(s.tokens)-1]
	before := s.wordBefore(1)
	async := before == "async" && !last.newline
	if async {
		declared = s.tokens[len(s.tokens)-2].fresh
		before = s.wordBefore(2)
	}
	pending := pendingExpression
	if declared || before == "default" || before == "export" {
		pending = pendingDeclaration
	}
	if class == wordClassDecl {
		f.class = pending
	} else {
		f.function, f.async = pending, async
	}
}

// name notes a word that is no reserved one, and the few that mean something where they stand.
func (s *scanner) name(start int, text string, fresh bool) {
	before, beforeWord := s.prev, s.prevWord
	s.emit(tokenName, start, fresh)
	s.top().read(plain)
	s.prevWord = text
	s.operand = true
	t := s.tokens[len(s.tokens)-1]
	if t.newline || before.kind == tokenNone {
		return
	}
	f := s.top()
	switch {
	case beforeWord == "using" && text != "of" && text != "in":
		s.use(Using, int(before.start))
	case beforeWord == "accessor" && f.role == roleClass && f.key:
		s.use(Accessor, int(before.start))
	case text == "of" && f.role == roleHead && before.kind != tokenPunct:
		s.operand = false
	}
}

// isProperty reports whether a word at pos is a property name after a point.
func (s *scanner) isProperty() bool {
	if s.prev.kind != tokenPunct {
		return false
	}
	p := s.text[s.prev.start:s.prev.end]
	return p == "." || p == "?."
}

// importWord notes what is no import declaration: import(…) and import.meta.
func (s *scanner) importWord(start int) {
	rest := strings.TrimLeft(s.text[s.pos:], " \t\r\n")
	switch {
	case strings.HasPrefix(rest, "("):
		s.use(DynamicImport, start)
	case strings.HasPrefix(rest, "."):
		s.use(ImportMeta, start)
	}
}

// wordBefore returns the text of the word n tokens before the last one.
func (s *scanner) wordBefore(n int) string {
	i := len(s.tokens) - 1 - n
	if i < 0 {
		return ""
	}
	if t := s.tokens[i]; t.kind == tokenKeyword || t.kind == tokenName {
		return s.text[t.start:t.end]
	}
	return ""
}

// puncts are the operators of more than one character, longest first within each first character.
var puncts = [...]string{
	">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=",
	"=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
	"<<", ">>", "**",
}

// punctAt returns the operator that text begins with.
func punctAt(text string) string {
	if len(text) > 1 {
		switch text[1] {
		case '=', '>', '<', '&', '|', '?', '+', '-', '*', '.':
			for _, p := range puncts {
				if strings.HasPrefix(text, p) {
					return p
				}
			}
		}
	}
	return text[:1]
}

// punct scans an operator or separator, or a character no token begins with.
func (s *scanner) punct(c byte) {
	start, f := s.pos, s.top()
	text := punctAt(s.text[start:])
	if text == "?." && s.digitAt(start+2) {
		text = "?"
	}
	s.pos += len(text)
	switch text {
	case ";":
		s.emit(tokenPunct, start, false)
		f.restart()
		f.key = f.role == roleClass
		if f.role != roleHead {
			s.boundary = statement
		}
		return
	case ",":
		s.emit(tokenPunct, start, false)
		f.chain, f.relational, f.ternary, f.conditionals = 0, false, 0, f.outer
		f.or, f.and = folding{}, folding{}
		f.key = f.role == roleObject
		return
	case "++", "--":
		if s.operand && !s.newline {
			s.emit(tokenPunct, start, false)
			s.operand = true
			return
		}
		fresh := s.begins()
		s.link()
		s.emit(tokenPunct, start, fresh)
		return
	case ":":
		s.colon(start)
		return
	case "?":
		f.ternary++
		f.conditionals++
		s.conditionals = max(s.conditionals, f.conditionals)
	case "=>":
		s.arrow(f)
	case "<", ">", "<=", ">=":
		if text == "<" && strings.HasPrefix(s.text[start:], "<!--") {
			s.use(HTMLComment, start)
		}
		s.link()
		s.compare(start)
		s.emit(tokenPunct, start, false)
		return
	case "*":
		if s.prevWord == "async" && f.key && !s.newline {
			s.use(AsyncGenerator, int(s.prev.start))
		}
		if s.prevWord == "function" && f.function != pendingNone && f.async {
			s.use(AsyncGenerator, int(s.tokens[len(s.tokens)-2].start))
		}
	case "@":
		s.use(Decorator, start)
	case "!", "~":
		fresh := s.begins()
		s.link()
		s.emit(tokenPunct, start, fresh)
		return
	case ".", "?.", "+", "-", "/", "%", "**", "<<", ">>", ">>>", "...":
		// These bind tighter than a comparison.
		fresh := s.boundary == statement
		s.link()
		s.emit(tokenPunct, start, fresh)
		if text == "..." {
			f.key = false
		}
		return
	case "#":
		s.emit(tokenBad, start, false)
		return
	default:
		if c < ' ' || c == 0x7F {
			s.emit(tokenBad, start, false)
			s.suspect(start, rune(c))
			return
		}
	}
	switch text {
	case "*", "^", "&", "|", "==", "!=", "===", "!==":
	case "&&", "||", "??":
		s.logical(text)
	default: // an assignment, arrow or conditional begins another expression
		f.or, f.and = folding{}, folding{}
	}
	if text != "*" {
		f.relational = false
		f.key = false
	}
	s.link()
	s.emit(tokenPunct, start, s.boundary == statement)
}

// colon tells the three colons apart: of a conditional, of a property, of a label or case.
func (s *scanner) colon(start int) {
	f := s.top()
	f.or, f.and, f.relational = folding{}, folding{}, false
	bare := s.prev.kind == tokenKeyword && (s.prevWord == "function" || s.prevWord == "class")
	s.emit(tokenPunct, start, false)
	if bare {
		f.function, f.class = pendingNone, pendingNone
	}
	switch {
	case f.ternary > 0:
		f.ternary--
	case f.role == roleObject:
		f.key = false
	case f.role == roleBlock || f.role == roleFunction:
		s.link()
		s.boundary = body
	}
}

// arrow notes how deep the parameter list before a `=>` holds other arrow functions.
func (s *scanner) arrow(f *frame) {
	if s.prev.kind != tokenPunct || s.text[s.prev.start] != ')' {
		return
	}
	depth := s.closed.arrows + 1
	f.arrows = max(f.arrows, depth)
	if depth > maxArrowNesting && s.limit == nil {
		s.limit = &exceeded{limit: "nested arrow parameters", use: int(depth), bound: maxArrowNesting, from: s.pos - len("=>")}
	}
}

// compare notes a comparison; a second one in the same expression is a chain, which the engine groups wrongly.
func (s *scanner) compare(start int) {
	f := s.top()
	if f.relational {
		s.use(ChainedComparison, start)
	}
	f.relational = true
}
