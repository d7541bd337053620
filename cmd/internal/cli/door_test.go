package cli

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/config"
	"github.com/responses-as-code/gg/gg/local"
	"github.com/responses-as-code/gg/gg/tools"
	"github.com/responses-as-code/gg/runtime"
	"github.com/responses-as-code/gg/shell"
	"github.com/responses-as-code/gg/shell/policy"
)

// TestOnePolicy swaps the policy once, and every front shows it: they all go through one function.
func TestOnePolicy(t *testing.T) {
	settings := config.Fresh()
	settings.Shell.OffloadDir = t.TempDir()
	host, err := local.New(local.Config{Config: settings, Apply: func(p policy.Policy) shell.Applier {
		return &shouting{policy.NewCollector(p)}
	}})
	require.NoError(t, err)
	ctx := context.Background()
	session, err := host.Session(ctx, gg.SessionInfo{Workspace: t.TempDir()})
	require.NoError(t, err)
	defer func() { require.NoError(t, session.Close(ctx)) }()

	rt, err := runtime.New(runtime.Config{})
	require.NoError(t, err)
	outcome, err := rt.Run(ctx, session, runtime.Program{Source: `gg.shell.shell("echo one").output`})
	require.NoError(t, err)
	require.NoError(t, rt.Close(ctx))
	require.Equal(t, `"ONE\n"`, string(outcome.Value))

	set, err := tools.New(tools.Config{Catalogue: session.Catalogue()})
	require.NoError(t, err)
	tool, err := set.Lookup("shell")
	require.NoError(t, err)
	reply, err := tool.Call(ctx, session, gg.RunInfo{}, json.RawMessage(`{"command": "echo one"}`))
	require.NoError(t, err)
	require.Equal(t, "exit code: 0\nONE\n", reply.Text)
}

// shouting is a policy that nobody would take for the real one.
type shouting struct{ *policy.Collector }

func (s *shouting) Render(f policy.Files) policy.Output {
	out := s.Collector.Render(f)
	out.Text = strings.ToUpper(out.Text)
	return out
}
