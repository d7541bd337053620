package runtime

import (
	"sync"
	"time"

	"github.com/responses-as-code/gg/gg"
)

// journal is what a run has called so far. Calls in the background end on goroutines of their own.
type journal struct {
	mu      sync.Mutex
	records []CallRecord
	started []time.Time
}

// begin notes that a call starts and returns its number, from 1.
func (j *journal) begin(call gg.Call, brief string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	seq := len(j.records) + 1
	j.records = append(j.records, CallRecord{Seq: seq, Op: call.Op, Line: call.Site.Line, State: Unknown, Brief: brief})
	j.started = append(j.started, time.Now())
	return seq
}

// end notes how a call ended. A call that was cut short keeps the state unknown: what it had done by then
// nobody knows.
func (j *journal) end(seq int, err error, cut bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	record := &j.records[seq-1]
	record.DurationMs = milliseconds(time.Since(j.started[seq-1]))
	switch {
	case err == nil:
		record.State = Finished
	case cut:
		// stays unknown
	default:
		record.State = Failed
		message := shorten(gg.AsError(err).Message, 160)
		if record.Brief != "" {
			message = record.Brief + " — " + message
		}
		record.Brief = message
	}
}

func (j *journal) list() []CallRecord {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]CallRecord{}, j.records...)
}
