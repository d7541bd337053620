package store

import (
	"io/fs"
	"strconv"
	"strings"
	"sync"
	"time"
)

// swept has the directories this process has swept already. It is the one thing here that is kept for the
// whole process: sessions come and go, and once is enough for files that are kept for days.
var swept sync.Map

// sweepOnce starts removing what is too old, unless this process has done so before. It runs beside
// the first command instead of before it: there may be thousands of files. d.mu is held.
func (d *Dir) sweepOnce(h *handle) {
	if _, again := swept.LoadOrStore(h.place(), true); again {
		return
	}
	h.hold()
	d.sweeps.Go(func() {
		defer h.release()
		if n := d.sweep(h); n > 0 && d.config.Swept != nil {
			d.config.Swept(n)
		}
	})
}

// sweep removes the old files of every process that is dead, and counts them.
func (d *Dir) sweep(h *handle) (removed int) {
	entries, err := h.list()
	if err != nil {
		return 0 // nothing that anybody waits for; the next process tries again
	}
	before := d.config.Now().Add(-time.Duration(d.config.KeepHours) * time.Hour)
	owners := make(map[int][]string) // process number -> its files that are too old
	young := make(map[int]bool)      // process number -> it has others
	locks := make(map[int]bool)
	for _, e := range entries {
		pid, lock, ok := parseName(e.Name())
		switch {
		case !ok || !e.Type().IsRegular():
		case lock:
			locks[pid] = true
		case older(e, before):
			owners[pid] = append(owners[pid], e.Name())
		default:
			young[pid] = true
		}
	}
	for pid := range locks {
		if _, has := owners[pid]; !has && !young[pid] {
			owners[pid] = nil // only its lock is left
		}
	}
	for pid, names := range owners {
		h.ifDead(pid, !young[pid], func() {
			for _, name := range names {
				select {
				case <-d.stop:
					return
				default:
					if h.remove(name) == nil {
						removed++
					}
				}
			}
		})
	}
	return removed
}

func older(e fs.DirEntry, than time.Time) bool {
	info, err := e.Info()
	return err == nil && info.ModTime().Before(than)
}

// parseName takes the name of a file of ours apart: `cmd-<pid>-<seq>.stdout`, `….stderr`, or a lock,
// `cmd-<pid>.lock`. Nothing else in the directory is ever touched.
func parseName(name string) (pid int, lock, ok bool) {
	rest, ok := strings.CutPrefix(name, "cmd-")
	if !ok {
		return 0, false, false
	}
	if number, isLock := strings.CutSuffix(rest, ".lock"); isLock {
		pid, ok = parseNumber(number)
		return pid, true, ok
	}
	number, rest, _ := strings.Cut(rest, "-")
	seq, kind, _ := strings.Cut(rest, ".")
	if _, ok := parseNumber(seq); !ok || len(seq) < 4 || kind != "stdout" && kind != "stderr" {
		return 0, false, false
	}
	pid, ok = parseNumber(number)
	return pid, false, ok
}

func parseNumber(s string) (int, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

func lockName(pid int) string { return "cmd-" + strconv.Itoa(pid) + ".lock" }
