package source

// tokenKind is what a token is to the scanner, which knows fewer kinds than a parser would.
type tokenKind uint8

const (
	tokenNone     tokenKind = iota
	tokenName               // an identifier, a contextual keyword, or any word used as a property name
	tokenKeyword            // a reserved word where it is one
	tokenPrivate            // #name
	tokenNumber             // with its BigInt suffix
	tokenString             // "…" or '…', also one that its line ends
	tokenTemplate           // a template, or the part of one up to its `${` or after a `}`
	tokenRegExp             // with its flags
	tokenPunct              // operators, brackets, separators
	tokenBad                // a character no token begins with
)

// token is one token: 12 bytes, because a program has one for every three or four characters.
type token struct {
	start, end int32
	kind       tokenKind
	fresh      bool  // it begins a statement, as far as the scanner can tell
	newline    bool  // a line terminator stands before it
	depth      uint8 // brackets open around it, at most 255
}

// wordClass says what a reserved word does to what follows it.
type wordClass uint8

const (
	wordName      wordClass = iota // no reserved word
	wordOperand                    // ends an operand: this, null
	wordOperator                   // wants an operand: typeof, await, in
	wordHead                       // a parenthesised head follows: if, for
	wordBody                       // a statement or block follows: else, do
	wordStatement                  // begins a statement and wants something: return, var
	wordFunction                   // function
	wordClassDecl                  // class
)

// classify returns what a word is where a reserved word can be one. `let`, `of`, `async`, `static`, `get` and
// `set` are names with a meaning of their own and stay names; `await` is taken as the operator it is at the top
// level of a program, `yield` as the operator it is in a generator.
func classify(word string) wordClass {
	if len(word) < 2 || len(word) > 10 {
		return wordName
	}
	switch word {
	case "this", "super", "null", "true", "false":
		return wordOperand
	case "typeof", "void", "delete", "new", "await", "yield", "in", "instanceof", "extends":
		return wordOperator
	case "if", "for", "while", "with", "switch", "catch":
		return wordHead
	case "else", "do", "try", "finally":
		return wordBody
	case "return", "throw", "case", "default", "var", "const", "import", "export", "break", "continue", "debugger", "enum":
		return wordStatement
	case "function":
		return wordFunction
	case "class":
		return wordClassDecl
	}
	return wordName
}

// Classes of ASCII characters.
const (
	charStart = 1 << iota // begins an identifier
	charPart              // continues one
	charDigit
	charSpace // white space other than a line terminator
)

var charClass = func() (table [128]uint8) {
	for c := range table {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '$', c == '_':
			table[c] = charStart | charPart
		case '0' <= c && c <= '9':
			table[c] = charPart | charDigit
		case c == ' ', c == '\t', c == '\v', c == '\f':
			table[c] = charSpace
		}
	}
	return table
}()
