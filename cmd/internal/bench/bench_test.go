package bench

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// binary builds a main package of this module and returns the path of what came of it.
func binary(b *testing.B, name, pkg string) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), name)
	out, err := exec.Command("go", "build", "-o", path, pkg).CombinedOutput()
	require.NoError(b, err, "%s", out)
	return path
}

func gg(b *testing.B) string { return binary(b, "gg", "github.com/responses-as-code/gg/cmd/gg") }

// contender is something that is measured.
type contender struct {
	name  string
	dir   string // of a command; empty: this one
	do    func()
	after func() // what is not measured; nil: nothing
	took  []time.Duration
}

// process makes a contender of a command.
func process(b *testing.B, name, path string, args ...string) *contender {
	c := &contender{name: name}
	c.do = func() {
		cmd := exec.Command(path, args...)
		cmd.Dir = c.dir
		if err := cmd.Run(); err != nil {
			b.Fatalf("%s: %v", name, err)
		}
	}
	return c
}

// turn lets each contender run once, so that whatever else the machine does meets all of them, in an order of
// its own: who comes after node finds cold caches.
func turn(contenders ...*contender) {
	for _, i := range rand.Perm(len(contenders)) {
		c := contenders[i]
		started := time.Now()
		c.do()
		c.took = append(c.took, time.Since(started))
		if c.after != nil {
			c.after()
		}
	}
}

func (c *contender) median() time.Duration {
	sorted := slices.Sorted(slices.Values(c.took))
	return sorted[len(sorted)/2]
}

// report gives the median of the first contender, and how it compares with the others.
func report(b *testing.B, first *contender, others ...*contender) {
	b.Helper()
	b.ReportMetric(0, "ns/op") // the sum over all contenders says nothing
	b.ReportMetric(float64(first.median().Microseconds())/1000, "ms/"+first.name)
	for _, c := range others {
		b.ReportMetric(float64(c.median().Microseconds())/1000, "ms/"+c.name)
		b.ReportMetric(float64(first.median())/float64(c.median()), "x-"+c.name)
	}
}

// quote makes one word of s for a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// node finds node, without which a comparison with it is left out.
func node(b *testing.B) []*contender {
	b.Helper()
	path, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("GG_TEST_REQUIRE") == "all" {
			b.Fatal("node is not installed, and GG_TEST_REQUIRE is all")
		}
		b.Log("node is not installed: no comparison with it")
		return nil
	}
	return []*contender{process(b, "node", path, "-e", `console.log("Hello")`)}
}
