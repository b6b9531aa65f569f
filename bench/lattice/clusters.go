package main

import (
	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// clusters measures the algorithms of clusters at the critical temperature, the ±J glass at a temperature of 1. Wolff's updates are the sites that it changes.
func (b *bench) clusters() error {
	square, err := lattice.Geometry{Size: []int{b.side, b.side}}.Graph(1)
	if err != nil {
		return err
	}
	cubic, err := lattice.Geometry{Size: []int{128, 128, 128}}.Graph(1)
	if err != nil {
		return err
	}
	glass, err := square.PlusMinus(1, 0.5, 1)
	if err != nil {
		return err
	}
	var all []contender
	for _, c := range []struct {
		name  string
		model *lattice.Model
		beta  float64
	}{
		{"square Ising", &lattice.Model{Graph: square}, critical(0)},
		{"square Potts of 3", &lattice.Model{Graph: square, Q: 3}, critical(3)},
		{"cubic Ising", &lattice.Model{Graph: cubic}, 0.2216546},
		{"square Ising in a field of 0.01", &lattice.Model{Graph: square, Field: lattice.UniformField(square.Sites(), 0.01)}, critical(0)},
		{"square ±J glass", &lattice.Model{Graph: glass}, 1},
	} {
		k, err := lattice.NewSwendsenWang(c.model, c.beta, 1)
		if err != nil {
			return err
		}
		all = append(all, stepped("Swendsen–Wang, "+c.name, c.model, k))
		if c.model.Field == nil {
			if w, err := wolff("Wolff, "+c.name, c.model, c.beta); err != nil {
				return err
			} else {
				all = append(all, w)
			}
		}
	}
	b.race("clusters", all...)
	return nil
}

func stepped(name string, m *lattice.Model, k mcmc.Kernel[*lattice.State]) contender {
	r := rng.New(1, "bench").Rand
	s := &lattice.State{Spins: make([]uint8, m.Graph.Sites())}
	return contender{name, m.Graph.Sites(), func() { k.Step(s, r) }, 30}
}

// wolff makes clusters until as many sites as there are have changed, which no sampler may: the time of a site is all that is asked here.
func wolff(name string, m *lattice.Model, beta float64) (contender, error) {
	k, err := lattice.NewWolff(m, beta, 1)
	if err != nil {
		return contender{}, err
	}
	c := stepped(name, m, k)
	step, over := c.sweep, 0
	c.sweep = func() {
		for over < m.Graph.Sites() {
			step()
			_, changed := k.Sites()
			over += changed
		}
		over -= m.Graph.Sites()
	}
	return c, nil
}
