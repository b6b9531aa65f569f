// Command hmc sets ergodic sample beside stanli (PyPI), an interpreter of Stan programs that needs no compiler either, in one run
// and in turns: least bulk ESS per CPU second from the shell, by the default plan and with NUTS asked for; CPU microseconds a gradient,
// sampler included; least ESS a gradient; microseconds per value and gradient alone. Each model is a BUGS program and a Stan
// program of the same posterior, whose means and standard deviations are compared.
//
// It installs nothing: $ERGODIC_PYTHON names a Python that has stanli. Models are in bench/hmc/models and bench/posteriordb/models; the
// data and Stan programs of posteriordb are read from the test material; other data are drawn with a fixed seed.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

// bench is what the parts share.
type bench struct {
	dir, root, program string
	only               *regexp.Regexp
	rounds, threads    int
	seed               uint64
	verbose            bool
	limit              time.Duration
	without            string
}

func main() {
	only := flag.String("only", "", "regular expression of the models to run")
	part := flag.String("part", "", "ess or gradient; both when empty; own: NUTS alone, without a peer")
	b := new(bench)
	flag.StringVar(&b.program, "ergodic", "", "program to measure; built when empty")
	flag.IntVar(&b.rounds, "rounds", 3, "rounds, in turns; medians are printed")
	flag.IntVar(&b.threads, "threads", 0, "threads of ergodic; 0 for all cores, as stanli takes them")
	flag.Uint64Var(&b.seed, "seed", 1, "seed of the first round")
	flag.BoolVar(&b.verbose, "v", false, "print the worst difference of each model")
	flag.StringVar(&b.without, "without", "", "leave out default or NUTS")
	flag.DurationVar(&b.limit, "limit", 5*time.Minute, "wall-clock time of a process, after which it counts as failed")
	flag.Parse()
	run.Main("hmc", func(ctx context.Context, dir string) error {
		b.dir = dir
		return b.measure(ctx, *only, *part)
	})
}

func (b *bench) measure(ctx context.Context, only, part string) (err error) {
	if b.only, err = regexp.Compile(only); err != nil {
		return err
	}
	if b.root, err = run.Root(); err != nil {
		return err
	}
	if part == "data" { // for memory: of the models, in a folder that stays
		return b.writeData()
	}
	if part == "own" {
		fmt.Println(run.Machine())
		fmt.Printf("go run ./bench/hmc %s\n", strings.Join(os.Args[1:], " "))
		return b.own(ctx)
	}
	version, err := exec.CommandContext(ctx, run.Python(), "-c", "import stanli, importlib.metadata; print(importlib.metadata.version('stanli'))").Output()
	if err != nil {
		fmt.Println("SKIPPED: no stanli; ERGODIC_PYTHON may name a Python that has it")
		return nil
	}
	if b.program, err = run.Program(b.dir, b.program); err != nil {
		return err
	}
	fmt.Println(run.Machine())
	fmt.Printf("go run ./bench/hmc %s  (stanli %s)\n", strings.Join(os.Args[1:], " "), strings.TrimSpace(string(version)))
	if part != "ess" { // first: a process's peak counts what its parent had when it began
		if err := b.memory(ctx); err != nil {
			return err
		}
	}
	if part != "gradient" {
		if err := b.ess(ctx); err != nil {
			return err
		}
	}
	if part != "ess" {
		return b.gradients(ctx)
	}
	return nil
}

// driver is the command line of the peer.
func (b *bench) driver(args ...string) []string {
	return append([]string{filepath.Join(b.root, "bench", "hmc", "stanli_driver.py")}, args...)
}
