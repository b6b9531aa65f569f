package mh

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// RandomWalk is Metropolis over a vector as a block, x' = x + σ L z with z standard
// normal. In warm-up it tunes σ and sets L to the Cholesky factor of the covariance of the points
// visited (Haario, Saksman and Tamminen 2001; Andrieu and Thoms 2008, algorithm 4) in windows that grow: standard
// deviations are those of the last window, correlations are averaged over windows. A chain needs one of its own.
type RandomWalk struct {
	target Target
	tuning walkTuning

	sigma             float64 // of the tuning's scale
	proposal, z, work []float64
}

// NewRandomWalk returns a walk over vectors as long as sd, whose proposals have these
// standard deviations, scaled by 2.38/√d, at first; they need not be good, only positive.
func NewRandomWalk(target Target, sd []float64) (*RandomWalk, error) {
	d := len(sd)
	if target == nil || d == 0 {
		return nil, fmt.Errorf("mh: a random walk over vectors of length %d; give a target and one standard deviation a coordinate", d)
	}
	k := &RandomWalk{target: target, proposal: make([]float64, d), z: make([]float64, d), work: make([]float64, d*d)}
	l := make([]float64, d*d)
	for i, s := range sd {
		if !(s > 0) || math.IsInf(s, 1) {
			return nil, fmt.Errorf("mh: proposal standard deviation %d is %v; it must be positive and finite", i+1, s)
		}
		l[i*d+i] = s
	}
	k.tuning = newWalkTuning(l, d)
	k.tuning.Scale.Log = startScale(d)
	k.sigma = k.tuning.Scale.Sigma()
	return k, nil
}

// Dim is the length of the vectors.
func (k *RandomWalk) Dim() int { return len(k.proposal) }

// Step proposes once.
func (k *RandomWalk) Step(s *mcmc.Point, r *rand.Rand) mcmc.Info {
	z := k.z
	if len(s.X) != len(z) {
		panic(otherLength(s.X, len(z)))
	}
	for i := range z {
		z[i] = dist.StdNormal(r)
	}
	to, x := k.proposal[:len(z)], s.X[:len(z)]
	if len(z) > smallDim {
		walk(to, x, z, k.tuning.L, k.sigma)
	} else {
		for i := range z {
			to[i] = x[i] + float64(k.sigma*rowTimes(k.tuning.L, z, i))
		}
	}
	u := r.Float64() // before the density, so that the processor overlaps the two
	f := k.target.LogDensity(to)
	prob, divergent := 1.0, false
	switch ratio := f - s.LogP; {
	case !vec.Finite(ratio):
		prob, divergent = acceptProb(LogRatio(f, s.LogP)), broken(f)
	case ratio < 0:
		prob = vec.Exp(ratio)
	}
	info := mcmc.Info{AcceptProb: prob, Evals: 1, Divergent: divergent}
	if u >= prob {
		return info
	}
	//lint:ignore S1001 a call to copy costs more than a short loop
	for i, v := range to {
		x[i] = v
	}
	s.LogP = f
	info.Accepted = true
	return info
}

// Adapt proposes once and learns.
func (k *RandomWalk) Adapt(s *mcmc.Point, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	info := k.Step(s, r)
	k.tuning.learn(s.X, info.AcceptProb, OptimalAcceptance(len(s.X)), w, k.work)
	k.sigma = k.tuning.Scale.Sigma()
	return info
}

// Freeze has nothing to do: the proposal changes in Adapt only.
func (k *RandomWalk) Freeze() {}

// MarshalBinary writes the tuning.
func (k *RandomWalk) MarshalBinary() ([]byte, error) { return gobs.Marshal(&k.tuning) }

// UnmarshalBinary reads what MarshalBinary wrote.
func (k *RandomWalk) UnmarshalBinary(b []byte) error {
	err := k.tuning.unmarshal(b)
	k.sigma = k.tuning.Scale.Sigma()
	return err
}

// otherLength is the panic of a kernel that a job made for vectors of another length than its own.
func otherLength(x []float64, dim int) string {
	return fmt.Sprintf("mh: a random walk over vectors of length %d is to move one of length %d; make it for as many coordinates as the state has", dim, len(x))
}

// smallDim is up to where a product by a triangular matrix costs less than calls.
const smallDim = 4

// walk writes x + σ L z to dst, which is neither of them.
func walk(dst, x, z, l []float64, sigma float64) {
	if len(z) > smallDim {
		vec.MulTriVec(dst, l, z, len(z))
		for i, v := range x {
			dst[i] = v + float64(sigma*dst[i])
		}
		return
	}
	for i := range z {
		dst[i] = x[i] + float64(sigma*rowTimes(l, z, i))
	}
}

// rowTimes is coordinate i of L z, in the order in which MulTriVec adds. It is small enough to
// be inlined.
func rowTimes(l, z []float64, i int) float64 {
	at := i + i*len(z)
	sum := float64(l[at] * z[i])
	for j := i - 1; j >= 0; j-- {
		at -= len(z)
		sum += float64(l[at] * z[j])
	}
	return sum
}
