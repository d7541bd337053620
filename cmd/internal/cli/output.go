package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"syscall"
)

// print writes to standard output. A reader that has seen enough is no failure.
func (a *app) print(text string) error {
	if text == "" {
		return nil
	}
	a.screen.erase()
	if _, err := io.WriteString(a.Stdout, text); err != nil && !errors.Is(err, syscall.EPIPE) {
		return internal(errors.New("standard output: " + reason(err)))
	}
	return nil
}

// document writes the one JSON document of --json: in one line, or indented on a terminal.
func (a *app) document(v any) error {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if a.StdoutTerminal {
		encoder.SetIndent("", "  ")
	}
	if err := encoder.Encode(v); err != nil {
		return internal(err)
	}
	return a.print(out.String())
}
