package mh

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// IndependenceMove is the move to a draw of one distribution, whatever the state, q(x'|x) = q(x'):
// the proposal of [Independence] as a move, for use in a mixture.
type IndependenceMove struct{ from Proposal }

// NewIndependenceMove returns the move. For use in a [MixtureDensity] the density must be normalised.
func NewIndependenceMove(from Proposal) (*IndependenceMove, error) {
	if from == nil {
		return nil, errors.New("mh: a move to a fresh draw needs a distribution to draw from")
	}
	return &IndependenceMove{from}, nil
}

// Dim is the length of the vectors, 0 if the distribution has no method Dim.
func (k *IndependenceMove) Dim() int { return dimOf(k.from) }

// Propose draws.
func (k *IndependenceMove) Propose(dst, x []float64, r *rand.Rand) ([]float64, float64) {
	if len(dst) != len(x) {
		dst = make([]float64, len(x))
	}
	k.from.Draw(dst, r)
	return dst, k.from.LogDensity(x) - k.from.LogDensity(dst)
}

// LogDensity does not depend on from.
func (k *IndependenceMove) LogDensity(to, _ []float64) float64 { return k.from.LogDensity(to) }

// NormalProposal is the multivariate normal distribution as a [Proposal].
type NormalProposal struct {
	mean, l, work []float64
	normalizer    float64
}

// NewNormalProposal returns the distribution with this mean and covariance, a symmetric
// positive definite matrix as one slice of len(mean)² numbers. A chain needs one of its own.
func NewNormalProposal(mean, cov []float64) (*NormalProposal, error) {
	d := len(mean)
	for i, m := range mean {
		if !vec.Finite(m) {
			return nil, fmt.Errorf("mh: mean %d of a proposal is %v; it must be finite", i+1, m)
		}
	}
	l, err := factor(d, cov)
	if err != nil {
		return nil, err
	}
	p := &NormalProposal{mean: append([]float64(nil), mean...), l: l, work: make([]float64, d)}
	p.normalizer = -vec.CholLogDet(l, d) / 2
	return p, nil
}

// Dim is the length of the vectors.
func (p *NormalProposal) Dim() int { return len(p.mean) }

// Draw draws a vector.
func (p *NormalProposal) Draw(dst []float64, r *rand.Rand) {
	for i := range dst {
		dst[i] = dist.StdNormal(r)
	}
	vec.MulTriVec(dst, p.l, dst, len(p.mean))
	for i, m := range p.mean {
		dst[i] += m
	}
}

// LogDensity is normalised.
func (p *NormalProposal) LogDensity(x []float64) float64 {
	for i, m := range p.mean {
		p.work[i] = x[i] - m
	}
	vec.TriSolveLower(p.work, p.l, p.work, len(p.mean))
	return Normal.logDensity(p.work, 0) + p.normalizer
}
