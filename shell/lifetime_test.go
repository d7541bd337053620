//go:build linux

package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/shell/policy"
)

// publicCase is a command that broke another tool, from its bug reports. A zero field is not looked at, except
// for exit: every case that does not time out has an exit code.
type publicCase struct {
	name    string // the number in testdata/reports.txt, and what is special
	source  string // where the command was reported; empty: it is a variant of ours
	command string
	dir     string // is made for it, and is its working directory
	config  Config
	uses    []string // programs

	exit       int
	signal     string
	text       string   // the whole text
	has        []string // parts of it
	hasNot     []string
	stdout     string // the file
	stderr     string
	lines      int64    // of standard output
	background []string // the command lines of the processes left behind
	leaves     bool     // some are left behind
	timeout    bool     // it is killed, after the text was captured
}

var publicCases = []publicCase{
	// A. Lifetime, kill, process tree.
	{name: "A01", source: "anomalyco/opencode#47350; gptme/gptme#3756; docker/docker-agent PR 2462; golang/go#23019",
		command: "sleep 30 & echo started", text: "started\n", background: []string{"sleep 30"}},
	{name: "A01 nohup", source: "anomalyco/opencode PR 1254; earendil-works/pi#1189",
		command: "nohup sleep 30 & echo started", has: []string{"started\n"}, background: []string{"sleep 30"}},
	{name: "A01 chatty", source: "golang/go#23019",
		command: "yes >&2 & echo started", stdout: "started\n", background: []string{"yes"}},
	{name: "A02", source: "anomalyco/opencode#47350",
		command: "sleep 30 >/dev/null & echo ok", text: "ok\n", background: []string{"sleep 30"}},
	{name: "A02 both redirected", source: "anomalyco/opencode#47350",
		command: "sleep 30 >/dev/null 2>&1 & sleep 0.2; echo ok", text: "ok\n", background: []string{"sleep 30"}},
	{name: "A04", source: "Kuberwastaken/claurst PR 189; docker/docker-agent PR 2462",
		command: "setsid sleep 30 & echo spawned", text: "spawned\n", background: []string{"sleep 30"}},
	{name: "A04 daemon", source: "Kuberwastaken/claurst PR 189",
		command: "(setsid sleep 30 >/dev/null 2>&1 </dev/null &); sleep 0.2; echo spawned",
		text:    "spawned\n", background: []string{"sleep 30"}},
	{name: "A05", source: "openai/codex#4337; langfuse/langfuse#15955; Gitlawb/zero#966",
		command: "sleep 30; true", timeout: true},
	{name: "A05 pipe", source: "openai/codex PR 5258", command: "sleep 30 | cat", timeout: true},
	{name: "A05 subshell", source: "vertti/preflight PR 218", command: "(sleep 30)", timeout: true},
	{name: "A05 wait", source: "Gaurav-Gosain/tuios#141", command: "sleep 30 & wait", timeout: true},
	{name: "A05 many", source: "openai/codex#4337",
		command: "i=0; while [ $i -lt 200 ]; do sleep 30 & i=$((i+1)); done; wait", timeout: true},
	{name: "A05 session", source: "docker/docker-agent PR 2462", command: "setsid sleep 30 & wait", timeout: true},
	{name: "A05 daemon", source: "docker/docker-agent PR 2462",
		command: "(setsid sh -c 'trap \"\" TERM; sleep 30; sleep 30' >/dev/null 2>&1 &); sleep 30", timeout: true},
	{name: "A05 stopped", source: "openai/codex#4337", command: "kill -STOP $$; sleep 30", timeout: true},
	{name: "A06", source: "openai/codex#4337",
		command: "mkfifo p; (while :; do echo child; sleep 1; done) > p & cat p", timeout: true, text: "child\n"},
	{name: "A08", source: "earendil-works/pi#9460; open-gsd/gsd-pi PR 2040; ahmadrosid/nakama#526",
		command: `trap "" TERM; echo armed; while :; do sleep 0.2; done`, timeout: true, text: "armed\n"},
	{name: "A08 trap and success", source: "earendil-works/pi#9460",
		command: `trap "echo bye; exit 0" TERM; echo armed; while :; do sleep 0.05; done`, timeout: true, has: []string{"armed\n", "bye\n"}},
	{name: "A11", source: "NousResearch/hermes-agent PR 3868; stacklok/mecatl#153; SWE-agent/SWE-ReX PR 151",
		command: "echo line1; echo line2 >&2; sleep 30", timeout: true, stdout: "line1\n", stderr: "line2\n"},
	{name: "A12", source: "microsoft/RD-Agent PR 613; langwatch/scenario#501", uses: []string{"perl"},
		command: `perl -e 'print "buffered line\n"; sleep 30'`, timeout: true, hasNot: []string{"buffered"}},
	{name: "A14", source: "pstadler/non-terminating-bash-processes PR 3; gmuxapp/gmux PR 433",
		command: "echo a; kill 0; echo b", exit: 143, signal: "SIGTERM", text: "a\n"},
	{name: "A18", source: "openai/codex#21994; ansible/ansible-runner PR 380",
		command: `sh -c "sleep 30 & echo \$! > kid; wait" & P=$!; sleep 0.3; kill -9 $P; sleep 0.2; kill -0 $(cat kid) && echo "orphan still running"`,
		has:     []string{"orphan still running\n"}, background: []string{"sleep 30"}},
	{name: "A19", source: "charmbracelet/crush#2653; cloudflare/sandbox-sdk#338",
		command: "(while :; do echo tick; sleep 0.3; done) & sleep 0.5; exit 0", has: []string{"tick\ntick\n"}},

	// B. Standard input, terminal, prompts.
	{name: "B01", source: "anomalyco/opencode PR 1964; MoonshotAI/kimi-cli#1117",
		command: `cat; read x; echo "got:$x rc=$?"`, text: "got: rc=1\n"},
	{name: "B01 terminal", source: "MoonshotAI/kimi-cli PR 1579",
		command: "(exec </dev/tty) 2>/dev/null; [ $? -ne 0 ] && echo none", text: "none\n"},
	{name: "B03", source: "earendil-works/pi PR 298; microsoft/vscode#314090", uses: []string{"git"},
		command: "git init -q r && cd r && git config user.email a@b && git config user.name a && " +
			`git config core.editor "sleep 30 #" && git commit --allow-empty; echo rc=$?`, has: []string{"rc=1\n"}},
	{name: "B04", source: "zed-industries/zed PR 43277; microsoft/vscode#300116",
		command: "seq 1 3000 | ${PAGER:-less} | tail -n 1", text: "3000\n"},
	{name: "B05", source: "anthropics/claude-code#292", command: "mkfifo p; cat p", timeout: true},

	// C. Exit status.
	{name: "C01", source: "openinterpreter/openinterpreter#556; bitfield/script#117", exit: 127,
		command: `: > f; ./f; echo "first=$?"; nosuchcmd_xyz --flag`, has: []string{"first=126\n", "nosuchcmd_xyz"}},
	{name: "C02", source: "buildkite/docs#306; apache/dolphinscheduler#18388",
		command: `sh -c "exit 256"; echo $?; sh -c "exit 300"; echo $?; exit 7`, exit: 7, text: "0\n44\n"},
	{name: "C03", source: "earendil-works/pi#8992; vm0-ai/vm0#33855",
		command: `printf "before-kill\n"; kill -KILL $$`, exit: 137, signal: "SIGKILL", text: "before-kill\n"},
	{name: "C03 segv", source: "Kilo-Org/kilocode PR 12698", command: "kill -SEGV $$", exit: 139, signal: "SIGSEGV"},
	{name: "C03 inner", source: "earendil-works/pi#8882", command: `sh -c 'kill -TERM $$' 2>/dev/null; exit $?`, exit: 143, has: []string{""}},
	{name: "C03 real time", source: "earendil-works/pi#9577", command: "kill -40 $$", exit: 168, signal: "SIGRTMIN+6"},
	{name: "C04", source: "langchain-ai/deepagents#5955; cortexkit/aft#186", command: "false | cat"},
	{name: "C05", source: "kovidgoyal/kitty#5500; netdata/netdata PR 23751",
		command: "yes | head -n 1", stdout: "y\n", text: "y\n"},
	{name: "C06", source: "wonderwhy-er/DesktopCommanderMCP#395", command: "echo boom >&2; exit 1", exit: 1, text: "boom\n"},
	{name: "C07", source: "gptme/gptme#3667; SWE-agent/SWE-agent#697", command: `echo "abc`, exit: 2, has: []string{"nterminated"}},

	// D. The command string.
	{name: "D02", source: "zed-industries/zed PR 49106; bytedance/trae-agent PR 205",
		command: "echo hi # note\ncat <<EOF\nhello\nEOF", text: "hi\nhello\n"},
	{name: "D02 comment", source: "Sentdex/minion PR 15", command: "echo hi # note", text: "hi\n"},
	{name: "D02 backslash", source: "google-gemini/gemini-cli PR 26770", command: "echo hi\\", text: "hi\\\n"},
	{name: "D04", source: "OpenRouterLabs/spawn#2903", command: "# only a comment"},
	{name: "D06", source: "hectorm/elementary-dropbox#5; fish-shell/fish-shell#3655",
		command: "echo a\r\ntrue\r\necho b\r", stdout: "a\r\nb\r\n", has: []string{"not found"}},
	{name: "D07", source: "agentscope-ai/QwenPaw#7046; gptme/gptme#3667",
		command: `printf "%s\n" "it's \"q\" \$HOME \\ 日本 🎉" '$(id)'` + "\n" + `printf "a\nb\n"`,
		text:    "it's \"q\" $HOME \\ 日本 🎉\n$(id)\na\nb\n"},
	{name: "D07 option", source: "gptme/gptme#3667", command: "-x echo hi", exit: 127, has: []string{"-x"}},
	{name: "D07 plus", source: "gptme/gptme#3667", command: "+x echo hi", exit: 127, has: []string{"+x"}},
	{name: "D07 leading blank", source: "gptme/gptme#3667", command: "\n \t echo hi", text: "hi\n"},

	// E. Output.
	{name: "E01", source: "wonderwhy-er/DesktopCommanderMCP PR 649; Kilo-Org/kilocode PR 6883",
		command: `printf "\342\202"; sleep 0.1; printf "\254\n"`, text: "€\n", stdout: "€\n"},
	{name: "E02", source: "mistralai/mistral-vibe PR 947; smithersai/smithers PR 191",
		config:  Config{Policy: policy.Policy{Mode: policy.Offload, MaxLines: 200, MaxChars: 10000}},
		command: `i=0; while [ $i -lt 6000 ]; do printf "€"; i=$((i+1)); done; echo x`,
		has:     []string{strings.Repeat("€", 5460) + "x\n\n[Output truncated: capped at 16384 bytes]\n"}, hasNot: []string{"\uFFFD"}},
	{name: "E04", source: "PrimeIntellect-ai/nano-rlm PR 61; nullclaw/nullclaw#356",
		command: `printf "before\344\345after\n"`, text: "before\uFFFD\uFFFDafter\n", stdout: "before\xe4\xe5after\n"},
	{name: "E05", source: "SWE-agent/mini-swe-agent PR 761; DocRoms/Kronn#208",
		command: `printf "a\000b\n"; printf "c\n"`, text: "a\x00b\nc\n", stdout: "a\x00b\nc\n"},
	{name: "E07", source: "earendil-works/pi#4818; jline/jline3#1787",
		command: `seq -f "line-%04g" 1 4000; printf "no newline"`,
		has:     []string{"line-3802\n", "no newline\n\n[Output truncated: last 200 lines]\n", "  4001 lines;"}, hasNot: []string{"line-3801\n"}},
	{name: "E08", source: "open-octo/octo-agent PR 2511; openchamber/openchamber#1965",
		command: `printf "\033[31mred\033[0m\n\033]0;title\007\033[?1049h\033Pq#0\033\\plain\n"`,
		text:    "\x1b[31mred\x1b[0m\n\x1b]0;title\a\x1b[?1049h\x1bPq#0\x1b\\plain\n"},
	{name: "E09", source: "aaif-goose/goose PR 10992; Tyrrrz/CliWrap#99",
		command: `i=0; while [ $i -lt 20000 ]; do printf "\r%d%%" $i; i=$((i+1)); done; echo`,
		has:     []string{"\r19999%\n", "last 8000 characters", "  1 line;", "128890 chars @ 1"}},
	{name: "E11", source: "dirge-code/dirge PR 85; xonsh/xonsh#2129; agynio/v1#864", config: Config{Policy: inline},
		command: "for i in 1 2 3 4 5; do echo o$i; echo e$i >&2; done",
		text:    "o1\ne1\no2\ne2\no3\ne3\no4\ne4\no5\ne5\n"},
	{name: "E12", source: "akash-akya/exile#43; vercel-labs/just-bash PR 318", config: Config{Policy: inline},
		command: `printf "prog "; printf "warn\n" >&2; printf "done\n"`, text: "prog warn\ndone\n"},
	{name: "E12 files", source: "akash-akya/exile#43",
		command: `printf "prog "; printf "warn\n" >&2; printf "done\n"`, stdout: "prog done\n", stderr: "warn\n"},
	{name: "E13", source: "Kuberwastaken/claurst PR 189; kaeawc/auto-mobile#3602",
		command: `head -c 1000000 /dev/zero | tr "\0" e >&2; echo ok`, stdout: "ok\n", stderr: strings.Repeat("e", 1000000)},
	{name: "E18 fits", source: "Gitlawb/openclaude PR 1786", command: "seq 1 200", hasNot: []string{"[Output"}},
	{name: "E18 one more", source: "earendil-works/pi#5662", command: "seq 1 201", has: []string{"2\n3\n", "last 200 lines"}},
	{name: "E18 bytes", source: "smithersai/smithers PR 191",
		config:  Config{Policy: policy.Policy{Mode: policy.Offload, MaxLines: 1000, MaxChars: 100000}},
		command: `seq 1 200; head -c 15691 /dev/zero | tr "\0" a; echo`, hasNot: []string{"[Output"}},
	{name: "E18 a byte more", source: "smithersai/smithers PR 191",
		config:  Config{Policy: policy.Policy{Mode: policy.Offload, MaxLines: 1000, MaxChars: 100000}},
		command: `seq 1 200; head -c 15692 /dev/zero | tr "\0" a; echo`, has: []string{"capped at 16384 bytes"}},

	// F, G. Files, environment, workspace.
	{name: "F02", source: "open-mercato/cezar#785; sosreport/sos#2071",
		command: "echo hi > /dev/full; echo rc=$?; head -c 100000 /dev/zero > /dev/full; echo rc=$?", stdout: "rc=1\nrc=1\n"},
	{name: "F05 umask", source: "guardicore/monkey#2775", command: "umask 027; sh -c umask", text: "0027\n"},
	{name: "G03", source: "can1357/oh-my-pi PR 6842; git-cola/git-cola#581",
		command: `printf "é日\n" | LC_ALL=C wc -m; printf "é日\n" | LC_ALL=C.UTF-8 wc -m`, text: "6\n3\n"},
	{name: "G04", source: "anomalyco/opencode PR 30090; get-bb/bb#1529",
		command: `mkdir d; cd d; rm -rf ../d; sh -c "echo inner; /bin/pwd"; echo rc=$?`, has: []string{"inner\n", "rc=1\n"}},
	{name: "G05", source: "google-gemini/gemini-cli#21187; coder/xum PR 978",
		command: `mkdir -- "a b" "-dash" '$x' "q'q"; for d in "a b" ./-dash '$x' "q'q"; do (cd "$d" && sh -c "pwd | sed s,.*/,,"); done`,
		text:    "a b\n-dash\n$x\nq'q\n"},
	{name: "G06", source: "anthropics/claude-code#40354; eugene1g/agent-safehouse PR 105", uses: []string{"bash"},
		config:  Config{Environ: []string{"PATH=" + os.Getenv("PATH"), "BASH_ENV=./rc", "ENV=./rc", "CDPATH=/"}},
		command: `echo "echo FROM_RC" > rc; bash -c "echo hi"; sh -c "echo hi"; mkdir tmp; cd tmp`, text: "hi\nhi\n"},
	{name: "G07", source: "TeoSlayer/shell.online#53; marcusquinn/aidevops PR 18309",
		command: "ls /proc/self/fd | xargs", text: "0 1 2 3\n"},
	{name: "G08", source: "openai/codex#26984; gvarsanyi/sync-exec#16",
		command: `sh -c "ulimit -n 4; echo hi | cat"; echo rc=$?`, has: []string{"rc=2\n"}},

	// The shell is sh: what is written for bash is passed on as it is, and fails as it does there.
	{name: "dash", source: "models write bash",
		command: `sh -c '[[ a = a ]]' 2>/dev/null; case $? in 0|127) echo sh;; esac`, text: "sh\n"},
}

func TestPublicCases(t *testing.T) {
	for _, c := range slices.Concat(publicCases, variants) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w, out := c.run(t)
			c.requireText(t, w, out)
			if c.background != nil {
				var commands []string
				for _, p := range out.Background {
					commands = append(commands, p.Command)
				}
				require.Equal(t, c.background, commands)
			}
			if c.leaves {
				require.NotEmpty(t, out.Background)
			}
			if c.lines != 0 {
				require.Equal(t, c.lines, out.Stdout.Lines)
			}
		})
	}
}

// TestPublicCasesInline runs what does not look at files with one shared pipe as well.
func TestPublicCasesInline(t *testing.T) {
	for _, c := range slices.Concat(publicCases, variants) {
		if c.stdout != "" || c.stderr != "" || c.config.Policy != (policy.Policy{}) || strings.HasPrefix(c.name, "E") {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.config.Policy = inline
			w, out := c.run(t)
			require.Nil(t, out.Files)
			require.NoDirExists(t, w.files)
			if !strings.Contains(out.Text, "Terminated") { // some shells tell of it on the shared pipe
				c.requireText(t, w, out)
			}
		})
	}
}

// run runs the case. One that times out is given more time if the machine was too busy for it to say what it has to
// say.
func (c publicCase) run(t *testing.T) (*workbench, *Output) {
	needs(t, c.uses...)
	c.config.KillGrace = 150 * time.Millisecond
	w := newWorkbench(t, c.config)
	request := Request{Command: c.command, Dir: filepath.Join(w.dir, c.dir), Timeout: time.Minute}
	require.NoError(t, os.MkdirAll(request.Dir, 0o700))
	if !c.timeout {
		out, err := w.Run(context.Background(), request)
		require.NoError(t, err)
		require.Equal(t, c.exit, out.ExitCode, out.Text)
		require.Equal(t, c.signal, out.Signal)
		return w, out
	}
	for request.Timeout = 200 * time.Millisecond; ; request.Timeout *= 4 {
		_, err := w.Run(context.Background(), request)
		require.EqualError(t, err, fmt.Sprintf("command timed out after %.3fs and was killed", request.Timeout.Seconds()))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		out := OutputOf(err)
		require.Empty(t, out.Background)
		w.requireNoSurvivors() // at return, not only at the end of the run
		if request.Timeout > time.Minute/4 || c.saidAll(w, out) {
			return w, out
		}
		empty(t, w.dir)
	}
}

// saidAll reports whether out has what the case is expected to print before it is killed.
func (c publicCase) saidAll(w *workbench, out *Output) bool {
	said := len(out.Text) >= len(c.text) && (c.stdout == "" || w.read(out.Files.Stdout) != "") && (c.stderr == "" || w.read(out.Files.Stderr) != "")
	for _, part := range c.has {
		said = said && strings.Contains(out.Text, part)
	}
	return said
}

// empty removes what is in dir.
func empty(t testing.TB, dir string) {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		require.NoError(t, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
}

func (c publicCase) requireText(t *testing.T, w *workbench, out *Output) {
	switch {
	case c.text != "":
		require.Equal(t, c.text, out.Text)
	case c.has == nil && c.stdout == "" && c.stderr == "" && c.hasNot == nil:
		require.Empty(t, out.Text)
	}
	for _, part := range c.has {
		require.Contains(t, out.Text, part)
	}
	for _, part := range c.hasNot {
		require.NotContains(t, out.Text, part)
	}
	if c.stdout != "" {
		require.Equal(t, c.stdout, w.read(out.Files.Stdout))
	}
	if c.stderr != "" {
		require.Equal(t, c.stderr, w.read(out.Files.Stderr))
	}
}

// D03: a NUL cannot be passed on, and is refused before anything runs. D04: so is a blank command.
func TestRefusedRequests(t *testing.T) {
	w := newWorkbench(t, Config{})
	for _, c := range []struct{ command, want string }{
		{"", "command is blank"},
		{" \t\r\n", "command is blank"},
		{"\v\f\n", "command is blank"},
		{"echo a\x00; touch ran", "command has a NUL byte at offset 6"},
		{"\x00touch ran", "command has a NUL byte at offset 0"},
		{"touch ran\x00", "command has a NUL byte at offset 9"},
		{"touch ran # é\x00", "command has a NUL byte at offset 14"},
		{"touch ran <<E\n\x00\nE", "command has a NUL byte at offset 14"},
		{"touch ran #" + strings.Repeat("x", MaxCommandBytes), "command is too long: got 1048587 bytes, want at most 1048576"},
	} {
		out, err := w.Run(context.Background(), Request{Command: c.command})
		var refused *ArgumentError
		require.ErrorAs(t, err, &refused)
		require.EqualError(t, err, c.want)
		require.Nil(t, out)
	}
	_, err := w.Run(context.Background(), Request{Command: "true", Timeout: -1})
	require.EqualError(t, err, "timeout: got -1ns, want a positive duration")
	_, err = w.Run(context.Background(), Request{Command: "true", Policy: &policy.Policy{Mode: "offlaod"}})
	require.ErrorContains(t, err, "policy: ")
	require.NoFileExists(t, filepath.Join(w.dir, "ran"))
	require.NoDirExists(t, w.files)
}

// G04: what is missing is named, and missed only as long as it is.
func TestLaunchErrors(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "workspace")
	w := newWorkbench(t, Config{Dir: dir})
	run := func(dir string) error {
		_, err := w.Run(context.Background(), Request{Command: "pwd", Dir: dir})
		return err
	}
	err := run("")
	var launch *LaunchError
	require.ErrorAs(t, err, &launch)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.EqualError(t, err, `working directory "`+dir+`" does not exist`)

	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, run(""))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	err = run("file")
	require.EqualError(t, err, `working directory "`+filepath.Join(dir, "file")+`" is not a directory`)
	require.False(t, errors.Is(err, os.ErrNotExist))
	require.EqualError(t, run("a\x00b"), `working directory "a\x00b" has a NUL byte`)

	// A command that could not be launched leaves no files.
	entries, err := filepath.Glob(filepath.Join(w.files, "*.stdout"))
	require.NoError(t, err)
	require.Len(t, entries, 1)
}
