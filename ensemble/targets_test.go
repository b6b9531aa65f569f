package ensemble

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// law is a target with an exact sampler.
type law struct {
	name string
	dim  int
	logp func(x []float64) float64
	draw func(x []float64, r *rand.Rand)
}

func (l law) LogDensity(x []float64) float64 { return l.logp(x) }

// laws: heavy on one side, and correlated ones of very different scales.
var laws = []law{
	{"exponential", 1, func(x []float64) float64 {
		if x[0] < 0 {
			return math.Inf(-1)
		}
		return -x[0]
	}, func(x []float64, r *rand.Rand) { x[0] = r.ExpFloat64() }},
	{"wedge", 2, func(x []float64) float64 {
		if x[0] < 0 {
			return math.Inf(-1)
		}
		return -x[0] - 2*(x[1]-x[0])*(x[1]-x[0])
	}, func(x []float64, r *rand.Rand) {
		x[0] = r.ExpFloat64()
		x[1] = x[0] + r.NormFloat64()/2
	}},
	{"correlated normal", 3, func(x []float64) float64 {
		a, b, c := x[0], x[1]-100*x[0], x[2]
		return -(a*a + b*b + 1e4*c*c) / 2
	}, func(x []float64, r *rand.Rand) {
		x[0] = r.NormFloat64()
		x[1] = 100*x[0] + r.NormFloat64()
		x[2] = r.NormFloat64() / 100
	}},
}

// state is an ensemble whose walkers are exact draws.
func (l law) state(walkers int, r *rand.Rand) *State {
	x := make([]float64, walkers*l.dim)
	for w := range walkers {
		l.draw(x[w*l.dim:(w+1)*l.dim], r)
	}
	s, err := NewState(l, l.dim, x)
	if err != nil {
		panic(err)
	}
	return s
}

// sampled is the ensemble as a target of the conformance suite. Compared are, of the first
// walker and the last, coordinates and log densities; products of neighbouring coordinates,
// which run over from walker to walker; and the mean and mean square over walkers.
func (l law) sampled(walkers int, k mcmc.Kernel[*State]) kerneltest.Sampled[*State] {
	return kerneltest.Sampled[*State]{
		Draw:   func(r *rand.Rand) *State { return l.state(walkers, r) },
		Kernel: k,
		Stats: func(s *State) []float64 {
			last := s.Walkers() - 1
			stats := append([]float64{s.LogP[0], s.LogP[last]}, s.Walker(0)...)
			stats = append(stats, s.Walker(last)...)
			for i := range l.dim {
				mean, square := 0.0, 0.0
				for w := range s.Walkers() {
					mean += s.Walker(w)[i]
					square += s.Walker(w)[i] * s.Walker(w)[i]
				}
				stats = append(stats, s.X[i]*s.X[i+1], mean, square)
			}
			return stats
		},
		Check: func(s *State) error {
			for w, f := range s.LogP {
				if want := l.logp(s.Walker(w)); f != want {
					return fmt.Errorf("walker %d is at %v with log density %v, which is %v", w, s.Walker(w), f, want)
				}
			}
			return nil
		},
	}
}
