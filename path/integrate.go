package path

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
)

// IntegrateSettings are the settings of Integrate. Zeros stand for defaults.
type IntegrateSettings struct {
	Settings     // Runs: chains, 8 unless set
	Draws    int // at each temperature of the ladder, by each chain; 0: 100
	Burn     int // moves at each temperature before its draws; 0: a quarter of Draws·Thin, negative: none
	Thin     int // moves between draws; 0: 1
}

// Integrals are the estimates from draws at every temperature of a ladder.
type Integrals struct {
	TI            *Result // thermodynamic integration
	SteppingStone *Result
	Bridge        *Result   // Bennett's acceptance ratio between neighbours
	Mean          []float64 // of d log f/dβ at each temperature
}

func (s IntegrateSettings) withDefaults() IntegrateSettings {
	s.Settings = s.Settings.withDefaults(defaultChains)
	if s.Draws == 0 {
		s.Draws = 100
	}
	if s.Thin == 0 {
		s.Thin = 1
	}
	if s.Burn == 0 {
		s.Burn = s.Draws * s.Thin / 4
	}
	s.Burn = max(s.Burn, 0)
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
		return fmt.Errorf("path: %d chains of %d draws at %d temperatures are more than can be kept; thin them", s.Runs, s.Draws, temperatures)
	}
	return nil
}

// Integrate takes chains from exact draws of the base up a ladder, with Burn moves and then Draws draws at each temperature,
// and makes three estimates of the same draws:
//
//   - TI: ∫ E_β[d log f_β/dβ] dβ (Gelman and Meng 1998, equation 12), by the corrected trapezoidal rule, whose slopes at the nodes
//     come from neighbouring means: error of fourth order in the steps. What the same rule on every second
//     temperature says is compared with it, and enters the error.
//   - SteppingStone: Σ_k log E_{β_k}[f_{k+1}/f_k] (Xie, Lewis, Fan, Kuo and Chen 2011, equation 12).
//   - Bridge: Bennett's (1976) ratio of each pair of neighbours; it has the least error of the three where steps are long.
//
// Errors come from the chains, which are independent. A chain that lags behind equilibrium as it climbs makes all three
// too low or too high together: the first and second halves of the draws are compared, and a difference is a warning.
func Integrate[S any](ctx context.Context, f Family[S], ladder Schedule, set IntegrateSettings) (*Integrals, error) {
	if err := ladder.check(); err != nil {
		return nil, err
	}
	set = set.withDefaults()
	if err := set.check(len(ladder)); err != nil {
		return nil, err
	}
	shape := fmt.Sprint(ladder.hash(), " ", set.Draws, " ", set.Burn, " ", set.Thin)
	d := drawn{temperatures: len(ladder), draws: set.Draws}
	o, err := job{purpose: "integrate", shape: shape, width: d.width(), worker: func() runner {
		w, x := newWalk(f), f.New()
		return func(_ int, r *rand.Rand, row []float64, t *tally) error {
			w.Base(x, r)
			for k := range ladder {
				if err := w.stay(x, ladder, k, set.Burn, set.Thin, d, row, r, t); err != nil {
					return err
				}
			}
			return nil
		}
	}}.do(ctx, set.Settings)
	if o == nil || len(o.rows) == 0 {
		return nil, err
	}
	return d.integrals(f.LogZBase(), ladder, o), err
}

// stay moves x at a temperature of the ladder and writes down what its draws say.
func (w *walk[S]) stay(x S, ladder Schedule, k, burn, thin int, d drawn, row []float64, r *rand.Rand, t *tally) error {
	for range burn {
		w.Move(x, ladder[k], r)
		if t.moved() {
			return errStopped
		}
	}
	for n := range d.draws {
		for range thin {
			w.Move(x, ladder[k], r)
			if t.moved() {
				return errStopped
			}
		}
		if err := w.measure(x, ladder, k, n, d, row, t); err != nil {
			return err
		}
	}
	return nil
}

// measure writes down the derivative and the ratios to the neighbours.
func (w *walk[S]) measure(x S, ladder Schedule, k, n int, d drawn, row []float64, t *tally) error {
	u := w.deriv(x, ladder[k])
	t.evals++
	if math.IsNaN(u) || math.IsInf(u, 0) {
		return notNumber("the derivative of the log density", u, ladder[k], ladder[k])
	}
	d.of(row, slopes, k)[n] = u
	for _, side := range []struct{ which, to int }{{ups, k + 1}, {downs, k - 1}} {
		if side.to < 0 || side.to >= len(ladder) {
			continue
		}
		v := w.ratio(x, ladder[k], ladder[side.to])
		t.evals++
		if !(v < math.Inf(1)) {
			return notNumber("the ratio of densities", v, ladder[k], ladder[side.to])
		}
		d.of(row, side.which, k)[n] = v
	}
	return nil
}

// drawn is the layout of a chain's row: for each temperature its draws' derivatives and their log ratios to
// the next and the previous temperature.
type drawn struct{ temperatures, draws int }

const (
	slopes = iota
	ups
	downs
	kinds
)

func (d drawn) width() int { return kinds * d.temperatures * d.draws }

func (d drawn) of(row []float64, which, k int) []float64 {
	at := (which*d.temperatures + k) * d.draws
	return row[at : at+d.draws]
}

// gather are the draws of all chains at a temperature.
func (d drawn) gather(rows [][]float64, which, k int) []float64 {
	all := make([]float64, 0, len(rows)*d.draws)
	for _, row := range rows {
		all = append(all, d.of(row, which, k)...)
	}
	return all
}

func (d drawn) chains(rows [][]float64, which, k int) [][]float64 {
	out := make([][]float64, len(rows))
	for i, row := range rows {
		out[i] = d.of(row, which, k)
	}
	return out
}

// quadrature has the weights of the corrected trapezoidal rule Σ h/2 (E_k + E_{k+1}) + h²/12 (E'_k − E'_{k+1}), with the slopes E'
// of parabolas through neighbouring points.
func quadrature(s []float64) []float64 {
	n := len(s)
	w := make([]float64, n)
	for k := range n - 1 {
		h := s[k+1] - s[k]
		w[k] += float64(h / 2)
		w[k+1] += float64(h / 2)
		addSlope(w, s, k, h*h/12)
		addSlope(w, s, k+1, -h*h/12)
	}
	return w
}

// addSlope adds c times the slope at point k to the weights.
func addSlope(w, s []float64, k int, c float64) {
	n := len(s)
	if n == 2 { // one step: both ends have the same slope, and the terms cancel
		return
	}
	m := min(max(k, 1), n-2) // the parabola's middle
	a, b, x := s[m-1], s[m], s[k]
	d := s[m+1]
	w[m-1] += c * ((x - b) + (x - d)) / ((a - b) * (a - d))
	w[m] += c * ((x - a) + (x - d)) / ((b - a) * (b - d))
	w[m+1] += c * ((x - a) + (x - b)) / ((d - a) * (d - b))
}

// coarse is the rule on every second point.
func coarse(s []float64) []float64 {
	var half []float64
	var at []int
	for k := 0; k < len(s); k += 2 {
		half, at = append(half, s[k]), append(at, k)
	}
	if last := len(s) - 1; at[len(at)-1] != last {
		half, at = append(half, s[last]), append(at, last)
	}
	w := make([]float64, len(s))
	for i, v := range quadrature(half) {
		w[at[i]] = v
	}
	return w
}
