// Package budget holds the clocks and counters of one run of a program: how long it may take by the
// wall clock, how long it may compute, and how many host calls it may make.
//
//	b, err := budget.New(budget.Limits{Wall: 10 * time.Minute, Compute: 30 * time.Second, Calls: 10_000}, nil)
//	b.Start()                     // the wall clock runs from here
//	b.Resume()                    // the program computes …
//	b.Pause()                     // … and waits for a host call
//	if err := b.Count(); err != nil { … }            // *budget.Exceeded: calls
//	timeout, byBudget := b.Clamp(60)                 // seconds asked for -> what the call may have
//	fmt.Println(b.Usage())                           // readable at any time, from any goroutine
//
// All times are monotonic: a step of the system's clock neither ends a run nor extends it. A limit that
// was hit stays hit, and the first one is the cause: whatever fails afterwards because of it is told so.
//
// The package does no I/O and starts no goroutine. It does not stop anything by itself: whoever runs the
// program asks for what is left and acts on it.
package budget

import (
	"fmt"
	"math"
	"sync"
	"time"
)

// Limits bound one run. A zero field means the default of that limit; a negative one is refused by New.
type Limits struct {
	Wall    time.Duration // from Start, everything included; default DefaultWall
	Compute time.Duration // time in the VM, host calls excluded; default DefaultCompute
	Calls   int           // host calls, refused ones included; default DefaultCalls
}

// The defaults of Limits, and the longest timeout a single command can have.
const (
	DefaultWall    = time.Hour
	DefaultCompute = 30 * time.Second
	DefaultCalls   = 10_000
	MaxTimeout     = 24 * time.Hour
)

// defects reports every defect of the limits in one error.
func (l Limits) defects() error {
	var defects []error
	if l.Wall < 0 {
		defects = append(defects, fmt.Errorf("wall limit must not be negative, got %v", l.Wall))
	}
	if l.Compute < 0 {
		defects = append(defects, fmt.Errorf("compute limit must not be negative, got %v", l.Compute))
	}
	if l.Calls < 0 {
		defects = append(defects, fmt.Errorf("call limit must not be negative, got %d", l.Calls))
	}
	return joinDefects(defects)
}

func (l Limits) withDefaults() Limits {
	if l.Wall == 0 {
		l.Wall = DefaultWall
	}
	if l.Compute == 0 {
		l.Compute = DefaultCompute
	}
	if l.Calls == 0 {
		l.Calls = DefaultCalls
	}
	return l
}

// Budget is the use and the bounds of one run. It is safe for concurrent use.
type Budget struct {
	limits Limits
	now    func() time.Time

	mu       sync.Mutex
	started  time.Time     // zero before Start
	excused  time.Duration // wall time that counts against nobody (waiting for a person's approval)
	excuses  int           // approvals waited for right now
	excuseAt time.Time
	computed time.Duration // of finished stretches
	resumed  time.Time     // zero while paused
	calls    int
	cause    *Exceeded
}

// New returns a budget that has not started. The error names every defect of the limits. now is the clock, time.Now when nil; its readings must be
// monotonic.
func New(limits Limits, now func() time.Time) (*Budget, error) {
	if err := limits.defects(); err != nil {
		return nil, err
	}
	if now == nil {
		now = time.Now
	}
	return &Budget{limits: limits.withDefaults(), now: now}, nil
}

// Limits returns the bounds, defaults filled in.
func (b *Budget) Limits() Limits { return b.limits }

// Start starts the wall clock. A second call changes nothing. What was excused before is forgotten.
func (b *Budget) Start() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.started.IsZero() {
		b.started = b.now()
		b.excuseAt, b.excused = b.started, 0
	}
}

// Resume says that the program computes from now on; Pause, that it waits. The compute clock is never
// wound back, and calling one of them twice changes nothing.
func (b *Budget) Resume() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.resumed.IsZero() {
		b.resumed = b.now()
	}
}

// Pause ends a stretch of computing; see Resume.
func (b *Budget) Pause() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.resumed.IsZero() {
		b.computed += b.now().Sub(b.resumed)
		b.resumed = time.Time{}
	}
}

// Excuse stops the wall clock until the returned function is called: time a person takes to decide is
// nobody's. Excuses may overlap.
func (b *Budget) Excuse() (done func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.excuses++; b.excuses == 1 {
		b.excuseAt = b.now()
	}
	return sync.OnceFunc(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.excuses--; b.excuses == 0 {
			b.excused += b.now().Sub(b.excuseAt)
		}
	})
}

// Count counts one host call. It fails with *Exceeded when the call limit or the wall clock is spent, or
// when any limit has stopped the run before; the call is counted all the same.
func (b *Budget) Count() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls++
	if b.cause != nil {
		return b.cause
	}
	if b.calls > b.limits.Calls {
		return b.spend(Calls)
	}
	if b.wallLeft() <= 0 {
		return b.spend(Wall)
	}
	return nil
}

// Spend records that Wall, Compute or Calls is spent and returns the cause of the run's end: this limit, or
// the one that was hit first.
func (b *Budget) Spend(limit Limit) *Exceeded {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spend(limit)
}

// WallLeft is how much wall-clock time is left, never negative.
func (b *Budget) WallLeft() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(0, b.wallLeft())
}

// ComputeLeft is how much compute time is left, never negative.
func (b *Budget) ComputeLeft() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(0, b.limits.Compute-b.compute())
}

// Clamp turns the timeout a call asked for, in seconds, into the one it gets: the smallest of what was
// asked, MaxTimeout and what is left of the wall clock. byBudget is true when the wall clock decided.
// The comparison is made in seconds, before any conversion: 1e300 does not overflow. asked must be
// positive; NaN counts as MaxTimeout.
func (b *Budget) Clamp(asked float64) (timeout time.Duration, byBudget bool) {
	timeout = MaxTimeout
	if asked < MaxTimeout.Seconds() {
		timeout = time.Duration(math.Ceil(asked * float64(time.Second)))
	}
	if left := b.WallLeft(); left < timeout {
		return left, true
	}
	return timeout, false
}

// Exceed records that a limit which is watched elsewhere stopped the run, and returns the cause of its end:
// this one, or the limit that was hit first. bound says in words what the bound was: `256 MiB of memory`.
func (b *Budget) Exceed(limit Limit, bound string) *Exceeded {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.exceed(limit, bound)
}

// Cause is the limit that stopped the run, nil as long as none has.
func (b *Budget) Cause() *Exceeded {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.cause
}

func (b *Budget) exceed(limit Limit, bound string) *Exceeded {
	if b.cause == nil {
		b.cause = &Exceeded{Limit: limit, Bound: bound}
	}
	return b.cause
}

func (b *Budget) spend(limit Limit) *Exceeded {
	switch limit {
	case Wall:
		return b.exceed(limit, seconds(b.limits.Wall)+" by the wall clock")
	case Compute:
		return b.exceed(limit, seconds(b.limits.Compute)+" of computing")
	}
	if b.limits.Calls == 1 {
		return b.exceed(limit, "1 host call")
	}
	return b.exceed(limit, fmt.Sprintf("%d host calls", b.limits.Calls))
}

func (b *Budget) wall() time.Duration {
	if b.started.IsZero() {
		return 0
	}
	until := b.now()
	if b.excuses > 0 {
		until = b.excuseAt // the clock stands still
	}
	return until.Sub(b.started) - b.excused
}

func (b *Budget) wallLeft() time.Duration { return b.limits.Wall - b.wall() }

func (b *Budget) compute() time.Duration {
	if b.resumed.IsZero() {
		return b.computed
	}
	return b.computed + b.now().Sub(b.resumed)
}

// Usage is what a run has used so far, beside its bounds.
type Usage struct {
	Wall    time.Duration
	Compute time.Duration
	Calls   int
	Limits  Limits
}

// Usage reads the clocks and the counter.
func (b *Budget) Usage() Usage {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Usage{Wall: b.wall(), Compute: b.compute(), Calls: b.calls, Limits: b.limits}
}
