// Package gg is the contract of the host: everything a program can do is one call through one door.
//
// A [Host] makes a [Session] for each conversation with an agent; a session begins one [Run] for each
// program; a run takes calls:
//
//	session, err := host.Session(ctx, gg.SessionInfo{Workspace: "/home/me/project"})
//	run, err := session.Begin(ctx, gg.RunInfo{Program: "reply.js"})
//	result, err := run.Call(ctx, gg.Call{Seq: 1, Op: "shell.shell", Args: json.RawMessage(`{"command":"ls"}`)})
//	ending, err := run.End(ctx)         // kills what the calls left behind and reports its fate
//
// A JavaScript program (package runtime), a JSON tool call (gg/tools) and a remote request all come
// through this door, so all of them are governed by the same policy. What governs them (budget, grants,
// hooks, recording) is [Middleware]; what can be called is the [Catalogue], from which bindings,
// argument checks, documentation, TypeScript declarations and tools are all derived.
//
// The package implements no function a program could call: package gg/local wires the built-in ones.
// It promises nothing about processes, files or the VM.
package gg

import (
	"context"
	"encoding/json"
	"time"

	"github.com/responses-as-code/gg/budget"
)

// Host makes sessions. It is safe for concurrent use.
type Host interface {
	Session(ctx context.Context, info SessionInfo) (Session, error)
}

// Session is one agent's conversation: its views, its offloaded files, its jobs. Programs of one session
// run one after the other or at once; the session is safe for concurrent use.
type Session interface {
	// Catalogue lists every function that programs of this session see.
	Catalogue() *Catalogue
	// Settings are the limits that programs of this session run under.
	Settings() Settings
	// Begin starts the run of one program. ctx bounds Begin only.
	Begin(ctx context.Context, info RunInfo) (Run, error)
	// Close ends every run that is still going, as Run.End does, and gives up what the session holds.
	// Begin is refused afterwards.
	Close(ctx context.Context) error
}

// Run is the life of one program (or of one tool call) as its host sees it.
type Run interface {
	// Info is what the run was begun with, its ID filled in.
	Info() RunInfo
	// Budget is what the run may use and has used.
	Budget() *budget.Budget
	// Call does one call. It is safe for concurrent use. A failed call is an *Error, always.
	Call(ctx context.Context, call Call) (Result, error)
	// Emit passes an event on to whoever listens, stamped with session, run, labels and time. It never
	// blocks.
	Emit(event Event)
	// End stops the calls that are still under way, kills what earlier ones left behind, and reports its
	// fate. Calls after End are refused. It takes no longer than ctx allows; the error is the host's own
	// fault: a process that could not be killed, a function that does not heed its context.
	End(ctx context.Context) (Ending, error)
}

// Middleware is something that governs calls: it wraps a run in another one, usually by embedding the
// run it is given and overriding Call.
type Middleware func(Run) Run

// SessionInfo says whose conversation it is and where it works.
type SessionInfo struct {
	ID        string            // on every event and tape; made up when empty
	Workspace string            // directory that commands start in and relative paths start at; required
	Worktree  string            // when set, takes the place of Workspace for commands and relative paths
	Labels    map[string]string // free; on every event
}

// RunInfo says what is run.
type RunInfo struct {
	ID      string            // on every event, outcome and tape; made up when empty
	Session string            // ID of the session; filled in by Begin
	Program string            // its name: `reply.js`
	Labels  map[string]string // free; added to those of the session
	Wall    time.Duration     // lowers the wall clock of the configuration; 0 leaves it, more is cut to it
}

// Call is one call of a function.
type Call struct {
	Seq  int             // from 1, in the order the program made them
	Op   string          // the function: `shell.shell`
	Args json.RawMessage // one JSON object, by parameter name
	Site Site            // where in the program

	// Refused is set when the arguments could not even be made into JSON (NaN, a function, a cycle). The
	// call still comes through the door, so that it is counted, observed and recorded like any other;
	// it fails with this error.
	Refused *Error
}

// Site is a place in a program: line and column, both from 1, the column in UTF-16 code units as node
// and tsc count. The zero Site means that the place is not known.
type Site struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// Result is what a call gave. A replay needs nothing else.
type Result struct {
	Value json.RawMessage // what the program sees; nil is undefined
	Views []ViewChange    // what the call put in front of the model
	Blobs []Blob          // the bytes of images among Views
}

// Ending is what a run's end brought to light.
type Ending struct {
	Background []Leftover // processes that calls had left behind, and what became of them
	Finish     string     // summary of the last `session.finish`
	Finished   bool       // whether there was one
	Warnings   []string   // for the operator, never for the model
}

// Leftover is a process that a call left behind.
type Leftover struct {
	PID     int    `json:"pid"`
	Command string `json:"command"`
	Fate    string `json:"fate"` // `terminated`, `killed` or `survived`
}

// Isolation says where a program's VM lives.
type Isolation string

// The kinds of isolation.
const (
	IsolationProcess Isolation = "process" // a locked-down worker process
	IsolationNone    Isolation = "none"    // the caller's own process
)

// ShowValue says whether a program's value is shown to the model.
type ShowValue string

// The choices of ShowValue.
const (
	ShowWhenNoViews ShowValue = "whenNoViews" // as `View: result`, when the program opened no view
	ShowNever       ShowValue = "never"
)

// Settings are the limits a program runs under. A zero field means its default.
type Settings struct {
	MaxMemoryBytes int64     // of the VM; DefaultMaxMemoryBytes
	MaxStackFrames int       // nested calls; DefaultMaxStackFrames
	MaxSourceBytes int       // of the program's text; DefaultMaxSourceBytes
	MaxNesting     int       // brackets inside brackets; DefaultMaxNesting
	ConsoleBytes   int       // kept of the console; DefaultConsoleBytes
	Isolation      Isolation // IsolationNone
	ShowValue      ShowValue // ShowWhenNoViews
	KeepStrings    bool      // leave string building as it was written (`rewriteStrings: false`)
	Confined       bool      // refuse to run where the worker cannot be confined (`requireConfinement`)
}

// The defaults of Settings.
const (
	DefaultMaxMemoryBytes = 256 << 20
	DefaultMaxStackFrames = 500
	DefaultMaxSourceBytes = 256 << 10
	DefaultMaxNesting     = 200
	DefaultConsoleBytes   = 1 << 20
)

// WithDefaults returns s with every zero field replaced by its default.
func (s Settings) WithDefaults() Settings {
	if s.MaxMemoryBytes == 0 {
		s.MaxMemoryBytes = DefaultMaxMemoryBytes
	}
	if s.MaxStackFrames == 0 {
		s.MaxStackFrames = DefaultMaxStackFrames
	}
	if s.MaxSourceBytes == 0 {
		s.MaxSourceBytes = DefaultMaxSourceBytes
	}
	if s.MaxNesting == 0 {
		s.MaxNesting = DefaultMaxNesting
	}
	if s.ConsoleBytes == 0 {
		s.ConsoleBytes = DefaultConsoleBytes
	}
	if s.Isolation == "" {
		s.Isolation = IsolationNone
	}
	if s.ShowValue == "" {
		s.ShowValue = ShowWhenNoViews
	}
	return s
}
