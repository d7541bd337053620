package runtime

import (
	"container/heap"
	"context"
	"sync"
	"time"
)

// loop is the event loop of one program: timers and completions of calls, one at a time, in order. Promise
// jobs are the engine's own business: it runs them whenever JavaScript returns to Go.
//
// All methods but post belong to the VM's goroutine.
type loop struct {
	timers  timerHeap
	nextID  int
	pending int // calls under way

	mu     sync.Mutex
	posted []func() error // completions, in the order they came
	wake   chan struct{}
}

type timer struct {
	id       int
	due      time.Time
	interval time.Duration // > 0: again and again
	fire     func() error
	index    int // in the heap, -1 when it is not there
}

func newLoop() *loop { return &loop{wake: make(chan struct{}, 1)} }

// setTimer calls fire after delay, and then every interval if that is positive. Timers of the same due
// time fire in the order they were set.
func (l *loop) setTimer(delay, interval time.Duration, fire func() error) *timer {
	l.nextID++
	t := &timer{id: l.nextID, due: time.Now().Add(delay), interval: interval, fire: fire}
	heap.Push(&l.timers, t)
	return t
}

// hurry makes the first timer due: a repeated run does not wait.
func (l *loop) hurry() {
	if len(l.timers) > 0 {
		l.timers[0].due = time.Now()
	}
}

func (l *loop) clearTimer(t *timer) {
	t.interval = 0
	if t.index >= 0 {
		heap.Remove(&l.timers, t.index)
	}
}

// post hands a completion over to the VM's goroutine. It never blocks and may be called from anywhere.
func (l *loop) post(completion func() error) {
	l.mu.Lock()
	l.posted = append(l.posted, completion)
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *loop) take() (completion func() error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.posted) == 0 {
		return nil
	}
	completion = l.posted[0]
	l.posted = l.posted[1:]
	return completion
}

// idle reports whether nothing can happen any more: no timer is set and no call is under way.
func (l *loop) idle() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.timers) == 0 && l.pending == 0 && len(l.posted) == 0
}

// next waits for one thing to happen and returns it: a completion that came, or a timer that is due. It
// returns nil when ctx ends first. The loop must not be idle.
func (l *loop) next(ctx context.Context) func() error {
	for {
		if ctx.Err() != nil {
			return nil
		}
		if completion := l.take(); completion != nil {
			return completion
		}
		var due <-chan time.Time
		if len(l.timers) > 0 {
			wait := time.Until(l.timers[0].due)
			if wait <= 0 {
				return l.fire()
			}
			alarm := time.NewTimer(wait)
			due = alarm.C
			defer alarm.Stop()
		}
		select {
		case <-l.wake:
		case <-due:
			return l.fire()
		case <-ctx.Done():
			return nil
		}
	}
}

// fire takes the first timer, and sets it again when it repeats.
func (l *loop) fire() func() error {
	t := heap.Pop(&l.timers).(*timer)
	return func() error {
		if t.interval > 0 {
			t.due = time.Now().Add(t.interval)
			heap.Push(&l.timers, t)
		}
		return t.fire()
	}
}

// timerHeap orders timers by due time, then by age.
type timerHeap []*timer

func (h timerHeap) Len() int { return len(h) }
func (h timerHeap) Less(i, j int) bool {
	if !h[i].due.Equal(h[j].due) {
		return h[i].due.Before(h[j].due)
	}
	return h[i].id < h[j].id
}
func (h timerHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}
func (h *timerHeap) Push(x any) {
	t := x.(*timer)
	t.index = len(*h)
	*h = append(*h, t)
}
func (h *timerHeap) Pop() any {
	old := *h
	t := old[len(old)-1]
	t.index = -1
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return t
}
