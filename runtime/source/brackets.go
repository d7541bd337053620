package source

// role is what a bracket is for, as far as the scanner needs to know.
type role uint8

const (
	roleExpression role = iota // (…) around an expression or arguments, […], ${…}
	roleHead                   // the (…) of if, for, while, with, switch, catch
	roleParams                 // the (…) of a function
	roleBlock                  // a block, a switch's body, a method's or arrow function's body, the program itself
	roleFunction               // the body of a function expression: its `}` ends an operand
	roleObject                 // an object literal, or the names of an import or export
	roleClass                  // the body of a class
)

// pending says that a `function` or `class` was read whose body has not begun.
type pending uint8

const (
	pendingNone pending = iota
	pendingDeclaration
	pendingExpression
)

// frame is an open bracket, or the program itself, with what is known of the expression being read in it.
type frame struct {
	open     byte  // ( [ { or $ for a template's ${
	role     role  //
	at       int32 // offset of the bracket
	template int32 // offset of the opening backtick, for $

	key        bool    // a property name is next, in an object or class
	operandEnd bool    // the closing bracket ends an operand
	relational bool    // a comparison was read in the current expression
	async      bool    // the pending function is async
	function   pending // a function's parameters or body are still to come
	class      pending // a class's body is still to come

	ternary     int32 // conditionals whose colon is still to come
	chain       int32 // operators in the current expression or statement
	chainBefore int32 // the same of the statement before, for an `else`
	arrows      int32 // deepest nest of arrow functions with parenthesised parameters read in it

	or, and folding // of the expression at hand: of its outermost operator, and of the `&&` in it

	conditionals int32 // conditionals in the current expression and those it is part of
	outer        int32 // conditionals around the bracket
}

// restart forgets the expression at hand: a new statement begins.
func (f *frame) restart() {
	if f.chain > 0 {
		f.chainBefore = f.chain
	}
	f.chain, f.ternary, f.relational, f.conditionals = 0, 0, false, f.outer
	f.or, f.and = folding{}, folding{}
}

// open scans an opening bracket and decides what it is for.
func (s *scanner) open(c byte) {
	start, f := s.pos, s.top()
	next := frame{open: c, at: int32(start), operandEnd: true}
	fresh := s.boundary == statement
	switch c {
	case '(':
		switch {
		case s.prev.kind == tokenKeyword && classify(s.prevWord) == wordHead:
			next.role, next.operandEnd = roleHead, false
		case f.function != pendingNone:
			next.role = roleParams
		}
		if s.operand {
			s.link() // a call
		}
		f.key = false
	case '[':
		if s.operand {
			s.link()
		}
		f.read(plain)
	case '{':
		f.read(plain)
		next.role, next.operandEnd, fresh = s.brace(f)
		next.key = next.role == roleObject || next.role == roleClass
		if fresh {
			f.restart()
		}
	}
	s.pos++
	s.emit(tokenPunct, start, fresh)
	s.push(next)
	if next.role == roleBlock || next.role == roleFunction {
		s.boundary = statement
	}
}

// brace decides what a `{` is for, whether its `}` will end an operand, and whether it begins a statement.
func (s *scanner) brace(f *frame) (r role, operandEnd, fresh bool) {
	afterParen := s.prev.kind == tokenPunct && s.text[s.prev.start] == ')'
	switch {
	case f.class != pendingNone && s.prevWord != "extends":
		operandEnd = f.class == pendingExpression
		f.class = pendingNone
		return roleClass, operandEnd, false
	case afterParen && s.closed.role == roleParams:
		expression := f.function == pendingExpression
		f.function, f.async = pendingNone, false
		if expression {
			return roleFunction, true, false
		}
		return roleBlock, false, false
	case s.boundary == statement:
		return roleBlock, false, true
	case s.boundary == body || afterParen || s.prev.kind == tokenPunct && s.text[s.prev.start:s.prev.end] == "=>":
		return roleBlock, false, false
	case f.role == roleClass && s.prevWord == "static":
		return roleBlock, false, false
	case s.operand && s.newline:
		return roleBlock, false, true
	}
	return roleObject, true, false
}

func (s *scanner) push(f frame) {
	f.outer = s.top().conditionals
	f.conditionals = f.outer
	s.frames = append(s.frames, f)
	if depth := len(s.frames) - 1; depth > s.limits.MaxNesting && s.limit == nil {
		s.limit = &exceeded{limit: "maxNesting", use: depth, bound: s.limits.MaxNesting, from: int(f.at)}
	}
}

// opener returns the bracket that c closes; a `}` may also close a template's `${`.
func opener(c byte) byte {
	switch c {
	case ')':
		return '('
	case ']':
		return '['
	}
	return '{'
}

// closer returns the bracket that closes open.
func closer(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '[':
		return ']'
	}
	return '}'
}

// close scans a closing bracket and matches it.
func (s *scanner) close(c byte) {
	start := s.pos
	match := s.match(c)
	if match < 0 {
		s.unmatched(c, start)
		return
	}
	for i := len(s.frames) - 1; i > match; i-- {
		s.report(issue{kind: wrongCloser, open: int(s.frames[i].at), from: start})
		s.pop()
	}
	s.pop()
	if s.closed.open == '$' {
		s.template(start, start+1)
		return
	}
	s.pos++
	s.emit(tokenPunct, start, false)
	s.closes()
}

// closes notes what the bracket that was just closed leaves behind.
func (s *scanner) closes() {
	f := s.top()
	s.operand = s.closed.operandEnd
	switch s.closed.role {
	case roleHead:
		s.boundary = body
	case roleBlock:
		if f.role == roleClass || f.role == roleObject {
			f.key = f.role == roleClass // the end of a method; in an object a comma comes first
			return
		}
		s.boundary = statement
		f.restart()
	case roleClass:
		if !s.closed.operandEnd {
			s.boundary = statement
			f.restart()
		}
	}
}

// match returns the index of the innermost open bracket that c closes, or -1. It does not look out of a
// template's substitution.
func (s *scanner) match(c byte) int {
	want := opener(c)
	for i := len(s.frames) - 1; i > 0; i-- {
		switch open := s.frames[i].open; {
		case open == want, open == '$' && c == '}':
			return i
		case open == '$':
			return -1
		}
	}
	return -1
}

// unmatched handles a closing bracket for which none is open. Where another kind is open and its own closing
// bracket does not follow at once, the wrong kind was written.
func (s *scanner) unmatched(c byte, start int) {
	top := *s.top()
	s.pos++
	if len(s.frames) == 1 || top.open == '$' || s.followedBy(closer(top.open)) {
		s.report(issue{kind: strayCloser, open: start, from: start})
		s.emit(tokenPunct, start, false)
		s.operand = c != '}'
		if c == '}' {
			s.boundary = statement
			s.top().restart()
		}
		return
	}
	s.report(issue{kind: wrongCloser, open: int(top.at), from: start})
	s.pop()
	s.emit(tokenPunct, start, false)
	s.closes()
}

// followedBy reports whether c is the next character on this or a later line, white space aside.
func (s *scanner) followedBy(c byte) bool {
	for i := s.pos; i < len(s.text); i++ {
		switch s.text[i] {
		case ' ', '\t', '\r', '\n':
		default:
			return s.text[i] == c
		}
	}
	return false
}

func (s *scanner) pop() {
	last := len(s.frames) - 1
	s.closed = s.frames[last]
	s.frames = s.frames[:last]
	f := s.top()
	f.arrows = max(f.arrows, s.closed.arrows)
	f.or.enclose(s.closed.or)
	f.and.enclose(s.closed.or)
}

// closeAll reports what is still open at the end of the text, innermost first.
func (s *scanner) closeAll() {
	for i := len(s.frames) - 1; i > 0; i-- {
		s.report(issue{kind: unclosed, open: int(s.frames[i].at), from: int(s.frames[i].at)})
	}
}
