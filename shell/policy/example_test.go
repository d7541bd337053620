package policy_test

import (
	"fmt"

	"github.com/responses-as-code/gg/shell/policy"
)

func Example() {
	p := policy.Policy{Mode: policy.Offload, MaxLines: 2, MaxChars: 8000}
	if err := p.Validate(); err != nil {
		fmt.Println(err)
		return
	}
	c := policy.NewCollector(p)
	c.Write(policy.Stdout, []byte("building\nlinking\n"))
	c.Write(policy.Stderr, []byte("undefined: main\n"))
	out := c.Render(policy.Files{
		Stdout: policy.File{Path: "/tmp/gg-shell/cmd-41-0003.stdout"},
		Stderr: policy.File{Path: "/tmp/gg-shell/cmd-41-0003.stderr"},
	})
	fmt.Println(out.Text)
	// Output:
	// linking
	// undefined: main
	//
	// [Output truncated: last 2 lines]
	// stdout: /tmp/gg-shell/cmd-41-0003.stdout
	//   2 lines; line length p50 7, p95 8, p99 8
	//   longest lines: 8 chars @ 1, 7 @ 2
	// stderr: /tmp/gg-shell/cmd-41-0003.stderr
	//   1 line; line length p50 15, p95 15, p99 15
	//   longest lines: 15 chars @ 1
}
