package cli

import (
	_ "embed" // licenses.txt
	"fmt"
	goruntime "runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// licenses lists the modules that are linked into gg, each with its license: `module SPDX-expression`.
//
//go:embed licenses.txt
var licenses string

func (a *app) versionCommand() *cobra.Command {
	all := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  arguments(0, 0, "no arguments"),
		RunE:  func(*cobra.Command, []string) error { return a.version(all) },
	}
	cmd.Flags().BoolVar(&all, "licenses", false, "list the modules that gg is made of, with their licenses")
	return cmd
}

// version prints the version, and with all the modules that are linked in.
func (a *app) version(all bool) error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	text := fmt.Sprintf("gg %s %s %s/%s\n", versionOf(info), goruntime.Version(), goruntime.GOOS, goruntime.GOARCH)
	if all {
		text += licenseTable(info)
	}
	return a.print(text)
}

// versionOf is the version that was built: of a module, or the commit of a working copy.
func versionOf(info *debug.BuildInfo) string {
	version, revision, modified := info.Main.Version, "", false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	if version == "" || version == "(devel)" {
		version = "(devel)"
		if len(revision) >= 12 {
			version = revision[:12]
		}
		if modified {
			version += "+dirty"
		}
	}
	return version
}

// licenseTable lists the modules of this binary, aligned.
func licenseTable(info *debug.BuildInfo) string {
	known := map[string]string{}
	for line := range strings.Lines(licenses) {
		module, license, _ := strings.Cut(strings.TrimSpace(line), " ")
		known[module] = strings.TrimSpace(license)
	}
	names, versions := len("Go standard library"), len(goruntime.Version())
	for _, d := range info.Deps {
		names, versions = max(names, len(d.Path)), max(versions, len(d.Version))
	}
	var b strings.Builder
	row := func(name, version, license string) {
		fmt.Fprintf(&b, "%-*s  %-*s  %s\n", names, name, versions, version, license)
	}
	row("Go standard library", goruntime.Version(), "BSD-3-Clause")
	for _, d := range info.Deps {
		license := known[d.Path]
		if license == "" {
			license = "unknown"
		}
		row(d.Path, d.Version, license)
	}
	return b.String()
}
