package tools

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSnake(t *testing.T) {
	for name, want := range map[string]string{
		"command": "command", "timeoutSecs": "timeout_secs", "readFile": "read_file", "parseURL": "parse_url",
		"URLOf": "url_of", "maxLineChars": "max_line_chars", "x": "x", "A": "a", "": "", "already_snake": "already_snake",
		"run2Times": "run2_times", "größeÄndern": "größe_ändern",
	} {
		require.Equal(t, want, snake(name), name)
	}
}
