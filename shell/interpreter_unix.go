//go:build unix

package shell

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
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
// That excludes eval and "." (other messages, and "." leaves its descriptor to the commands), a script
// on standard input, and a memory file: its only name is a number in /proc/self/fd or /dev/fd, which becomes $0, and a
// link of another name to it would have to lie in a directory as well. What is left is a script file that is called
// sh, which the shell finds in its working directory; so it starts in a directory of ours, and the first line, before
// the command's own, leads it where it belongs.
//
// One difference remains: some shells replace themselves by the last program of `sh -c`, and none does so for
// a script. A signal that ends that program then ends the shell, too, in one case, and becomes an exit code in the other.
func invokeScript(shell, command, dir string, env []string) (invocation, error) {
	// The kernel will not look at dir: the shell goes there.
	if err := unusableDir(dir); err != nil {
		return invocation{}, err
	}
	// What the first line needs are parameters, which leave no trace once they are shifted away. Two lines would be
	// easier to read, but would shift the numbers; and without the last blank a command that begins with
	// ";" would make a ";;".
	script, argv := `cd "$1"||exit;unset OLDPWD;shift; `, []string{"sh", "sh", dir}
	if old, ok := lookup(env, "OLDPWD"); ok {
		script, argv = `cd "$1"||exit;OLDPWD=$2;shift 2; `, append(argv, old)
	}
	home, err := writeScript(scriptPlaces(), script+command)
	if err != nil {
		return invocation{}, err
	}
	return invocation{
		path: shell, argv: argv, env: append(env, "PWD="+home), dir: home,
		done: func() { os.RemoveAll(home) },
	}, nil
}

// scriptPlaces are the directories in which the file of a long command may be, the most wanted first. A
// command must not depend on its length, so a temporary directory that is full or unusable is not the end.
func scriptPlaces() []string { return []string{os.TempDir(), "/dev/shm", "/tmp", "/var/tmp"} }

// writeScript makes a directory with the script in it, in the first of the places where that can be done. The
// error is that of the first place.
func writeScript(places []string, script string) (home string, err error) {
	var first error
	for _, place := range places {
		home, err := writeScriptIn(place, script)
		if err == nil {
			return home, nil
		}
		if first == nil {
			first = err
		}
	}
	return "", first
}

func writeScriptIn(place, script string) (home string, err error) {
	refused := func(err error) error {
		return &LaunchError{What: "directory for a long command", Path: place, Err: plain(err)}
	}
	if place, err = filepath.Abs(place); err != nil { // the process may be elsewhere when it is removed
		return "", refused(err)
	}
	if home, err = os.MkdirTemp(place, "gg-command-"); err != nil {
		return "", refused(err)
	}
	// The umask may have taken away even what the owner needs.
	err = os.Chmod(home, 0o700)
	if err == nil {
		err = writeFile(filepath.Join(home, "sh"), script)
	}
	if err != nil {
		os.RemoveAll(home)
		return "", refused(err)
	}
	return home, nil
}

// writeFile makes a file that its owner can read, whatever the umask.
func writeFile(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Chmod(0o600), f.Close())
}
