// Package local is the host whose calls happen on this machine: it wires commands, views, files and
// documentation into the catalogue of functions, and puts what governs calls in front of them.
//
//	host, err := local.New(local.Config{
//		Config:  config.Fresh(),
//		Modules: []*gg.Function{gg.Func("crm.find", "finds a customer", find)},
//	})
//	session, err := host.Session(ctx, gg.SessionInfo{Workspace: "."})
//	run, err := session.Begin(ctx, gg.RunInfo{})
//
// Every call, from whichever front door, passes through the same middleware, outermost first:
//
//	Config.Middleware    the embedder's own: it sees what the program sees, refusals included
//	observe              events: a call starts, a call ends
//	count                the budget: every call counts, also one that is refused
//	grant                what the configuration does not grant is unavailable
//	approve              Config.Approve is asked; waiting for the answer counts against no budget
//	parallel             at most limits.maxParallel calls of a run at once
//	dispatch             arguments are checked, the function is called
//
// What is not promised: confinement. Commands run with the rights of the process; see the README's
// section on security.
package local

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/config"
	"github.com/responses-as-code/gg/shell"
	"github.com/responses-as-code/gg/shell/policy"
)

// Config says what a host is made of. The zero Config is a host with the fresh configuration.
type Config struct {
	// Config is the configuration; config.Fresh() when nil.
	Config *config.Config
	// Modules are functions of the embedder's own, put behind the built-in ones in the catalogue.
	Modules []*gg.Function
	// ModuleBriefs says in a line what each of the embedder's modules is for.
	ModuleBriefs map[string]string
	// Middleware wraps every run, outermost first.
	Middleware []gg.Middleware
	// Approve, when set, is asked before every call that is granted.
	Approve func(ctx context.Context, call gg.Call) (Decision, error)
	// Events takes what happens while programs run; nil for nobody.
	Events *gg.Sink
	// Logger takes faults of the host that no outcome can carry; slog.Default() when nil.
	Logger *slog.Logger
	// Env is added to the environment of every command, `NAME=value`, over all other sources.
	Env []string
	// Subreaper makes this process adopt the orphans of its commands; see shell.Config.Subreaper.
	Subreaper bool
	// FilesSwept, when set, is told how many files of output were removed because of their age; see
	// store.Config.Swept. What a process that was killed has left running is not ended by a host: that is
	// shell.SweepAbandoned, for whoever is sure to want it.
	FilesSwept func(files int)
	// Apply, when set, makes what applies the policy to each command's output, for every front door; see
	// shell.Config.Apply.
	Apply func(policy.Policy) shell.Applier
}

// Decision is the answer of Config.Approve. The zero Decision denies.
type Decision struct {
	Allow  bool
	Reason string // of a denial, for the program
}

// Host is a gg.Host. It is safe for concurrent use.
type Host struct {
	config    Config
	settings  *config.Config
	catalogue *gg.Catalogue
	builtin   map[string]bool // names of the functions that are not the embedder's
	logger    *slog.Logger
	running   sync.Map // ID -> *run: the IDs are the marks of the runs' processes
}

var _ gg.Host = (*Host)(nil)

// New makes a host. The error names every defect.
func New(c Config) (*Host, error) {
	var defects []error
	catalogue, err := Catalogue(c.ModuleBriefs, c.Modules...)
	if err != nil {
		defects = append(defects, err)
	}
	var settings *config.Config
	if c.Config == nil {
		settings = config.Fresh()
	} else {
		var known config.Functions
		if catalogue != nil {
			known = grantable(catalogue.Functions())
		}
		if settings, err = c.Config.Checked(known); err != nil {
			defects = append(defects, err)
		}
	}
	for i, m := range c.Middleware {
		if m == nil {
			defects = append(defects, fmt.Errorf("middleware %d is nil", i))
		}
	}
	if len(defects) > 0 {
		return nil, errors.Join(defects...)
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	h := &Host{config: c, settings: settings, catalogue: catalogue, builtin: map[string]bool{}, logger: c.Logger}
	own := len(catalogue.Functions()) - len(c.Modules)
	for _, name := range catalogue.Names()[:own] {
		h.builtin[name] = true
	}
	return h, nil
}

// Catalogue lists the functions of the host.
func (h *Host) Catalogue() *gg.Catalogue { return h.catalogue }
