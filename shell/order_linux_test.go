package shell

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/responses-as-code/gg/shell/policy"
)

var (
	orderRuns  = flag.Int("order.runs", 60, "how many small scripts TestWriteOrder runs, and for each kind of load")
	orderLines = flag.Int("order.lines", 30_000, "how many lines the loops of TestWriteOrderOfLoops print")
)

// speaker is a program that prints lines to both streams.
type speaker struct {
	name  string
	needs string
	// script returns a command that prints the lines, each to the stream named by its first letter: o or e.
	script func(lines []string) string
	// order is the order of the writes, when it is not that of the lines.
	order func(lines []string) []string
}

// quoted is a program for `name -c` and its like.
func quoted(command string, lines []string, before string, line func(stream byte, text string) string) string {
	var b strings.Builder
	b.WriteString(before)
	for _, l := range lines {
		b.WriteString(line(l[0], l) + "\n")
	}
	return command + " '" + strings.ReplaceAll(b.String(), "'", `'\''`) + "'"
}

// stdoutLast is the order of a program that keeps its standard output to itself until the end.
func stdoutLast(lines []string) []string {
	var first, last []string
	for _, l := range lines {
		if l[0] == 'e' {
			first = append(first, l)
		} else {
			last = append(last, l)
		}
	}
	return append(first, last...)
}

func pythonPrint(extra string) func(stream byte, text string) string {
	return func(stream byte, text string) string {
		if stream == 'e' {
			return fmt.Sprintf("print(%q, file=sys.stderr)", text)
		}
		return fmt.Sprintf("print(%q%s)", text, extra)
	}
}

var speakers = []speaker{
	{name: "sh", needs: "sh", script: func(lines []string) string {
		return quoted("sh -c", lines, "", func(stream byte, text string) string {
			if stream == 'e' {
				return "echo " + text + " >&2"
			}
			return "echo " + text
		})
	}},
	{name: "sh with programs", needs: "sh", script: func(lines []string) string {
		return quoted("sh -c", lines, "", func(stream byte, text string) string {
			if stream == 'e' {
				return "/bin/echo " + text + " >&2"
			}
			return "echo " + text
		})
	}},
	{name: "python unbuffered", needs: "python3", script: func(lines []string) string {
		return quoted("python3 -c", lines, "import sys\n", pythonPrint(""))
	}},
	{name: "python flushing", needs: "python3", script: func(lines []string) string {
		return quoted("PYTHONUNBUFFERED= python3 -c", lines, "import sys\n", pythonPrint(", flush=True"))
	}},
	{name: "python buffered", needs: "python3", order: stdoutLast, script: func(lines []string) string {
		return quoted("PYTHONUNBUFFERED= python3 -c", lines, "import sys\n", pythonPrint(""))
	}},
	{name: "perl", needs: "perl", script: func(lines []string) string {
		return quoted("perl -e", lines, "$| = 1;\n", func(stream byte, text string) string {
			if stream == 'e' {
				return fmt.Sprintf("print STDERR %q;", text+"\n")
			}
			return fmt.Sprintf("print %q;", text+"\n")
		})
	}},
	{name: "node", needs: "node", script: func(lines []string) string {
		return quoted("node -e", lines, "", func(stream byte, text string) string {
			if stream == 'e' {
				return fmt.Sprintf("console.error(%q);", text)
			}
			return fmt.Sprintf("console.log(%q);", text)
		})
	}},
}

// pattern returns 6 to 60 lines for both streams, in one of the ways in which streams alternate.
func pattern(rng *rand.Rand) []string {
	n := 6 + rng.IntN(55)
	kind := rng.IntN(5)
	lines := make([]string, n)
	stream := 0
	for i := range lines {
		switch kind {
		case 0:
			stream = i % 2
		case 1: // bursts of one length
			stream = i / 3 % 2
		case 2:
			stream = rng.IntN(2)
		case 3: // bursts of any length
			if rng.IntN(4) == 0 {
				stream = 1 - stream
			}
		default: // a rare error
			stream = 0
			if rng.IntN(12) == 0 {
				stream = 1
			}
		}
		lines[i] = fmt.Sprintf("%c%d%s", "oe"[stream], i, strings.Repeat("x", rng.IntN(4)*rng.IntN(20)))
	}
	return lines
}

// busy keeps the processors busy until the test ends.
func busy(t *testing.T, loops int) {
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for range loops {
		cmd := hostCommand(t, "spin", "")
		require.NoError(t, cmd.Start())
		running.Go(func() {
			<-ctx.Done()
			cmd.Process.Kill()
			cmd.Wait()
		})
	}
	t.Cleanup(func() { stop(); running.Wait() })
}

func init() {
	hosts["spin"] = func(string) error {
		for turns := 0; ; turns++ {
			if turns < 0 {
				return errors.New("spun long enough")
			}
		}
	}
}

// Small scripts are over before anybody reads what they print. It comes in the order of the writes all the same.
func TestWriteOrder(t *testing.T) {
	for _, load := range []struct {
		name  string
		loops int
	}{{"idle", 0}, {"busy", 3}} {
		t.Run(load.name, func(t *testing.T) {
			busy(t, load.loops)
			wrong := misordered(t, WriteOrder, *orderRuns, *orderRuns)
			// Scripts that anybody gets right show nothing.
			require.NotEmpty(t, misordered(t, ArrivalOrder, 300, 1), "in order of arrival")
			t.Logf("%d of %d wrong", len(wrong), *orderRuns)
			require.Empty(t, wrong)
		})
	}
}

// misordered returns what went wrong in so many runs of small scripts, up to a number of them.
func misordered(t *testing.T, order Order, runs, most int) (wrong []string) {
	w := newWorkbench(t, Config{Order: order, Policy: policy.Policy{Mode: policy.Offload, MaxLines: 1000, MaxChars: 16000}})
	for seed := range uint64(runs) {
		rng := rand.New(rand.NewPCG(seed, 11))
		s := speakers[0]
		if seed%3 > 0 { // the others take longer to start
			s = speakers[rng.IntN(len(speakers))]
		}
		needs(t, s.needs)
		lines := pattern(rng)
		want := lines
		if s.order != nil {
			want = s.order(lines)
		}
		got := w.run(s.script(lines)).Text
		if whole := strings.Join(want, "\n") + "\n"; got != whole {
			if wrong = append(wrong, fmt.Sprintf("%s, seed %d: want %q, got %q", s.name, seed, whole, got)); len(wrong) == most {
				break
			}
		}
	}
	return wrong
}

// Writes of any number of lines keep their order when there is a pause between them, however short.
func TestPausesBetweenBlocks(t *testing.T) {
	w := newWorkbench(t, Config{})
	for range 20 {
		out := w.run(`echo o1; echo e1 >&2; sleep 0.01; printf "a\nb\nc\n"; sleep 0.002; echo e2 >&2; sleep 0.005; printf "x\ny\n" >&2; echo z`)
		require.Equal(t, "o1\ne1\na\nb\nc\ne2\nx\ny\nz\n", out.Text)
	}
}

// A program that does not block on its output and exits in a hurry has it all read.
func TestHurriedExit(t *testing.T) {
	needs(t, "node")
	w := newWorkbench(t, Config{})
	var want strings.Builder
	for i := range 50_000 {
		fmt.Fprintln(&want, i)
	}
	for range 20 {
		out := w.run("node -e 'for (let i = 0; i < 50000; i++) console.log(i); process.exit(3)'")
		require.Equal(t, 3, out.ExitCode)
		require.True(t, want.String() == w.read(out.Files.Stdout), "%d bytes have come", out.Stdout.Bytes)
		require.True(t, strings.HasPrefix(out.Text, "49800\n"), out.Text)
	}
}

// When the user's queue of signals is full, output is joined as it arrives, whole.
func TestSignalQueueIsFull(t *testing.T) {
	var limit unix.Rlimit
	require.NoError(t, unix.Getrlimit(unix.RLIMIT_SIGPENDING, &limit))
	w := newWorkbench(t, Config{Policy: policy.Policy{Mode: policy.Offload, MaxLines: 1000, MaxChars: 16000}})
	w.run("echo warm") // the proof of the mechanism needs the queue
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_SIGPENDING, &unix.Rlimit{Cur: 0, Max: limit.Max}))
	defer unix.Setrlimit(unix.RLIMIT_SIGPENDING, &limit)
	out := w.run("for i in 1 2 3 4 5 6 7 8 9; do echo o$i; echo e$i >&2; done; sleep 0.05; echo last")
	require.Equal(t, "o1\no2\no3\no4\no5\no6\no7\no8\no9\nlast\n", w.read(out.Files.Stdout))
	require.Equal(t, "e1\ne2\ne3\ne4\ne5\ne6\ne7\ne8\ne9\n", w.read(out.Files.Stderr))
	require.Len(t, strings.Split(out.Text, "\n"), 20)
	require.True(t, strings.HasSuffix(out.Text, "\nlast\n"), out.Text)

	require.NoError(t, unix.Setrlimit(unix.RLIMIT_SIGPENDING, &limit))
	require.Equal(t, "a\nb\nc\nd\n", w.run("echo a; echo b >&2; echo c; echo d >&2").Text, "afterwards")
}

// A command has the signals that a program expects, whatever its collector's thread does with them.
func TestSignalsOfOrderedCommands(t *testing.T) {
	w := newWorkbench(t, Config{})
	for range 20 {
		require.Equal(t, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n",
			w.run("exec grep -E 'Sig(Blk|Ign)' /proc/self/status").Text)
	}
}

// loops print many lines to both streams as fast as they can. A line is `<stream><number>`, the numbers count
// up in the order of the writes.
var loops = []struct {
	name, needs string
	command     string // %d is the number of lines
	most        float64
}{
	{"sh", "sh", `i=0; while [ $i -lt %d ]; do echo o$i; echo e$((i+1)) >&2; i=$((i+2)); done`, 0.001},
	{"sh bursts", "sh", `i=0; while [ $i -lt %d ]; do echo o$i; echo o$((i+1)); echo o$((i+2)); echo e$((i+3)) >&2; echo e$((i+4)) >&2; i=$((i+5)); done`, 0.001},
	{"sh blocks", "sh", `i=0; while [ $i -lt %d ]; do printf 'o%%d\no%%d\n' $i $((i+1)); echo e$((i+2)) >&2; i=$((i+3)); done`, 0.001},
	{"perl", "perl", `perl -e '$| = 1; for ($i = 0; $i < %d; $i += 2) { print "o$i\n"; print STDERR "e" . ($i+1) . "\n" }'`, 0.001},
	{"python unbuffered", "python3", "python3 -c 'import sys\nfor i in range(0, %d, 2): print(\"o%%d\" %% i); print(\"e%%d\" %% (i+1), file=sys.stderr)'", 0.01},
	{"python flushing", "python3", "PYTHONUNBUFFERED= python3 -c 'import sys\nfor i in range(0, %d, 2): print(\"o%%d\" %% i, flush=True); print(\"e%%d\" %% (i+1), file=sys.stderr)'", 0.001},
	{"node", "node", `node -e 'for (let i = 0; i < %d; i += 2) { console.log("o" + i); console.error("e" + (i+1)) }'`, 0.001},
}

// wholeText is an Applier that keeps everything.
type wholeText struct {
	*policy.Collector
	text *strings.Builder
}

func (w wholeText) Write(s policy.Stream, b []byte) {
	w.text.Write(b)
	w.Collector.Write(s, b)
}

func TestWriteOrderOfLoops(t *testing.T) {
	for _, l := range loops {
		t.Run(l.name, func(t *testing.T) {
			needs(t, l.needs)
			command := fmt.Sprintf(l.command, *orderLines)
			misplaced, torn := disorder(t, WriteOrder, command)
			plain, plainTorn := disorder(t, ArrivalOrder, command)
			t.Logf("%d misplaced, %d torn; in order of arrival %d and %d", misplaced, torn, plain, plainTorn)
			require.Zero(t, torn)
			require.LessOrEqual(t, float64(misplaced), l.most*float64(*orderLines))
		})
	}
}

// disorder runs a loop and counts the lines that are not where they belong, and those that are not whole.
func disorder(t *testing.T, order Order, command string) (misplaced, torn int) {
	var text strings.Builder
	w := newWorkbench(t, Config{Order: order, Apply: func(p policy.Policy) Applier {
		return wholeText{policy.NewCollector(p), &text}
	}})
	w.run(command)
	var numbers []int
	lines := 0
	for line := range strings.Lines(text.String()) {
		lines++
		n, err := strconv.Atoi(strings.TrimLeft(strings.TrimSuffix(line, "\n"), "oe"))
		if err != nil {
			torn++
			continue
		}
		numbers = append(numbers, n)
	}
	require.GreaterOrEqual(t, lines, *orderLines)
	return len(numbers) - ascending(numbers), torn
}

// ascending is the length of the longest ascending subsequence: what is not in it would have to be moved.
func ascending(numbers []int) int {
	var ends []int // the smallest last number of an ascending subsequence of each length
	for _, n := range numbers {
		i, _ := slices.BinarySearch(ends, n)
		if i == len(ends) {
			ends = append(ends, n)
		} else {
			ends[i] = n
		}
	}
	return len(ends)
}
