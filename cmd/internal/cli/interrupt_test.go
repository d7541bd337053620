//go:build unix

package cli

import (
	"encoding/json"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// conducted is a stage that is sent signals.
func conducted(t *testing.T, args ...string) (*stage, chan os.Signal, chan int) {
	s := newStage(t, args...)
	signals, exited := make(chan os.Signal), make(chan int, 1)
	s.Signals = func() (<-chan os.Signal, func()) { return signals, func() {} }
	s.Exit = func(code int) { exited <- code }
	s.stderr.written = make(chan struct{}, 1)
	return s, signals, exited
}

func TestInterruptedRun(t *testing.T) {
	for _, c := range []struct {
		signal syscall.Signal
		code   int
	}{{syscall.SIGINT, 130}, {syscall.SIGTERM, 143}, {syscall.SIGHUP, 129}} {
		t.Run(c.signal.String(), func(t *testing.T) {
			t.Parallel()
			s, signals, _ := conducted(t, "run", "--config", configured(t), "-")
			s.Stdin = strings.NewReader(`gg.views.openText("shown", "before"); console.log("ready"); gg.shell.shell("sleep 60");`)
			code := make(chan int)
			go func() { code <- Main(s.World) }()
			<-s.stderr.written // ready
			signals <- c.signal
			require.Equal(t, c.code, <-code)
			require.True(t, strings.HasPrefix(s.stdout.String(), "View: shown\n----\nbefore\n"), s.stdout.String())
		})
	}
}

func TestInterruptedWhileReading(t *testing.T) {
	for _, args := range [][]string{{"run", "-"}, {"check", "-"}, {"tool", "shell", "-"}} {
		s, signals, _ := conducted(t, append(args, "--json")...)
		reader, writer := io.Pipe()
		s.Stdin = reader
		code := make(chan int)
		go func() { code <- Main(s.World) }()
		signals <- syscall.SIGINT
		require.Equal(t, 130, <-code)
		var d errorDocument
		require.NoError(t, json.Unmarshal([]byte(s.stdout.String()), &d))
		require.Equal(t, "interrupted", d.Error.Code)
		require.Equal(t, "SIGINT", d.Error.Signal)
		require.NoError(t, writer.Close()) // lets go of the reader
	}
}

func TestSecondSignalExitsAtOnce(t *testing.T) {
	s, signals, exited := conducted(t, "run", "-")
	s.Stdin = strings.NewReader(`gg.views.openText("x", "y")`)
	blocked := &blockedWriter{entered: make(chan struct{}), release: make(chan struct{})}
	s.Stdout = blocked
	code := make(chan int)
	go func() { code <- Main(s.World) }()
	<-blocked.entered // the run is over, and nobody reads what it prints
	signals <- syscall.SIGINT
	signals <- syscall.SIGHUP
	require.Equal(t, 129, <-exited)
	close(blocked.release)
	require.Equal(t, 0, <-code) // the run itself had ended well
}

type blockedWriter struct{ entered, release chan struct{} }

func (w *blockedWriter) Write(p []byte) (int, error) {
	close(w.entered)
	<-w.release
	return len(p), nil
}

func TestInterruptedShell(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		args := []string{"shell", "--config", configured(t), "echo so far; : > started; sleep 60"}
		if asJSON {
			args = append([]string{"shell", "--json"}, args[1:]...)
		}
		s, signals, _ := conducted(t, args...)
		fifo := s.Dir + "/started"
		require.NoError(t, syscall.Mkfifo(fifo, 0o600))
		code := make(chan int)
		go func() { code <- Main(s.World) }()
		f, err := os.Open(fifo) // returns when the command opens it, too
		require.NoError(t, err)
		require.NoError(t, f.Close())
		signals <- syscall.SIGINT
		require.Equal(t, 130, <-code)
		if !asJSON {
			require.Equal(t, "so far\n", s.stdout.String())
			require.Contains(t, s.stderr.String(), "gg: interrupted by SIGINT\n")
			continue
		}
		var report map[string]any
		require.NoError(t, json.Unmarshal([]byte(s.stdout.String()), &report))
		require.Equal(t, "so far\n", report["output"])
		require.Equal(t, "SIGINT", report["interrupted"])
		require.NotContains(t, report, "exitCode")
	}
}
