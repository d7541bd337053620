package config

import (
	"slices"
	"strings"
)

// runFunctions are the functions of the module shell that belong to the capability run.
var runFunctions = []string{"run", "detail", "logs", "wait", "kill"}

// Owner returns the id of the capability that grants a function, named as on a call: `files.readFile`
// belongs to files, `shell.run` to run, `session.finish` and, without a module, `sleep` to programs. It
// is empty for a function of a module that gg does not bring.
func Owner(function string) string {
	module, name := split(function)
	switch module {
	case "", "session", "budget", "console":
		return programsID
	case "shell":
		if slices.Contains(runFunctions, name) {
			return runID
		}
		return shellID
	case "files", "views", "docs":
		return module
	}
	return ""
}

// Granted reports whether a program may call a function, named as on a call. If not, reason says why, in
// words for the program. A function of a module that gg does not bring is granted: whoever built the
// host put it there.
func (c *Config) Granted(function string) (ok bool, reason string) {
	id := Owner(function)
	if id == "" {
		return true, ""
	}
	_, name := split(function)
	switch grant := c.grant(id); {
	case !grant.Enabled:
		return false, "the " + quote(id) + " capability is not enabled in the configuration"
	case grant.Functions != nil && !slices.Contains(grant.Functions, name):
		return false, "the " + quote(id) + " capability in the configuration does not grant " + quote(name)
	}
	return true, ""
}

// grant is that of the capability with an id.
func (c *Config) grant(id string) Grant {
	switch id {
	case shellID:
		return c.Shell.Grant
	case programsID:
		return c.Programs.Grant
	case filesID:
		return c.Files.Grant
	case viewsID:
		return c.Views
	case docsID:
		return c.Docs
	default:
		return c.Run.Grant
	}
}

// split takes the name of a function apart. One without a module has an empty one.
func split(function string) (module, name string) {
	module, name, ok := strings.Cut(function, ".")
	if !ok {
		return "", module
	}
	return module, name
}
