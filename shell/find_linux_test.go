package shell

import (
	"bytes"
	"fmt"
	"os"
)

// findProcesses returns the living processes that have token in their environment or command line.
func findProcesses(token string) []Process {
	var found []Process
	for _, pid := range listProcesses() {
		if p, ok := readStat(pid); !ok || p.dead() || pid == os.Getpid() {
			continue
		}
		for _, name := range []string{"environ", "cmdline"} {
			b, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, name))
			if err == nil && bytes.Contains(b, []byte(token)) {
				found = append(found, Process{pid, commandLine(procStat{pid: pid})})
				break
			}
		}
	}
	return found
}
