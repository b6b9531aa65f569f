package lattice

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// PlusMinus is the graph with couplings of its own: −j with probability negative, else j, each bond for itself (the ±J model: Toulouse
// 1977; for negative = 1/2 a spin glass). They depend on the seed, the graph and nothing else.
func (g *Graph) PlusMinus(j, negative float64, seed uint64) (*Graph, error) {
	if !(negative >= 0 && negative <= 1) {
		return nil, fmt.Errorf("lattice: the probability of a negative coupling is %v, not from 0 to 1", negative)
	}
	return g.disordered(seed, func(r *rand.Rand) float64 {
		if r.Float64() < negative {
			return -j
		}
		return j
	})
}

// Gaussian is the graph with couplings of its own, normal with this mean and standard deviation, each bond for itself (Edwards and
// Anderson 1975). They depend on the seed, the graph and nothing else.
func (g *Graph) Gaussian(mean, sd float64, seed uint64) (*Graph, error) {
	if err := normal("couplings", mean, sd); err != nil {
		return nil, err
	}
	return g.disordered(seed, func(r *rand.Rand) float64 { return mean + float64(sd*dist.StdNormal(r)) })
}

// disordered draws the couplings anew each time that the bonds are taken.
func (g *Graph) disordered(seed uint64, draw func(r *rand.Rand) float64) (*Graph, error) {
	d, err := NewGraph(g.Sites(), func(yield func(Bond) bool) {
		r := rng.New(seed, "lattice couplings").Rand
		for b := range g.All() {
			b.Coupling = draw(r)
			if !yield(b) {
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	d.labels = g.labels
	return d, nil
}

// UniformField is the field h at each of so many sites.
func UniformField(sites int, h float64) []float64 {
	f := make([]float64, sites)
	for i := range f {
		f[i] = h
	}
	return f
}

// PlusMinusField is −h or h with probability 1/2 at each of so many sites (the random field Ising model: Imry and Ma 1975). It depends on
// the seed and nothing else.
func PlusMinusField(sites int, h float64, seed uint64) []float64 {
	f := make([]float64, sites)
	for i, r := range drawn(sites, seed) {
		f[i] = h
		if r.Uint64()>>63 == 0 {
			f[i] = -h
		}
	}
	return f
}

// GaussianField is normal with this mean and standard deviation at each of so many sites. It depends on the seed and nothing else.
func GaussianField(sites int, mean, sd float64, seed uint64) ([]float64, error) {
	if err := normal("fields", mean, sd); err != nil {
		return nil, err
	}
	f := make([]float64, sites)
	for i, r := range drawn(sites, seed) {
		f[i] = mean + float64(sd*dist.StdNormal(r))
	}
	return f, nil
}

// drawn is the stream of fields for site after site.
func drawn(sites int, seed uint64) iter.Seq2[int, *rand.Rand] {
	return func(yield func(int, *rand.Rand) bool) {
		r := rng.New(seed, "lattice fields").Rand
		for i := range sites {
			if !yield(i, r) {
				return
			}
		}
	}
}

func normal(what string, mean, sd float64) error {
	if math.IsNaN(mean) || math.IsInf(mean, 0) || !(sd >= 0) || math.IsInf(sd, 1) {
		return fmt.Errorf("lattice: normal %s of mean %v and standard deviation %v: both must be finite, and the latter 0 or more", what, mean, sd)
	}
	return nil
}
