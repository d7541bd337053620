package budget_test

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/budget"
)

// clock is a clock that moves when it is told to.
type clock struct {
	mu sync.Mutex
	at time.Time
}

// newBudget is New for limits that are good.
func newBudget(t testing.TB, limits budget.Limits, now func() time.Time) *budget.Budget {
	t.Helper()
	b, err := budget.New(limits, now)
	require.NoError(t, err)
	return b
}

func newClock() *clock { return &clock{at: time.Unix(1_000_000, 0)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func TestDefaults(t *testing.T) {
	require.Equal(t, budget.Limits{Wall: time.Hour, Compute: 30 * time.Second, Calls: 10_000}, newBudget(t, budget.Limits{}, nil).Limits())
	own := budget.Limits{Wall: 1, Compute: 2, Calls: 3}
	require.Equal(t, own, newBudget(t, own, nil).Limits())
}

func TestNewNamesEveryDefect(t *testing.T) {
	_, err := budget.New(budget.Limits{Wall: -time.Second, Compute: -time.Millisecond, Calls: -3}, nil)
	require.EqualError(t, err, "budget: wall limit must not be negative, got -1s\ncompute limit must not be negative, got -1ms\ncall limit must not be negative, got -3")
}

func TestWallClock(t *testing.T) {
	c := newClock()
	b := newBudget(t, budget.Limits{Wall: 10 * time.Second}, c.now)
	c.pass(time.Hour) // before Start, no time passes
	require.Equal(t, 10*time.Second, b.WallLeft())
	b.Start()
	c.pass(4 * time.Second)
	b.Start() // changes nothing
	require.Equal(t, 6*time.Second, b.WallLeft())
	require.NoError(t, b.Count())
	c.pass(6 * time.Second)
	require.Zero(t, b.WallLeft())
	c.pass(time.Second)
	require.Zero(t, b.WallLeft(), "never negative")

	err := b.Count()
	require.ErrorIs(t, err, budget.ErrExceeded)
	var exceeded *budget.Exceeded
	require.ErrorAs(t, err, &exceeded)
	require.Equal(t, budget.Wall, exceeded.Limit)
	require.EqualError(t, err, "the run's budget of 10s by the wall clock is spent")
	require.Equal(t, 11*time.Second, b.Usage().Wall)
}

func TestComputeClock(t *testing.T) {
	c := newClock()
	b := newBudget(t, budget.Limits{Compute: 10 * time.Second}, c.now)
	b.Pause() // nothing runs
	b.Resume()
	c.pass(2 * time.Second)
	b.Resume() // changes nothing
	c.pass(time.Second)
	require.Equal(t, 7*time.Second, b.ComputeLeft(), "read while it runs")
	require.Equal(t, 3*time.Second, b.Usage().Compute)
	b.Pause()
	c.pass(time.Minute) // a host call
	b.Pause()
	require.Equal(t, 7*time.Second, b.ComputeLeft())
	b.Resume()
	c.pass(8 * time.Second)
	require.Zero(t, b.ComputeLeft(), "never negative")
	b.Pause()
	require.Equal(t, 11*time.Second, b.Usage().Compute)
}

func TestExcuse(t *testing.T) {
	c := newClock()
	b := newBudget(t, budget.Limits{Wall: 10 * time.Second}, c.now)
	before := b.Excuse()
	c.pass(time.Hour)
	b.Start() // an excuse that began before the start counts from there
	c.pass(time.Hour)
	require.Equal(t, 10*time.Second, b.WallLeft(), "the clock stands still")
	before()
	c.pass(time.Second)
	require.Equal(t, 9*time.Second, b.WallLeft())

	first := b.Excuse()
	c.pass(5 * time.Second)
	second := b.Excuse() // overlaps: the time is excused once
	c.pass(5 * time.Second)
	first()
	first() // changes nothing
	c.pass(5 * time.Second)
	require.Equal(t, 9*time.Second, b.WallLeft())
	second()
	c.pass(time.Second)
	require.Equal(t, 8*time.Second, b.WallLeft())
	require.Equal(t, 2*time.Second, b.Usage().Wall)
}

func TestExcuseBeforeStartIsForgotten(t *testing.T) {
	c := newClock()
	b := newBudget(t, budget.Limits{Wall: 10 * time.Second}, c.now)
	done := b.Excuse()
	c.pass(time.Hour)
	done()
	b.Start()
	c.pass(3 * time.Second)
	require.Equal(t, 7*time.Second, b.WallLeft(), "it gives no time that was not there")
}

func TestCalls(t *testing.T) {
	b := newBudget(t, budget.Limits{Calls: 2}, newClock().now)
	require.NoError(t, b.Count())
	require.NoError(t, b.Count())
	require.Nil(t, b.Cause())
	require.EqualError(t, b.Count(), "the run's budget of 2 host calls is spent")
	require.Equal(t, budget.Calls, b.Cause().Limit)
	require.Error(t, b.Count(), "a limit that was hit stays hit")
	require.Equal(t, 4, b.Usage().Calls, "refused calls count")
}

func TestFirstCauseWins(t *testing.T) {
	c := newClock()
	b := newBudget(t, budget.Limits{Wall: time.Second, Calls: 1}, c.now)
	b.Start()
	first := b.Exceed(budget.Memory, "256 MiB of memory")
	require.EqualError(t, first, "the run's budget of 256 MiB of memory is spent")
	require.Same(t, first, b.Exceed(budget.Stack, "500 nested calls"))
	require.Same(t, first, b.Count(), "a stopped run makes no more calls")
	c.pass(time.Minute)
	err := b.Count() // spent, too, but not the cause
	require.Same(t, first, err)
	require.Same(t, first, b.Count())
	require.Same(t, first, b.Cause())
	require.False(t, errors.Is(errors.New("other"), budget.ErrExceeded))
	require.EqualError(t, b.Exceed(budget.Source, "100% of %d"), first.Error())
	require.Equal(t, "100% of %d", newBudget(t, budget.Limits{}, nil).Exceed(budget.Source, "100% of %d").Bound)
}

func TestClamp(t *testing.T) {
	const day = 24 * time.Hour
	for _, test := range []struct {
		asked    float64
		wall     time.Duration
		spent    time.Duration
		want     time.Duration
		byBudget bool
	}{
		{60, time.Hour, 0, time.Minute, false},
		{0.5, time.Hour, 0, 500 * time.Millisecond, false},
		{3600, time.Hour, 0, time.Hour, false}, // the same: what was asked for decides
		{3601, time.Hour, 0, time.Hour, true},
		{60, time.Hour, 59*time.Minute + 30*time.Second, 30 * time.Second, true},
		{60, time.Hour, time.Hour, 0, true},
		{60, time.Hour, 2 * time.Hour, 0, true},
		{1e-12, time.Hour, 0, 1, false},
		{math.SmallestNonzeroFloat64, time.Hour, 0, 1, false},
		{1e-9, time.Hour, 0, 1, false},
		{1e300, 100 * day, 0, day, false},
		{1e300, time.Hour, 0, time.Hour, true},
		{math.MaxFloat64, 100 * day, 0, day, false},
		{math.Inf(1), 100 * day, 0, day, false},
		{math.NaN(), 100 * day, 0, day, false},
		{math.NaN(), time.Hour, 0, time.Hour, true},
		{86400, 100 * day, 0, day, false},
		{86399.5, 100 * day, 0, day - 500*time.Millisecond, false},
		{86400.5, 100 * day, 0, day, false},
	} {
		c := newClock()
		b := newBudget(t, budget.Limits{Wall: test.wall}, c.now)
		b.Start()
		c.pass(test.spent)
		got, byBudget := b.Clamp(test.asked)
		require.Equal(t, test.want, got, "%g of %v, %v spent", test.asked, test.wall, test.spent)
		require.Equal(t, test.byBudget, byBudget, "%g of %v, %v spent", test.asked, test.wall, test.spent)
	}
}

func FuzzClamp(f *testing.F) {
	f.Add(60.0, int64(time.Hour))
	f.Add(math.Inf(1), int64(1))
	f.Add(1e-300, int64(math.MaxInt64))
	f.Fuzz(func(t *testing.T, asked float64, wall int64) {
		if asked <= 0 || wall <= 0 {
			t.Skip("not promised")
		}
		got, byBudget := newBudget(t, budget.Limits{Wall: time.Duration(wall)}, nil).Clamp(asked)
		require.Positive(t, got)
		require.LessOrEqual(t, got, budget.MaxTimeout)
		require.LessOrEqual(t, got, time.Duration(wall))
		if byBudget {
			require.Equal(t, time.Duration(wall), got)
		}
	})
}

// Everything may be read and written at once: what is counted adds up, and one cause is given to all.
func TestConcurrentUse(t *testing.T) {
	c := newClock()
	b := newBudget(t, budget.Limits{Wall: time.Hour, Calls: 500}, c.now)
	b.Start()
	b.Resume()
	var all sync.WaitGroup
	causes := make(chan error, 1000)
	for range 10 {
		all.Go(func() {
			for range 100 {
				done := b.Excuse()
				b.Pause()
				if err := b.Count(); err != nil {
					causes <- err
				}
				c.pass(time.Millisecond)
				b.Resume()
				done()
				u := b.Usage()
				if u.Wall < 0 || u.Compute < 0 || u.Wall > time.Second {
					t.Errorf("got %+v", u)
				}
				b.Clamp(1)
				b.WallLeft()
				b.ComputeLeft()
			}
		})
	}
	all.Wait()
	close(causes)
	require.Len(t, causes, 500)
	for err := range causes {
		require.Same(t, b.Cause(), err)
	}
	require.Equal(t, 1000, b.Usage().Calls)
}

func BenchmarkCount(b *testing.B) {
	run := newBudget(b, budget.Limits{Calls: math.MaxInt}, nil)
	run.Start()
	b.ReportAllocs()
	for b.Loop() {
		run.Pause()
		if err := run.Count(); err != nil {
			b.Fatal(err)
		}
		run.Resume()
	}
}

func Example() {
	now := time.Unix(0, 0)
	b, _ := budget.New(budget.Limits{Wall: time.Minute, Calls: 1}, func() time.Time { return now })
	b.Start()
	now = now.Add(45 * time.Second)
	fmt.Println(b.Clamp(60))
	fmt.Println(b.Count())
	fmt.Println(b.Count())
	// Output:
	// 15s true
	// <nil>
	// the run's budget of 1 host call is spent
}
