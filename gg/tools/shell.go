package tools

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/responses-as-code/gg/shell/policy"
)

// shellFunction is the function behind the tool `shell`.
const shellFunction = "shell.shell"

// shellDescription tells a model what it gets back. It has no numbers and no names of directories: those are
// the configuration's, and the result's to say.
func shellDescription(mode policy.Mode) string {
	text := "Run a command line with sh in the workspace. Standard output and standard error come back as one text, in the order in which they were written, with the exit code; of a long output only the tail comes back"
	if mode == policy.Offload {
		text += ". The whole of both streams is kept in files that the result then names: read or grep those instead of running the command again"
	} else {
		text += ", and the result says so"
	}
	return text + ". A non-zero exit code is a result, not an error. The command has no terminal and an empty standard input. A command that runs out of time is killed with everything it started; what it leaves running in the background is named, and ended when the tool returns."
}

// shellResult is what the function gives, as far as it is shown.
type shellResult struct {
	ExitCode   int    `json:"exitCode"`
	Output     string `json:"output"`
	Truncated  bool   `json:"truncated"`
	Signal     string `json:"signal"`
	Background []struct {
		PID     int    `json:"pid"`
		Command string `json:"command"`
	} `json:"background"`
	Files json.RawMessage `json:"files"`
}

func replyShell(value json.RawMessage) (Reply, error) {
	var r shellResult
	if err := json.Unmarshal(value, &r); err != nil {
		return Reply{}, fmt.Errorf("result of `%s`: %w", shellFunction, err)
	}
	ended := strconv.Itoa(r.ExitCode)
	if r.Signal != "" {
		ended = "(terminated by " + r.Signal + ")"
	}
	return Reply{Text: "exit code: " + ended + "\n" + r.body(), Structured: value}, nil
}

// body is the output, and a line each for what it does not show: a cut of which no note tells, and processes
// that were still running.
func (r *shellResult) body() string {
	var lines []string
	if r.Truncated && r.Files == nil {
		lines = append(lines, fmt.Sprintf("[output truncated to %d bytes]", policy.CapBytes))
	}
	for _, p := range r.Background {
		lines = append(lines, fmt.Sprintf("[still running: %d %s]", p.PID, p.Command))
	}
	body := r.Output
	if body == "" {
		body = "(no output)"
	}
	if len(lines) == 0 {
		return body
	}
	return strings.TrimSuffix(body, "\n") + "\n" + strings.Join(lines, "\n")
}
