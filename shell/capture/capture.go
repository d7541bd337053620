// Package capture gathers what one command prints, while it prints it: the pipes the command writes
// into, the loop that reads them, and the knowledge of when there is nothing more to read.
//
//	var orderer capture.Orderer
//	defer orderer.Close()
//	c, err := orderer.Open(capture.Separate)
//	if err != nil {
//		return err
//	}
//	defer c.Close()
//	stdout, stderr := c.Child()              // descriptors for the command's 1 and 2
//	pid, exit := start(command, stdout, stderr)
//	c.Started(exit)                          // a descriptor that becomes readable when it ends
//	for state := capture.Event(0); state != capture.Exited|capture.Ended; {
//		state |= c.Next(file, text, time.Time{}) // calls both with every byte: text in the order of the writes
//	}
//
// A Collector decides in which order the bytes of the two streams belong, and nothing else: what becomes of
// them is the sinks' business, starting and stopping the command its caller's. Memory is one
// read buffer for each stream, whatever the volume: a sink that is slow slows the command down, as a slow reader
// of any pipe does.
//
// # Order
//
// A program's writes to two pipes have no order that their reader could see. an [Orderer] finds it all the same,
// on Linux, by means of package writeorder: see there for how, and for what cannot be known. Where that is
// not to be had, and with [Arrival], chunks are delivered as they are found: two writes to two pipes that
// happen before the reader wakes come with standard output first. Only [Shared], one pipe for both,
// keeps the order of the writes on every system, at the price of not knowing which stream a byte came from.
package capture

import (
	"time"

	"github.com/responses-as-code/gg/shell/policy"
)

// Layout is how the two streams of the command are connected.
type Layout uint8

const (
	// Separate gives each stream a pipe of its own.
	Separate Layout = iota

	// Shared gives both the same pipe: everything is delivered as policy.Stdout, in the order of the writes.
	Shared
)

// Sink takes the chunks. b is valid until the call returns.
type Sink func(s policy.Stream, b []byte)

// Event is what Next has to report: a set of flags.
type Event uint8

const (
	// Exited: the command's first process has ended, and every byte that was in the pipes at that moment has
	// been delivered. It has not been reaped: that is the caller's right.
	Exited Event = 1 << iota

	// Ended: every pipe is at its end. Nothing more can come.
	Ended

	// Woken: Wake was called.
	Woken

	// Expired: the deadline has passed. It is reported alone, never beside other news.
	Expired
)

// Collector gathers the output of one command. It has one owner: only Wake may be called from another
// goroutine.
type Collector interface {
	// Child returns the descriptors (on Windows: handles) that the command gets as its standard output and
	// standard error. They belong to the Collector and are closed by Started.
	Child() (stdout, stderr uintptr)

	// Started tells that the command has been started. exit becomes readable (on Windows: signalled) when
	// its first process ends; it must stay open until Next has reported Exited, or Close.
	Started(exit uintptr)

	// Next takes output until there is news, and returns it: read gets every chunk when it has been read, each
	// stream in its order, and placed gets the same bytes when their place in the order of both has been found;
	// when Next returns it has got all of them. They may be called by another goroutine, while Next waits. Exited and Ended are reported once each; when both have been,
	// only Wake and the deadline end a call. A zero deadline is none; one that has passed already still takes
	// what is there.
	Next(read, placed Sink, deadline time.Time) Event

	// Wake makes the current call of Next, or the next one, return Woken. It may be called at any time, also
	// after Close.
	Wake()

	// Detach hands the pipes that have not ended to goroutines of their own, which go on delivering to sink
	// (one goroutine a stream), so that processes which outlive the command neither block nor lose
	// what they write. It may be called once; Next must not be called any more. It returns nil when every pipe had ended.
	Detach(sink Sink) *Rest

	// Close releases every descriptor that was not handed to a Rest.
	Close()
}

// bufferSize is how much one read takes at most: small enough for a chunk to stay in the processor's
// second-level cache on its way through the policy and into the file, large enough for the system
// calls not to show. Measured with BenchmarkFlood: 64 to 256 KiB do not differ.
const bufferSize = 128 << 10

// PipeBytes is the capacity asked for the pipes: 1 MiB, the most an unprivileged process may have
// (/proc/sys/fs/pipe-max-size), so that a command in a burst need not wait for the reader. The
// system's default is used where it is refused, and where pipes have no size to choose.
const PipeBytes = 1 << 20
