// Command gibbs measures what a second thread gains in coloured parallel Gibbs sampling,
// on graphs of a million nodes: spins that want to agree with their neighbours (the Ising model), on
// a grid and on a graph whose edges join nodes at random. Draws are compared bit for bit. A plain
// scan in the order of the nodes stands beside, to show what colouring costs.
package main

import (
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/gibbs"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

func main() {
	side := flag.Int("side", 1000, "nodes are side × side")
	threads := flag.Int("threads", 2, "threads to compare with one")
	rounds := flag.Int("rounds", 7, "rounds, in which one thread and several take turns; the median counts")
	sweeps := flag.Int("sweeps", 20, "sweeps of each in a round")
	flag.Parse()
	if *side < 1 || *rounds < 1 || *sweeps < 1 {
		fmt.Fprintln(os.Stderr, "gibbs: side, rounds and sweeps must be 1 or more")
		os.Exit(2)
	}
	if err := measure(*side, *threads, *rounds, *sweeps); err != nil {
		fmt.Fprintln(os.Stderr, "gibbs:", err)
		os.Exit(1)
	}
}

func measure(side, threads, rounds, sweeps int) error {
	fmt.Println(run.Machine())
	fmt.Printf("%-22s %9s %8s %9s %12s %12s %12s %7s\n", "graph", "nodes", "colours", "colour s", "plain scan", "1 thread", fmt.Sprint(threads, " threads"), "ratio")
	fmt.Printf("%-22s %9s %8s %9s %12s %12s %12s\n", "", "", "", "", "ns a node", "ns a node", "ns a node")
	n := side * side
	for _, g := range []struct {
		name  string
		edges iter.Seq2[int, int]
	}{
		{"grid", grid(side)},
		{"random, mean degree 6", random(n, 3*n)},
	} {
		b, err := gibbs.Undirected(n, g.edges)
		if err != nil {
			return err
		}
		start := time.Now()
		colours, err := b.Colour()
		if err != nil {
			return err
		}
		took := time.Since(start).Seconds()
		plain, err := gibbs.NewSampler(newIsing(b), gibbs.Settings{Nodes: n})
		if err != nil {
			return err
		}
		one, err := parallel(b, colours, 1)
		if err != nil {
			return err
		}
		many, err := parallel(b, colours, threads)
		if err != nil {
			return err
		}
		scan, alone, team := newRace(plain, n), newRace(one, n), newRace(many, n)
		ratios := make([]float64, rounds)
		for i := range ratios {
			scan.round(sweeps)
			ratios[i] = alone.round(sweeps) / team.round(sweeps)
		}
		if !slices.Equal(alone.spins, team.spins) {
			return fmt.Errorf("%s: the draws of %d threads are not those of one", g.name, threads)
		}
		fmt.Printf("%-22s %9d %8d %9.2f %12.2f %12.2f %12.2f %7.2f\n", g.name, n, one.Colours(), took,
			scan.median(), alone.median(), team.median(), run.Median(ratios))
	}
	return nil
}

// grid joins each node to the one on its right and the one below.
func grid(side int) iter.Seq2[int, int] {
	return func(yield func(i, j int) bool) {
		for i := range side * side {
			if i%side+1 < side && !yield(i, i+1) {
				return
			}
			if i+side < side*side && !yield(i, i+side) {
				return
			}
		}
	}
}

// random joins nodes at random.
func random(nodes, edges int) iter.Seq2[int, int] {
	return func(yield func(i, j int) bool) {
		r := rng.New(1, "bench gibbs").Rand
		for range edges {
			i, j := r.IntN(nodes), r.IntN(nodes)
			if i != j && !yield(i, j) {
				return
			}
		}
	}
}

// ising is the conditional of spins −1 and +1.
type ising struct {
	b  *gibbs.Blankets
	up []float64 // probability of +1 by the sum of the neighbours, from −(len−1)/2
}

// strength of an edge, below that at which a grid freezes, 0.44.
const strength = 0.3

func newIsing(b *gibbs.Blankets) *ising {
	most := 0
	for i := range b.Nodes() {
		most = max(most, len(b.Of(i)))
	}
	m := &ising{b: b, up: make([]float64, 2*most+1)}
	for k := range m.up {
		m.up[k] = 1 / (1 + vec.Exp(-2*strength*float64(k-most)))
	}
	return m
}

func (m *ising) Draw(s []int8, i int, r *rand.Rand) {
	sum := len(m.up) / 2
	for _, j := range m.b.Of(i) {
		sum += int(s[j])
	}
	s[i] = -1
	if r.Float64() < m.up[sum] {
		s[i] = 1
	}
}

func parallel(b *gibbs.Blankets, colours []int, threads int) (*gibbs.Parallel[[]int8], error) {
	return gibbs.NewParallel(newIsing(b), gibbs.ParallelSettings{Blankets: b, Colours: colours, Threads: threads})
}

// race is one chain under measurement.
type race struct {
	kernel mcmc.Kernel[[]int8]
	spins  []int8
	stream *rand.Rand
	times  []float64 // ns a node, by round
}

func newRace(k mcmc.Kernel[[]int8], nodes int) *race {
	c := &race{kernel: k, spins: make([]int8, nodes), stream: rng.New(1, "bench gibbs spins").Rand}
	for i := range c.spins {
		c.spins[i] = 1
	}
	return c
}

func (c *race) round(sweeps int) float64 {
	start := time.Now()
	for range sweeps {
		c.kernel.Step(c.spins, c.stream)
	}
	t := float64(time.Since(start)) / float64(sweeps) / float64(len(c.spins))
	c.times = append(c.times, t)
	return t
}

func (c *race) median() float64 { return run.Median(c.times) }
