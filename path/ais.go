package path

import (
	"context"
	"math"
	"math/rand/v2"
)

const defaultRuns = 100

// AIS is annealed importance sampling (Neal 2001, "Annealed importance sampling", equations 6–9): each run starts from
// an exact draw of the base, moves once at each temperature of the schedule, and collects
// log w = Σ_k log f_{β_k}(x_{k−1}) − log f_{β_{k−1}}(x_{k−1}). The mean of w estimates Z_1/Z_0 without bias, so log Z is
// low on average, by about half its variance. Runs: 100 unless set.
//
// Interrupted, it returns what the finished runs say and an error that wraps mcmc.ErrInterrupted.
func AIS[S any](ctx context.Context, f Family[S], s Schedule, set Settings) (*Result, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	set = set.withDefaults(defaultRuns)
	o, err := job{purpose: "ais", shape: s.hash(), width: 1, worker: func() runner {
		w, x := newWalk(f), f.New()
		return func(_ int, r *rand.Rand, row []float64, t *tally) error {
			w.Base(x, r)
			var err error
			row[0], err = w.up(x, s, r, t)
			return err
		}
	}}.do(ctx, set)
	if o == nil {
		return nil, err
	}
	return annealed("AIS", f.LogZBase(), column(o, 0), o, set.Seed), err
}

// up anneals x, a draw at the first temperature of the schedule, to its last but one and returns the log weight
// of the last. The state has not moved at the last temperature.
func (w *walk[S]) up(x S, s Schedule, r *rand.Rand, t *tally) (logw float64, err error) {
	last := s.Steps()
	for k := 1; k <= last; k++ {
		d := w.ratio(x, s[k-1], s[k])
		t.evals++
		if !(d < math.Inf(1)) {
			return 0, notNumber("the ratio of densities", d, s[k-1], s[k])
		}
		if logw += d; math.IsInf(logw, -1) {
			return logw, nil // no weight can come back
		}
		if k == last {
			break
		}
		w.Move(x, s[k], r)
		if t.moved() {
			return 0, errStopped
		}
	}
	return logw, nil
}

// down is the way back: x is a draw at β = 1, and the log weight is that of the reverse, Z_0/Z_1 on average.
// Its moves are those of up in reverse order, so for kernels that are reversible it is the reverse in Crooks's sense.
func (w *walk[S]) down(x S, s Schedule, r *rand.Rand, t *tally) (logw float64, err error) {
	for k := s.Steps(); k >= 1; k-- {
		d := w.ratio(x, s[k], s[k-1])
		t.evals++
		if !(d < math.Inf(1)) {
			return 0, notNumber("the ratio of densities", d, s[k], s[k-1])
		}
		if logw += d; math.IsInf(logw, -1) {
			return logw, nil
		}
		if k == 1 {
			break
		}
		w.Move(x, s[k-1], r)
		if t.moved() {
			return 0, errStopped
		}
	}
	return logw, nil
}

// annealed is the result of runs with weights.
func annealed(method string, base float64, logw []float64, o *outcome, seed uint64) *Result {
	res := newResult(method, o)
	res.weighted(logw, base, seed)
	res.traceWeights(logw, base)
	return res
}

// traceWeights is the estimate after 1, 2, … runs, each of which costs as much as another.
func (r *Result) traceWeights(logw []float64, base float64) {
	n := len(logw)
	for i := 1; i <= n; i += max(1, n/200) {
		r.Trace = append(r.Trace, Point{r.Moves / int64(n) * int64(i), base + logMeanExp(logw[:i])})
	}
}

func column(o *outcome, c int) []float64 {
	v := make([]float64, len(o.rows))
	for i, row := range o.rows {
		v[i] = row[c]
	}
	return v
}
