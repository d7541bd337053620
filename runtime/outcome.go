package runtime

import (
	"encoding/json"
	"fmt"

	"github.com/responses-as-code/gg/bindings"
	"github.com/responses-as-code/gg/budget"
	"github.com/responses-as-code/gg/gg"
)

// Status says how a run ended.
type Status string

// The statuses.
const (
	OK           Status = "ok"
	CompileError Status = "compile-error" // the text is no program; nothing ran
	RuntimeError Status = "runtime-error" // the program threw
	Limit        Status = "limit"         // a limit stopped it: Failure.Limit says which
	Canceled     Status = "canceled"      // the caller's context was canceled
	Diverged     Status = "diverged"      // a replay met a call that its tape does not have
	HookError    Status = "hook-error"    // a hook stopped it
	UnknownCall  Status = "unknown-call"  // a resume met a call whose result is not known
	Suspended    Status = "suspended"     // reserved
)

// Outcome is everything that is known of one run when it is over: compact, honest, plain data.
type Outcome struct {
	Status              Status                `json:"status"`
	Views               []View                `json:"views"`            // what this program opened, in order, and is open
	Closed              []string              `json:"closed,omitempty"` // selectors of what it closed
	Error               *Failure              `json:"error,omitempty"`
	Notices             []string              `json:"notices"`         // for the model
	Warnings            []string              `json:"warnings"`        // for the operator
	Value               json.RawMessage       `json:"value,omitempty"` // absent when undefined
	Conversions         []bindings.Conversion `json:"conversions,omitempty"`
	ConversionsOmitted  int                   `json:"conversionsOmitted,omitempty"` // how many more there were
	Finish              *string               `json:"finish,omitempty"`
	Console             []ConsoleLine         `json:"console"`
	ConsoleDropped      int                   `json:"consoleDropped"` // bytes of console text that were not kept
	Calls               []CallRecord          `json:"calls"`
	UnhandledRejections []Rejection           `json:"unhandledRejections"`
	Background          []gg.Leftover         `json:"background"`
	Budget              Use                   `json:"budget"`

	RunID     string            `json:"run"`
	SessionID string            `json:"session,omitempty"`
	Labels    map[string]string `json:"labels,omitempty"`
}

// View is one view of an outcome.
type View struct {
	Kind     string   `json:"kind"` // text, file, image, binary, docs or result
	Selector string   `json:"selector"`
	Region   string   `json:"region,omitempty"`   // of a file: first and last line, `100-250`
	Replaced bool     `json:"replaced,omitempty"` // it took the place of an earlier view of the same key
	Header   string   `json:"header"`
	Body     string   `json:"body,omitempty"`
	Image    *Picture `json:"image,omitempty"`
}

// Picture is an image with its bytes.
type Picture struct {
	MediaType string `json:"mediaType"`
	Data      []byte `json:"data"`
}

// Failure says why a run did not end well.
type Failure struct {
	Kind      string       `json:"kind"` // `TypeError`, `ApiError`, `SyntaxError`, `limit` …
	Message   string       `json:"message"`
	Operation string       `json:"operation,omitempty"` // of a failed call that nobody caught
	Code      gg.Code      `json:"code,omitempty"`
	Limit     budget.Limit `json:"limit,omitempty"`
	Line      int          `json:"line"` // 0 when the place is not known
	Column    int          `json:"column"`
	Snippet   string       `json:"snippet"`
	Stack     []Frame      `json:"stack"`
	Cause     string       `json:"cause,omitempty"`
	Output    string       `json:"output,omitempty"` // of a command that failed: the end of what it had printed
	Hint      string       `json:"hint,omitempty"`
	More      []Problem    `json:"more,omitempty"` // further compile errors
}

// Frame is one function of the program on the way to a failure, innermost first.
type Frame struct {
	Function string `json:"function"` // empty for the program itself
	Line     int    `json:"line"`
	Column   int    `json:"column"`
}

// Problem is something wrong with a program's text.
type Problem struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// String is the problem in one line: `3:14: Unexpected "}"`.
func (p Problem) String() string {
	text := fmt.Sprintf("%d:%d: %s", p.Line, p.Column, p.Message)
	if p.Hint != "" {
		text += " (" + p.Hint + ")"
	}
	return text
}

// ConsoleLine is one piece of console output.
type ConsoleLine struct {
	Level string `json:"level"` // log, info, warn, error or debug
	Text  string `json:"text"`
	Line  int    `json:"line"`
}

// CallState says how far a call came.
type CallState string

// The states of a call.
const (
	Finished CallState = "finished"
	Failed   CallState = "failed"
	Unknown  CallState = "unknown" // it was started, and nobody knows what it did before it was stopped
)

// CallRecord is one call of a run's journal.
type CallRecord struct {
	Seq        int       `json:"seq"`
	Op         string    `json:"op"`
	Line       int       `json:"line"`
	State      CallState `json:"state"`
	DurationMs float64   `json:"durationMs"`
	Brief      string    `json:"brief"` // the first argument, shortened; for a failed call its message too
}

// Rejection is a rejected Promise that nothing handled.
type Rejection struct {
	Message string `json:"message"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
}

// Use is what a run used of its budget, beside its limits.
type Use struct {
	WallMs         float64 `json:"wallMs"`
	WallLimitMs    float64 `json:"wallLimitMs"`
	ComputeMs      float64 `json:"computeMs"`
	ComputeLimitMs float64 `json:"computeLimitMs"`
	Calls          int     `json:"calls"`
	CallLimit      int     `json:"callLimit"`
	PeakBytes      int64   `json:"peakBytes"` // the most by which the heap was seen to grow; 0 when the run was over before the first look
	MemoryLimit    int64   `json:"memoryLimit"`
}

// Failed reports whether the run ended in any way but well.
func (o *Outcome) Failed() bool { return o.Status != OK }
