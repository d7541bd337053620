package cli

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/responses-as-code/gg/gg"
)

// span is a length of time: a Go duration, or seconds as a plain number.
type span time.Duration

func (s *span) Type() string   { return "TIME" }
func (s *span) String() string { return "" } // no default to show
func (s *span) Set(text string) error {
	d, err := time.ParseDuration(text)
	if seconds, ok := plainNumber(text); ok {
		d, err = time.Duration(math.Min(seconds*float64(time.Second), math.MaxInt64/2)), nil
	}
	if err != nil || d <= 0 {
		return usage("--budget %q: must be a positive time such as 10m, 1h30m, 90s or 90", text)
	}
	*s = span(d)
	return nil
}

// plainNumber reads digits with at most one point among them; NaN, Inf and 0x1p-2 are none.
func plainNumber(text string) (float64, bool) {
	if strings.Trim(text, "0123456789.") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil
}

// isolation says where a program runs.
type isolation string

func (i *isolation) Type() string   { return "process|none" }
func (i *isolation) String() string { return "" } // no default to show: it is the configuration's
func (i *isolation) Set(text string) error {
	known := []string{string(gg.IsolationProcess), string(gg.IsolationNone)}
	if !slices.Contains(known, text) {
		return usage("--isolation %q: must be process or none%s", text, nearest(text, known))
	}
	*i = isolation(text)
	return nil
}

// pairs are the arguments of a program, by name.
type pairs struct {
	values map[string]string
}

func (p *pairs) Type() string   { return "NAME=VALUE" }
func (p *pairs) String() string { return "" }
func (p *pairs) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return usage("--arg %q: must be NAME=VALUE", text)
	}
	if _, taken := p.values[name]; taken {
		return usage("--arg %q: %q has been given before", text, name)
	}
	if p.values == nil {
		p.values = map[string]string{}
	}
	p.values[name] = value
	return nil
}

// count is a whole number within bounds.
type count struct {
	flag        string
	least, most int
	value       int // 0: not given
}

func (c *count) Type() string   { return "N" }
func (c *count) String() string { return "" }
func (c *count) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < c.least || n > c.most {
		return usage("--%s %q: must be a whole number %d..%d", c.flag, text, c.least, c.most)
	}
	c.value = n
	return nil
}

// seconds is a positive number of seconds, fractions allowed.
type seconds float64

func (s *seconds) Type() string   { return "SECS" }
func (s *seconds) String() string { return "" }
func (s *seconds) Set(text string) error {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n > 0) || math.IsInf(n, 1) {
		return usage("--timeout %q: must be a positive number of seconds", text)
	}
	*s = seconds(n)
	return nil
}
