package cli

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/responses-as-code/gg/gg"
)

const (
	// progressAfter is how long a run is silent: shorter ones need no explanation.
	progressAfter = time.Second
	// progressEvery is how often the line is drawn again: often enough to look alive.
	progressEvery = 200 * time.Millisecond
	// progressEvents is how many events may wait while the terminal is slow.
	progressEvents = 1024
)

// progress tells on one live line what a run is doing: how long it has taken, how many calls it has made,
// how much its commands have printed, and what it waits for.
type progress struct {
	screen  *screen
	now     func() time.Time
	started time.Time

	mu      sync.Mutex
	calls   int
	bytes   int64
	waiting []gg.Event // calls under way, the newest last
}

// follow starts a progress line where there is somebody to look at it. Whoever runs something passes the
// sink on and calls stop when it is over.
func (a *app) follow() (sink *gg.Sink, stop func()) {
	if !a.screen.redraws || a.quiet {
		return nil, func() {}
	}
	p := &progress{screen: a.screen, now: a.Now, started: a.Now()}
	ticks, stopTicks := a.Tick(progressEvery)
	over, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		for {
			select {
			case <-ticks:
				p.draw()
			case <-over:
				return
			}
		}
	}()
	sink = gg.NewSink(progressEvents, p.take)
	return sink, sync.OnceFunc(func() {
		stopTicks()
		close(over)
		<-gone
		sink.Close()
		a.screen.erase()
	})
}

// take takes in an event.
func (p *progress) take(e gg.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e.Kind {
	case gg.CallStarted:
		p.calls++
		p.waiting = append(p.waiting, e)
	case gg.CallFinished:
		for i, started := range p.waiting {
			if started.Seq == e.Seq {
				p.waiting = append(p.waiting[:i], p.waiting[i+1:]...)
				break
			}
		}
	case gg.Output:
		p.bytes += e.Bytes
	}
}

func (p *progress) draw() {
	elapsed := p.now().Sub(p.started)
	if elapsed < progressAfter {
		return
	}
	p.screen.draw(p.line(elapsed))
}

func (p *progress) line(elapsed time.Duration) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	parts := []string{clock(elapsed), counted(p.calls, "call")}
	if p.bytes > 0 {
		parts = append(parts, size(p.bytes))
	}
	if n := len(p.waiting); n > 0 {
		parts = append(parts, inBrief(p.waiting[n-1]))
	}
	return strings.Join(parts, " · ")
}

// inBrief is a call as a person recognises it: the command, or the function and what it is called with.
func inBrief(e gg.Event) string {
	if e.Op == shellOp && e.Text != "" {
		return e.Text
	}
	return strings.TrimSpace(e.Op + " " + e.Text)
}

// clock writes a duration as a person reads it: `12s`, `3m05s`, `1h02m`.
func clock(d time.Duration) string {
	s := int(d / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	}
	return fmt.Sprintf("%dh%02dm", s/3600, s/60%60)
}

// size writes a number of bytes with its decimal unit: `812 bytes`, `1.2 MB`.
func size(n int64) string {
	if n < 1000 {
		return counted(int(n), "byte")
	}
	value, unit := float64(n), ""
	for _, unit = range []string{"kB", "MB", "GB", "TB"} {
		if value /= 1000; value < 999.95 {
			break
		}
	}
	return fmt.Sprintf("%.1f %s", value, unit)
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
