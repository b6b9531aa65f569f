//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// fileTooLargeIsAnError makes a write beyond the limit of ulimit -f fail with
// an error, as on a full disk, where it would kill the process.
func fileTooLargeIsAnError() { signal.Ignore(syscall.SIGXFSZ) }
