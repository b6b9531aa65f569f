// Command tsp measures annealing of tours on TSPLIB's problems in the test material: lengths above the optimum after a number of moves on one core
// and, with -time, in a limited time; moves a second beside simanneal (PyPI), in turns in one run.
//
// Python's interpreter is $ERGODIC_PYTHON, or python3; without simanneal in it the comparison is skipped.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/anneal/tsp"
	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
)

type bench struct {
	folder  string
	only    *regexp.Regexp
	best    map[string]float64
	moves   float64
	limit   time.Duration
	threads int
	seeds   int
	reads   int
}

func main() {
	b := &bench{}
	only := flag.String("only", "", "problems whose names match")
	flag.Float64Var(&b.moves, "moves", 20e6, "of a search; 0: none by moves")
	flag.DurationVar(&b.limit, "time", 0, "of a search; 0: none by time")
	flag.IntVar(&b.threads, "threads", 2, "of a search by time")
	flag.IntVar(&b.seeds, "seeds", 3, "searches by moves, each by itself")
	flag.IntVar(&b.reads, "reads", 1, "that share the moves of a search")
	peer := flag.Bool("peer", true, "speed beside simanneal")
	flag.Parse()
	run.Main("tsp", func(ctx context.Context, _ string) (err error) {
		if b.only, err = regexp.Compile(*only); err != nil {
			return err
		}
		if b.folder, err = run.Shared("anneal", "tsplib"); err != nil {
			return err
		}
		if err := b.optima(); err != nil {
			return err
		}
		fmt.Println(run.Machine())
		if b.moves > 0 {
			err = b.byMoves(ctx)
		}
		if b.limit > 0 && err == nil {
			err = b.byTime(ctx)
		}
		if *peer && err == nil {
			err = b.speed(ctx)
		}
		return err
	})
}

// optima reads the lengths of shortest tours.
func (b *bench) optima() error {
	text, err := os.ReadFile(filepath.Join(b.folder, "solutions"))
	if err != nil {
		return err
	}
	b.best = map[string]float64{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		if f := strings.Fields(value); len(f) > 0 {
			if b.best[strings.TrimSpace(name)], err = strconv.ParseFloat(f[0], 64); err != nil {
				return err
			}
		}
	}
	return nil
}

// problem reads one.
func (b *bench) problem(name string) (*tsp.Problem, error) {
	path := filepath.Join(b.folder, name+".tsp")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return tsp.Read(path, text)
}

// problems are all that match, the smallest first.
func (b *bench) problems() (all []*tsp.Problem, names []string, err error) {
	files, err := filepath.Glob(filepath.Join(b.folder, "*.tsp"))
	if err != nil {
		return nil, nil, err
	}
	size := map[string]int{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".tsp")
		if !b.only.MatchString(name) {
			continue
		}
		p, err := b.problem(name)
		if err != nil {
			return nil, nil, err
		}
		names, size[name] = append(names, name), p.Variables()
	}
	slices.SortFunc(names, func(x, y string) int { return size[x] - size[y] })
	for _, name := range names {
		p, err := b.problem(name)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, p)
	}
	return all, names, nil
}

// above is the percentage by which the best of a run, computed from the file, is above the optimum.
func (b *bench) above(name string, p *tsp.Problem, found *anneal.Result) (float64, error) {
	length, err := p.Evaluate(found.Solution)
	if err != nil || length != found.Best || length < b.best[name] {
		return 0, fmt.Errorf("%s: a length of %v, the tour's is %v, the optimum %v: %v", name, found.Best, length, b.best[name], err)
	}
	return 100 * (length/b.best[name] - 1), nil
}

func (b *bench) byMoves(ctx context.Context) error {
	all, names, err := b.problems()
	if err != nil {
		return err
	}
	fmt.Printf("%.0f million moves on one core, reads that share them: %d; default temperatures; seeds: %d\n", b.moves/1e6, b.reads, b.seeds)
	fmt.Printf("%-10s %6s %12s %12s %14s\n", "problem", "cities", "above % mean", "worst", "Mmoves / CPU s")
	for i, p := range all {
		mean, worst, rate := 0.0, 0.0, 0.0
		for seed := range b.seeds {
			began := cputime.Process()
			found, err := anneal.Run(ctx, p, anneal.Settings{Seed: uint64(seed + 1), Reads: b.reads, Sweeps: int(math.Ceil(b.moves / float64(b.reads*p.Variables())))})
			if err != nil {
				return err
			}
			rate += float64(found.Moves) / (cputime.Process() - began) / float64(b.seeds) / 1e6
			gap, err := b.above(names[i], p, found)
			if err != nil {
				return err
			}
			mean, worst = mean+gap/float64(b.seeds), max(worst, gap)
		}
		fmt.Printf("%-10s %6d %12.3f %12.3f %14.1f\n", names[i], p.Variables(), mean, worst, rate)
	}
	return nil
}

func (b *bench) byTime(ctx context.Context) error {
	all, names, err := b.problems()
	if err != nil {
		return err
	}
	fmt.Printf("search by the clock: %v, %d threads, default settings, ends at the optimum\n", b.limit, b.threads)
	fmt.Printf("%-10s %6s %9s %9s %9s %9s\n", "problem", "cities", "above %", "s", "CPU s", "Mmoves")
	for i, p := range all {
		began, cpu := time.Now(), cputime.Process()
		found, err := anneal.Run(ctx, p, anneal.Settings{Seed: 1, Threads: b.threads, Time: b.limit, Target: b.best[names[i]], HasTarget: true})
		if err != nil {
			return err
		}
		wall, cpu := time.Since(began).Seconds(), cputime.Process()-cpu
		gap, err := b.above(names[i], p, found)
		if err != nil {
			return err
		}
		fmt.Printf("%-10s %6d %9.3f %9.1f %9.1f %9.0f\n", names[i], p.Variables(), gap, wall, cpu, float64(found.Moves)/1e6)
	}
	return nil
}
