//go:build unix

package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// nullDevice is what the commands get as their standard input.
const nullDevice = "/dev/null"

// maxArgument is the longest single argument of a program, its final NUL included: MAX_ARG_STRLEN of
// the Linux kernel with the smallest pages there are.
const maxArgument = 32 * 4096

// standardShell is where POSIX systems have their shell. It is looked for there and not along PATH,
// which belongs to the command.
const standardShell = "/bin/sh"

// invocation is how a command line is run: what is executed, and what is cleaned up afterwards.
type invocation struct {
	path string
	argv []string
	env  []string
	dir  string
	done func() // nil: nothing to clean up
}

// interpreter finds the shell.
func interpreter() (string, error) {
	if _, err := os.Stat(standardShell); err == nil {
		return standardShell, nil
	}
	path, err := exec.LookPath("sh")
	if err != nil {
		return "", &LaunchError{What: "interpreter", Path: standardShell, Err: os.ErrNotExist}
	}
	return path, nil
}

// invoke prepares the command line for the shell. env has no PWD yet.
func invoke(shell, command, dir string, env []string) (invocation, error) {
	if len(command) >= maxArgument {
		return invokeScript(shell, command, dir, env)
	}
	// Without "--" a command that begins with '-' or '+' would be taken for options.
	argv := []string{"sh", "-c", "--", command}
	return invocation{path: shell, argv: argv, dir: dir, env: append(env, "PWD="+dir)}, nil
}

// invokeScript runs a command that is too long for an argument. Nothing but where it comes from may differ
// from `sh -c`: $0 and the name in the shell's messages is "sh", there are no parameters, standard input is free, lines
// have the same numbers, and no descriptor is left open.
//
// That excludes eval and "." (other messages, and "." leaves its descriptor to the commands), and a script
// on standard input. What is left is a script file that is called sh, which the shell finds in its working
// directory; so it starts in a directory of ours, and the first line, before the command's own, leads it where it
// belongs. OLDPWD carries the way there, because cd overwrites it anyway.
func invokeScript(shell, command, dir string, env []string) (invocation, error) {
	// The kernel will not look at dir: the shell goes there.
	if info, err := os.Stat(dir); err != nil {
		return invocation{}, &LaunchError{What: "working directory", Path: dir, Err: plain(err)}
	} else if !info.IsDir() {
		return invocation{}, &LaunchError{What: "working directory", Path: dir, Err: syscall.ENOTDIR}
	}
	home, err := os.MkdirTemp("", "gg-command-")
	if err != nil {
		return invocation{}, &LaunchError{What: "directory for a long command", Path: os.TempDir(), Err: plain(err)}
	}
	done := func() { os.RemoveAll(home) }
	// Two lines would be easier to read, but would shift the numbers.
	script := `cd "$OLDPWD"||exit;` + restoreOLDPWD(env) + command
	if err := os.WriteFile(filepath.Join(home, "sh"), []byte(script), 0o600); err != nil {
		done()
		return invocation{}, &LaunchError{What: "file for a long command", Path: home, Err: plain(err)}
	}
	env = slices.DeleteFunc(env, func(entry string) bool { return strings.HasPrefix(entry, "OLDPWD=") })
	env = append(env, "PWD="+home, "OLDPWD="+dir)
	return invocation{path: shell, argv: []string{"sh", "sh"}, env: env, dir: home, done: done}, nil
}

// restoreOLDPWD is the shell's code for giving OLDPWD the value it has in env.
func restoreOLDPWD(env []string) string {
	value := valueOf(env, "OLDPWD")
	if value == "" || strings.Contains(value, "\n") { // a line more in the script is worse than no OLDPWD
		return "unset OLDPWD;"
	}
	return "OLDPWD='" + strings.ReplaceAll(value, "'", `'\''`) + "';"
}
