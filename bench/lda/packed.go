package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

// packedMemory is what --memory says, in bytes; the packed collection has twice as many.
const packedMemory = 2 << 30

// packed trains on a packed file of twice the memory that the program may take, a sweep with 50 topics.
func (b *bench) packed(ctx context.Context) error {
	tokens := 2*packedMemory/4 + 1
	file, out := filepath.Join(b.dir, "generated.packed"), filepath.Join(b.dir, "run")
	program, err := run.Build(b.dir)
	if err != nil {
		return err
	}
	// A child's peak begins with what its parent had, so another process has the tokens.
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if _, _, err := run.Command(ctx, b.dir, self, "-generate", file, "-tokens", strconv.Itoa(tokens)); err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	fmt.Printf("\n%d tokens, generated as for large, packed into %d MB, --memory 2GiB\n", tokens, info.Size()>>20)
	p, err := run.Execute(ctx, b.dir, program, "--memory", "2GiB", "lda", "train", file, "--topics", "50", "--threads", "1", "--sweeps", "1",
		"--evaluate-every", "0", "--progress", "none", "--seed", "1", "--out", out, "--force")
	if err != nil {
		return err
	}
	fmt.Printf("exit status %d, peak resident set %d MB with the pages of mapped files, %.0f CPU s, %.0f s\n%s", p.Status, p.PeakMB, p.CPU.Seconds(), p.Wall.Seconds(), p.Stderr)
	return nil
}
