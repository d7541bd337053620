package shell

import (
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// markVariable is the environment variable by which the processes of a call are found again, whatever
// session they are in and whoever is their parent by then.
//
// Its value is a list of marks, joined by ':', the outermost first: one for each gg that the command runs
// in. A mark is `<pid>.<start time>.<run>/<seq>`: the process that started the command and when that was
// started, in the kernel's clock ticks since boot, which together name it among all processes, dead ones included; the
// run; and the command's number in it.
const markVariable = "GG_CALL"

// markSeries makes the marks of one run.
type markSeries struct {
	inherited string // the outer marks with a final ':', or empty
	run       string // `<pid>.<start time>.<run>/`
}

// unnamed numbers the runs that were given no mark.
var unnamed atomic.Int64

// ownStart is when this process was started.
var ownStart = sync.OnceValue(func() string { return startTime(os.Getpid()) })

func newMarkSeries(run string, environ []string) markSeries {
	if run == "" {
		run = "r" + strconv.FormatInt(unnamed.Add(1), 10)
	}
	m := markSeries{run: strconv.Itoa(os.Getpid()) + "." + ownStart() + "." + run + "/"}
	if outer := valueOf(environ, markVariable); outer != "" {
		m.inherited = outer + ":"
	}
	return m
}

// mark returns the mark of the call number seq.
func (m markSeries) mark(seq int64) string { return m.run + strconv.FormatInt(seq, 10) }

func (m markSeries) entry(mark string) string { return markVariable + "=" + m.inherited + mark }

// hasMark reports whether the value of GG_CALL has a mark that match accepts.
func hasMark(value string, match func(mark string) bool) bool {
	for mark := range strings.SplitSeq(value, ":") {
		if match(mark) {
			return true
		}
	}
	return false
}

// owner returns the process that a mark names. It fails for what is no mark, and for the mark of a process that could
// not tell when it was started.
func owner(mark string) (identity, bool) {
	number, rest, _ := strings.Cut(mark, ".")
	began, rest, _ := strings.Cut(rest, ".")
	run, seq, _ := strings.Cut(rest, "/")
	pid, isPID := positive(number)
	start, isStart := positive(began)
	_, isSeq := positive(seq)
	ok := isPID && pid <= math.MaxInt32 && isStart && run != "" && validMark(run) && isSeq
	return identity{int(pid), start}, ok
}

// positive reads a number from 1 as it is written into a mark, and not in any other way.
func positive(s string) (uint64, bool) {
	n, err := strconv.ParseUint(s, 10, 64)
	return n, err == nil && n > 0 && s[0] != '0'
}

func validMark(s string) bool {
	return len(s) <= 64 && strings.IndexFunc(s, func(c rune) bool {
		return (c < 'a' || 'z' < c) && (c < 'A' || 'Z' < c) && (c < '0' || '9' < c) && !strings.ContainsRune("._-", c)
	}) < 0
}
