// Command lattice measures the kernels of spins in updates of a spin per nanosecond of processor time, each beside a plain
// program for the square Ising lattice that is compiled with it (int8.go), in turns in one process, at the critical temperature.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
)

// bench is the flags.
type bench struct {
	side    int     // of the square lattices
	repeat  int     // turns
	seconds float64 // of processor time a turn
}

// part is a table of the result.
type part struct {
	name    string
	measure func(b *bench) error
}

func parts() []part {
	return []part{
		{"yardstick", (*bench).yardstick},
		{"bits", (*bench).bits},
		{"bit threads", (*bench).bitThreads},
		{"sites", (*bench).sites},
		{"glass", (*bench).glass},
		{"potts", (*bench).potts},
		{"cold", (*bench).cold},
		{"threads", (*bench).threads},
		{"clusters", (*bench).clusters},
	}
}

func main() {
	var names []string
	for _, p := range parts() {
		names = append(names, p.name)
	}
	only := flag.String("only", "", "regular expression of parts: "+strings.Join(names, ", "))
	var b bench
	flag.IntVar(&b.side, "side", 2048, "of the square lattices")
	flag.IntVar(&b.repeat, "repeat", 5, "turns; medians are printed")
	flag.Float64Var(&b.seconds, "seconds", 0.5, "processor time a turn")
	flag.Parse()
	if err := b.measure(*only); err != nil {
		fmt.Fprintln(os.Stderr, "lattice:", err)
		os.Exit(1)
	}
}

func (b *bench) measure(only string) error {
	chosen, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if b.side < 2 || b.side%2 != 0 || b.repeat < 1 {
		return fmt.Errorf("side %d and repeat %d: the side is even, and turns are 1 or more", b.side, b.repeat)
	}
	fmt.Println(run.Machine())
	fmt.Println("go run ./bench/lattice", strings.Join(os.Args[1:], " "))
	for _, p := range parts() {
		if !chosen.MatchString(p.name) {
			continue
		}
		if err := p.measure(b); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// critical is the inverse temperature ln(1 + √q)/J of the square lattice: of the Potts model, and of the Ising model half that of q = 2
// (Onsager 1944; Potts 1952).
func critical(q int) float64 {
	if q == 0 {
		return math.Log(1+math.Sqrt2) / 2
	}
	return math.Log(1 + math.Sqrt(float64(q)))
}

// contender is a program under measurement.
type contender struct {
	name  string
	sites int    // updates of a sweep
	sweep func() // one
	warm  int    // sweeps before, from where it starts to where it is typical
}

// yard is the plain program on b's lattice.
func (b *bench) yard() (*plain, contender) {
	p := newPlain(b.side, critical(0))
	return p, contender{"int8 look-up, Metropolis", b.side * b.side, p.sweep, 200}
}

// race measures contenders in turns beside the plain program, the first line, and prints medians of updates per nanosecond and of the
// ratio to it.
func (b *bench) race(title string, all ...contender) {
	_, yard := b.yard()
	all = append([]contender{yard}, all...)
	for _, c := range all {
		for range c.warm {
			c.sweep()
		}
	}
	rates, ratios := make([][]float64, len(all)), make([][]float64, len(all))
	for range b.repeat {
		for i, c := range all {
			rates[i] = append(rates[i], b.rate(c))
			ratios[i] = append(ratios[i], rates[i][len(rates[i])-1]/rates[0][len(rates[0])-1])
		}
	}
	fmt.Printf("\n%-44s %9s %8s\n", title, "spins/ns", "to int8")
	for i, c := range all {
		fmt.Printf("%-44s %9.3f %8.2f\n", c.name, run.Median(rates[i]), run.Median(ratios[i]))
	}
}

// rate is updates per nanosecond of processor time.
func (b *bench) rate(c contender) float64 {
	from, sweeps, took := cputime.Process(), 0, 0.0
	for took < b.seconds {
		c.sweep()
		sweeps++
		took = cputime.Process() - from
	}
	return float64(sweeps) * float64(c.sites) / took / 1e9
}

// yardstick measures the plain program alone, and whether it is right: its energy beside Onsager's −√2 of the infinite lattice.
func (b *bench) yardstick() error {
	p, yard := b.yard()
	for range yard.warm {
		p.sweep()
	}
	fmt.Printf("\nenergy of the int8 program, %d², after %d sweeps from order: %.4f a site; of the infinite lattice: %.4f\n", b.side, yard.warm, p.energy(), -math.Sqrt2)
	b.race("Ising, square, Metropolis")
	return nil
}
