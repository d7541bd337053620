package gg_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg"
)

func TestNearest(t *testing.T) {
	for _, test := range []struct {
		name, known, want string
	}{
		// by prefix: three characters in common, whatever follows
		{"timeout", "command timeoutSecs", "timeoutSecs"},
		{"openDirectory", "close openFile", "openFile"},
		{"opn", "openFile", ""},
		{"ope", "close openFile", "openFile"},
		{"OPE", "close openFile", "openFile"},

		// by distance: at most a third of the length, rounded up
		{"limits", "offset limit", "limit"},
		{"openfile", "openText openFile", "openFile"},
		{"raed", "close read", "read"},          // a swap is one step
		{"xead", "read", "read"},                // 1 of 4: two are allowed
		{"xxad", "read", "read"},                // 2 of 4
		{"xxxd", "read", ""},                    // 3 of 4
		{"abcdef", "zzcdef", "zzcdef"},          // 2 of 6
		{"abcdef", "zzzdef", ""},                // 3 of 6
		{"abcdefg", "zzzdefg", "zzzdefg"},       // 3 of 7
		{"a", "b", "b"},                         // 1 of 1
		{"", "a", ""},                           // 0 of 0
		{"x", "xyz", ""},                        // two insertions
		{"größe", "grosse größer", "größer"},    // characters, not bytes
		{"shell", "shell Shell", "shell"},       // itself
		{"SHELL", "shelf shell Shell", "shell"}, // case does not count

		// the smallest distance wins; ties go to the earlier one
		{"openFil", "openText openFile", "openFile"},
		{"rexd", "read rend", "read"},
		{"rexd", "rend read", "rend"},

		{"zzzzzz", "command timeoutSecs", ""},
		{"anything", "", ""},
	} {
		got, ok := gg.Nearest(test.name, strings.Fields(test.known))
		require.Equal(t, test.want, got, "%q among %q", test.name, test.known)
		require.Equal(t, test.want != "", ok)
	}
}

func TestNearestN(t *testing.T) {
	known := strings.Fields("openText close openFile opener read")
	require.Equal(t, []string{"opener", "openText", "openFile"}, gg.NearestN("open", known, 3))
	require.Equal(t, []string{"opener", "openText"}, gg.NearestN("open", known, 2))
	require.Empty(t, gg.NearestN("open", known, 0))
	require.Empty(t, gg.NearestN("zzzzzzz", known, 3))

	// A name of any length costs no more than one of 64 characters.
	long := strings.Repeat("é", 1<<20)
	require.Equal(t, []string{long}, gg.NearestN(long+"x", []string{long}, 1))
}
