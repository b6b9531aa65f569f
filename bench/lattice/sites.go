package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// square is the periodic square lattice.
func (b *bench) square() (*lattice.Graph, error) {
	return lattice.Geometry{Size: []int{b.side, b.side}}.Graph(1)
}

// ours is a kernel as a contender, from random spins.
func ours(name string, m *lattice.Model, k mcmc.Kernel[*lattice.State]) contender {
	r := rng.New(1, "bench lattice").Rand
	s := m.Random(r)
	return contender{name, m.Graph.Sites(), func() { k.Step(s, r) }, 5}
}

type method struct {
	name string
	make func(m *lattice.Model, beta float64, set lattice.ScanSettings) (*lattice.SingleSite, error)
}

// sites measures single-site kernels of the Ising model on one thread: on a graph that the kernel knows nothing of but its bonds, and
// with the sites in random order.
func (b *bench) sites() error {
	g, err := b.square()
	if err != nil {
		return err
	}
	if err := b.scans("Ising", &lattice.Model{Graph: g}, critical(0)); err != nil {
		return err
	}
	if g, err = shuffled(g); err != nil {
		return err
	}
	return b.scans("Ising, sites in random order", &lattice.Model{Graph: g}, critical(0))
}

// glass measures couplings that differ.
func (b *bench) glass() error {
	g, err := b.square()
	if err != nil {
		return err
	}
	signs, err := g.PlusMinus(1, 0.5, 1)
	if err != nil {
		return err
	}
	if err := b.scans("Ising, ±J", &lattice.Model{Graph: signs}, 1); err != nil {
		return err
	}
	normal, err := g.Gaussian(0, 1, 1)
	if err != nil {
		return err
	}
	return b.scans("Ising, Gaussian couplings", &lattice.Model{Graph: normal}, 1)
}

func (b *bench) potts() error {
	g, err := b.square()
	if err != nil {
		return err
	}
	for _, q := range []int{3, 10} {
		if err := b.scans(fmt.Sprintf("Potts, q = %d", q), &lattice.Model{Graph: g, Q: q}, critical(q)); err != nil {
			return err
		}
	}
	return nil
}

// cold measures continuous time where few spins change, at half the critical temperature and below.
func (b *bench) cold() error {
	g, err := b.square()
	if err != nil {
		return err
	}
	m := &lattice.Model{Graph: g}
	for _, beta := range []float64{1, 1.5} {
		random, err := lattice.NewHeatBath(m, beta, lattice.ScanSettings{Scan: lattice.Random})
		if err != nil {
			return err
		}
		continuous, err := lattice.NewContinuous(m, beta)
		if err != nil {
			return err
		}
		var all []contender
		for i, k := range []mcmc.Kernel[*lattice.State]{random, continuous} {
			r, s := rng.New(1, "bench lattice").Rand, &lattice.State{Spins: make([]uint8, g.Sites())}
			all = append(all, contender{[]string{"heat bath, random", "continuous time, as many spins struck"}[i], g.Sites(), func() { k.Step(s, r) }, 5})
		}
		b.race(fmt.Sprintf("Ising from order, beta = %v, %d²", beta, b.side), all...)
	}
	return nil
}

// scans measures both rules in the three scans.
func (b *bench) scans(name string, m *lattice.Model, beta float64) error {
	var all []contender
	for _, method := range []method{{"Metropolis", lattice.NewMetropolis}, {"heat bath", lattice.NewHeatBath}} {
		for scan := lattice.Systematic; scan <= lattice.Checkerboard; scan++ {
			k, err := method.make(m, beta, lattice.ScanSettings{Scan: scan, Threads: 1})
			if err != nil {
				return err
			}
			all = append(all, ours(fmt.Sprintf("%s, %v", method.name, scan), m, k))
		}
	}
	b.race(fmt.Sprintf("%s, %d² sites", name, b.side), all...)
	return nil
}

// shuffled is the graph with its sites numbered at random.
func shuffled(g *lattice.Graph) (*lattice.Graph, error) {
	to := rng.New(1, "bench lattice order").Perm(g.Sites())
	return lattice.NewGraph(g.Sites(), func(yield func(lattice.Bond) bool) {
		for b := range g.All() {
			if !yield(lattice.Bond{I: to[b.I], J: to[b.J], Coupling: b.Coupling}) {
				return
			}
		}
	})
}

// threads measures what a second thread gains by the clock, for which the machine must be idle, and what it costs in processor time, one thread's
// over that of two, which says what is lost wherever it is run. It compares the spins.
func (b *bench) threads() error {
	side := 2 * b.side
	g, err := lattice.Geometry{Size: []int{side, side}}.Graph(1)
	if err != nil {
		return err
	}
	fmt.Printf("\n%-44s %9s %9s %8s %8s\n", fmt.Sprintf("checkerboard, %d², spins/ns by the clock", side), "1 thread", "2 threads", "ratio", "CPU")
	for _, c := range []struct {
		name  string
		model *lattice.Model
		beta  float64
		make  func(m *lattice.Model, beta float64, set lattice.ScanSettings) (*lattice.SingleSite, error)
	}{
		{"Ising, Metropolis", &lattice.Model{Graph: g}, critical(0), lattice.NewMetropolis},
		{"Ising, heat bath", &lattice.Model{Graph: g}, critical(0), lattice.NewHeatBath},
		{"Potts, q = 3, Metropolis", &lattice.Model{Graph: g, Q: 3}, critical(3), lattice.NewMetropolis},
	} {
		var spins [2]*lattice.State
		var kernels [2]*lattice.SingleSite
		var streams [2]*rand.Rand
		for i := range spins {
			streams[i] = rng.New(1, "bench lattice").Rand
			spins[i] = c.model.Random(streams[i])
			if kernels[i], err = c.make(c.model, c.beta, lattice.ScanSettings{Scan: lattice.Checkerboard, Threads: i + 1}); err != nil {
				return err
			}
		}
		var rates [2][]float64
		var ratios, costs []float64
		for range b.repeat {
			var took, used [2]float64
			for i, k := range kernels {
				start, from := time.Now(), cputime.Process()
				for range 5 {
					k.Step(spins[i], streams[i])
				}
				took[i], used[i] = float64(time.Since(start)), cputime.Process()-from
				rates[i] = append(rates[i], 5*float64(side*side)/took[i])
			}
			ratios, costs = append(ratios, took[0]/took[1]), append(costs, used[0]/used[1])
		}
		if !slices.Equal(spins[0].Spins, spins[1].Spins) {
			return fmt.Errorf("%s: the spins of two threads are not those of one", c.name)
		}
		fmt.Printf("%-44s %9.3f %9.3f %8.2f %8.2f\n", c.name, run.Median(rates[0]), run.Median(rates[1]), run.Median(ratios), run.Median(costs))
	}
	return nil
}
