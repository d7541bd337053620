package local

import (
	"slices"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/config"
)

// Catalogue lists the built-in functions and, behind them, the embedder's own.
func Catalogue(briefs map[string]string, modules ...*gg.Function) (*gg.Catalogue, error) {
	all := map[string]string{}
	for name, brief := range briefs {
		all[name] = brief
	}
	for name, brief := range moduleBriefs {
		all[name] = brief
	}
	return gg.NewCatalogue(all, slices.Concat(builtin(), modules)...)
}

// Grantable lists, by the id of each capability, the functions that a configuration can grant.
func Grantable() config.Functions { return grantable(builtin()) }

func grantable(functions []*gg.Function) config.Functions {
	known := config.Functions{}
	for _, f := range functions {
		if id := config.Owner(f.Name); id != "" {
			known[id] = append(known[id], f.Base())
		}
	}
	return known
}

var moduleBriefs = map[string]string{
	"shell":   "runs commands in the workspace",
	"views":   "puts files, texts and images in front of you",
	"files":   "reads and writes files without showing them",
	"docs":    "finds and explains these functions",
	"session": "says how the work ended",
	"budget":  "says how much time and how many calls are left",
}

// builtin lists the built-in functions in the order in which they are documented. Their schemas are
// derived when they are needed; a test holds that all of them can be.
func builtin() []*gg.Function {
	all := slices.Concat(shellFunctions(), viewFunctions(), fileFunctions(), docsFunctions(), runFunctions())
	for _, f := range all {
		gg.Lazy()(f)
	}
	return all
}
