package job

import (
	"context"
	"os"
	"os/signal"
	"time"
)

// Interruptible gives a context that the first Ctrl-C, SIGTERM or SIGHUP ends,
// calling told; a second Ctrl-C or SIGTERM kills the process as if nobody
// listened. Call stop when there is nothing left to save.
func Interruptible(told func()) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	first := make(chan os.Signal, 1)
	signal.Notify(first, Signals()...)
	go func() {
		select {
		case <-first:
			ignoreHangup()
			signal.Stop(first)
			atMost(100*time.Millisecond, told)
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(first); cancel() }
}

// atMost waits for f no longer than d: a message waits for ever where nobody
// reads it.
func atMost(d time.Duration, f func()) {
	done := make(chan struct{})
	go func() { f(); close(done) }()
	select {
	case <-done:
	case <-time.After(d):
	}
}
