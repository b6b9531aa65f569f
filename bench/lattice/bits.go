package main

import (
	"fmt"
	"math"
	"time"

	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// bits measures spins as bits of words, at the critical temperature: 0.2216546 on the cubic lattice (Ferrenberg, Xu and Landau 2018).
func (b *bench) bits() error {
	var all []contender
	for _, size := range [][]int{{b.side, b.side}, {256, 256}, {64, 64}, {16, 16}, {128, 128, 128}} {
		beta := critical(0)
		if len(size) == 3 {
			beta = 0.2216546
		}
		for i, make := range []func(l lattice.Geometry, coupling, beta float64, threads int) (*lattice.BitSweep, error){
			lattice.NewBitMetropolis, lattice.NewBitHeatBath} {
			c, err := bitContender(size, beta, make)
			if err != nil {
				return err
			}
			c.name = [...]string{"bits, Metropolis", "bits, heat bath"}[i] + fmt.Sprintf(", %v", lattice.Geometry{Size: size})
			all = append(all, c)
		}
	}
	spins, err := lattice.NewBits(lattice.Geometry{Size: []int{b.side, b.side}})
	if err != nil {
		return err
	}
	sum := 0.0
	all = append(all, contender{"bits, energy and magnetisation", b.side * b.side, func() { sum += spins.Energy(1) + spins.Magnetisation() }, 10})
	b.race("Ising, spins as bits", all...)
	if math.IsNaN(sum) {
		return fmt.Errorf("the energy is %v", sum)
	}
	return nil
}

func bitContender(size []int, beta float64,
	make func(l lattice.Geometry, coupling, beta float64, threads int) (*lattice.BitSweep, error)) (contender, error) {
	l := lattice.Geometry{Size: size}
	spins, err := lattice.NewBits(l)
	if err != nil {
		return contender{}, err
	}
	sweep, err := make(l, 1, beta, 1)
	if err != nil {
		return contender{}, err
	}
	r, many := rng.New(1, "bench").Rand, max(1, 1<<20/spins.Sites()) // asking for the processor's time takes as long as many small sweeps
	return contender{sites: many * spins.Sites(), sweep: func() {
		for range many {
			sweep.Step(spins, r)
		}
	}, warm: 200}, nil
}

// bitThreads measures sweeps of a large lattice by one thread and by two, in turns by the clock: the shortest of many, because other work on the
// machine makes them longer.
func (b *bench) bitThreads() error {
	l := lattice.Geometry{Size: []int{2 * b.side, 2 * b.side}}
	var spins [2]*lattice.Bits
	var sweeps [2]*lattice.BitSweep
	for i := range sweeps {
		var err error
		if spins[i], err = lattice.NewBits(l); err != nil {
			return err
		}
		if sweeps[i], err = lattice.NewBitMetropolis(l, 1, critical(0), i+1); err != nil {
			return err
		}
	}
	const many = 5
	best := [2]time.Duration{math.MaxInt64, math.MaxInt64}
	for turn := range 40 * b.repeat {
		for i, sweep := range sweeps {
			r := rng.New(1, "bench", uint64(turn)).Rand
			sweep.Step(spins[i], r)
			from := time.Now()
			for range many {
				sweep.Step(spins[i], r)
			}
			best[i] = min(best[i], time.Since(from))
		}
	}
	if spins[0].Energy(1) != spins[1].Energy(1) || spins[0].Up() != spins[1].Up() {
		return fmt.Errorf("the spins of two threads are not those of one")
	}
	fmt.Printf("\nbits, Metropolis, %v: %.3f ms a sweep by one thread, %.3f by two: %.2f times as fast\n", l,
		best[0].Seconds()*1000/many, best[1].Seconds()*1000/many, best[0].Seconds()/best[1].Seconds())
	return nil
}
