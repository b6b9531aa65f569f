package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// interruptible gives a context that the first Ctrl-C or SIGTERM ends, after
// calling told; the second kills the process as if nobody listened. Call stop
// when there is nothing left to save.
func interruptible(told func()) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	first := make(chan os.Signal, 1)
	signal.Notify(first, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-first:
			signal.Stop(first)
			told()
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(first); cancel() }
}
