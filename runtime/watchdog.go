package runtime

import (
	"context"
	"sync"
	"time"

	"github.com/responses-as-code/gg/budget"
)

// heapEvery is how often the heap is looked at while a program computes: an allocation loop makes a few
// MiB in that time.
const heapEvery = 5 * time.Millisecond

// idleEvery is how often, while it waits for calls.
const idleEvery = 100 * time.Millisecond

// watch stops the program when its time is up, when it holds too much memory, or when its context ends.
// The function it returns ends the watch. There is no goroutine: most programs are over before the first
// look.
func (e *execution) watch() (done func()) {
	w := &watchdog{e: e, heap: heapWatch{bound: e.settings.MaxMemoryBytes}}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.alarm = time.AfterFunc(w.pause(), w.look)
	release := context.AfterFunc(e.ctx, func() { e.vm.Interrupt(context.Cause(e.ctx)) })
	return func() {
		release()
		w.mu.Lock()
		defer w.mu.Unlock()
		w.over = true
		w.alarm.Stop()
		e.peak = w.heap.peak
	}
}

// watchdog looks at a program's budget now and then.
type watchdog struct {
	e *execution

	mu       sync.Mutex
	alarm    *time.Timer
	heap     heapWatch
	computed time.Duration // at the last look
	over     bool
}

// pause is how long it is until the next look.
func (w *watchdog) pause() time.Duration {
	pause := idleEvery
	if now := w.e.budget.Usage().Compute; now != w.computed {
		w.computed, pause = now, heapEvery
	}
	return max(min(w.e.budget.WallLeft(), w.e.budget.ComputeLeft(), pause), time.Millisecond)
}

func (w *watchdog) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over {
		return
	}
	b := w.e.budget
	switch {
	case b.WallLeft() <= 0:
		w.e.stop(b.Spend(budget.Wall))
	case b.ComputeLeft() <= 0:
		w.e.stop(b.Spend(budget.Compute))
	case w.heap.exceeded():
		w.e.stop(b.Exceed(budget.Memory, bytesText(w.e.settings.MaxMemoryBytes)+" of memory"))
	default:
		w.alarm.Reset(w.pause())
	}
}
