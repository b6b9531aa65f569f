package tempering

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

type density func(x []float64) float64

func (d density) LogDensity(x []float64) float64 { return d(x) }

// away is how far the modes of the bimodal target are from 0, in their own sds.
const away = 12

// wide is the reference N(0, away²), modes the mixture of N(±away, 1), both normalised.
var (
	wide  = density(func(x []float64) float64 { return logNormal(x[0], 0, away) })
	modes = density(func(x []float64) float64 {
		a, b := logNormal(x[0], -away, 1), logNormal(x[0], away, 1)
		top := max(a, b)
		return top + math.Log(math.Exp(a-top)+math.Exp(b-top)) - math.Ln2
	})
	bimodal = Geometric(wide, modes)
)

func logNormal(x, mean, sd float64) float64 {
	z := (x - mean) / sd
	return -z*z/2 - math.Log(sd) - math.Log(2*math.Pi)/2
}

func drawModes(r *rand.Rand) float64 {
	return math.Copysign(away, r.Float64()-0.5) + r.NormFloat64()
}

// shift is the path N(βμ, 1), with log Z(β) = β²μ²/2 + log √(2π).
func shift(mu float64) Path {
	return func(x []float64, beta float64) float64 { return -x[0]*x[0]/2 + beta*mu*x[0] }
}

// shrink is the path exp(−p(β) |x|²/2) in two dimensions, with p(β) = p0 + β (p1 − p0) and
// log Z(β) = log 2π − log p(β).
func shrink(p0, p1 float64) Path {
	return func(x []float64, beta float64) float64 {
		return -(p0 + beta*(p1-p0)) * (x[0]*x[0] + x[1]*x[1]) / 2
	}
}

// exact draws independently of the state, so that replicas forget everything between two swaps.
type exact struct {
	path Path
	beta float64
	draw func(x []float64, beta float64, r *rand.Rand)
}

func (k exact) Step(s *mcmc.Point, r *rand.Rand) mcmc.Info {
	k.draw(s.X, k.beta, r)
	s.LogP = k.path(s.X, k.beta)
	return mcmc.Info{Accepted: true, AcceptProb: 1, Evals: 1}
}

func exactly(path Path, draw func(x []float64, beta float64, r *rand.Rand)) func(float64) (mcmc.Kernel[*mcmc.Point], error) {
	return func(beta float64) (mcmc.Kernel[*mcmc.Point], error) { return exact{path, beta, draw}, nil }
}

func walks(path Path, dim int) func(float64) (mcmc.Kernel[*mcmc.Point], error) {
	return func(beta float64) (mcmc.Kernel[*mcmc.Point], error) {
		sd := make([]float64, dim)
		for i := range sd {
			sd[i] = 1
		}
		return mh.NewRandomWalk(path.At(beta), sd)
	}
}

// points is a state with its replicas at x.
func points(path Path, betas []float64, x func(beta float64) []float64) *State[*mcmc.Point] {
	replicas := make([]*mcmc.Point, len(betas))
	for i, b := range betas {
		replicas[i] = mcmc.NewPoint(path.At(b), x(b))
	}
	return NewState(replicas)
}

// upToDate says whether every replica's cached log density is that at its rung.
func upToDate(path Path, k *Kernel[*mcmc.Point]) func(s *State[*mcmc.Point]) error {
	return func(s *State[*mcmc.Point]) error {
		for i, p := range s.Replicas {
			if f := path(p.X, k.betas[i]); f != p.LogP {
				return fmt.Errorf("replica %d is at %v with log density %v, which is %v", i, p.X, p.LogP, f)
			}
		}
		return nil
	}
}

// ring is an Ising model of spins on a ring, as bits; a family without caches.
const ring = 8

type spins struct{ bits uint }

func (s *spins) energy() float64 {
	// A coupling of 1, and a field that breaks the symmetry.
	sum := 0.0
	for i := range ring {
		a, b := s.bits>>i&1, s.bits>>((i+1)%ring)&1
		sum += 0.3 * float64(a)
		if a == b {
			sum++
		}
	}
	return sum
}

type ising struct{}

func (ising) LogDensity(s *spins, beta float64) float64 { return float64(beta * s.energy()) }

// flip is single-spin Metropolis.
type flip struct{ beta float64 }

func (k flip) Step(s *spins, r *rand.Rand) mcmc.Info {
	next := spins{s.bits ^ 1<<r.IntN(ring)}
	info := mcmc.Info{Evals: 2}
	info.Accepted, info.AcceptProb = mh.Accept(r, k.beta*(next.energy()-s.energy()))
	if info.Accepted {
		*s = next
	}
	return info
}

func flips(beta float64) (mcmc.Kernel[*spins], error) { return flip{beta}, nil }

// boltzmann returns a sampler of configurations at beta, by enumeration.
func boltzmann(beta float64) func(r *rand.Rand) uint {
	upto, total := make([]float64, 1<<ring), 0.0
	for i := range upto {
		total += math.Exp(ising{}.LogDensity(&spins{uint(i)}, beta))
		upto[i] = total
	}
	return func(r *rand.Rand) uint {
		i, _ := slices.BinarySearch(upto, r.Float64()*total)
		return uint(min(i, len(upto)-1))
	}
}
