package capture

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/responses-as-code/gg/shell/policy"
)

// Also when nothing can be announced, everything that was written before the exit is delivered before it is told.
func TestExitWithAFullQueue(t *testing.T) {
	orderer := new(Orderer)
	defer orderer.Close()
	s := newStage(t, orderer.Open, Separate)
	var limit unix.Rlimit
	require.NoError(t, unix.Getrlimit(unix.RLIMIT_SIGPENDING, &limit))
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_SIGPENDING, &unix.Rlimit{Cur: 0, Max: limit.Max}))
	defer unix.Setrlimit(unix.RLIMIT_SIGPENDING, &limit)
	size, err := unix.FcntlInt(s.stdout.Fd(), unix.F_GETPIPE_SZ, 0)
	require.NoError(t, err)
	full := strings.Repeat("0123456789abcde\n", size/16)
	s.write(s.stdout, full)
	s.write(s.stderr, full)
	s.exit.Close()
	require.Equal(t, Exited, s.next())
	require.True(t, full == s.text(policy.Stdout))
	require.True(t, full == s.text(policy.Stderr))
	s.Close()
}

// A pipe holds more than one read takes. What was in it at the exit is delivered before the exit is told.
func TestExitComesAfterAFullPipe(t *testing.T) {
	forEach(t, func(t *testing.T, open func(Layout) (Collector, error)) {
		s := newStage(t, open, Separate)
		size, err := unix.FcntlInt(s.stdout.Fd(), unix.F_GETPIPE_SZ, 0)
		require.NoError(t, err)
		full := strings.Repeat("0123456789abcdef", size/16)
		s.write(s.stdout, full)
		s.write(s.stderr, full)
		s.exit.Close()
		require.Equal(t, Exited, s.next())
		require.Len(t, s.text(policy.Stdout), len(full))
		require.Equal(t, full, s.text(policy.Stdout))
		require.Equal(t, full, s.text(policy.Stderr))
		if size > bufferSize {
			return
		}
		t.Log("the pipe was no larger than a read")
	})
}
