package gg

import (
	"sync"
	"sync/atomic"
	"time"
)

// EventKind says what an event is about, and which of its fields are set.
type EventKind string

// The kinds of event.
const (
	RunStarted   EventKind = "run-started"   // Text: the program's name
	CallStarted  EventKind = "call-started"  // Seq, Op, Text: the call in brief, Site
	CallFinished EventKind = "call-finished" // Seq, Op, Duration, CPU, PeakBytes, Code when it failed, Text then
	Output       EventKind = "output"        // Seq, Stream, Bytes: a command printed
	Console      EventKind = "console"       // Level, Text, Site
	ViewChanged  EventKind = "view-changed"  // Text: the view's header, Level: opened, replaced or closed
	RunEnded     EventKind = "run-ended"     // Text: the status
)

// Event is something that an operator or a user interface may want to see while a program runs.
type Event struct {
	Session, Run string
	Labels       map[string]string
	Time         time.Time
	Kind         EventKind

	Seq       int    // of the call it belongs to, 0 for none
	Op        string // of that call
	Site      Site
	Level     string // log, info, warn, error or debug; opened, replaced or closed
	Text      string
	Stream    string // stdout or stderr
	Bytes     int64  // printed, of an Output
	Code      Code   // of a call that failed
	Duration  time.Duration
	CPU       time.Duration // user and system time of the call's command and the children it waited for
	PeakBytes int64         // the largest resident set among them
}

// Sink takes events to one consumer. Emit never blocks: when the consumer lags behind by the size of the
// buffer, events are dropped and counted. It is safe for concurrent use. A nil *Sink takes everything and
// does nothing.
type Sink struct {
	dropped atomic.Uint64
	done    chan struct{} // closed by the consumer when it has ended

	mu     sync.RWMutex // held by Close only while it closes, so that no event comes after that uncounted
	closed bool
	events chan Event // closed by Close
}

// NewSink starts a consumer: each is called with one event after the other, on a goroutine of its own
// that Close ends. buffer is how many events may wait, at least 1.
func NewSink(buffer int, each func(Event)) *Sink {
	s := &Sink{events: make(chan Event, max(1, buffer)), done: make(chan struct{})}
	go func() {
		defer close(s.done)
		for event := range s.events {
			each(event)
		}
	}()
	return s
}

// Emit passes an event on, or drops it.
func (s *Sink) Emit(event Event) {
	if s == nil {
		return
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if !s.closed {
		select {
		case s.events <- event:
			return
		default:
		}
	}
	s.dropped.Add(1)
}

// Dropped is how many events were lost.
func (s *Sink) Dropped() uint64 {
	if s == nil {
		return 0
	}
	return s.dropped.Load()
}

// Close hands over what waits and returns when the consumer has ended, also when it is called again;
// the consumer itself must not call it. Events that come later are dropped.
func (s *Sink) Close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.events)
	}
	s.mu.Unlock()
	<-s.done
}
