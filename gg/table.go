package gg

import (
	"strings"
)

// Table lists everything as a table of Markdown: how it is called, what it returns, what it does.
func (c *Catalogue) Table() string {
	var b strings.Builder
	row := func(cells ...string) {
		for i, cell := range cells {
			cells[i] = strings.ReplaceAll(cell, "|", `\|`)
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	row("function", "returns", "brief")
	b.WriteString("|---|---|---|\n")
	for _, f := range c.functions {
		result, err := resultType(f, &typeWriter{})
		if err != nil {
			result = "unknown"
		}
		row("`"+callForm(f)+"`", "`"+result+"`", f.Brief)
	}
	for _, builtin := range builtins {
		row("`"+builtin.name+"`", "–", builtin.brief)
	}
	return b.String()
}

// callForm is a call with the names of what it takes: `gg.shell.shell(command, {timeoutSecs})`.
func callForm(f *Function) string {
	parameters, err := callParameters(f)
	if err != nil {
		return programName(f) + "(…)"
	}
	var list []string
	for _, p := range parameters {
		switch {
		case p.Positional:
			list = append(list, p.Name+mark(!p.Required))
		case len(p.Schema.Properties) == 0:
			list = append(list, "{…}")
		default:
			list = append(list, "{"+strings.Join(propertyNames(p.Schema), ", ")+"}")
		}
	}
	return programName(f) + "(" + strings.Join(list, ", ") + ")"
}
