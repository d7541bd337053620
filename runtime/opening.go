package runtime

import (
	"context"
	_ "embed" // prompt.md and opening.js
	"fmt"
	"strings"

	"github.com/responses-as-code/gg/gg"
)

//go:embed prompt.md
var systemPrompt string

// SystemPrompt tells a model how to answer with programs; it is at most 2000 characters long.
func SystemPrompt() string { return systemPrompt }

//go:embed opening.js
var openingProgram string

// OpeningTurn is what an agent should see first: every function in a line, and the pages of the modules
// given. It is what a program of `gg.docs` calls shows in this session, so it cannot differ from what
// programs see. The error names a module that does not exist.
func OpeningTurn(ctx context.Context, session gg.Session, modules ...string) (string, error) {
	rt, err := New(Config{Isolation: gg.IsolationNone})
	if err != nil {
		return "", err
	}
	outcome, err := rt.Run(ctx, session, Program{
		Name: "opening.js", Source: openingProgram, Args: map[string]string{"modules": strings.Join(modules, " ")},
	})
	if err != nil {
		return "", err
	}
	if outcome.Failed() {
		return "", fmt.Errorf("opening turn: %s", outcome.Error.Message)
	}
	return outcome.ModelText(), nil
}
