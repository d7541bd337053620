// Command peak runs a program, drops what it prints, and prints its peak resident set in KiB.
//
// The kernel counts in what a process was before it became a program: a copy of whoever started it. So
// somebody small has to, or a small figure would be that of the benchmark.
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"syscall"
)

func main() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		log.Fatalf("%s: %v", os.Args[1], err)
	}
	fmt.Println(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
}
