package runtime_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/config"
	"github.com/responses-as-code/gg/gg/local"
	"github.com/responses-as-code/gg/runtime"
)

// benchmarkProgram runs one program again and again in one session.
func benchmarkProgram(b *testing.B, source string) {
	c := config.Fresh()
	c.Shell.OffloadDir = b.TempDir()
	host, err := local.New(local.Config{Config: c, Modules: []*gg.Function{
		gg.Func("bench.nothing", "does nothing", func(context.Context, struct{}) (struct{}, error) { return struct{}{}, nil }),
	}})
	require.NoError(b, err)
	s, err := host.Session(context.Background(), gg.SessionInfo{Workspace: b.TempDir()})
	require.NoError(b, err)
	defer s.Close(context.Background())
	rt, err := runtime.New(runtime.Config{})
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		outcome, err := rt.Run(context.Background(), s, runtime.Program{Source: source})
		require.NoError(b, err)
		require.Equal(b, runtime.OK, outcome.Status)
	}
}

func BenchmarkHello(b *testing.B) { benchmarkProgram(b, "1 + 1") }

func BenchmarkThousandCalls(b *testing.B) {
	benchmarkProgram(b, "for (let i = 0; i < 1000; i++) gg.bench.nothing();")
}

func BenchmarkThousandCallsWithArguments(b *testing.B) {
	benchmarkProgram(b, "for (let i = 0; i < 1000; i++) gg.docs.search('nothing at all', { limit: 1 });")
}

func BenchmarkShellTrue(b *testing.B) { benchmarkProgram(b, "gg.shell.shell('true').exitCode") }
