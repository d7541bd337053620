package local_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/config"
	"github.com/responses-as-code/gg/gg/local"
	"github.com/responses-as-code/gg/shell"
	"github.com/responses-as-code/gg/shell/policy"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// begin starts a run in an empty workspace.
func begin(t *testing.T, c local.Config, info gg.RunInfo) gg.Run {
	t.Helper()
	s := newSession(t, c)
	run, err := s.Begin(context.Background(), info)
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := run.End(context.Background())
		require.NoError(t, err)
	})
	return run
}

func newSession(t *testing.T, c local.Config) gg.Session {
	t.Helper()
	if c.Config == nil {
		c.Config = config.Fresh()
	}
	c.Config.Shell.OffloadDir = t.TempDir()
	host, err := local.New(c)
	require.NoError(t, err)
	s, err := host.Session(context.Background(), gg.SessionInfo{Workspace: t.TempDir(), Labels: map[string]string{"team": "a"}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
	return s
}

func call(run gg.Run, op, args string) (string, *gg.Error) {
	result, err := run.Call(context.Background(), gg.Call{Seq: 1, Op: op, Args: json.RawMessage(args), Site: gg.Site{Line: 7, Column: 3}})
	var failure *gg.Error
	if err != nil && !errors.As(err, &failure) {
		panic(err)
	}
	return string(result.Value), failure
}

func TestFailuresSayWhichCallItWas(t *testing.T) {
	run := begin(t, local.Config{}, gg.RunInfo{})
	for _, c := range []struct {
		op, args string
		code     gg.Code
		message  string
	}{
		{"shell.shell", `{"command":""}`, gg.InvalidArgument, "`command` must not be empty"},
		{"shell.shell", `{"command":"  \n"}`, gg.InvalidArgument, "`command` is blank"},
		{"shell.shell", `{"command":"a\u0000b"}`, gg.InvalidArgument, "`command` has a NUL byte at offset 1"},
		{"shell.shell", `{"command":"true","timeoutSecs":-1}`, gg.InvalidArgument, "`timeoutSecs` must be a positive number, got -1"},
		{"shell.shell", `{"command":"true","timeoutSecs":[]}`, gg.InvalidArgument, "`timeoutSecs` must be a positive number, got array"},
		{"shell.shell", `{"command":"true","timeout":5}`, gg.InvalidArgument, "unknown option `timeout`; did you mean `timeoutSecs`?"},
		{"shell.shell", `{"command":"sleep 30","timeoutSecs":0.05}`, gg.LimitExceeded, "command timed out after 0.050s and was killed"},
		{"views.openFile", `{"path":"nope"}`, gg.NotFound, `"nope" does not exist`},
		{"views.openFile", `{"path":"."}`, gg.Refused, `"." is a directory, not a file`},
		{"views.openFile", `{"path":"/proc/self/environ"}`, gg.Refused, ""},
		{"views.openFile", `{"path":"x","offset":-1}`, gg.InvalidArgument, "`offset` must be a whole number 0..4294967295, got -1"},
		{"views.openFile", `{"path":"x","maxLineChars":0}`, gg.InvalidArgument, "`maxLineChars` must be a whole number 1..65536, got 0"},
		{"views.openText", `{"label":" ","body":"x"}`, gg.InvalidArgument, "`label` must not be blank"},
		{"views.openText", `{"label":"big","body":"` + strings.Repeat("x", 65537) + `"}`, gg.LimitExceeded, "65537 bytes"},
		{"files.readTextFile", `{}`, gg.InvalidArgument, "`path` must be a string, got undefined"},
		{"docs.open", `{"name":"shell.shel"}`, gg.NotFound, "shell.shell"},
		{"docs.search", `{"query":"","module":"shel"}`, gg.NotFound, "did you mean `shell`?"},
		{"shell.shel", `{}`, gg.NotFound, `no function is called "shell.shel"`},
		{"sleep", `{"ms":1}`, gg.NotFound, `no function is called "sleep"`},
	} {
		_, failure := call(run, c.op, c.args)
		require.NotNil(t, failure, c.op+c.args)
		require.Equal(t, c.code, failure.Code, "%s%s: %s", c.op, c.args, failure.Message)
		require.Contains(t, failure.Message, c.message)
		require.Equal(t, c.op, failure.Operation)
		require.Equal(t, gg.Site{Line: 7, Column: 3}, failure.Site)
	}
}

func TestTimeoutCarriesWhatWasPrinted(t *testing.T) {
	run := begin(t, local.Config{}, gg.RunInfo{})
	_, failure := call(run, "shell.shell", `{"command":"echo partial; sleep 30","timeoutSecs":0.2}`)
	require.NotNil(t, failure)
	require.ErrorIs(t, failure, context.DeadlineExceeded)
	require.JSONEq(t, `"partial\n"`, string(failure.Data["output"]))
	require.JSONEq(t, `false`, string(failure.Data["truncated"]))
	require.Contains(t, string(failure.Data["files"]), "stdout")
}

func TestBudgetRefusesBeforeAnythingStarts(t *testing.T) {
	c := config.Fresh()
	c.Limits.MaxCalls = 2
	run := begin(t, local.Config{Config: c}, gg.RunInfo{})
	_, failure := call(run, "shell.shell", `{"command":""}`)
	require.Equal(t, gg.InvalidArgument, failure.Code, "refused calls count")
	_, failure = call(run, "views.current", `{}`)
	require.Nil(t, failure)
	_, failure = call(run, "views.openText", `{"label":"late","body":"x"}`)
	require.Equal(t, gg.LimitExceeded, failure.Code)
	require.Equal(t, "calls", string(run.Budget().Cause().Limit))

	spent := begin(t, local.Config{}, gg.RunInfo{Wall: time.Nanosecond})
	_, failure = call(spent, "shell.shell", `{"command":"touch started"}`)
	require.Equal(t, gg.LimitExceeded, failure.Code)
	require.Contains(t, failure.Message, "wall clock")
}

func TestGrants(t *testing.T) {
	c := config.Fresh()
	c.Files.Functions = []string{"readFile"}
	c.Views.Enabled = false
	run := begin(t, local.Config{Config: c}, gg.RunInfo{})
	_, failure := call(run, "files.writeFile", `{"path":"a","contents":""}`)
	require.Equal(t, gg.Unavailable, failure.Code)
	require.Contains(t, failure.Message, "`writeFile`")
	_, failure = call(run, "views.openText", `{"label":"a","body":""}`)
	require.Equal(t, gg.Unavailable, failure.Code)
	_, failure = call(run, "files.readFile", `{"path":"a"}`)
	require.Equal(t, gg.NotFound, failure.Code)
}

func TestFileCallsReachNoFurtherThanCommands(t *testing.T) {
	c := config.Fresh()
	c.Shell.Enabled = false
	run := begin(t, local.Config{Config: c}, gg.RunInfo{})
	_, failure := call(run, "files.listDir", `{"path":"/"}`)
	require.Equal(t, gg.Refused, failure.Code)
	_, failure = call(run, "files.listDir", `{}`)
	require.Nil(t, failure)
}

func TestApproval(t *testing.T) {
	var asked []string
	run := begin(t, local.Config{Approve: func(_ context.Context, c gg.Call) (local.Decision, error) {
		asked = append(asked, c.Op)
		switch {
		case strings.Contains(string(c.Args), "rm"):
			return local.Decision{Reason: "not today"}, nil
		case strings.Contains(string(c.Args), "fault"):
			return local.Decision{}, errors.New("nobody is there")
		}
		return local.Decision{Allow: true}, nil
	}}, gg.RunInfo{})
	_, failure := call(run, "shell.shell", `{"command":"rm -rf x"}`)
	require.Equal(t, gg.Refused, failure.Code)
	require.Equal(t, "not today", failure.Message)
	_, failure = call(run, "shell.shell", `{"command":"echo fault"}`)
	require.Equal(t, gg.Other, failure.Code)
	value, failure := call(run, "shell.shell", `{"command":"echo fine"}`)
	require.Nil(t, failure)
	require.Contains(t, value, "fine")
	require.Len(t, asked, 3)
}

func TestApprovalCostsNoWallClock(t *testing.T) {
	run := begin(t, local.Config{Approve: func(ctx context.Context, _ gg.Call) (local.Decision, error) {
		timer := time.NewTimer(1100 * time.Millisecond)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
		return local.Decision{Allow: true}, nil
	}}, gg.RunInfo{Wall: time.Second})
	_, failure := call(run, "views.current", `{}`)
	require.Nil(t, failure)
	require.Less(t, run.Budget().Usage().Wall, time.Second)
}

// TestOnePolicyForEveryDoor swaps what applies the policy, once, and sees every command change.
func TestOnePolicyForEveryDoor(t *testing.T) {
	run := begin(t, local.Config{Apply: func(policy.Policy) shell.Applier { return loud{} }}, gg.RunInfo{})
	value, failure := call(run, "shell.shell", `{"command":"echo quiet"}`)
	require.Nil(t, failure)
	require.Contains(t, value, "LOUD")
	_, failure = call(run, "shell.shell", `{"command":"echo quiet; sleep 30","timeoutSecs":0.1}`)
	require.JSONEq(t, `"LOUD"`, string(failure.Data["output"]))
}

type loud struct{}

func (loud) Write(policy.Stream, []byte) {}

func (loud) Render(policy.Files) policy.Output { return policy.Output{Text: "LOUD"} }

func TestEventsTellTheStoryOfACall(t *testing.T) {
	var mu sync.Mutex
	var events []gg.Event
	sink := gg.NewSink(100_000, func(e gg.Event) {
		mu.Lock()
		defer mu.Unlock()
		events = append(events, e)
	})
	run := begin(t, local.Config{Events: sink}, gg.RunInfo{ID: "r-1", Labels: map[string]string{"turn": "3"}})
	_, failure := call(run, "shell.shell", `{"command":"head -c 3000000 /dev/zero | tr '\\0' x"}`)
	require.Nil(t, failure)
	_, failure = call(run, "views.openText", `{"label":"a","body":"b"}`)
	require.Nil(t, failure)
	_, failure = call(run, "views.openText", `{"label":""}`)
	require.NotNil(t, failure)
	sink.Close()
	require.Zero(t, sink.Dropped())
	var kinds []gg.EventKind
	var printed int64
	for _, e := range events {
		require.Equal(t, "r-1", e.Run)
		require.Equal(t, map[string]string{"team": "a", "turn": "3"}, e.Labels)
		require.False(t, e.Time.IsZero())
		if e.Kind == gg.Output {
			printed += e.Bytes
			continue
		}
		kinds = append(kinds, e.Kind)
	}
	require.Equal(t, []gg.EventKind{gg.CallStarted, gg.CallFinished, gg.CallStarted, gg.ViewChanged, gg.CallFinished, gg.CallStarted, gg.CallFinished}, kinds)
	require.EqualValues(t, 3_000_000, printed)
	finished := events[len(events)-1]
	require.Equal(t, gg.InvalidArgument, finished.Code)
}

func TestEndKillsWhatIsLeftAndRefusesWhatComesLater(t *testing.T) {
	s := newSession(t, local.Config{})
	run, err := s.Begin(context.Background(), gg.RunInfo{})
	require.NoError(t, err)
	value, failure := call(run, "shell.shell", `{"command":"sleep 300 & echo started"}`)
	require.Nil(t, failure)
	require.Contains(t, value, `"background":[{"pid":`)
	ending, err := run.End(context.Background())
	require.NoError(t, err)
	require.Len(t, ending.Background, 1)
	require.Contains(t, ending.Background[0].Command, "sleep 300")
	require.NotEmpty(t, ending.Background[0].Fate)
	_, failure = call(run, "views.current", `{}`)
	require.Equal(t, gg.Refused, failure.Code)
}

func TestMiddlewareSeesWhatTheProgramSees(t *testing.T) {
	var seen []string
	watch := func(next gg.Run) gg.Run { return &watched{next, &seen} }
	c := config.Fresh()
	c.Files.Enabled = false
	run := begin(t, local.Config{Config: c, Middleware: []gg.Middleware{watch}}, gg.RunInfo{})
	_, _ = call(run, "files.readFile", `{"path":"a"}`)
	_, _ = call(run, "views.current", `{}`)
	require.Equal(t, []string{"files.readFile: unavailable", "views.current: "}, seen)
}

type watched struct {
	gg.Run
	seen *[]string
}

func (w *watched) Call(ctx context.Context, c gg.Call) (gg.Result, error) {
	result, err := w.Run.Call(ctx, c)
	code := gg.Code("")
	if err != nil {
		code = gg.AsError(err).Code
	}
	*w.seen = append(*w.seen, c.Op+": "+string(code))
	return result, err
}

func TestDefectsComeTogether(t *testing.T) {
	c := config.Fresh()
	c.Shell.MaxLines = -1
	_, err := local.New(local.Config{
		Config:     c,
		Middleware: []gg.Middleware{nil},
		Modules:    []*gg.Function{gg.Func("shell.shell", "again", func(context.Context, struct{}) (int, error) { return 0, nil })},
	})
	require.ErrorContains(t, err, "maxLines")
	require.ErrorContains(t, err, "middleware 0 is nil")
	require.ErrorContains(t, err, "name is taken")

	host, err := local.New(local.Config{})
	require.NoError(t, err)
	_, err = host.Session(context.Background(), gg.SessionInfo{Worktree: "/nowhere/at/all"})
	require.ErrorContains(t, err, "workspace must not be empty")
	require.ErrorContains(t, err, `worktree "/nowhere/at/all"`)
}

func TestSessionsDoNotSeeEachOther(t *testing.T) {
	c := local.Config{}
	a, b := newSession(t, c), newSession(t, c)
	for _, s := range []gg.Session{a, b} {
		run, err := s.Begin(context.Background(), gg.RunInfo{})
		require.NoError(t, err)
		value, failure := call(run, "views.current", `{}`)
		require.Nil(t, failure)
		require.JSONEq(t, `[]`, value)
		_, failure = call(run, "views.openText", `{"label":"mine","body":"x"}`)
		require.Nil(t, failure)
		_, err = run.End(context.Background())
		require.NoError(t, err)
	}
	later, err := a.Begin(context.Background(), gg.RunInfo{})
	require.NoError(t, err)
	value, failure := call(later, "views.close", `{"selector":"mine"}`)
	require.Nil(t, failure)
	require.Equal(t, "1", value, "views outlive the program that opened them")
	_, err = later.End(context.Background())
	require.NoError(t, err)
}

func TestEveryExampleOfTheCatalogueExists(t *testing.T) {
	catalogue, err := local.Catalogue(nil)
	require.NoError(t, err)
	for _, f := range catalogue.Functions() {
		require.NotEmpty(t, f.Example, f.Name)
		_, err := f.Arguments()
		require.NoError(t, err)
		_, err = f.Result()
		require.NoError(t, err)
	}
}

// Models write bash unless they are told that it is not.
func TestTheShellIsSaidToBeSh(t *testing.T) {
	catalogue, err := local.Catalogue(nil)
	require.NoError(t, err)
	require.Contains(t, catalogue.Lookup("shell.shell").Brief, "with sh")
}

// TestFunctionsOfAnEmbedderThatMisbehave neither hang the run nor end the process.
func TestFunctionsOfAnEmbedderThatMisbehave(t *testing.T) {
	release := make(chan struct{})
	run := begin(t, local.Config{
		Logger: slog.New(slog.DiscardHandler),
		Modules: []*gg.Function{
			gg.Func("m.panics", "panics", func(context.Context, struct{}) (int, error) { panic("oh") }),
			gg.Func("m.ignores", "ignores its context", func(context.Context, struct{}) (int, error) { <-release; return 1, nil }),
		},
	}, gg.RunInfo{Wall: 200 * time.Millisecond})
	_, failure := call(run, "m.panics", `{}`)
	require.Equal(t, gg.Other, failure.Code)
	require.Contains(t, failure.Message, "`m.panics` panicked: oh")
	_, failure = call(run, "m.ignores", `{}`)
	require.Equal(t, gg.LimitExceeded, failure.Code)
	require.Contains(t, failure.Message, "did not end in time")
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := run.End(ctx)
	require.ErrorContains(t, err, "calls are still under way")
	close(release)
}

func TestCloseEndsRuns(t *testing.T) {
	s := newSession(t, local.Config{})
	run, err := s.Begin(context.Background(), gg.RunInfo{ID: "r-close"})
	require.NoError(t, err)
	_, err = s.Begin(context.Background(), gg.RunInfo{ID: "r-close"})
	require.ErrorContains(t, err, `run "r-close" is already under way`)
	failed := make(chan *gg.Error)
	go func() {
		_, failure := call(run, "shell.shell", `{"command":"sleep 300"}`)
		failed <- failure
	}()
	require.Eventually(t, func() bool { return run.Budget().Usage().Calls == 1 }, 10*time.Second, time.Millisecond)
	require.NoError(t, s.Close(context.Background()))
	require.NotNil(t, <-failed)
	_, err = s.Begin(context.Background(), gg.RunInfo{})
	require.ErrorContains(t, err, "is closed")
}
