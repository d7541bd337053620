package config

import (
	"time"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/shell/policy"
)

// In this file a field is called as its key in the file, without the unit where it is a duration. The
// defaults are in keys.go, where the ranges are.

// Grant is what every capability has: whether it is enabled, and for which functions.
type Grant struct {
	// Enabled grants the capability. A program that calls a function of one that is not enabled is
	// told so (see [Config.Granted]).
	Enabled bool

	// Functions narrows the grant to these, by their names without the module. Nil grants all of
	// them, an empty list none.
	Functions []string
}

// Shell is the capability to run commands. An enabled one has both ceilings.
type Shell struct {
	Grant

	// Policy is the mode (`implementation`) and the two ceilings. The ceilings have no default: how
	// much a model can take in is for the operator to say.
	policy.Policy

	// OffloadDir is where the output of commands is kept; a relative path starts at the workspace.
	// Empty means the place that package shell chooses.
	OffloadDir string

	// DiskReserveBytes is the free space that writing output never goes below. 0 means the smaller of
	// 1 GiB and 5 % of the file system.
	DiskReserveBytes int64

	// MaxStreamBytes bounds each file of output. 0 means no bound.
	MaxStreamBytes int64

	// Keep is how long files of output are left for whoever reads them (`keepHours`).
	Keep time.Duration

	// DrainGrace is how long a call waits for the end of its output once the shell has exited, in whole
	// milliseconds (`drainGraceMs`).
	DrainGrace time.Duration

	// KillGrace is the time between the signal that asks a command to end and the one that ends it, in
	// whole milliseconds (`killGraceMs`).
	KillGrace time.Duration

	// Order says in which order the two streams of a command are joined.
	Order Order

	// Env is the environment that commands start in.
	Env Env
}

// Order says in which order the output of the two streams is joined where they are also kept apart.
type Order string

// The orders. OrderWrite is arrival order where the system cannot tell of writes.
const (
	OrderWrite   Order = "write"   // as the command wrote it
	OrderArrival Order = "arrival" // as it was read, without the signals that write order needs
)

// Env says what environment commands start in.
type Env struct {
	Inherit Inherit           // what is taken from gg's own environment
	Pass    []string          // names of further variables that are taken from it
	Set     map[string]string // variables that are set, whatever was inherited
}

// Inherit says how much of gg's own environment a command gets.
type Inherit string

// The choices of Inherit.
const (
	InheritAll     Inherit = "all"     // all but what would change how a script runs
	InheritMinimal Inherit = "minimal" // what a shell needs to find its programs and the user's home
	InheritNone    Inherit = "none"    // nothing but Env.Pass
)

// Programs is the capability to run programs: the session, the budget, the clock, the arguments and the
// console, and the limits a program runs under.
type Programs struct {
	Grant

	// Settings are the limits of the VM. Isolation is left empty where the file does not name one: the
	// default depends on the front door, a process of its own for the command line, the caller's own
	// for the library.
	gg.Settings

	// Compute is the time a program may spend in the VM, host calls not counted, in whole seconds
	// (`computeSecs`).
	Compute time.Duration
}

// Files is the capability to read and write files.
type Files struct {
	Grant

	// Roots are the directories the calls are held in where no unconfined shell is granted; a relative
	// one starts at the workspace. Nil means the workspace or worktree and the session's own offloaded
	// files.
	Roots []string
}

// Run is the capability of structured runs (`shell.run` and what belongs to it). It can be named in a
// configuration but not be enabled in this version.
type Run struct {
	Grant

	// SecretDirs and SecretEnvPatterns are added to the published lists of what holds secrets.
	SecretDirs        []string
	SecretEnvPatterns []string
}

// Limits bound each run, whatever it calls.
type Limits struct {
	// MaxRuntime is the wall clock of a run, in whole seconds (`maxRuntimeSecs`).
	MaxRuntime time.Duration

	// MaxCalls is how many calls a run may make, refused ones included, so that a loop around a call
	// that is refused ends.
	MaxCalls int

	// MaxParallel is how many calls of a run are in progress at once at most; further ones wait.
	MaxParallel int
}
