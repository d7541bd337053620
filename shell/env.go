package shell

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Inherit says how much of the environment a command inherits.
type Inherit string

const (
	// InheritAll, the default: everything but the variables that change what a shell does or make
	// programs emit colours.
	InheritAll Inherit = "all"

	// InheritMinimal: what programs need to find each other and their user, and the locale.
	InheritMinimal Inherit = "minimal"

	// InheritNone: only what Pass names.
	InheritNone Inherit = "none"
)

// Environment is what the commands inherit, and what is set for them.
type Environment struct {
	// Inherit is how much is inherited; empty: InheritAll.
	Inherit Inherit

	// Pass names variables that are inherited in any case, also one that would be dropped or replaced.
	Pass []string

	// Set gives variables a value. Config.Env wins over it.
	Set map[string]string
}

// dropped are not inherited: start-up files that would run before each command, a directory search that
// makes cd print, and colours that NO_COLOR does not beat.
var dropped = []string{"BASH_ENV", "ENV", "CDPATH", "FORCE_COLOR", "CLICOLOR_FORCE"}

// minimal are the names that InheritMinimal passes, beside every LC_ variable. The second half is what
// nothing starts without on Windows.
var minimal = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ", "LANG", "LANGUAGE",
	"SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
	"PROGRAMDATA", "SYSTEMDRIVE",
}

// unattended makes programs do without a person: no pager, no editor, no question, no colours, and
// nothing held back in a buffer when a process is killed.
var unattended = []string{
	"PAGER=cat", "GIT_PAGER=cat", "MANPAGER=cat", "GH_PAGER=cat",
	"GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true", "GIT_SEQUENCE_EDITOR=true", "GIT_MERGE_AUTOEDIT=no",
	"EDITOR=true", "VISUAL=true",
	"NO_COLOR=1", "TERM=dumb", "PYTHONUNBUFFERED=1",
}

// defects lists what is wrong with e.
func (e Environment) defects() []error {
	var defects []error
	switch e.Inherit {
	case "", InheritAll, InheritMinimal, InheritNone:
	default:
		defects = append(defects, fmt.Errorf("Environment.Inherit: got %q, want %q, %q or %q",
			e.Inherit, InheritAll, InheritMinimal, InheritNone))
	}
	for _, name := range e.Pass {
		if !validName(name) {
			defects = append(defects, fmt.Errorf("Environment.Pass: %q is not the name of a variable", name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.Set)) {
		if !validName(name) {
			defects = append(defects, fmt.Errorf("Environment.Set: %q is not the name of a variable", name))
		} else if strings.IndexByte(e.Set[name], 0) >= 0 {
			defects = append(defects, fmt.Errorf("Environment.Set: the value of %q has a NUL byte", name))
		}
	}
	return defects
}

func entryDefects(field string, entries []string) []error {
	var defects []error
	for i, entry := range entries {
		name, _, ok := strings.Cut(entry, "=")
		if !ok || !validName(name) || strings.IndexByte(entry, 0) >= 0 {
			// By its place: an entry without "=" may be a secret that has lost its name.
			defects = append(defects, fmt.Errorf("%s[%d]: want \"NAME=value\"", field, i))
		}
	}
	return defects
}

func validName(name string) bool { return name != "" && !strings.ContainsAny(name, "=\x00") }

// variables returns the environment of a command, without GG_CALL and PWD, which every call sets.
func (e Environment) variables(inherited, extra []string) []string {
	vars := environ{at: make(map[string]int, len(inherited)+len(unattended))}
	for _, entry := range inherited {
		if name, _, ok := strings.Cut(entry, "="); ok && name != "" && e.inherits(name) {
			vars.set(name, entry)
		}
	}
	for _, entry := range unattended {
		if name, _, _ := strings.Cut(entry, "="); !e.passes(name) || !vars.has(name) {
			vars.set(name, entry)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.Set)) {
		vars.set(name, name+"="+e.Set[name])
	}
	for _, entry := range extra {
		name, _, _ := strings.Cut(entry, "=")
		vars.set(name, entry)
	}
	if !slices.ContainsFunc(vars.entries, isLocale) {
		// Without a locale many programs take bytes above 127 for errors.
		vars.set("LANG", "LANG=C.UTF-8")
	}
	return slices.DeleteFunc(vars.entries, func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return foldName(name) == markVariable || foldName(name) == "PWD"
	})
}

// isLocale reports whether entry chooses a locale; an empty value does not.
func isLocale(entry string) bool {
	name, value, _ := strings.Cut(entry, "=")
	return value != "" && (name == "LANG" || strings.HasPrefix(name, "LC_"))
}

func (e Environment) inherits(name string) bool {
	if e.passes(name) {
		return true
	}
	switch e.Inherit {
	case InheritNone:
		return false
	case InheritMinimal:
		return containsName(minimal, name) || strings.HasPrefix(foldName(name), "LC_")
	}
	return !containsName(dropped, name)
}

func (e Environment) passes(name string) bool { return containsName(e.Pass, name) }

func containsName(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return foldName(n) == foldName(name) })
}

// environ is a list of "NAME=value" in which no name occurs twice.
type environ struct {
	entries []string
	at      map[string]int // folded name -> place
}

func (v *environ) set(name, entry string) {
	name = foldName(name)
	if i, ok := v.at[name]; ok {
		v.entries[i] = entry
		return
	}
	v.at[name] = len(v.entries)
	v.entries = append(v.entries, entry)
}

func (v *environ) has(name string) bool {
	_, ok := v.at[foldName(name)]
	return ok
}

// valueOf returns the value of name in entries, empty if it has none.
func valueOf(entries []string, name string) string {
	value, _ := lookup(entries, name)
	return value
}

// lookup returns the value of name in a list in which, as everywhere, the last entry counts.
func lookup(entries []string, name string) (value string, ok bool) {
	for _, entry := range slices.Backward(entries) {
		if n, value, ok := strings.Cut(entry, "="); ok && foldName(n) == foldName(name) {
			return value, true
		}
	}
	return "", false
}
