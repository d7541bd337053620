package config

import (
	"math"
	"time"

	"github.com/responses-as-code/gg/budget"
	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/shell/policy"
)

// The ranges end where the value would no longer mean what it says: at the end of a Go duration, at the
// largest integer that every JSON reader keeps exactly (2^53-1), and at what an int holds everywhere.
const (
	maxSeconds = int64(math.MaxInt64 / time.Second)
	maxMillis  = int64(math.MaxInt64 / time.Millisecond)
	maxHours   = int64(math.MaxInt64 / time.Hour)
	maxBytes   = int64(1)<<53 - 1
	maxInt     = int64(math.MaxInt32)
)

// Defaults that no other package has a name for.
const (
	defaultKeepHours    = 7 * 24 // an agent's whole conversation, and a look at it some days later
	defaultDrainGraceMs = 100    // far above what a pipe needs to end, below what a reader notices
	defaultKillGraceMs  = 2000   // enough for a test runner or a database to put its files in order
	defaultParallel     = 8      // enough to keep a small machine busy and too few to swamp it
)

// keys is the one table of the configuration: every key with its place in the file, its field in c, its
// range, its default and what it is for. The reader, the writer and (through a test) schema.json are
// derived from it.
func (c *Config) keys() *object {
	unstored := new(string)
	return &object{[]key{
		{"$schema", optional, &text{unstored, anyText}, "Where an editor finds this schema; gg does not look at it."},
		{"capabilities", always, c.capabilities(), "What programs can do. A capability that is not listed is disabled."},
		{"limits", optional, &object{c.Limits.keys()}, "What each run may use."},
		{"hooks", optional, hooks{}, "Commands and scripts run at the events of a run. Not in this version: must be empty."},
	}}
}

// ids are the ids of the capabilities, in the order they are listed.
var ids = []string{shellID, programsID, filesID, viewsID, docsID, runID}

const (
	shellID    = "shell"
	programsID = "programs"
	filesID    = "files"
	viewsID    = "views"
	docsID     = "docs"
	runID      = "run" // the one that cannot be enabled in this version
)

// capabilities is one entry for each id, in the order of ids.
func (c *Config) capabilities() capabilities {
	return capabilities{
		{shellID, &c.Shell.Grant, []key{
			{"implementation", optional, &choice[policy.Mode]{&c.Shell.Mode, "a mode", policy.Modes(), policy.Offload},
				"offload: the tail of the output and a note that names the files with all of it. inline: the output, or its end."},
			{"params", optional, &object{c.Shell.keys()}, "The policy of commands."},
		}},
		{programsID, &c.Programs.Grant, []key{
			{"params", optional, &object{c.Programs.keys()}, "The limits of a program."},
		}},
		{filesID, &c.Files.Grant, []key{
			{"params", optional, &object{c.Files.keys()}, "The reach of file calls."},
		}},
		{viewsID, &c.Views, []key{{"params", optional, &object{}, "There are none."}}},
		{docsID, &c.Docs, []key{{"params", optional, &object{}, "There are none."}}},
		{runID, &c.Run.Grant, []key{
			{"params", optional, &object{c.Run.keys()}, "What holds secrets."},
		}},
	}
}

func (s *Shell) keys() []key {
	return []key{
		{"maxLines", whenEnabled, &whole[int]{&s.MaxLines, 1, policy.MaxLinesLimit, 0},
			"The most lines of output shown, counted from the end."},
		{"maxChars", whenEnabled, &whole[int]{&s.MaxChars, 1, policy.MaxCharsLimit, 0},
			"The most characters of output shown, counted from the end."},
		{"offloadDir", optional, &text{&s.OffloadDir, pathText},
			"The directory that keeps the output of commands; a relative path starts at the workspace."},
		{"diskReserveBytes", optional, &whole[int64]{&s.DiskReserveBytes, 1, maxBytes, 0},
			"Free space that writing output never goes below. Default: the smaller of 1 GiB and 5 % of the file system."},
		{"maxStreamBytes", optional, &whole[int64]{&s.MaxStreamBytes, 1, maxBytes, 0},
			"The most bytes kept of one stream of one command. Default: no bound."},
		{"keepHours", optional, &whole[time.Duration]{&s.Keep, time.Hour, maxHours, defaultKeepHours},
			"How long the output of commands is kept."},
		{"drainGraceMs", optional, &whole[time.Duration]{&s.DrainGrace, time.Millisecond, maxMillis, defaultDrainGraceMs},
			"How long a call waits for the end of its output once the shell has exited."},
		{"killGraceMs", optional, &whole[time.Duration]{&s.KillGrace, time.Millisecond, maxMillis, defaultKillGraceMs},
			"The time a command that is over its limit has to end by itself."},
		{"order", optional, &choice[Order]{&s.Order, "an order", []Order{OrderWrite, OrderArrival}, OrderWrite},
			"How the two streams are joined: as they were written, where the system can tell, or as they arrived."},
		{"env", optional, &object{s.Env.keys()}, "The environment of commands."},
		{"limits", optional, later{}, "Limits of each command. Not in this version."},
		{"sandbox", optional, later{}, "What every command is confined to. Not in this version."},
	}
}

func (e *Env) keys() []key {
	return []key{
		{"inherit", optional, &choice[Inherit]{&e.Inherit, "a setting", []Inherit{InheritAll, InheritMinimal, InheritNone}, InheritAll},
			"What commands get of gg's own environment."},
		{"pass", optional, &texts{&e.Pass, envName, 0}, "Names of further variables that are passed on."},
		{"set", optional, &variables{&e.Set}, "Variables that are set."},
	}
}

func (p *Programs) keys() []key {
	isolations := []gg.Isolation{gg.IsolationProcess, gg.IsolationNone}
	shows := []gg.ShowValue{gg.ShowWhenNoViews, gg.ShowNever}
	return []key{
		{"computeSecs", optional, &whole[time.Duration]{&p.Compute, time.Second, maxSeconds, int64(budget.DefaultCompute / time.Second)},
			"The time a program may compute, host calls not counted."},
		{"maxMemoryBytes", optional, &whole[int64]{&p.MaxMemoryBytes, 1, maxBytes, gg.DefaultMaxMemoryBytes},
			"The most memory a program may use."},
		{"maxStackFrames", optional, &whole[int]{&p.MaxStackFrames, 1, maxInt, gg.DefaultMaxStackFrames},
			"The most calls of functions inside each other."},
		{"maxSourceBytes", optional, &whole[int]{&p.MaxSourceBytes, 1, maxInt, gg.DefaultMaxSourceBytes},
			"The longest program."},
		{"maxNesting", optional, &whole[int]{&p.MaxNesting, 1, maxInt, gg.DefaultMaxNesting},
			"The most brackets inside each other in a program."},
		{"consoleBytes", optional, &whole[int]{&p.ConsoleBytes, 1, maxInt, gg.DefaultConsoleBytes},
			"How much of the console is kept, from its beginning and its end."},
		{"isolation", optional, &choice[gg.Isolation]{&p.Isolation, "an isolation", isolations, ""},
			"Where a program runs: in a process of its own or in that of its host. Default: process for the command line and MCP, none for the library."},
		{"requireConfinement", optional, &boolean{&p.Confined, false, true},
			"Whether a process that cannot be confined is refused. Not in this version: must be false."},
		{"rewriteStrings", optional, &boolean{&p.KeepStrings, true, false},
			"Whether building a string piece by piece is made fast."},
		{"showValue", optional, &choice[gg.ShowValue]{&p.ShowValue, "a setting", shows, gg.ShowWhenNoViews},
			"When the value of a program is shown to the model."},
	}
}

func (f *Files) keys() []key {
	return []key{
		{"roots", optional, &texts{&f.Roots, pathText, 1},
			"The directories that file calls are held in where commands cannot reach further; relative ones start at the workspace. Default: the workspace."},
	}
}

func (r *Run) keys() []key {
	return []key{
		{"secretDirs", optional, &texts{&r.SecretDirs, filledText, 0}, "Further directories that hold secrets."},
		{"secretEnvPatterns", optional, &texts{&r.SecretEnvPatterns, filledText, 0}, "Further patterns of variables that hold secrets."},
	}
}

func (l *Limits) keys() []key {
	return []key{
		{"maxRuntimeSecs", optional, &whole[time.Duration]{&l.MaxRuntime, time.Second, maxSeconds, int64(budget.DefaultWall / time.Second)},
			"The wall clock of a run."},
		{"maxCalls", optional, &whole[int]{&l.MaxCalls, 1, maxInt, budget.DefaultCalls},
			"The most calls of a run, refused ones included."},
		{"maxParallel", optional, &whole[int]{&l.MaxParallel, 1, maxInt, defaultParallel},
			"The most calls of a run in progress at once."},
	}
}
