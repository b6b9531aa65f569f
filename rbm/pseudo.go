package rbm

import (
	"context"
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/f32"
	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/path"
)

// PseudoLikelihood is the mean over cases of Σᵢ log p(vᵢ | all other visible
// units) (Besag, 1975), which needs no normalising constant. It compares
// machines on the same data; it is no likelihood.
func (m *Model) PseudoLikelihood(d *Data, threads int) (float64, error) {
	if err := d.Fits(m); err != nil {
		return math.NaN(), err
	}
	if err := m.Check(); err != nil {
		return math.NaN(), err
	}
	w, a, b := single(m.W), single(m.HiddenBias), m.VisibleBias
	parts := make([]float64, (d.Cases+pieceCases-1)/pieceCases)
	fanout.New(threads, func(k int) {
		on := make([]int32, 0, m.Visible)
		input, flipped := make([]float32, m.Hidden), make([]float32, m.Hidden)
		for n := k * pieceCases; n < min((k+1)*pieceCases, d.Cases); n++ {
			v := d.Case(n)
			on = indices(on[:0], v)
			copy(input, a)
			f32.AddRows(input, w, m.Hidden, on)
			here := f32.SumSoftplus(input, 1)
			for i, u := range v {
				sign := float32(1 - 2*int(u))
				copy(flipped, input)
				f32.Axpy(flipped, sign, w[i*m.Hidden:(i+1)*m.Hidden])
				// log of the odds of the unit as it is not
				odds := f32.SumSoftplus(flipped, 1) - here + float64(float64(sign)*b[i])
				parts[k] -= vec.Log1pExp(odds)
			}
		}
	}).Run(len(parts))
	s := 0.0
	for _, p := range parts {
		s += p
	}
	return s / float64(d.Cases), nil
}

// indices appends the units that are on.
func indices(dst []int32, v []uint8) []int32 {
	for i, u := range v {
		if u != 0 {
			dst = append(dst, int32(i))
		}
	}
	return dst
}

// Score is the result of an evaluation.
type Score struct {
	Epoch int
	// Value is the mean log-likelihood or log pseudo-likelihood of a case, in
	// nats.
	Value float64
	// SE is the standard error due to log Z; 0 without log Z.
	SE float64
}

// Measure evaluates a machine in training by data. The seed is the epoch's own.
type Measure func(ctx context.Context, m *Model, d *Data, seed uint64) (value, se float64, err error)

// ByPseudoLikelihood measures by [Model.PseudoLikelihood].
func ByPseudoLikelihood(threads int) Measure {
	return func(_ context.Context, m *Model, d *Data, _ uint64) (float64, float64, error) {
		x, err := m.PseudoLikelihood(d, threads)
		return x, 0, err
	}
}

// ByAIS measures by the mean log-likelihood, with log Z by runs of annealed
// importance sampling from the data's marginals: a fifth of the temperatures
// up to β = 0.5, two fifths each to 0.9 and to 1. log Z is low on average, so
// the likelihood is high.
func ByAIS(runs, temperatures, threads int) Measure {
	return func(ctx context.Context, m *Model, d *Data, seed uint64) (float64, float64, error) {
		if err := d.Fits(m); err != nil {
			return math.NaN(), 0, err
		}
		fifth := max(1, temperatures/5)
		s, err := path.Pieces(path.Piece{To: 0.5, Steps: fifth}, path.Piece{To: 0.9, Steps: 2 * fifth}, path.Piece{To: 1, Steps: 2 * fifth})
		if err != nil {
			return math.NaN(), 0, err
		}
		f, err := NewFamily(m, d.MarginalBiases())
		if err != nil {
			return math.NaN(), 0, err
		}
		z, err := path.AIS(ctx, f, s, path.Settings{Seed: seed, Runs: runs, Threads: threads})
		if err != nil {
			return math.NaN(), 0, fmt.Errorf("log Z: %w", err)
		}
		return f.meanLogDensity(d) - z.LogZ, z.SE, nil
	}
}

// meanLogDensity is the mean of log f₁ over the cases.
func (f *Family) meanLogDensity(d *Data) float64 {
	p, s := f.New(), 0.0
	for n := range d.Cases {
		f.SetVisible(p, d.Case(n))
		s += f.LogDensity(p, 1)
	}
	return s / float64(d.Cases)
}
