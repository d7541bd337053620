// Package config reads the configuration of a host, usually a file called gg.json: which capabilities
// programs have, under which policy, and how much they may use.
//
//	{ "capabilities": [
//	    { "id": "shell", "enabled": true, "implementation": "offload",
//	      "params": { "maxLines": 200, "maxChars": 8000 } },
//	    { "id": "programs", "enabled": true, "params": { "computeSecs": 30 } },
//	    { "id": "files", "enabled": true, "functions": ["readFile", "listDir"] } ],
//	  "limits": { "maxRuntimeSecs": 3600, "maxCalls": 10000 }, "hooks": [] }
//
// In Go:
//
//	c, err := config.Load("gg.json", functions)
//	if refusal := (*config.Error)(nil); errors.As(err, &refusal) {
//		for _, defect := range refusal.Defects {
//			fmt.Println(defect) // shell.params.maxLines = `0`: must be a whole number of at least 1
//		}
//	}
//	ok, reason := c.Granted("files.writeFile") // false, why not
//
// A configuration is a promise to whoever wrote it, so nothing in it is ignored, guessed or replaced: a
// value that cannot be honoured, a key that is unknown or given twice, a function that does not exist are
// refused, and one refusal names all of them in the order of the file. A key that is absent has a
// documented default; the exceptions, whose absence is refused, are `capabilities`, the `id` and
// `enabled` of each, and both ceilings of an enabled shell. A capability that is disabled may leave
// things out, but what it writes is judged. A capability that is not in the file is disabled.
//
// Every number counts something, so every number is a whole one of at least 1, however it is written:
// 40.0 and 1e2 are, 0, -1, 4.5, "lots" and null are not.
//
// # What is not promised
//
// That a configuration can be used on this machine: directories are not looked at, and a path stays
// as it is written (a relative one is for the host to join to the workspace). Comments and trailing
// commas are refused; a byte order mark is skipped.
package config

import (
	"bytes"
	_ "embed" // fresh.json and schema.json
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/responses-as-code/gg/budget"
)

// MaxBytes is the length of the longest text that Parse reads: 1 MiB, some thousand times the fresh one.
const MaxBytes = 1 << 20

// Config is a configuration. One that was read has every default filled in; in one that was built, a zero
// field means its default (see [Config.Checked]).
type Config struct {
	Shell    Shell
	Programs Programs
	Files    Files
	Views    Grant
	Docs     Grant
	Run      Run
	Limits   Limits
}

//go:embed fresh.json
var freshJSON []byte

//go:embed schema.json
var schemaJSON []byte

// FreshJSON returns the configuration that holds where no file is, as a text to start from.
func FreshJSON() []byte { return slices.Clone(freshJSON) }

// Fresh returns the configuration that holds where no file is: FreshJSON, parsed.
func Fresh() *Config {
	c, err := Parse(freshJSON, "fresh.json", nil)
	if err != nil {
		panic(fmt.Sprintf("config: fresh configuration refused: %v", err))
	}
	return c
}

// Schema returns the JSON Schema (draft 2020-12) of a configuration, for editors and other tools. It
// refuses what Parse refuses, except for what a schema cannot see: a key given twice, and a function that
// the host does not have.
func Schema() []byte { return slices.Clone(schemaJSON) }

// Functions lists, for the id of each capability, the functions it can grant, by their names without the
// module: "files" has "readFile". With nil Functions any name passes.
type Functions map[string][]string

// Load reads the configuration in a file. An error that is not an *Error means that the file could not be
// read.
func Load(path string, known Functions) (*Config, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	return Parse(data, path, known)
}

// Parse reads a configuration. name is what a refusal calls the text, usually its path. The error is
// always an *Error.
func Parse(data []byte, name string, known Functions) (*Config, error) {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	root, faults := readDocument(data)
	if len(faults) > 0 {
		return nil, notJSON(name, data, faults)
	}
	c := new(Config)
	j := &judgement{table: c.keys(), known: known}
	j.table.judge(j, "", root)
	if len(j.findings) > 0 {
		return nil, j.refusal(name, data)
	}
	j.table.fill()
	return c, nil
}

// Checked returns a copy of a configuration that was built in Go, with every default filled in, or the
// *Error that a file with the same content would get. A duration that is not a whole number of its key's
// unit is refused, so that a configuration is the same on record as in memory.
func (c *Config) Checked(known Functions) (*Config, error) {
	data, _ := c.MarshalJSON()
	checked, err := Parse(data, "configuration", known)
	if refusal, ok := err.(*Error); ok {
		for i := range refusal.Defects { // the text is not the caller's
			refusal.Defects[i].Line, refusal.Defects[i].Column = 0, 0
		}
	}
	return checked, err
}

// MarshalJSON writes the configuration in the form that Parse reads, every field that is not zero
// included. It does not fail.
func (c Config) MarshalJSON() ([]byte, error) {
	data, _ := c.keys().write(nil)
	return data, nil
}

// UnmarshalJSON is Parse with any function name let through.
func (c *Config) UnmarshalJSON(data []byte) error {
	parsed, err := Parse(data, "configuration", nil)
	if err == nil {
		*c = *parsed
	}
	return err
}

// Budget is what one run may use.
func (c *Config) Budget() budget.Limits {
	return budget.Limits{Wall: c.Limits.MaxRuntime, Compute: c.Programs.Compute, Calls: c.Limits.MaxCalls}
}
