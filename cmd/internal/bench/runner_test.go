package bench

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg/config"
	"github.com/responses-as-code/gg/shell"
	"github.com/responses-as-code/gg/shell/policy"
	"github.com/responses-as-code/gg/shell/store"
)

// runner makes a Runner, and a function that removes what its commands have printed.
func runner(b *testing.B, mode policy.Mode) (r *shell.Runner, clean func()) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "files")
	dir, err := store.New(store.Config{Path: path})
	require.NoError(b, err)
	r, err = shell.New(shell.Config{
		Dir:    b.TempDir(),
		Policy: policy.Policy{Mode: mode, MaxLines: 200, MaxChars: 8000},
		Store:  dir,
	})
	require.NoError(b, err)
	b.Cleanup(func() {
		_, err := r.Close(context.Background())
		require.NoError(b, err)
		require.NoError(b, dir.Close())
	})
	return r, func() { removeOutput(b, path) }
}

// offloading writes a configuration that keeps what commands print in a directory of its own. It returns the
// flags for it, and a function that removes what is there.
func offloading(b *testing.B) (flags []string, clean func()) {
	b.Helper()
	files := filepath.Join(b.TempDir(), "files")
	settings := config.Fresh()
	settings.Shell.OffloadDir = files
	text, err := json.Marshal(settings)
	require.NoError(b, err)
	path := filepath.Join(b.TempDir(), "gg.json")
	require.NoError(b, os.WriteFile(path, text, 0o600))
	return []string{"--config", path, "--workspace", b.TempDir()}, func() { removeOutput(b, files) }
}

// removeOutput leaves the locks alone, which belong to whoever is using the directory.
func removeOutput(b *testing.B, dir string) {
	for _, stream := range []string{"stdout", "stderr"} {
		paths, err := filepath.Glob(filepath.Join(dir, "cmd-*."+stream))
		require.NoError(b, err)
		for _, path := range paths {
			require.NoError(b, os.Remove(path))
		}
	}
}
