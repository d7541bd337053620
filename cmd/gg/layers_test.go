package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/responses-as-code/gg/"

// layers say which packages of ours a package may import: those of lower layers, narrowed by only. A
// package that is not listed fails the test: whoever adds one decides where it belongs.
var layers = []struct {
	level    int
	packages []string
	only     []string // what may be imported of ours; nil: every lower layer
	why      string
}{
	{0, []string{"budget"}, []string{}, "clocks and counters are pure"},
	{1, []string{"shell/policy", "views/window"}, []string{}, "pure: text in, text out"},
	{1, []string{"gg"}, []string{"budget"}, "the contract knows no capability"},
	{2, []string{"shell/capture"}, []string{"shell/policy"}, "reading pipes needs nothing but the names of the streams"},
	{2, []string{"shell/store"}, []string{}, "a directory of files somebody could use alone"},
	{2, []string{"shell"}, []string{"shell/policy", "shell/capture", "shell/store"}, "commands know nothing of programs: a package somebody could use alone"},
	{2, []string{"views"}, []string{"views/window"}, "a package somebody could use alone"},
	{2, []string{"gg/workspace"}, []string{"views/window"}, "a package somebody could use alone"},
	{2, []string{"gg/config"}, []string{"gg", "budget", "shell/policy"}, "a configuration is judged without what it configures"},
	{3, []string{"gg/local", "gg/tools"}, nil, "wiring"},
	{3, []string{"bindings"}, []string{"gg", "budget"}, "the VM's side of the door sees the contract only, so that any host will do"},
	{4, []string{"runtime/source"}, []string{}, "text in, facts out"},
	{4, []string{"runtime/rewrite"}, []string{}, "syntax tree in, syntax tree out"},
	{4, []string{"runtime/prelude"}, []string{}, "completes the engine for anybody"},
	{4, []string{"runtime"}, []string{"bindings", "gg", "budget", "runtime/source", "runtime/rewrite", "runtime/prelude"}, "a program's life sees the contract only"},
	{5, []string{"cmd/internal/cli", "cmd/internal/bench", "cmd/gg"}, nil, "flags, environment, working directory, stdio"},
}

// reserved says which packages alone may import something from outside.
var reserved = []struct {
	path string
	by   []string // a trailing slash: everything below
	why  string
}{
	{"os/exec", []string{"shell/", "shell", "runtime/worker", "cmd/internal/bench"}, "processes are started in one place, where they are also ended"},
	{"github.com/dop251/goja", []string{"bindings", "runtime", "runtime/", "cmd/internal/bench"}, "only plain data leaves the VM"},
	{"github.com/spf13/cobra", []string{"cmd/"}, "only cmd reads flags"},
	{"flag", []string{"cmd/"}, "only cmd reads flags"},
	{"github.com/evanw/esbuild/pkg/api", []string{"runtime/source"}, "called only when a program needs it"},
}

// goPackage is what `go list -json` says of a package.
type goPackage struct {
	ImportPath string
	Imports    []string
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	command := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...")
	out, err := command.Output()
	require.NoError(t, err)
	var packages []goPackage
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else {
			require.NoError(t, err)
		}
		packages = append(packages, p)
	}
}

func TestLayers(t *testing.T) {
	level := map[string]int{}
	for _, l := range layers {
		for _, p := range l.packages {
			level[p] = l.level
		}
	}
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		at := slices.IndexFunc(layers, func(l struct {
			level    int
			packages []string
			only     []string
			why      string
		}) bool {
			return slices.Contains(l.packages, name)
		})
		if at < 0 {
			t.Errorf("%s belongs to no layer: add it where it belongs", name)
			continue
		}
		layer := layers[at]
		for _, i := range p.Imports {
			ours, ok := strings.CutPrefix(i, module)
			if !ok {
				continue
			}
			if layer.only != nil && !slices.Contains(layer.only, ours) {
				t.Errorf("%s imports %s: %s", name, ours, layer.why)
			}
			if layer.only == nil && level[ours] > layer.level {
				t.Errorf("%s imports %s of a higher layer", name, ours)
			}
		}
	}
}

func TestReservedImports(t *testing.T) {
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		for _, r := range reserved {
			uses := slices.ContainsFunc(p.Imports, func(i string) bool { return i == r.path || strings.HasPrefix(i, r.path+"/") })
			allowed := slices.ContainsFunc(r.by, func(by string) bool {
				return name == by || strings.HasSuffix(by, "/") && strings.HasPrefix(name, by)
			})
			if uses && !allowed {
				t.Errorf("%s imports %s: %s", name, r.path, r.why)
			}
		}
	}
}
