package runtime

import (
	goruntime "runtime"
	"runtime/metrics"
)

// heapWatch watches the heap of the process for a program that runs in it. What other goroutines allocate
// meanwhile counts as well: in one process nobody can tell whose memory it is.
type heapWatch struct {
	base, bound, peak int64
	sample            []metrics.Sample // nil before the first look
}

func (w *heapWatch) read() int64 {
	metrics.Read(w.sample)
	return int64(w.sample[0].Value.Uint64())
}

// exceeded reports whether the program holds more than its bound. Garbage does not count: when the bound
// seems to be passed, it is collected first.
//
// The first look takes the base: the first one of all costs a tenth of a millisecond, which a short program
// should not pay.
func (w *heapWatch) exceeded() bool {
	if w.sample == nil {
		w.sample = []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		w.base = w.read()
		return false
	}
	used := w.read() - w.base
	if used > w.bound {
		goruntime.GC()
		used = w.read() - w.base
	}
	w.peak = max(w.peak, used)
	return used > w.bound
}
