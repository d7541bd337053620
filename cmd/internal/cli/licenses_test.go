package cli

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLicenses keeps licenses.txt what it says it is: every module that is linked into gg on some system,
// each with the license that lies beside its code.
func TestLicenses(t *testing.T) {
	dirs := map[string]string{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}", "../../gg")
		list.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out, err := list.Output()
		require.NoError(t, err)
		for line := range strings.Lines(string(out)) {
			if module, dir, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
				dirs[module] = dir
			}
		}
	}
	listed := map[string]string{}
	for line := range strings.Lines(licenses) {
		module, license, _ := strings.Cut(strings.TrimSpace(line), " ")
		listed[module] = license
	}
	require.Equal(t, slices.Sorted(maps.Keys(dirs)), slices.Sorted(maps.Keys(listed)))
	for module, dir := range dirs {
		texts, err := filepath.Glob(filepath.Join(dir, "LICENSE*"))
		require.NoError(t, err)
		require.NotEmpty(t, texts, module)
		text, err := os.ReadFile(texts[0])
		require.NoError(t, err)
		require.Equal(t, listed[module], licenseOf(string(text)), module)
	}
}

// licenseOf tells a license by its own words.
func licenseOf(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	switch {
	case strings.Contains(text, "Apache License"):
		return "Apache-2.0"
	case strings.Contains(text, "Permission is hereby granted, free of charge"):
		return "MIT"
	case strings.Contains(text, "Redistribution and use") && strings.Contains(text, "Neither the name"):
		return "BSD-3-Clause"
	case strings.Contains(text, "Redistribution and use"):
		return "BSD-2-Clause"
	}
	return "unknown"
}
