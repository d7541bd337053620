package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"testing"

	"github.com/dop251/goja"
	"github.com/stretchr/testify/require"

	ggpkg "github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/config"
	"github.com/responses-as-code/gg/gg/local"
	"github.com/responses-as-code/gg/runtime"
	"github.com/responses-as-code/gg/shell/policy"
)

// session makes a session in an empty workspace, with a function that does nothing.
func session(b *testing.B, mode policy.Mode) ggpkg.Session {
	b.Helper()
	settings := config.Fresh()
	settings.Shell.Mode = mode
	settings.Shell.OffloadDir = b.TempDir()
	settings.Limits.MaxCalls = 1 << 30
	host, err := local.New(local.Config{Config: settings, Modules: []*ggpkg.Function{
		ggpkg.Func("bench.nothing", "does nothing", func(context.Context, struct{}) (struct{}, error) { return struct{}{}, nil }),
	}})
	require.NoError(b, err)
	s, err := host.Session(context.Background(), ggpkg.SessionInfo{Workspace: b.TempDir()})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, s.Close(context.Background())) })
	return s
}

// BenchmarkShellTrue is one `gg.shell.shell("true")`, through the door, beside `sh -c true` through os/exec:
// with its output going nowhere, and with both streams captured. Medians of 200 and more.
func BenchmarkShellTrue(b *testing.B) {
	for _, mode := range []policy.Mode{policy.Offload, policy.Inline} {
		b.Run(string(mode), func(b *testing.B) {
			ctx := context.Background()
			s := session(b, mode)
			run, err := s.Begin(ctx, ggpkg.RunInfo{})
			require.NoError(b, err)
			seq := 0
			call := &contender{name: "call", do: func() {
				seq++
				_, err := run.Call(ctx, ggpkg.Call{Seq: seq, Op: "shell.shell", Args: json.RawMessage(`{"command":"true"}`)})
				require.NoError(b, err)
			}}
			plain := process(b, "exec", "sh", "-c", "true")
			captured := &contender{name: "captured", do: func() {
				var stdout, stderr bytes.Buffer
				cmd := exec.Command("sh", "-c", "true")
				cmd.Stdout, cmd.Stderr = &stdout, &stderr
				require.NoError(b, cmd.Run())
			}}
			for range b.N {
				for range 200 {
					turn(call, plain, captured)
				}
			}
			report(b, call, plain, captured)
			_, err = run.End(ctx)
			require.NoError(b, err)
		})
	}
}

// BenchmarkThousandCalls is a whole program that makes 1,000 calls of a function that does nothing, beside a
// bare VM that calls a Go function as often.
func BenchmarkThousandCalls(b *testing.B) {
	ctx := context.Background()
	s := session(b, policy.Offload)
	rt, err := runtime.New(runtime.Config{Isolation: ggpkg.IsolationNone})
	require.NoError(b, err)
	const loop = `for (let i = 0; i < 1000; i++) %s.nothing();`
	program := &contender{name: "program", do: func() {
		outcome, err := rt.Run(ctx, s, runtime.Program{Source: fmt.Sprintf(loop, "gg.bench")})
		require.NoError(b, err)
		require.Equal(b, runtime.OK, outcome.Status)
		require.Equal(b, 1000, outcome.Budget.Calls)
	}}
	bare := &contender{name: "bare-goja", do: func() {
		vm := goja.New()
		object := vm.NewObject()
		require.NoError(b, object.Set("nothing", func(goja.FunctionCall) goja.Value { return goja.Undefined() }))
		require.NoError(b, vm.Set("bench", object))
		_, err := vm.RunString(fmt.Sprintf(loop, "bench"))
		require.NoError(b, err)
	}}
	b.ReportAllocs()
	for range b.N {
		turn(program, bare)
	}
	report(b, program, bare)
	require.NoError(b, rt.Close(ctx))
}
