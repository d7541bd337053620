package shell

import (
	"os"
	"os/exec"
)

// nullDevice is what the commands get as their standard input.
const nullDevice = "NUL"

// maxCommandLine is the longest line cmd.exe takes.
const maxCommandLine = 8191

// invocation is how a command line is run: what is executed, and what is cleaned up afterwards.
type invocation struct {
	path string
	line string
	env  []string
	dir  string
	done func() // nil: nothing to clean up
}

// interpreter finds the command processor.
func interpreter() (string, error) {
	name := os.Getenv("ComSpec")
	if name == "" {
		name = "cmd.exe"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", &LaunchError{What: "interpreter", Path: name, Err: os.ErrNotExist}
	}
	return path, nil
}

// invoke prepares the command line for cmd.exe.
func invoke(shell, command, dir string, env []string) (invocation, error) {
	// With /S cmd takes off the first and the last quote and nothing else, so that the command arrives as it
	// is; /D leaves out the commands of the registry's AutoRun.
	line := `cmd.exe /D /S /C "` + command + `"`
	if len(line) > maxCommandLine {
		return invocation{}, &ArgumentError{Problem: "command is too long for cmd.exe: at most 8191 characters"}
	}
	return invocation{path: shell, line: line, env: append(env, "PWD="+dir), dir: dir}, nil
}
