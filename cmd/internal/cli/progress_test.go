package cli

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/local"
)

// terminal makes a stage whose standard error is a terminal, with a clock that only the test moves.
func terminal(t *testing.T, env ...string) (*stage, *fakeClock) {
	s := newStage(t)
	clock := &fakeClock{time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), ticks: make(chan time.Time)}
	s.StderrTerminal, s.Env = true, env
	s.Columns = func() int { return 60 }
	s.Now = clock.now
	s.Tick = func(time.Duration) (<-chan time.Time, func()) { return clock.ticks, func() {} }
	return s, clock
}

type fakeClock struct {
	mu    sync.Mutex
	time  time.Time
	ticks chan time.Time
}

func (c *fakeClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.time
}

func (c *fakeClock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.time = c.time.Add(d)
}

// pass moves the clock and lets the line be drawn: when the second tick is taken, the first has had its effect.
func (c *fakeClock) pass(d time.Duration) {
	c.move(d)
	c.ticks <- c.now()
	c.ticks <- c.now()
}

func TestProgressLine(t *testing.T) {
	for _, c := range []struct {
		name    string
		events  []gg.Event
		elapsed time.Duration
		want    string
	}{
		{"nothing yet", nil, 1 * time.Second, "1s · 0 calls"},
		{"a command", []gg.Event{
			{Kind: gg.CallStarted, Seq: 1, Op: "shell.shell", Text: "go test ./..."},
			{Kind: gg.Output, Seq: 1, Bytes: 1200}, {Kind: gg.Output, Seq: 1, Bytes: 34},
		}, 12 * time.Second, "12s · 1 call · 1.2 kB · go test ./..."},
		{"the newest of those under way", []gg.Event{
			{Kind: gg.CallStarted, Seq: 1, Op: "shell.shell", Text: "first"},
			{Kind: gg.CallStarted, Seq: 2, Op: "shell.shell", Text: "second"},
			{Kind: gg.CallStarted, Seq: 3, Op: "shell.shell", Text: "third"},
			{Kind: gg.CallFinished, Seq: 3}, {Kind: gg.CallFinished, Seq: 1},
		}, 65 * time.Second, "1m05s · 3 calls · second"},
		{"another function", []gg.Event{
			{Kind: gg.CallStarted, Seq: 1, Op: "files.readFile", Text: "big.log"},
		}, 62 * time.Minute, "1h02m · 1 call · files.readFile big.log"},
		{"nothing to tell it by", []gg.Event{{Kind: gg.CallStarted, Seq: 1, Op: "crm.find"}}, time.Second, "1s · 1 call · crm.find"},
		{"a command that is none", []gg.Event{{Kind: gg.CallStarted, Seq: 1, Op: "shell.shell"}}, time.Second, "1s · 1 call · shell.shell"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, clock := terminal(t, "NO_COLOR=1")
			p := &progress{screen: newApp(s.World).screen, now: s.Now, started: clock.now()}
			for _, e := range c.events {
				p.take(e)
			}
			clock.move(c.elapsed)
			p.draw()
			require.Equal(t, eraseLine+c.want, s.stderr.String())
		})
	}
}

func TestProgressIsDrawnAfterASecondAndErasedAtTheEnd(t *testing.T) {
	s, clock := terminal(t, "NO_COLOR=1")
	a := newApp(s.World)
	sink, stop := a.follow()
	clock.pass(900 * time.Millisecond)
	require.Empty(t, s.stderr.String())
	clock.pass(100 * time.Millisecond)
	require.True(t, strings.HasPrefix(s.stderr.String(), eraseLine+"1s · 0 calls"), "%q", s.stderr.String())

	sink.Emit(gg.Event{Kind: gg.CallStarted, Seq: 1, Op: "shell.shell", Text: "make"})
	patience := time.Now().Add(10 * time.Second)
	for !strings.Contains(s.stderr.String(), "1s · 1 call · make") && time.Now().Before(patience) { // the sink is another goroutine
		clock.ticks <- clock.now()
	}
	require.Contains(t, s.stderr.String(), "1s · 1 call · make")
	a.screen.print("said\n") // a line that stays goes above the live one
	require.Contains(t, s.stderr.String(), eraseLine+"said\n1s · 1 call · make")
	stop()
	require.True(t, strings.HasSuffix(s.stderr.String(), eraseLine), "%q", s.stderr.String())
	stop() // a second time changes nothing
}

func TestProgressFitsTheTerminal(t *testing.T) {
	s, clock := terminal(t)
	p := &progress{screen: newApp(s.World).screen, now: s.Now, started: clock.now().Add(-time.Second)}
	p.take(gg.Event{Kind: gg.CallStarted, Seq: 1, Op: "shell.shell", Text: "echo \x1b[31m " + strings.Repeat("長", 40)})
	p.draw()
	require.Equal(t, eraseLine+colorDim+`1s · 1 call · echo \x1b[31m `+strings.Repeat("長", 15)+"…"+colorReset, s.stderr.String())
}

// TestProgressOfRealCalls takes the events from where they come from.
func TestProgressOfRealCalls(t *testing.T) {
	s, _ := terminal(t)
	a := newApp(s.World)
	p := &place{workspace: ".", config: configured(t)}
	settings, err := a.settings(p)
	require.NoError(t, err)
	var briefs []string
	sink := gg.NewSink(100, func(e gg.Event) {
		if e.Kind == gg.CallStarted {
			briefs = append(briefs, inBrief(e))
		}
	})
	ctx := context.Background()
	session, err := a.session(ctx, p, local.Config{Config: settings, Events: sink})
	require.NoError(t, err)
	run, err := session.Begin(ctx, gg.RunInfo{})
	require.NoError(t, err)
	for i, call := range []gg.Call{
		{Op: "shell.shell", Args: json.RawMessage(`{"command":"true  \n# done","timeoutSecs":9}`)},
		{Op: "files.readFile", Args: json.RawMessage(`{"limit":5,"path":"big.log"}`)},
		{Op: "budget.remaining", Args: json.RawMessage(`{}`)},
	} {
		call.Seq = i + 1
		run.Call(ctx, call) // what comes of it is not what this is about
	}
	require.NoError(t, session.Close(ctx))
	sink.Close()
	require.Equal(t, []string{"true # done", "files.readFile big.log", "budget.remaining"}, briefs)
}

func TestNoProgressLine(t *testing.T) {
	for name, change := range map[string]func(*stage, *app){
		"no terminal":       func(_ *stage, a *app) { a.screen.redraws = false },
		"a dumb terminal":   func(s *stage, a *app) { s.Env = []string{"TERM=dumb"}; *a = *newApp(s.World) },
		"nobody wants it":   func(_ *stage, a *app) { a.quiet = true },
		"no standard error": func(s *stage, a *app) { s.StderrTerminal = false; *a = *newApp(s.World) },
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := terminal(t)
			a := newApp(s.World)
			change(s, a)
			sink, stop := a.follow()
			require.Nil(t, sink)
			stop()
			require.Empty(t, s.stderr.String())
		})
	}
}

func TestSizesAndTimes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 1: "1 byte", 999: "999 bytes", 1000: "1.0 kB", 1234: "1.2 kB", 999_949: "999.9 kB", 999_950: "1.0 MB",
		1_500_000: "1.5 MB", 2_000_000_000: "2.0 GB", 5e15: "5000.0 TB",
	} {
		require.Equal(t, want, size(n))
	}
	for d, want := range map[time.Duration]string{
		0: "0s", 59900 * time.Millisecond: "59s", time.Minute: "1m00s", 3599 * time.Second: "59m59s", time.Hour: "1h00m", 26*time.Hour + 5*time.Minute: "26h05m",
	} {
		require.Equal(t, want, clock(d))
	}
}
