package capture

import (
	"io"
	"sync"

	"github.com/responses-as-code/gg/shell/policy"
)

// Rest reads on behind a command that has been reported as done.
type Rest struct {
	readers []io.Closer
	running sync.WaitGroup
	done    chan struct{}
}

// Done is closed when every pipe has come to its end.
func (r *Rest) Done() <-chan struct{} { return r.done }

// Close stops reading and waits until the sink is not called any more. What still writes to the pipes gets
// EPIPE from then on.
func (r *Rest) Close() {
	for _, f := range r.readers {
		f.Close()
	}
	<-r.done
}

func newRest() *Rest { return &Rest{done: make(chan struct{})} }

// follow reads s until its end or Close.
func (r *Rest) follow(s policy.Stream, from io.ReadCloser, sink Sink) {
	r.readers = append(r.readers, from)
	r.running.Go(func() {
		// Not the buffer of the command's own reading: what outlives a command is mostly silent, and there
		// may be hundreds of them.
		buf := make([]byte, 4<<10)
		for {
			n, err := from.Read(buf)
			if n > 0 {
				sink(s, buf[:n])
			}
			if err != nil {
				from.Close()
				return
			}
			if n == len(buf) && n < bufferSize {
				buf = make([]byte, 4*n)
			}
		}
	})
}

// start lets Done be closed when all that was given to follow has ended.
func (r *Rest) start() {
	go func() {
		r.running.Wait()
		close(r.done)
	}()
}
