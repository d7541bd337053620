package policy_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/shell/policy"
)

func TestValidate(t *testing.T) {
	for _, tt := range []struct {
		p    policy.Policy
		want string // "" is valid
	}{
		{policy.Policy{Mode: policy.Offload, MaxLines: 1, MaxChars: 1}, ""},
		{policy.Policy{Mode: policy.Offload, MaxLines: 100000, MaxChars: 1000000}, ""},
		{policy.Policy{Mode: policy.Inline, MaxLines: 200, MaxChars: 8000}, ""},
		{policy.Policy{Mode: policy.Inline}, ""},
		{policy.Policy{Mode: policy.Offload, MaxLines: 0, MaxChars: 1}, "maxLines: got 0, want 1 to 100000"},
		{policy.Policy{Mode: policy.Offload, MaxLines: 1, MaxChars: 0}, "maxChars: got 0, want 1 to 1000000"},
		{policy.Policy{Mode: policy.Offload, MaxLines: 100001, MaxChars: 1000001},
			"maxLines: got 100001, want 1 to 100000\nmaxChars: got 1000001, want 1 to 1000000"},
		{policy.Policy{Mode: policy.Inline, MaxLines: -1, MaxChars: 1000001},
			"maxLines: got -1, want 1 to 100000\nmaxChars: got 1000001, want 1 to 1000000"},
		{policy.Policy{Mode: "offlaod", MaxLines: 200, MaxChars: 8000}, `mode: got "offlaod", want "inline" or "offload"`},
		{policy.Policy{}, `mode: got "", want "inline" or "offload"` +
			"\nmaxLines: got 0, want 1 to 100000\nmaxChars: got 0, want 1 to 1000000"},
	} {
		t.Run(fmt.Sprintf("%+v", tt.p), func(t *testing.T) {
			err := tt.p.Validate()
			if tt.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, tt.want)
		})
	}
}

func TestModesAreValid(t *testing.T) {
	require.Equal(t, []policy.Mode{"inline", "offload"}, policy.Modes())
	for _, m := range policy.Modes() {
		require.NoError(t, policy.Policy{Mode: m, MaxLines: 1, MaxChars: 1}.Validate())
	}
}

func TestStreamNames(t *testing.T) {
	require.Equal(t, "stdout", policy.Stdout.String())
	require.Equal(t, "stderr", policy.Stderr.String())
	require.Equal(t, "Stream(2)", policy.Stream(2).String())
	require.Panics(t, func() { policy.NewCollector(usual).Write(2, nil) })
}
