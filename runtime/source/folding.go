package source

// leading is what an expression begins with.
type leading uint8

const (
	nothing leading = iota
	literal         // a literal: what follows may be folded
	plain           // anything else
)

// folding follows what the engine's compiler will do with the logical operators of an expression. Where one begins
// with a literal, as `1 || a || b` does, the compiler evaluates it while compiling, and the part before each operator
// twice: thirty operators take a minute, and no interrupt reaches a compiler.
type folding struct {
	begins    leading
	operators int32
}

// read notes an operand; the first one decides.
func (f *folding) read(l leading) {
	if f.begins == nothing {
		f.begins = l
	}
}

// operator notes a logical operator and returns how many the compiler has to fold.
func (f *folding) operator() int32 {
	if f.begins != literal {
		return 0
	}
	f.operators++
	return f.operators
}

// enclose notes an expression in brackets. It counts although its operators may turn out not to be in the way.
func (f *folding) enclose(inner folding) {
	f.read(inner.begins)
	f.operators += inner.operators
}

// read notes an operand of the expression at hand.
func (f *frame) read(l leading) {
	f.or.read(l)
	f.and.read(l)
}

// logical notes one of `&&`, `||` and `??`.
func (s *scanner) logical(operator string) {
	f := s.top()
	folded := max(f.or.operator(), f.and.operator())
	if operator != "&&" {
		f.and = folding{} // a chain of && to the right of it is another expression
	}
	if folded > maxFolded && s.limit == nil {
		s.limit = &exceeded{limit: "logical operators after a literal", use: int(folded), bound: maxFolded, from: s.pos - len(operator)}
	}
}
