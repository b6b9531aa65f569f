//go:build !unix

package job

import (
	"os"
	"syscall"
)

// ignoreHangup has nothing to ignore: a closed console sends SIGTERM.
func ignoreHangup() {}

// Signals are the signals that end a run with its state saved.
func Signals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }
