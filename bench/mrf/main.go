// Command mrf measures inference in random fields on the models of ../shared/mrf: draws of a variable a second by single-site Gibbs
// sampling beside libDAI's rates, which were measured on another machine, and pgmpy's in the same run; the error of sampled marginals
// and log Z beside exact ones, for what the sampler says has converged and for what it does not; the most probable states found
// beside those of a solver.
//
// Python's interpreter is $ERGODIC_PYTHON, or python3; without pgmpy in it that comparison is skipped.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/gibbs"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/mrf"
	"github.com/ergodic-mcmc/ergodic/rng"
)

func main() {
	only := flag.String("only", "", "models whose names match")
	what := flag.String("what", "rates,marginals,modes", "what is measured")
	cpu := flag.Duration("cpu", time.Minute, "processor time a model for marginals")
	rounds := flag.Int("rounds", 5, "rounds in which the engines take turns; the median counts")
	sweeps := flag.Int("sweeps", 300, "sweeps that pgmpy is timed on")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	pattern, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mrf:", err)
		os.Exit(2)
	}
	b := &bench{ctx: ctx, only: pattern, cpu: *cpu, rounds: max(*rounds, 1), sweeps: max(*sweeps, 1)}
	fmt.Println(run.Machine())
	for _, part := range []struct {
		name    string
		measure func() error
	}{{"rates", b.rates}, {"marginals", b.marginals}, {"modes", b.modes}} {
		if !strings.Contains(*what, part.name) {
			continue
		}
		if err := part.measure(); err != nil {
			fmt.Fprintln(os.Stderr, "mrf:", err)
			os.Exit(1)
		}
	}
}

type bench struct {
	ctx            context.Context
	only           *regexp.Regexp
	cpu            time.Duration
	rounds, sweeps int
}

// libDAI is its rate in millions of draws of a variable a second: ../shared/mrf/REFERENCE.md.
var libDAI = []struct {
	name string
	rate float64
}{{"Segmentation_12", 1.9}, {"Alchemy_11", 2.2}, {"Grids_12", 2.4}}

// rates measures single-site Gibbs sampling.
func (b *bench) rates() error {
	fmt.Println("single-site Gibbs sampling, million draws of a variable a CPU second, beside libDAI's rates on another machine")
	fmt.Printf("%-18s %8s %9s %7s %8s %7s\n", "model", "libDAI", "products", "ratio", "tables", "ratio")
	for _, m := range libDAI {
		if !b.only.MatchString(m.name) {
			continue
		}
		in, err := read(m.name)
		if err != nil {
			return err
		}
		var products, tables []float64
		for range b.rounds {
			for _, kind := range []struct {
				table int
				to    *[]float64
			}{{-1, &products}, {0, &tables}} {
				rate, err := gibbsRate(in.given.Model, kind.table)
				if err != nil {
					return err
				}
				*kind.to = append(*kind.to, rate)
			}
		}
		p, t := run.Median(products), run.Median(tables)
		fmt.Printf("%-18s %8.1f %9.1f %7.1f %8.1f %7.1f\n", m.name, m.rate, p, p/m.rate, t, t/m.rate)
	}
	return b.small()
}

// small sets a grid of 3 × 4 spins beside pgmpy, in turns: pgmpy makes a table of the conditionals of each variable for all values of
// all others, of 2⁹⁹ rows for Grids_12.
func (b *bench) small() error {
	dir, err := os.MkdirTemp("", "mrf")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	m, r := &mrf.Model{}, rng.New(1, "bench mrf grid")
	for i := range 12 {
		m.Cards = append(m.Cards, 2)
		for _, j := range []int{i - 1, i - 4} {
			if j >= 0 && (j == i-4 || i%4 > 0) {
				x := math.Exp(r.NormFloat64())
				m.Factors = append(m.Factors, mrf.Factor{Scope: []int{j, i}, Table: []float64{x, 1, 1, x}})
			}
		}
	}
	path := filepath.Join(dir, "grid.uai")
	f, err := os.Create(path)
	if err == nil {
		err = errors.Join(m.WriteUAI(f), f.Close())
	}
	if err != nil {
		return err
	}
	var ours, theirs []float64
	for range b.rounds {
		rate, err := gibbsRate(m, 0)
		if err != nil {
			return err
		}
		peer, ok := b.pgmpy(path)
		if !ok {
			fmt.Println("pgmpy: not measured")
			return nil
		}
		ours, theirs = append(ours, rate), append(theirs, peer)
	}
	o, p := run.Median(ours), run.Median(theirs)
	fmt.Printf("grid of 3 × 4: %.1f million, pgmpy %.4f million, ratio %.0f\n", o, p, o/p)
	return nil
}

// gibbsRate is millions of draws a CPU second.
func gibbsRate(m *mrf.Model, table int) (float64, error) {
	f, err := mrf.NewField(m, mrf.FieldSettings{Table: table})
	if err != nil {
		return 0, err
	}
	k, err := mrf.NewGibbs(f, gibbs.Systematic)
	if err != nil {
		return 0, err
	}
	s, err := f.NewState(nil)
	if err != nil {
		return 0, err
	}
	r := rng.New(1, "bench mrf")
	for range 1000 {
		k.Step(s, r.Rand)
	}
	start, sweeps := cputime.Process(), 0
	for cputime.Process()-start < 0.3 {
		for range 100 {
			k.Step(s, r.Rand)
		}
		sweeps += 100
	}
	return float64(sweeps*len(m.Cards)) / (cputime.Process() - start) / 1e6, nil
}

// pgmpy is its rate in millions.
func (b *bench) pgmpy(model string) (rate float64, ok bool) {
	root, err := run.Root()
	if err != nil {
		return 0, false
	}
	ctx, stop := context.WithTimeout(b.ctx, 30*time.Second)
	defer stop()
	_, out, err := run.Command(ctx, root, run.Python(), filepath.Join(root, "bench", "mrf", "pgmpy_driver.py"), model, fmt.Sprint(b.sweeps))
	if err != nil || json.Unmarshal([]byte(out), &rate) != nil {
		return 0, false
	}
	return rate / 1e6, true
}

var names = []string{"Alchemy_11", "CSP_11", "CSP_12", "DBN_11", "Grids_11", "Grids_12", "Grids_13", "Grids_15", "Grids_16", "Grids_17",
	"ObjectDetection_74", "Pedigree_11", "Promedus_24", "Promedus_34", "Segmentation_11", "Segmentation_12", "linkage_16"}

// marginals measures the errors of SampleMarginals.
func (b *bench) marginals() error {
	fmt.Printf("marginals and log10 Z by sampling, 4 chains, default settings, at most %v of CPU a model\n", b.cpu)
	fmt.Printf("%-18s %12s %9s %9s %10s %10s %9s %6s %7s %7s\n", "model", "converged", "error", "of others", "log10 Z", "error", "se", "ok", "trips", "CPU s")
	whole, flagged := 0, 0
	for _, name := range names {
		if !b.only.MatchString(name) {
			continue
		}
		in, err := read(name)
		if err != nil {
			return err
		}
		s, err := mrf.SampleMarginals(b.ctx, in.given.Model, mrf.SampleSettings{Seed: 1, CPU: b.cpu})
		if err != nil {
			return err
		}
		good, bad := in.errors(s)
		trips := 0
		for _, n := range s.RoundTrips {
			trips += n
		}
		if s.Converged == len(s.Marginals) {
			whole++
		}
		if good > 0.02 {
			flagged++
		}
		z := s.LogZ / math.Ln10
		fmt.Printf("%-18s %5d of %3d %9.4f %9.4f %10.4f %10.4f %9.4f %6v %7d %7.1f\n", name, s.Converged, len(s.Marginals), good, bad, z, z-in.logZ, s.LogZSE/math.Ln10, s.LogZConverged, trips, s.CPU)
	}
	fmt.Printf("all marginals have converged on %d models; on %d an error above 0.02 was not flagged\n", whole, flagged)
	return nil
}

// modes compares the states that Search finds with those of the competition's solver.
func (b *bench) modes() error {
	fmt.Println("log density of the most probable state found, default settings, beside that of .MAP")
	fmt.Printf("%-18s %12s %12s %7s %7s %7s\n", "model", "found", ".MAP", "exact", "agree", "CPU s")
	better, equal := 0, 0
	for _, name := range names {
		if !b.only.MatchString(name) {
			continue
		}
		in, err := read(name)
		if err != nil {
			return err
		}
		start := cputime.Process()
		m, err := mrf.Search(b.ctx, in.given.Model, mrf.SearchSettings{Seed: 1})
		if err != nil {
			return err
		}
		got, want := in.model.LogDensity(in.given.State(m.State)), in.model.LogDensity(in.mode)
		switch {
		case got > want+1e-6:
			better++
		case got > want-1e-6:
			equal++
		}
		fmt.Printf("%-18s %12.4f %12.4f %7v %2d of %d %7.1f\n", name, got, want, m.Exact, m.Found, m.Chains, cputime.Process()-start)
	}
	fmt.Printf("better on %d models, as good on %d\n", better, equal)
	return nil
}
