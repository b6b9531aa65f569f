// Command annealing writes docs/anneal.md and its pictures: what `ergodic anneal` finds of instances whose best values are known (the test
// material, $ERGODIC_SHARED or shared beside the repository) in a given time and in a given number of moves, and what its methods and
// schedules find in as many sweeps.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

//go:embed anneal.md.tmpl
var page string

func main() {
	limit := flag.Duration("time", 10*time.Second, "for each instance that has a time")
	flag.Parse()
	run.Main("annealing", func(ctx context.Context, dir string) error { return write(ctx, dir, *limit) })
}

// bench is the program that is measured, where its instances and runs are, and where the page goes.
type bench struct {
	program, dir, shared, to string
	limit                    time.Duration // for each instance that has a time
}

func write(ctx context.Context, dir string, limit time.Duration) error {
	root, err := run.Root()
	if err != nil {
		return err
	}
	shared, err := run.Shared("anneal")
	if err != nil {
		return err
	}
	program, err := run.Build(dir)
	if err != nil {
		return err
	}
	b := &bench{program, dir, shared, filepath.Join(root, "docs"), limit}
	var p struct {
		MaxCut, QUBO, TSPMoves, TSPTime, QAP, Methods string
		Time                                          time.Duration
	}
	p.Time = limit
	for _, part := range []struct {
		to   *string
		make func(context.Context) (string, error)
	}{{&p.MaxCut, b.maxCut}, {&p.QUBO, b.qubo}, {&p.TSPMoves, b.tspMoves}, {&p.TSPTime, b.tspTime}, {&p.QAP, b.qap}, {&p.Methods, b.methods}} {
		if *part.to, err = part.make(ctx); err != nil {
			return err
		}
	}
	if err := b.picture(ctx, filepath.Join(root, "examples", "sunflower.tsp")); err != nil {
		return err
	}
	return run.WritePage(filepath.Join(b.to, "anneal.md"), page, p)
}

// found is a result of anneal.
type found struct {
	Instance      string
	Variables     int
	Best, Mean    float64
	BestKnown     *float64 `json:"best_known"`
	Gap           *float64
	Reads, Sweeps int
	AtBest        int     `json:"reads_at_best"`
	MovesPerS     float64 `json:"moves_per_s"`
	WallS         float64 `json:"wall_s"`
	CPUS          float64 `json:"cpu_s"`
	Moves         float64
	Stopped       string
}

// anneal runs a problem on a file of the test material.
func (b *bench) anneal(ctx context.Context, problem, file, known string, args ...string) (f found, err error) {
	args = append([]string{"anneal", problem, filepath.Join(b.shared, file), "--out", filepath.Join(b.dir, "run"), "--force", "--seed", "1", "--progress", "none", "--json",
		"--best-known", known}, args...)
	fmt.Fprintln(os.Stderr, "ergodic", strings.Join(args, " "))
	_, out, err := run.Command(ctx, "", b.program, args...)
	if err != nil {
		return f, err
	}
	if err := json.Unmarshal([]byte(out), &f); err != nil {
		return f, fmt.Errorf("what anneal printed is no JSON: %w", err)
	}
	return f, nil
}

// picture is the tour of an example.
func (b *bench) picture(ctx context.Context, file string) error {
	to := filepath.Join(b.dir, "picture")
	if _, _, err := run.Command(ctx, "", b.program, "anneal", "tsp", file, "--out", to, "--seed", "1", "--sweeps", "20000", "--progress", "none"); err != nil {
		return err
	}
	png, err := os.ReadFile(filepath.Join(to, "tour.png"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.to, "anneal.png"), png, 0o666)
}

// known is the file of best values of a folder of instances.
func (b *bench) known(parts ...string) string {
	return filepath.Join(append([]string{b.shared}, parts...)...)
}

// gap writes how far the best is from the best known.
func (f found) gap() string {
	switch {
	case f.Gap == nil:
		return "–"
	case *f.Gap == 0:
		return "0"
	}
	return fmt.Sprintf("%.3f %%", 100**f.Gap)
}

// name is that of the instance without its ending.
func (f found) name() string { return strings.TrimSuffix(f.Instance, filepath.Ext(f.Instance)) }

// files are the instances of a folder with an ending, in order of their names.
func (b *bench) files(folder, pattern string) ([]string, error) {
	all, err := filepath.Glob(filepath.Join(b.shared, folder, pattern))
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("no %s in %s", pattern, filepath.Join(b.shared, folder))
	}
	for i := range all {
		all[i] = filepath.Join(folder, filepath.Base(all[i]))
	}
	return all, err
}
