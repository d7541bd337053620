// Command writer prints a log in writes of one size, as fast as it can: to standard output, or with -both to
// standard output and standard error in turns. A write ends where it ends, in the middle of a line as a rule, as
// those of a program with a buffer do.
package main

import (
	"flag"
	"log"
	"os"
	"strings"
)

func main() {
	total := flag.Int64("bytes", 1<<20, "how much to print, over both streams")
	size := flag.Int("size", 4096, "bytes of one write")
	line := flag.Int("line", 72, "bytes of one line, its end included")
	both := flag.Bool("both", false, "write to both streams in turns")
	flag.Parse()

	streams := []*os.File{os.Stdout}
	if *both {
		streams = append(streams, os.Stderr)
	}
	text := strings.Repeat("x", *line-1) + "\n"
	lines := []byte(strings.Repeat(text, *size/len(text)+2))
	at := make([]int, len(streams)) // where in a line each stream is
	for n := int64(0); n < *total; n += int64(*size) {
		for i := range streams {
			if _, err := streams[i].Write(lines[at[i] : at[i]+*size]); err != nil {
				log.Fatal(err)
			}
			at[i] = (at[i] + *size) % len(text)
			if i+1 < len(streams) {
				n += int64(*size)
			}
		}
	}
}
