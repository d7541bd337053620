package config

import "strings"

// Error is the refusal of a configuration. It names every defect that can be found in one pass, so that
// the file is right after one round of corrections.
type Error struct {
	Name    string   // what Parse was told the text is called, usually a path
	Defects []Defect // in document order, never empty
}

// Error returns one line for each defect.
func (e *Error) Error() string {
	lines := make([]string, len(e.Defects))
	for i, d := range e.Defects {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}

// Defect is one reason why a configuration is refused.
type Defect struct {
	// Path names the key, such as `shell.params.maxLines` or `capabilities[2].id`. Where the text is
	// not JSON at all it is the place: `gg.json:3:14`.
	Path string `json:"path"`

	// Value is what the key has, as far as a line can show it: a string where a name was wanted is
	// bare, everything else is compact JSON. It is empty where the value is not the point.
	Value string `json:"value,omitempty"`

	// Missing means that the key is absent and must not be.
	Missing bool `json:"missing,omitempty"`

	// Problem says what is wrong, or what a value must be.
	Problem string `json:"problem"`

	// Line and Column say where: at the value, at the key when that is unknown or given twice, at the
	// closing bracket of the object that lacks a key. Both count from 1, columns in UTF-16 code units.
	// They are 0 for a configuration that did not come from a text.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
}

// String is the defect in one line:
//
//	shell.params.maxLines = `0`: must be a whole number of at least 1
func (d Defect) String() string {
	switch {
	case d.Missing:
		return d.Path + " is missing: " + d.Problem
	case d.Value != "":
		return d.Path + " = `" + d.Value + "`: " + d.Problem
	default:
		return d.Path + ": " + d.Problem
	}
}
