package shell

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// defaults are what every command gets unless its Config says otherwise.
var defaults = []string{
	"EDITOR=true", "GH_PAGER=cat", "GIT_EDITOR=true", "GIT_MERGE_AUTOEDIT=no", "GIT_PAGER=cat", "GIT_SEQUENCE_EDITOR=true",
	"GIT_TERMINAL_PROMPT=0", "MANPAGER=cat", "NO_COLOR=1", "PAGER=cat", "PYTHONUNBUFFERED=1", "TERM=dumb", "VISUAL=true",
}

func TestEnvironment(t *testing.T) {
	inherited := []string{
		"PATH=/bin", "HOME=/root", "API_KEY=x", "PAGER=less", "TERM=xterm", "LC_CTYPE=C", "FIRST=1", "FIRST=2", "EMPTY=",
		"BASH_ENV=rc", "ENV=rc", "CDPATH=/", "FORCE_COLOR=1", "CLICOLOR_FORCE=1", "PWD=/elsewhere", "GG_CALL=1.2.r/3", "malformed", "=C:=C:\\",
	}
	for _, c := range []struct {
		name        string
		environment Environment
		env         []string
		inherited   []string
		want        []string // beside the defaults, which these replace
	}{
		{"all", Environment{}, nil, inherited,
			[]string{"PATH=/bin", "HOME=/root", "API_KEY=x", "LC_CTYPE=C", "FIRST=2", "EMPTY="}},
		{"all by name", Environment{Inherit: InheritAll}, nil, inherited,
			[]string{"PATH=/bin", "HOME=/root", "API_KEY=x", "LC_CTYPE=C", "FIRST=2", "EMPTY="}},
		{"minimal", Environment{Inherit: InheritMinimal}, nil, inherited, []string{"PATH=/bin", "HOME=/root", "LC_CTYPE=C"}},
		{"none", Environment{Inherit: InheritNone}, nil, inherited, []string{"LANG=C.UTF-8"}},
		{"pass", Environment{Inherit: InheritNone, Pass: []string{"API_KEY", "PAGER", "ENV", "ABSENT"}}, nil, inherited,
			[]string{"API_KEY=x", "PAGER=less", "ENV=rc", "LANG=C.UTF-8"}},
		{"set", Environment{Inherit: InheritNone, Set: map[string]string{"A": "1", "PAGER": "more", "B": "2"}}, []string{"B=3", "TERM=vt100"}, inherited,
			[]string{"A=1", "PAGER=more", "B=3", "TERM=vt100", "LANG=C.UTF-8"}},
		{"dropped may be set", Environment{}, []string{"ENV=mine", "LANG=de_DE.UTF-8"}, nil, []string{"ENV=mine", "LANG=de_DE.UTF-8"}},
		{"empty locale is none", Environment{}, nil, []string{"LANG=", "LC_ALL="}, []string{"LANG=C.UTF-8", "LC_ALL="}},
		{"locale from the caller", Environment{}, []string{"LC_ALL=C"}, nil, []string{"LC_ALL=C"}},
		{"mark cannot be set", Environment{Set: map[string]string{"GG_CALL": "x"}}, []string{"PWD=/x"}, nil, []string{"LANG=C.UTF-8"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := make(map[string]string)
			for _, entry := range append(slices.Clone(defaults), c.want...) {
				name, _, _ := strings.Cut(entry, "=")
				want[name] = entry
			}
			got := c.environment.variables(c.inherited, c.env)
			slices.Sort(got)
			require.Equal(t, slices.Sorted(maps.Values(want)), got)
		})
	}
}

func TestEnvironmentDefects(t *testing.T) {
	_, err := New(Config{
		Policy: offload,
		Environment: Environment{
			Inherit: "some", Pass: []string{"A=B", ""}, Set: map[string]string{"": "x", "N": "a\x00b"},
		},
		Env: []string{"A=1", "sk-secret-that-is-rather-long-and-should-not-be-shown-whole", "=x", "B=\x00"},
	})
	require.EqualError(t, err, strings.Join([]string{
		`Environment.Inherit: got "some", want "all", "minimal" or "none"`,
		`Environment.Pass: "A=B" is not the name of a variable`,
		`Environment.Pass: "" is not the name of a variable`,
		`Environment.Set: "" is not the name of a variable`,
		`Environment.Set: the value of "N" has a NUL byte`,
		`Env[1]: want "NAME=value"`,
		`Env[2]: want "NAME=value"`,
		`Env[3]: want "NAME=value"`,
	}, "\n"))
}

// TestCommandEnvironment looks at what arrives in a command, byte for byte.
func TestCommandEnvironment(t *testing.T) {
	w := newWorkbench(t, Config{
		Environ:     []string{"PATH=" + os.Getenv("PATH"), "GG_CALL=1.2.outer/3", "ODD=a\nb \xff="},
		Environment: Environment{Pass: []string{"PATH"}},
		Mark:        "run-7",
	})
	for seq := 1; seq <= 2; seq++ {
		out := w.run("env -0 | LC_ALL=C grep -zav -e ^SHLVL= -e ^_= | sort -z | tr '\\0' '|'")
		want := append(slices.Clone(defaults), "LANG=C.UTF-8", "PATH="+os.Getenv("PATH"), "ODD=a\nb \uFFFD=",
			"PWD="+w.dir, "GG_TEST_TOKEN="+w.token, "GG_CALL=1.2.outer/3:"+w.marks.mark(int64(seq)))
		slices.Sort(want)
		require.Equal(t, strings.Join(want, "|")+"|", out.Text)
	}
	require.Regexp(t, `^[0-9]+\.[0-9]+\.run-7/1$`, w.marks.mark(1))
}
