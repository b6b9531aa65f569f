package mh

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// law is a target with an exact sampler.
type law struct {
	name string
	logp func(x []float64) float64
	draw func(x []float64, r *rand.Rand)
	dim  int
}

func (l law) LogDensity(x []float64) float64 { return l.logp(x) }

// laws: light, bounded with a pole, and two correlated ones of very different scales.
var laws = []law{
	{"normal", func(x []float64) float64 { return -x[0] * x[0] / 2 },
		func(x []float64, r *rand.Rand) { x[0] = r.NormFloat64() }, 1},
	{"exponential", func(x []float64) float64 {
		if x[0] < 0 {
			return math.Inf(-1)
		}
		return -x[0]
	}, func(x []float64, r *rand.Rand) { x[0] = r.ExpFloat64() }, 1},
	{"correlated normal", func(x []float64) float64 {
		a, b, c := x[0], x[1]-100*x[0], x[2]
		return -(a*a + b*b + 1e4*c*c) / 2
	}, func(x []float64, r *rand.Rand) {
		x[0] = r.NormFloat64()
		x[1] = 100*x[0] + r.NormFloat64()
		x[2] = r.NormFloat64() / 100
	}, 3},
	{"wedge", func(x []float64) float64 {
		if x[0] < 0 {
			return math.Inf(-1)
		}
		return -x[0] - 2*(x[1]-x[0])*(x[1]-x[0])
	}, func(x []float64, r *rand.Rand) {
		x[0] = r.ExpFloat64()
		x[1] = x[0] + r.NormFloat64()/2
	}, 2},
}

func (l law) point(r *rand.Rand) *mcmc.Point {
	x := make([]float64, l.dim)
	l.draw(x, r)
	return mcmc.NewPoint(l, x)
}

// sampled is the law as a target of the conformance suite: coordinates, products of
// neighbours and the log density are compared.
func (l law) sampled(k mcmc.Kernel[*mcmc.Point]) kerneltest.Sampled[*mcmc.Point] {
	return kerneltest.Sampled[*mcmc.Point]{
		Draw:   l.point,
		Kernel: k,
		Stats: func(s *mcmc.Point) []float64 {
			stats := append([]float64(nil), s.X...)
			for i := 1; i < len(s.X); i++ {
				stats = append(stats, s.X[i]*s.X[i-1])
			}
			return append(stats, s.LogP)
		},
		Check: func(s *mcmc.Point) error {
			if f := l.logp(s.X); f != s.LogP {
				return fmt.Errorf("at %v the log density is given as %v and is %v", s.X, s.LogP, f)
			}
			return nil
		},
	}
}

// single is the univariate sampler as a kernel over vectors of length 1.
type single struct {
	u      *Univariate
	lo, hi float64
	l      law
}

func (k single) logp(x float64) float64 { return k.l.logp([]float64{x}) }

func (k single) Step(s *mcmc.Point, r *rand.Rand) (info mcmc.Info) {
	s.X[0], s.LogP, info = k.u.Step1(r, s.X[0], s.LogP, k.lo, k.hi, k.logp)
	return info
}

func (k single) Adapt(s *mcmc.Point, r *rand.Rand, _ mcmc.Warmup) (info mcmc.Info) {
	s.X[0], s.LogP, info = k.u.Adapt1(r, s.X[0], s.LogP, k.lo, k.hi, k.logp)
	return info
}

func (k single) Freeze() {}
