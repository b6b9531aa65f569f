// Command topics writes docs/lda.md and docs/lda.png: what the samplers of `ergodic lda train` reach on 20news in processor
// time, what fitted priors change on ap, and what several chains tell, on the collections of the test material
// ($ERGODIC_SHARED, or shared beside the repository).
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

//go:embed lda.md.tmpl
var page string

func main() {
	quick := flag.Bool("quick", false, "a tenth of the sweeps, to see whether it works; writes to the temporary folder")
	flag.Parse()
	run.Main("topics", func(ctx context.Context, dir string) error { return write(ctx, dir, *quick) })
}

// bench is the program that is measured and where its runs are.
type bench struct {
	program, dir, corpora string
	share                 int // of the sweeps is made one in so many
}

func write(ctx context.Context, dir string, quick bool) error {
	root, err := run.Root()
	if err != nil {
		return err
	}
	corpora, err := run.Shared("lda")
	if err != nil {
		return err
	}
	program, err := run.Build(dir)
	if err != nil {
		return err
	}
	b, to := &bench{program, dir, corpora, 1}, filepath.Join(root, "docs")
	if quick {
		b.share, to = 10, os.TempDir()
	}
	var p struct {
		Samplers, Priors, Chains, Topics string
	}
	traces, err := b.samplers(ctx)
	if err != nil {
		return err
	}
	p.Samplers = samplerTable(traces)
	if err := draw(filepath.Join(to, "lda.png"), traces); err != nil {
		return err
	}
	if p.Priors, p.Topics, err = b.priors(ctx); err != nil {
		return err
	}
	if p.Chains, err = b.chains(ctx); err != nil {
		return err
	}
	return run.WritePage(filepath.Join(to, "lda.md"), page, p)
}

// training is what lda train prints as JSON.
type training struct {
	Sweeps        int
	LogLikelihood float64 `json:"log_likelihood_per_token"`
	Speed         float64 `json:"tokens_per_cpu_s"`
	CPU           float64 `json:"cpu_s"`
	Rhat          float64 `json:"r_hat"`
	Alpha         []float64
	Beta          float64
	Trace         []score
	Chains        []struct {
		LogLikelihood float64 `json:"log_likelihood_per_token"`
	}
}

type score struct {
	Sweep         int
	CPU           float64 `json:"cpu_s"`
	LogLikelihood float64 `json:"log_likelihood_per_token"`
}

// train trains on a file with some sweeps and other flags.
func (b *bench) train(ctx context.Context, file, name string, sweeps int, flags ...string) (*training, error) {
	args := append([]string{"lda", "train", file, "--sweeps", strconv.Itoa(max(sweeps/b.share, 8)), "--out", filepath.Join(b.dir, name),
		"--seed", "1", "--progress", "none", "--json"}, flags...)
	var t training
	return &t, b.call(ctx, &t, args...)
}

// call runs the program and reads the JSON that it prints.
func (b *bench) call(ctx context.Context, into any, args ...string) error {
	fmt.Fprintln(os.Stderr, "ergodic", strings.Join(args, " "))
	_, out, err := run.Command(ctx, "", b.program, args...)
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(out), into)
}
