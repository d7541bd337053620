package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// stage is a World that a test looks at.
type stage struct {
	World
	stdout, stderr buffer
}

// newStage makes a World with an empty working directory. Commands keep their output beside it.
func newStage(t *testing.T, args ...string) *stage {
	t.Helper()
	s := &stage{}
	s.World = World{Args: args, Dir: t.TempDir(), Stdin: strings.NewReader(""), Stdout: &s.stdout, Stderr: &s.stderr}
	return s
}

// configured writes a configuration for the stage, and returns its path.
func configured(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gg.json")
	text, err := json.Marshal(map[string]any{
		"capabilities": []any{
			map[string]any{"id": "shell", "enabled": true, "params": map[string]any{"maxLines": 200, "maxChars": 8000, "offloadDir": t.TempDir()}},
			map[string]any{"id": "programs", "enabled": true},
			map[string]any{"id": "files", "enabled": true},
			map[string]any{"id": "views", "enabled": true},
			map[string]any{"id": "docs", "enabled": true},
		},
	})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, text, 0o600))
	return path
}

// buffer is a writer that can be read at the same time.
type buffer struct {
	mu      sync.Mutex
	b       bytes.Buffer
	written chan struct{} // when set, gets a token for each write that it has room for
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case b.written <- struct{}{}:
	default:
	}
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// errorDocument is what --json prints of a command that could not do its work.
type errorDocument struct {
	Error struct {
		Code, Message, Signal string
	}
}
