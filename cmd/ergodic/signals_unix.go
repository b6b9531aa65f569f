//go:build unix

package main

import (
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"syscall"
)

// failedWritesAreErrors makes a write beyond the limit of ulimit -f, or to a
// pipe that nobody reads any more, fail with an error, as on a full disk, where
// it would kill the process in the middle of a run.
func failedWritesAreErrors() { signal.Ignore(syscall.SIGXFSZ, syscall.SIGPIPE) }

// endAtClosedPipe ends the process as other programs end when the reader of
// their results has gone, as head does: silently, by SIGPIPE.
func endAtClosedPipe(err error) {
	var p *fs.PathError
	if errors.As(err, &p) && p.Path == os.Stdout.Name() && errors.Is(p.Err, syscall.EPIPE) {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // Reset alone leaves it ignored
		signal.Reset(syscall.SIGPIPE)
		os.Stdout.WriteString("\n") // which now raises the signal
	}
}
