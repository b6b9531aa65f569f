// Command spins writes docs/lattice.md and its pictures: what every algorithm of `ergodic lattice` says of energies that are known exactly, on
// finite lattices (the test material, $ERGODIC_SHARED or shared beside the repository) and on the infinite one; how far algorithms
// move; and finite-size scaling.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

//go:embed lattice.md.tmpl
var page string

func main() {
	quick := flag.Bool("quick", false, "a tenth of the sweeps, to see whether it works; writes to the temporary folder")
	flag.Parse()
	run.Main("spins", func(ctx context.Context, dir string) error { return write(ctx, dir, *quick) })
}

// bench is the program that is measured, where its runs are and where pictures go.
type bench struct {
	program, dir, exact, to string
	share                   int // of the sweeps is made one in so many
}

func write(ctx context.Context, dir string, quick bool) error {
	root, err := run.Root()
	if err != nil {
		return err
	}
	exact, err := run.Shared("lattice", "exact")
	if err != nil {
		return err
	}
	program, err := run.Build(dir)
	if err != nil {
		return err
	}
	b := &bench{program, dir, exact, filepath.Join(root, "docs"), 1}
	if quick {
		b.share, b.to = 10, os.TempDir()
	}
	var p struct {
		Finite, Potts, Infinite, Speed, Scaling string
		Count                                   counted
	}
	for _, part := range []struct {
		to   *string
		make func(context.Context, *counted) (string, error)
	}{{&p.Finite, b.finite}, {&p.Potts, b.potts}, {&p.Infinite, b.infinite}, {&p.Speed, b.speed}, {&p.Scaling, b.scaling}} {
		if *part.to, err = part.make(ctx, &p.Count); err != nil {
			return err
		}
	}
	return run.WritePage(filepath.Join(b.to, "lattice.md"), page, p)
}

// counted counts comparisons with exact values.
type counted struct {
	Made, Beyond int // in all, and off by more than four standard errors
	Worst        float64
}

func (c *counted) add(z float64) {
	c.Made++
	if !(z <= 4) {
		c.Beyond++
	}
	c.Worst = max(c.Worst, z)
}

// point is a result of lattice, of which it prints several where there are several temperatures or sizes.
type point struct {
	Size                                 string
	Temperature, Beta                    float64
	Energy, SpecificHeat, Susceptibility float64
	EnergySE                             float64 `json:"energy_se"`
	Heat                                 float64 `json:"specific_heat"`
	HeatSE                               float64 `json:"specific_heat_se"`
	Abs                                  float64 `json:"abs_magnetisation"`
	AbsSE                                float64 `json:"abs_magnetisation_se"`
	TauEnergy                            float64 `json:"tau_energy"`
	TauMagnetisation                     float64 `json:"tau_magnetisation"`
	FlipsPerNs                           float64 `json:"flips_per_ns"`
	CPU                                  float64 `json:"cpu_s"`
	Chains, Sweeps, Warmup               int
}

// simulate runs lattice with so many sweeps, a tenth of them for warm-up.
func (b *bench) simulate(ctx context.Context, name string, sweeps int, args ...string) ([]point, error) {
	sweeps = max(sweeps/b.share, 64)
	args = append([]string{"lattice"}, append(args, "--sweeps", fmt.Sprint(sweeps), "--warmup", fmt.Sprint(max(sweeps/10, 64)), "--out", filepath.Join(b.dir, name), "--seed", "1",
		"--progress", "none", "--json")...)
	fmt.Fprintln(os.Stderr, "ergodic", strings.Join(args, " "))
	_, out, err := run.Command(ctx, "", b.program, args...)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(out, "[") {
		out = "[" + out + "]"
	}
	var all []point
	if err := json.Unmarshal([]byte(out), &all); err != nil {
		return nil, errors.Join(fmt.Errorf("what lattice printed is no JSON of points"), err)
	}
	return all, nil
}
