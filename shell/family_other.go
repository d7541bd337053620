//go:build !linux && !darwin

package shell

import (
	"syscall"
	"time"
)

// members returns nothing: processes can be killed here by their group or job, but are not listed.
func (f *family) members() []member { return nil }

func describe([]member) {}

func (m member) signal(syscall.Signal) {}

func (m member) alive() bool { return false }

func awaitMembers([]member, time.Time, <-chan struct{}) {}

// startTime would be when pid was started; a mark has "0" here.
func startTime(int) string { return "0" }

func startTicks() uint64 { return 0 }
