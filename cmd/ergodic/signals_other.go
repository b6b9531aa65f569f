//go:build !unix

package main

import (
	"os"
	"syscall"
)

// failedWritesAreErrors is how it is where no signal says so.
func failedWritesAreErrors() {}

// endAtClosedPipe leaves it to the error.
func endAtClosedPipe(error) {}

// ignoreHangup has nothing to ignore: a closed console sends SIGTERM.
func ignoreHangup() {}

// ends are the signals that end a run with its state saved.
func ends() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }
