package kerneltest

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// The kernels of these tests: right ones, and wrong ones that make the classic mistakes.

// walker is a state of a finite target.
type walker struct{ at int }

type finiteKernel func(s *walker, r *rand.Rand)

func (k finiteKernel) Step(s *walker, r *rand.Rand) mcmc.Info { k(s, r); return mcmc.Info{} }

// path is a finite target on a path graph with uneven weights.
var path = []float64{0, 1.2, -0.7, 0.4, 2, -1.5}

func finite(k finiteKernel) Finite[*walker] {
	return Finite[*walker]{
		LogWeight: path,
		State:     func(i int) *walker { return &walker{i} },
		Index:     func(s *walker) int { return s.at },
		Kernel:    k,
	}
}

// neighbour proposes a neighbour on the path; the ends have one only, so the proposal is
// not symmetric, and hastings is log q(back) − log q(there).
func neighbour(at int, r *rand.Rand) (to int, hastings float64) {
	last := len(path) - 1
	degree := func(i int) float64 {
		if i == 0 || i == last {
			return 1
		}
		return 2
	}
	switch {
	case at == 0:
		to = 1
	case at == last:
		to = last - 1
	default:
		to = at - 1 + 2*r.IntN(2)
	}
	return to, math.Log(degree(at) / degree(to))
}

func pathKernel(corrected bool) finiteKernel {
	return func(s *walker, r *rand.Rand) {
		to, hastings := neighbour(s.at, r)
		ratio := path[to] - path[s.at]
		if corrected {
			ratio += hastings
		}
		if math.Log(r.Float64()) < ratio {
			s.at = to
		}
	}
}

// gibbs draws the state afresh.
func gibbs(s *walker, r *rand.Rand) {
	prob, _ := finite(nil).probabilities()
	s.at = draw(r, prob)
}

// point is a state of a continuous target, with its log density cached.
type point struct{ x, logp float64 }

type pointKernel func(s *point, r *rand.Rand)

func (k pointKernel) Step(s *point, r *rand.Rand) mcmc.Info { k(s, r); return mcmc.Info{} }

func logExponential(x float64) float64 {
	if x < 0 {
		return math.Inf(-1)
	}
	return -x
}

// exponential is the standard exponential law as a target.
func exponential(k pointKernel) Sampled[*point] {
	return Sampled[*point]{
		Draw: func(r *rand.Rand) *point {
			x := r.ExpFloat64()
			return &point{x, logExponential(x)}
		},
		Kernel: k,
		Stats:  func(s *point) []float64 { return []float64{s.x} },
		Check: func(s *point) error {
			if s.logp != logExponential(s.x) {
				return errors.New("the log density is not that of the point")
			}
			return nil
		},
	}
}

// scaleMove multiplies x by exp(z/2); the Jacobian of the move is x'/x.
func scaleMove(jacobian bool) pointKernel {
	return func(s *point, r *rand.Rand) {
		x := s.x * math.Exp(r.NormFloat64()/2)
		ratio := logExponential(x) - s.logp
		if jacobian {
			ratio += math.Log(x / s.x)
		}
		if math.Log(r.Float64()) < ratio {
			s.x, s.logp = x, logExponential(x)
		}
	}
}

// forgetful is the right scale move that does not update the cached log density.
func forgetful(s *point, r *rand.Rand) {
	moved := *s
	scaleMove(true)(&moved, r)
	s.x = moved.x
}

// sliceMove is slice sampling on an interval placed at random. The wrong one shrinks
// it to what lies between the point it came from and the point that failed.
func sliceMove(right bool) pointKernel {
	return func(s *point, r *rand.Rand) {
		level := s.logp - r.ExpFloat64()
		lo := s.x - 3*r.Float64()
		hi := lo + 3
		for {
			x := lo + (hi-lo)*r.Float64()
			if logExponential(x) > level {
				s.x, s.logp = x, logExponential(x)
				return
			}
			switch {
			case !right:
				lo, hi = min(x, s.x), max(x, s.x)
			case x < s.x:
				lo = x
			default:
				hi = x
			}
		}
	}
}

// experiment is a normal mean with a standard normal prior and three observations of
// standard deviation 1.
type experiment struct {
	mu   float64
	data [3]float64
}

type experimentKernel func(s *experiment, r *rand.Rand)

func (k experimentKernel) Step(s *experiment, r *rand.Rand) mcmc.Info { k(s, r); return mcmc.Info{} }

func normalMean(k experimentKernel) Joint[*experiment] {
	redraw := func(s *experiment, r *rand.Rand) {
		for i := range s.data {
			s.data[i] = s.mu + r.NormFloat64()
		}
	}
	return Joint[*experiment]{
		Draw: func(r *rand.Rand) *experiment {
			s := &experiment{mu: r.NormFloat64()}
			redraw(s, r)
			return s
		},
		Redraw: redraw,
		Clone:  func(s *experiment) *experiment { c := *s; return &c },
		Kernel: k,
		Stats:  func(s *experiment) []float64 { return []float64{s.mu} },
	}
}

// walk is random-walk Metropolis on the posterior of the mean, whose prior precision it
// takes to be tau0; with the model's own, 1, it is right.
func walk(tau0 float64) experimentKernel {
	logp := func(s *experiment, mu float64) float64 {
		l := -tau0 * mu * mu / 2
		for _, y := range s.data {
			l -= (y - mu) * (y - mu) / 2
		}
		return l
	}
	return func(s *experiment, r *rand.Rand) {
		mu := s.mu + r.NormFloat64()
		if math.Log(r.Float64()) < logp(s, mu)-logp(s, s.mu) {
			s.mu = mu
		}
	}
}
