package path

import "context"

const defaultRuns = 100

// AIS is annealed importance sampling (Neal 2001, "Annealed importance sampling", equations 6–9): each run starts from
// an exact draw of the base, moves once at each temperature of the schedule, and collects
// log w = Σ_k log f_{β_k}(x_{k−1}) − log f_{β_{k−1}}(x_{k−1}). The mean of w is an unbiased estimate of Z_1/Z_0, so the
// estimate of log Z is low on average, by about half its variance. Runs: 100 unless set.
//
// Interrupted, it returns the estimate from the finished runs and an error that wraps mcmc.ErrInterrupted.
func AIS[S any](ctx context.Context, f Family[S], s Schedule, set Settings) (*Result, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	set = set.withDefaults(defaultRuns)
	o, err := anneal(ctx, f, set, job{purpose: "ais", shape: s.hash(), width: 1}, func(a *annealing[S], _ bool) error { return a.up(s, 0) })
	if o == nil {
		return nil, err
	}
	return annealed("AIS", f.LogZBase(), column(o, 0), o, set.Seed), err
}

// annealed is the result of runs with these log weights.
func annealed(method string, base float64, logw []float64, o *outcome, seed uint64) *Result {
	res := newResult(method, o)
	res.weighted(logw, base, seed)
	res.traceWeights(logw, base)
	return res
}

// traceWeights sets the trace to the estimates from the first runs; all runs cost the same.
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
