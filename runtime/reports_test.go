package runtime_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/config"
	"github.com/responses-as-code/gg/gg/local"
	"github.com/responses-as-code/gg/runtime"
)

// TestReports holds what a model reads of programs that go wrong: testdata/reports/NAME.js against
// NAME.golden.
func TestReports(t *testing.T) {
	programs, err := filepath.Glob("testdata/reports/*.js")
	require.NoError(t, err)
	require.NotEmpty(t, programs)
	for _, path := range programs {
		name := strings.TrimSuffix(filepath.Base(path), ".js")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source, err := os.ReadFile(path)
			require.NoError(t, err)
			c := config.Fresh()
			c.Limits.MaxCalls = 20
			c.Programs.Compute = time.Second
			c.Programs.MaxStackFrames = 100
			outcome := runIn(t, session(t, local.Config{Config: c}), string(source))
			text := temporary.ReplaceAllString(outcome.ModelText(), "WORKSPACE")
			text = measured.ReplaceAllString(text, "N$1")
			if strings.HasPrefix(name, "stop-") {
				text = column.ReplaceAllString(text, "column N")
				text = caret.ReplaceAllString(text, "")
			}
			golden(t, strings.TrimSuffix(path, ".js")+".golden", text)
		})
	}
}

// What differs from run to run: times, the temporary workspace, and where in its line a loop was stopped.
var (
	measured  = regexp.MustCompile(`[0-9.]+s( of [0-9.]+s (?:by the wall clock|computing))`)
	temporary = regexp.MustCompile(`/[\w/]*TestReports[\w-]*/[0-9]+`)
	column    = regexp.MustCompile(`column \d+`)
	caret     = regexp.MustCompile(`(?m)^ *\| *\^\n`)
)

func TestCancelStopsTheProgramAndItsCommand(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	sink := gg.NewSink(100, func(e gg.Event) {
		if e.Kind == gg.CallStarted && e.Op == "shell.shell" {
			cancel()
		}
	})
	defer sink.Close()
	s := session(t, local.Config{Events: sink})
	rt, err := runtime.New(runtime.Config{})
	require.NoError(t, err)
	outcome, err := rt.Run(ctx, s, runtime.Program{Source: "gg.views.openText('before', 'kept');\ntry { gg.shell.shell('sleep 300') } catch {}\nfor (;;) {}"})
	require.NoError(t, err)
	require.Equal(t, runtime.Canceled, outcome.Status)
	require.Equal(t, runtime.Unknown, outcome.Calls[1].State, "nobody knows what a command did that was cut short")
	require.Len(t, outcome.Views, 1, "what was shown before stays")

	again, err := rt.Run(context.Background(), s, runtime.Program{Source: "1"})
	require.NoError(t, err)
	require.Equal(t, runtime.OK, again.Status, "the session goes on")
	require.NoError(t, rt.Close(context.Background()))
	_, err = rt.Run(context.Background(), s, runtime.Program{Source: "1"})
	require.ErrorIs(t, err, runtime.ErrClosed)
}

func TestWallClockStopsTheRun(t *testing.T) {
	s := session(t, local.Config{})
	rt, err := runtime.New(runtime.Config{})
	require.NoError(t, err)
	for _, source := range []string{"await gg.sleep(1e9)", "for (;;) {}", "gg.shell.shell('sleep 300')", "await new Promise(r => setInterval(() => {}, 1))"} {
		outcome, err := rt.Run(context.Background(), s, runtime.Program{Source: source, Run: gg.RunInfo{Wall: 100 * time.Millisecond}})
		require.NoError(t, err)
		require.Equal(t, runtime.Limit, outcome.Status, source)
		require.EqualValues(t, "wall", outcome.Error.Limit, source)
	}
}

func TestProgramsOfOneSessionRunAtOnce(t *testing.T) {
	s := session(t, local.Config{})
	rt, err := runtime.New(runtime.Config{})
	require.NoError(t, err)
	const n = 16
	results := make(chan *runtime.Outcome, n)
	for range n {
		go func() {
			outcome, err := rt.Run(context.Background(), s, runtime.Program{Source: "const r = gg.shell.shell('echo $GG_CALL'); await gg.sleep(5); r.output.length > 3"})
			if err != nil {
				t.Error(err)
			}
			results <- outcome
		}()
	}
	for range n {
		require.Equal(t, "true", string((<-results).Value))
	}
	require.NoError(t, rt.Close(context.Background()))
}

func TestFinish(t *testing.T) {
	s := session(t, local.Config{})
	done := runIn(t, s, "gg.session.finish('one'); gg.session.finish('two')")
	require.Equal(t, "two", *done.Finish)
	require.Empty(t, done.Message())
	require.Nil(t, runIn(t, s, "gg.session.finish('one'); throw 1").Finish, "an uncaught throw revokes it")
}

func TestNothingShownEarnsANotice(t *testing.T) {
	s := session(t, local.Config{})
	require.Contains(t, runIn(t, s, "const x = 1").Message(), "showed nothing")
	require.Empty(t, runIn(t, s, "gg.views.openText('a', 'b')").Message())
	c := config.Fresh()
	c.Shell.Mode = "inline"
	inline := session(t, local.Config{Config: c})
	cut := runIn(t, inline, "gg.views.openText('out', gg.shell.shell('seq 1 9000').output)")
	require.Contains(t, cut.Message(), "Notice\n----\nthe output in `View: out` is only its end")
}

func TestAsyncFunctionsOfAnEmbedder(t *testing.T) {
	gate := make(chan struct{})
	wait := gg.Func("m.wait", "waits for all", func(ctx context.Context, in struct {
		N int `json:"n"`
	}) (int, error) {
		if in.N == 3 {
			close(gate)
		}
		select {
		case <-gate:
			return in.N, nil
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}, gg.Async())
	fail := gg.Func("m.fail", "fails", func(context.Context, struct{}) (int, error) { return 0, gg.Errorf(gg.Conflict, "no") }, gg.Async())
	s := session(t, local.Config{Modules: []*gg.Function{wait, fail}})
	outcome := runIn(t, s, "const all = await Promise.all([1, 2, 3].map(n => gg.m.wait(n)));\ngg.m.fail().catch(() => {});\ngg.m.wait(1);\ngg.m.fail();\nall")
	require.Equal(t, "[1,2,3]", string(outcome.Value), outcome.ModelText())
	require.Len(t, outcome.Notices, 3, "the two Promises that nobody looked at, and the rejection of one")
	require.Contains(t, outcome.Notices[0], "line 3: nobody awaited the Promise of `m.wait`")
	require.Len(t, outcome.UnhandledRejections, 1)
	require.Equal(t, 4, outcome.UnhandledRejections[0].Line)
}

func TestMemoryStopsTheRun(t *testing.T) {
	c := config.Fresh()
	c.Programs.MaxMemoryBytes = 64 << 20
	s := session(t, local.Config{Config: c})
	outcome := runIn(t, s, "const kept = [];\nfor (;;) kept.push('y'.repeat(1e6) + kept.length);")
	require.Equal(t, runtime.Limit, outcome.Status, outcome.ModelText())
	require.EqualValues(t, "memory", outcome.Error.Limit)
	require.Equal(t, 2, outcome.Error.Line)
	require.Greater(t, outcome.Budget.PeakBytes, int64(64<<20))
	garbage := runIn(t, s, "let n = 0; for (let i = 0; i < 3000; i++) n += 'y'.repeat(1e5).length; n")
	require.Equal(t, runtime.OK, garbage.Status, "garbage does not count")
}
