package mode

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/hmc"
	"github.com/ergodic-mcmc/ergodic/importance"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Approximation is draws of distributions that are near a target, and log π − log q of each, where q is the density of its distribution.
type Approximation struct {
	Draws      [][]float64
	LogWeights []float64
}

// Sample is the draws with their weights.
func (a *Approximation) Sample() (*importance.Sample[[]float64], error) {
	return importance.New(a.Draws, a.LogWeights)
}

// Resample draws n of the draws in proportion to their weights, where a weight above √S times the mean of all S counts as that much (Ionides,
// 2008, "Truncated importance sampling"), so that few large ones do not have it all.
func (a *Approximation) Resample(r *rand.Rand, n int) ([][]float64, error) {
	if n < 1 {
		return nil, fmt.Errorf("mode: resampling %d draws; ask for at least one", n)
	}
	w := make([]float64, len(a.LogWeights))
	if _, err := importance.Normalise(w, a.LogWeights); err != nil {
		return nil, err
	}
	most := 1 / math.Sqrt(float64(len(w)))
	for i, v := range w {
		w[i] = min(v, most)
	}
	parent := make([]int, n)
	if err := importance.Stratified(parent, w, r); err != nil {
		return nil, err
	}
	r.Shuffle(n, func(i, j int) { parent[i], parent[j] = parent[j], parent[i] })
	out := make([][]float64, n)
	for i, p := range parent {
		out[i] = a.Draws[p]
	}
	return out, nil
}

// room makes n vectors.
func room(n, dim int) ([][]float64, error) {
	if n < 1 {
		return nil, fmt.Errorf("mode: %d draws; ask for at least one", n)
	}
	if err := memory.Room(16 * float64(n) * float64(dim+4)); err != nil {
		return nil, fmt.Errorf("mode: %w", err)
	}
	all := make([]float64, n*dim)
	out := make([][]float64, n)
	for i := range out {
		out[i] = all[i*dim : (i+1)*dim : (i+1)*dim]
	}
	return out, nil
}

// Laplace draws n times from the normal distribution whose mean is the place of a curvature and whose covariance is its inverse: that of Laplace's
// approximation where the place is a mode (Tierney and Kadane, 1986). It is an error that there is no covariance.
func Laplace(t hmc.Target, c *Curvature, n int, r *rand.Rand) (*Approximation, error) {
	if !c.Definite() {
		return nil, errors.New("mode: the density is flat in some direction at the place: there is no normal density that fits")
	}
	dim := len(c.at)
	draws, err := room(n, dim)
	if err != nil {
		return nil, err
	}
	a := &Approximation{Draws: draws, LogWeights: make([]float64, n)}
	half := -c.LogMass(0)
	for i, x := range draws {
		for j := range x {
			x[j] = dist.StdNormal(r)
		}
		logq := half - float64(0.5*vec.Dot(x, x))
		vec.TriSolveLowerT(x, c.lower, x, dim)
		for j := range x {
			x[j] = c.at[j] + float64(c.scale[j]*x[j])
		}
		a.LogWeights[i] = weight(t, x) - logq
	}
	return a, nil
}

// weight is log π(x), and −Inf where that is not finite.
func weight(t hmc.Target, x []float64) float64 {
	if f := t.LogDensity(x); vec.Finite(f) {
		return f
	}
	return math.Inf(-1)
}
