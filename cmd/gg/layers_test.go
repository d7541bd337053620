package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/responses-as-code/gg/"

// layer is what packages of ours may import of ours.
type layer struct {
	level    int
	packages []string
	only     []string // what may be imported; nil: all of this layer and the lower ones
	why      string
}

// layers hold every package. One that is not listed fails the test: whoever adds one decides where it belongs.
var layers = []layer{
	{0, []string{"budget"}, []string{}, "clocks and counters are pure"},
	{1, []string{"shell/policy", "views/window"}, []string{}, "pure: text in, text out"},
	{1, []string{"gg"}, []string{"budget"}, "the contract knows no capability"},
	{1, []string{"shell/capture/writeorder"}, []string{"shell/policy"}, "what it matches are streams and bytes"},
	{2, []string{"shell/capture"}, []string{"shell/policy", "shell/capture/writeorder"}, "reading pipes needs nothing but the names of the streams"},
	{2, []string{"shell/store"}, []string{}, "a directory of files somebody could use alone"},
	{2, []string{"shell"}, []string{"shell/policy", "shell/capture", "shell/store"}, "commands know nothing of programs: a package somebody could use alone"},
	{2, []string{"views"}, []string{"views/window"}, "a package somebody could use alone"},
	{2, []string{"gg/workspace"}, []string{"views/window"}, "a package somebody could use alone"},
	{2, []string{"gg/config"}, []string{"gg", "budget", "shell/policy"}, "a configuration is judged without what it configures"},
	{3, []string{"gg/local", "gg/tools"}, nil, "wiring"},
	{3, []string{"bindings"}, []string{"gg", "budget"}, "the VM's side of the door sees the contract only, so that any host will do"},
	{4, []string{"runtime/source"}, []string{"gg"}, "text in, facts out; of the contract it takes what a misspelt name is near to"},
	{4, []string{"runtime/rewrite"}, []string{}, "syntax tree in, syntax tree out"},
	{4, []string{"runtime/prelude"}, []string{"runtime/source"}, "completes the engine for anybody; what it lacks is told in the words of an import that is refused"},
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

// systems are those whose files are looked at: what is only for one of them has its layer, too.
var systems = []string{"linux", "darwin", "windows"}

// goPackage is what `go list -json` says of a package.
type goPackage struct {
	ImportPath string
	Imports    []string

	name string // within the module
}

// onEverySystem looks at each package of ours as it is built for each system.
func onEverySystem(t *testing.T, look func(t *testing.T, p goPackage)) {
	for _, system := range systems {
		t.Run(system, func(t *testing.T) {
			command := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...")
			command.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
			out, err := command.Output()
			require.NoError(t, err)
			decoder := json.NewDecoder(bytes.NewReader(out))
			for {
				var p goPackage
				err := decoder.Decode(&p)
				if errors.Is(err, io.EOF) {
					return
				}
				require.NoError(t, err)
				p.name = strings.TrimPrefix(p.ImportPath, module)
				look(t, p)
			}
		})
	}
}

func TestLayers(t *testing.T) {
	level := map[string]int{}
	for _, l := range layers {
		for _, p := range l.packages {
			level[p] = l.level
		}
	}
	onEverySystem(t, func(t *testing.T, p goPackage) {
		at := slices.IndexFunc(layers, func(l layer) bool { return slices.Contains(l.packages, p.name) })
		if at < 0 {
			t.Errorf("%s belongs to no layer: add it where it belongs", p.name)
			return
		}
		for _, i := range p.Imports {
			ours, ok := strings.CutPrefix(i, module)
			switch {
			case !ok:
			case layers[at].only != nil && !slices.Contains(layers[at].only, ours):
				t.Errorf("%s imports %s: %s", p.name, ours, layers[at].why)
			case layers[at].only == nil && level[ours] > layers[at].level:
				t.Errorf("%s imports %s of a higher layer", p.name, ours)
			}
		}
	})
}

func TestReservedImports(t *testing.T) {
	onEverySystem(t, func(t *testing.T, p goPackage) {
		for _, r := range reserved {
			uses := slices.ContainsFunc(p.Imports, func(i string) bool { return i == r.path || strings.HasPrefix(i, r.path+"/") })
			allowed := slices.ContainsFunc(r.by, func(by string) bool {
				return p.name == by || strings.HasSuffix(by, "/") && strings.HasPrefix(p.name, by)
			})
			if uses && !allowed {
				t.Errorf("%s imports %s: %s", p.name, r.path, r.why)
			}
		}
	})
}
