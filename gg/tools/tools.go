// Package tools offers functions of the catalogue as JSON tools: for an agent that calls functions one at a
// time instead of writing programs.
//
//	set, err := tools.New(tools.Config{Catalogue: session.Catalogue(), ShellMode: policy.Offload})
//	for _, t := range set.List() {
//		announce(t.Name, t.Description, t.Schema)
//	}
//	tool, err := set.Lookup("shell")                       // the error names the nearest tool
//	reply, err := tool.Call(ctx, session, gg.RunInfo{}, json.RawMessage(`{"command": "go test ./...", "timeout_secs": 60}`))
//	fmt.Println(reply.Text)                                // exit code: 0 …
//
// A tool is derived from its function: the same JSON Schema, with parameter names in snake_case; the same
// refusals, in the same words, with those names. A call goes through the same door as a program's call does,
// as a run of its own, so that policy, budget, grants and whoever watches apply to it in the same way.
//
// What goes wrong with a call is a [Reply] that says so, for the model to read; errors are faults of the host.
//
// # What is not promised
//
// A tool shows no views: an image that a function would put in front of the model is described in words. What
// a command leaves running is named, and ended before Call returns.
package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/local"
	"github.com/responses-as-code/gg/shell/policy"
)

// Tool is one tool, as a model gets to know it, and the call behind it.
type Tool struct {
	Name        string          // `read_file`
	Description string          // for the model; the same for every configuration of one mode of the shell
	Schema      json.RawMessage // JSON Schema of the arguments, an object

	// Call does one call, as a run of its own. info says what the run is called and how long it may take; its
	// Program is the tool's name when empty. args is what the model gave, not checked. The error is a fault of
	// the host; everything else is a Reply.
	Call func(ctx context.Context, session gg.Session, info gg.RunInfo, args json.RawMessage) (Reply, error)
}

// Reply is what came of a call.
type Reply struct {
	Text    string // for the model
	IsError bool   // the call failed; Text says why and shows what there is

	// Structured is the function's result as JSON; of a call that failed `{"error": {"code", "message"}}`,
	// with whatever data the failure has beside these (`output`, `truncated`, `files`).
	Structured json.RawMessage

	Code  gg.Code // of a failure
	Cause error   // of a failure, for errors.Is: context.DeadlineExceeded, say

	Warnings []string // of the run's end; for the operator, never for the model
}

// Config says which tools there are.
type Config struct {
	// Catalogue has the functions; required.
	Catalogue *gg.Catalogue

	// ShellMode is the mode of the shell's policy, which its description tells of. Empty: policy.Offload.
	ShellMode policy.Mode

	// Functions names further functions to offer, `files.writeFile` say. Tools are called after function and
	// module, `files_write_file`, and reply with the function's result. The embedder's own functions, in
	// whichever module, are offered without being named here.
	Functions []string
}

// Set is the tools of a host. It does not change and is safe for concurrent use.
type Set struct {
	tools []Tool
}

// New makes the tools: `shell` and `read_file`, as far as the catalogue has their functions, those that
// Config.Functions names, and one for each of the embedder's own functions. The error names every defect.
func New(c Config) (*Set, error) {
	if c.Catalogue == nil {
		return nil, errors.New("catalogue must be set")
	}
	if c.ShellMode == "" {
		c.ShellMode = policy.Offload
	}
	var defects []error
	if !slices.Contains(policy.Modes(), c.ShellMode) {
		defects = append(defects, fmt.Errorf("ShellMode: got %q, want one of %q", c.ShellMode, policy.Modes()))
	}
	set := &Set{}
	add := func(k kind) {
		tool, err := k.tool()
		if err != nil {
			defects = append(defects, err)
			return
		}
		if slices.ContainsFunc(set.tools, func(t Tool) bool { return t.Name == tool.Name }) {
			defects = append(defects, fmt.Errorf("tool %q: name is taken", tool.Name))
			return
		}
		set.tools = append(set.tools, tool)
	}
	offered := []string{shellFunction, readFunction}
	if f := c.Catalogue.Lookup(shellFunction); f != nil {
		add(kind{function: f, name: snake(f.Base()), description: shellDescription(c.ShellMode), reply: replyShell})
	}
	if f := c.Catalogue.Lookup(readFunction); f != nil {
		add(kind{function: f, name: snake(f.Base()), description: readDescription, reply: replyRead})
	}
	for _, name := range c.Functions {
		f := c.Catalogue.Lookup(name)
		if f == nil || f.Handler == nil || f.Local {
			defects = append(defects, fmt.Errorf("function %q: there is none to offer as a tool", name))
			continue
		}
		offered = append(offered, name)
		add(plain(f))
	}
	brought, err := local.Catalogue(nil)
	if err != nil {
		return nil, err
	}
	for _, f := range c.Catalogue.Functions() {
		if brought.Lookup(f.Name) == nil && !f.Local && !slices.Contains(offered, f.Name) {
			add(plain(f))
		}
	}
	if len(defects) > 0 {
		return nil, errors.Join(defects...)
	}
	return set, nil
}

// List lists the tools in order.
func (s *Set) List() []Tool { return slices.Clone(s.tools) }

// Lookup finds a tool by its name. The error of one that does not exist is a *gg.Error with the code
// not-found; it names the nearest tool, or all of them.
func (s *Set) Lookup(name string) (Tool, error) {
	var names []string
	for _, t := range s.tools {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	failure := gg.Errorf(gg.NotFound, "no tool is called %q", name)
	if near, ok := gg.Nearest(name, names); ok {
		failure.Hint = fmt.Sprintf("did you mean %q?", near)
	} else if len(names) > 0 {
		failure.Hint = "there are " + quoted(names)
	}
	return Tool{}, failure
}
