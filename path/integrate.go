package path

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
)

// IntegrateSettings are the settings of Integrate. Zeros stand for defaults.
type IntegrateSettings struct {
	Settings     // Runs: chains, 8 unless set
	Draws    int // at each temperature of the ladder, by each chain; 0: 100
	Burn     int // moves at each temperature before draws, each time that a chain arrives there; 0: an eighth of Draws·Thin, negative: none
	Thin     int // moves between draws; 0: 1
}

// Integrals are the estimates from draws at every temperature of a ladder.
type Integrals struct {
	TI            *Result // thermodynamic integration
	SteppingStone *Result
	BAR           *Result   // Bennett's acceptance ratio between neighbours
	Mean          []float64 // of d log f/dβ at each temperature
}

// withDefaults fills in zeros; Burn becomes Draws·Thin/part.
func (s IntegrateSettings) withDefaults(part int) IntegrateSettings {
	s.Settings = s.Settings.withDefaults(defaultChains)
	s.Draws = cmp.Or(s.Draws, 100)
	s.Thin = cmp.Or(s.Thin, 1)
	s.Burn = max(cmp.Or(s.Burn, s.Draws*s.Thin/part), 0)
	return s
}

func (s IntegrateSettings) check(temperatures int) error {
	if err := s.Settings.check(); err != nil {
		return err
	}
	if s.Draws < 4 || s.Thin < 1 {
		return fmt.Errorf("path: %d draws at each temperature, one in %d moves; there must be 4 draws or more, and 1 move or more", s.Draws, s.Thin)
	}
	if float64(temperatures)*float64(s.Draws)*float64(s.Runs) > 1<<27 {
		return fmt.Errorf("path: %d chains of %d draws at %d temperatures do not fit in memory; thin them", s.Runs, s.Draws, temperatures)
	}
	return nil
}

// Integrate moves chains from exact draws of the base up a ladder and down again. Each time that a chain arrives at a
// temperature it makes Burn moves, and then half of the Draws draws. The same draws give three estimates:
//
//   - TI: ∫ E_β[d log f_β/dβ] dβ (Gelman and Meng 1998, equation 12), by the corrected trapezoidal rule, whose slopes at the nodes
//     come from neighbouring means: error of fourth order in the steps. The difference to the same rule on every second
//     temperature enters the error.
//   - SteppingStone: Σ_k log E_{β_k}[f_{k+1}/f_k] (Xie, Lewis, Fan, Kuo and Chen 2011, equation 12).
//   - BAR: the acceptance ratio of Bennett (1976) of each pair of neighbours, the most accurate of the three where steps
//     are long.
//
// Errors come from the chains, which are independent. A chain that lags behind equilibrium gives too little on the way
// up and too much on the way down (hysteresis). To first order this cancels, and half of the difference, where it is
// significant, is added to the error. The estimates of chains that each visited one of several modes do not average to
// log Z: the interval then covers the mean of their Z. Both, and a large R-hat of the derivative, are warnings.
//
// Interrupted, it returns the estimates from the finished chains, nil for none, and an error that wraps mcmc.ErrInterrupted.
func Integrate[S any](ctx context.Context, f Family[S], ladder Schedule, set IntegrateSettings) (*Integrals, error) {
	c, o, err := set.withDefaults(8).sample(ctx, "integrate", f.LogZBase(), ladder, func(set IntegrateSettings, layout rowLayout) runFunc {
		resolved, x := resolve(f), f.New()
		return func(_ int, r *rand.Rand, row []float64, t *tally) error {
			resolved.Base(x, r)
			for k := range ladder {
				if err := resolved.sampleAt(x, ladder, k, set, layout.firstHalf(), layout, row, r, t); err != nil {
					return err
				}
			}
			for k := len(ladder) - 1; k >= 0; k-- {
				if err := resolved.sampleAt(x, ladder, k, set, layout.secondHalf(), layout, row, r, t); err != nil {
					return err
				}
			}
			return nil
		}
	})
	if c == nil {
		return nil, err
	}
	return c.integrals(o, c.hysteresis()), err
}

// sample runs chains over a ladder; those that finished are nil where there are none.
func (s IntegrateSettings) sample(ctx context.Context, method string, base float64, ladder Schedule, worker func(set IntegrateSettings, layout rowLayout) runFunc) (*chainSamples, *outcome, error) {
	if err := ladder.check(); err != nil {
		return nil, nil, err
	}
	if err := s.check(len(ladder)); err != nil {
		return nil, nil, err
	}
	layout := rowLayout{temperatures: len(ladder), draws: s.Draws}
	shape := fmt.Sprint(ladder.hash(), " ", s.Draws, " ", s.Burn, " ", s.Thin)
	o, err := job{purpose: method, shape: shape, width: layout.width(), worker: func() runFunc { return worker(s, layout) }}.do(ctx, s.Settings)
	if o == nil || len(o.rows) == 0 {
		return nil, nil, err
	}
	return &chainSamples{rowLayout: layout, base: base, ladder: ladder, weights: quadrature(ladder), rows: o.rows, origin: make([]int, len(o.rows))}, o, err
}

// sampleAt moves x at a temperature of the ladder and records these of its draws.
func (f *resolved[S]) sampleAt(x S, ladder Schedule, k int, set IntegrateSettings, draws span, layout rowLayout, row []float64, r *rand.Rand, t *tally) error {
	if err := f.moves(x, ladder[k], set.Burn, r, t); err != nil {
		return err
	}
	for n := draws.from; n < draws.to; n++ {
		if err := f.moves(x, ladder[k], set.Thin, r, t); err != nil {
			return err
		}
		if err := f.measure(x, ladder, k, n, layout, row, t); err != nil {
			return err
		}
	}
	return nil
}

// measure records the derivative at x and its log density ratios to the neighbouring temperatures.
func (f *resolved[S]) measure(x S, ladder Schedule, k, n int, layout rowLayout, row []float64, t *tally) error {
	u, err := f.slope(x, ladder[k], t)
	if err != nil {
		return err
	}
	layout.values(row, slopes, k)[n] = u
	for _, side := range []struct{ which, to int }{{ups, k + 1}, {downs, k - 1}} {
		if side.to < 0 || side.to >= len(ladder) {
			continue
		}
		v, err := f.logRatio(x, ladder[k], ladder[side.to], t)
		if err != nil {
			return err
		}
		layout.values(row, side.which, k)[n] = v
	}
	return nil
}
