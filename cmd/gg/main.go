// Command gg runs programs that an agent answered with: `gg run script.js`. See `gg --help`.
package main

import (
	"os"

	"github.com/responses-as-code/gg/cmd/internal/cli"
)

func main() {
	os.Exit(cli.Main(cli.Process()))
}
