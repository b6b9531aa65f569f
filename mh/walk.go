package mh

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Walk is the random walk x' = x + σ L z over vectors as a move: L Lᵀ is a matrix of full
// rank and the increment z has one of three laws. In warm-up it learns as its settings say.
type Walk struct {
	set    WalkSettings
	dim    int
	tuning tuning

	sigma      float64   // of the tuning's scale
	z, work    []float64 // the last step, and scratch
	normalizer float64   // −log det(σ L)
	fresh      bool      // normalizer is that of the tuning
}

// WalkSettings say what a [Walk] is. The zero value works.
type WalkSettings struct {
	Increment Increment // the law of z
	DF        float64   // degrees of freedom of [Student]; 0: 4
	Learn     Adaptation
	// Accept is the acceptance rate that the scale is tuned to; 0: [OptimalAcceptance].
	Accept float64
}

const defaultDF = 4

// NewWalk returns a walk over vectors of length dim, whose first proposals have σ = 1 and
// L Lᵀ = shape, a symmetric positive definite matrix, dim × dim, as one slice. For normal
// steps shape is their covariance; for uniform ones a diagonal of w² gives steps of ±w. An
// estimate Σ of the target's covariance times 2.38²/dim is near the best for normal steps.
func NewWalk(dim int, shape []float64, set WalkSettings) (*Walk, error) {
	if set.DF == 0 {
		set.DF = defaultDF
	}
	if err := set.check(); err != nil {
		return nil, err
	}
	l, err := factor(dim, shape)
	if err != nil {
		return nil, err
	}
	if set.Accept == 0 {
		set.Accept = OptimalAcceptance(dim)
	}
	k := &Walk{set: set, dim: dim, sigma: 1, z: make([]float64, dim), work: make([]float64, dim*dim)}
	k.tuning = newTuning(l, dim)
	return k, nil
}

func (set WalkSettings) check() error {
	switch {
	case set.Increment < Normal || set.Increment > Student:
		return fmt.Errorf("mh: a random walk has no increment %d; take Normal, Uniform or Student", set.Increment)
	case !(set.DF > 0) || math.IsInf(set.DF, 1):
		return fmt.Errorf("mh: Student's t with %v degrees of freedom; they must be positive and finite", set.DF)
	case set.Learn < LearnShape || set.Learn > LearnNothing:
		return fmt.Errorf("mh: a random walk cannot learn by %d; take one of the constants of type Adaptation", set.Learn)
	case !(set.Accept >= 0 && set.Accept < 1):
		return fmt.Errorf("mh: the acceptance rate %v; it must be between 0 and 1, or 0 for the usual one", set.Accept)
	}
	return nil
}

// factor returns the Cholesky factor of a matrix from a user.
func factor(dim int, a []float64) ([]float64, error) {
	if dim < 1 || len(a) != dim*dim {
		return nil, fmt.Errorf("mh: a matrix of %d numbers for vectors of length %d; give %d rows of %d", len(a), dim, dim, dim)
	}
	for i := range dim {
		for j := range i + 1 {
			x, y := a[i*dim+j], a[j*dim+i]
			if !vec.Finite(x) || !vec.Finite(y) {
				return nil, fmt.Errorf("mh: the matrix has %v in row %d, column %d and %v opposite; they must be finite", x, i+1, j+1, y)
			}
			if math.Abs(x-y) > 1e-12*(math.Abs(x)+math.Abs(y)) {
				return nil, fmt.Errorf("mh: the matrix is not symmetric: %v in row %d, column %d and %v in row %d, column %d", x, i+1, j+1, y, j+1, i+1)
			}
		}
	}
	l := make([]float64, dim*dim)
	if vec.Chol(l, a, dim) {
		return l, nil
	}
	bad := 1 + sort.Search(dim-1, func(n int) bool { return !leading(l, a, dim, n+1) })
	return nil, fmt.Errorf("mh: the matrix is not positive definite: the determinant of its first %d rows and columns is not positive; "+
		"is a variance zero or negative, or a coordinate a combination of others?", bad)
}

// leading reports whether the first n rows and columns are positive definite.
func leading(work, a []float64, dim, n int) bool {
	for j := range n {
		copy(work[j*n:(j+1)*n], a[j*dim:j*dim+n])
	}
	return vec.Chol(work, work, n)
}

// Dim is the length of the vectors.
func (k *Walk) Dim() int { return k.dim }

// Propose takes a step.
func (k *Walk) Propose(dst, x []float64, r *rand.Rand) ([]float64, float64) {
	return k.step(dst, x, k.z, k.sigma, r), 0
}

// step draws z and writes x + sigma L z to dst.
func (k *Walk) step(dst, x, z []float64, sigma float64, r *rand.Rand) []float64 {
	if len(x) != k.dim {
		panic(otherLength(x, k.dim))
	}
	if len(dst) != len(x) {
		dst = make([]float64, len(x))
	}
	k.set.Increment.draw(z, k.set.DF, r)
	walk(dst, x, z, k.tuning.Walk.L, sigma)
	return dst
}

// LogDensity is the log density of a step from one point to the other.
func (k *Walk) LogDensity(to, from []float64) float64 { return k.logDensity(to, from, k.sigma) }

func (k *Walk) logDensity(to, from []float64, sigma float64) float64 {
	if !k.fresh {
		k.normalizer, k.fresh = -vec.CholLogDet(k.tuning.Walk.L, k.dim)/2, true
	}
	z := k.work[:k.dim]
	for i, v := range to {
		z[i] = (v - from[i]) / sigma
	}
	vec.TriSolveLower(z, k.tuning.Walk.L, z, k.dim)
	return k.set.Increment.logDensity(z, k.set.DF) + k.normalizer - float64(float64(k.dim)*vec.Log(sigma))
}

// Learn is called after each step of the warm-up.
func (k *Walk) Learn(x []float64, acceptProb float64, w mcmc.Warmup) {
	t := &k.tuning
	switch k.set.Learn {
	case LearnNothing:
		return
	case LearnScale:
		t.Walk.Scale.Update(acceptProb, k.set.Accept)
	case LearnShape:
		t.Walk.learn(x, acceptProb, k.set.Accept, w, k.work)
	case AdaptiveMetropolis:
		t.haario(x, k.work)
	case RobustAdaptive:
		t.robust(k.z, acceptProb, k.set.Accept, k.work)
	}
	k.refresh()
}

func (k *Walk) stepwise() bool { return k.set.Learn == RobustAdaptive }

// refresh renews what is computed from the tuning.
func (k *Walk) refresh() { k.sigma, k.fresh = k.tuning.Walk.Scale.Sigma(), false }

// MarshalBinary writes the tuning.
func (k *Walk) MarshalBinary() ([]byte, error) { return gobs.Marshal(&k.tuning) }

// UnmarshalBinary reads what MarshalBinary wrote.
func (k *Walk) UnmarshalBinary(b []byte) error {
	got := tuning{}
	if err := decode(b, &got); err != nil {
		return err
	}
	if err := got.Walk.fits(k.dim); err != nil {
		return err
	}
	got.Walk.Seen.delta = k.tuning.Walk.Seen.delta
	k.tuning = got
	k.refresh()
	return nil
}
