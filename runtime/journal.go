package runtime

import (
	"encoding/json"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/responses-as-code/gg/gg"
)

// journal is what a run has called so far. Calls in the background end on goroutines of their own.
type journal struct {
	mu      sync.Mutex
	records []CallRecord
	started []time.Time
}

// begin notes that a call starts and returns its number, from 1.
func (j *journal) begin(call gg.Call) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	seq := len(j.records) + 1
	j.records = append(j.records, CallRecord{Seq: seq, Op: call.Op, Line: call.Site.Line, State: Unknown, Brief: brief(call)})
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
		record.Brief = strings.TrimSpace(record.Brief + " — " + shorten(gg.AsError(err).Message, 160))
	}
}

func (j *journal) list() []CallRecord {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]CallRecord{}, j.records...)
}

// brief tells a call by its first argument: what a reader needs to recognise it.
func brief(call gg.Call) string {
	var args map[string]json.RawMessage
	if json.Unmarshal(call.Args, &args) != nil {
		return ""
	}
	for _, name := range []string{"command", "path", "label", "query", "name", "selector", "id", "summary", "pattern"} {
		var text string
		if raw, ok := args[name]; ok && json.Unmarshal(raw, &text) == nil {
			return shorten(text, 80)
		}
	}
	if len(args) == 0 {
		return ""
	}
	return shorten(string(call.Args), 80)
}

// shorten makes one line of at most n characters of a text.
func shorten(text string, n int) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n-1]) + "…"
}

func milliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}
