//go:build unix

package job

import (
	"os"
	"os/signal"
	"syscall"
)

// ignoreHangup lets a process that is saving its state finish: a closed
// terminal sends SIGHUP more than once.
func ignoreHangup() { signal.Ignore(syscall.SIGHUP) }

// Signals are the signals that end a run with its state saved. A hangup that is
// ignored, as nohup has it, stays so.
func Signals() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}
