package run

import (
	"context"
	"fmt"
	"os"
	"os/signal"
)

// Main does what a benchmark does, in a temporary folder that goes after it, until Ctrl-C. An error ends the program.
func Main(name string, do func(ctx context.Context, dir string) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := inTemporary(ctx, name, do); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

func inTemporary(ctx context.Context, name string, do func(ctx context.Context, dir string) error) error {
	dir, err := os.MkdirTemp("", "ergodic-"+name)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	return do(ctx, dir)
}
