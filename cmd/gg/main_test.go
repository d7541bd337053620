package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write the golden texts in testdata/script anew")

// raceOptions make a process that was built with -race end when it is over, and not a second later: there are
// hundreds.
const raceOptions = "atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	os.Setenv("GORACE", raceOptions)
	testscript.Main(m, map[string]func(){"gg": main})
}

// TestScripts runs testdata/script/*.txtar, each in a directory of its own, with gg as a command.
//
//	exits CODE gg ARGS…   runs a command and wants this exit code
//	json PATH WANT        wants standard output to be one JSON document with this value at PATH (`error.code`)
//	json PATH             wants the document to have something at PATH; ! json PATH that it has not
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", raceOptions)
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond != "root" { // whom no permission keeps out
				return false, fmt.Errorf("unknown condition %q", cond)
			}
			return os.Geteuid() == 0, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"json":  jsonAt,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code: got %d, want %d", got, want)
	}
}

func jsonAt(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 1 || len(args) > 2 || neg && len(args) != 1 {
		ts.Fatalf("usage: [!] json PATH [WANT]")
	}
	decoder := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	var value any
	ts.Check(decoder.Decode(&value))
	if _, err := decoder.Token(); err != io.EOF {
		ts.Fatalf("standard output has more than one JSON document")
	}
	for _, step := range strings.Split(args[0], ".") {
		var found bool
		switch v := value.(type) {
		case map[string]any:
			value, found = v[step]
		case []any:
			i, err := strconv.Atoi(step)
			if found = err == nil && i < len(v); found {
				value = v[i]
			}
		}
		if !found {
			if neg {
				return
			}
			ts.Fatalf("nothing at %q", args[0])
		}
	}
	if neg {
		ts.Fatalf("something at %q: %v", args[0], value)
	}
	if len(args) == 1 {
		return
	}
	got, err := json.Marshal(value)
	ts.Check(err)
	var want any
	if err := json.Unmarshal([]byte(args[1]), &want); err != nil {
		ts.Fatalf("%s: %v", args[1], err)
	}
	wanted, err := json.Marshal(want)
	ts.Check(err)
	if string(got) != string(wanted) {
		ts.Fatalf("%s: got %s, want %s", args[0], got, wanted)
	}
}
