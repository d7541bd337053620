package capture

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/responses-as-code/gg/shell/policy"
)

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
