package path

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// result is what the last phase of the chains says.
func (w *temperedChains[S]) result() (*TemperedResult, error) {
	out := &TemperedResult{Passes: w.at.Passes, Imbalance: w.at.Imbalance, LogZ: make([]float64, len(w.ladder))}
	base := w.f.LogZBase()
	c := w.shares()
	for k := range out.LogZ {
		out.LogZ[k] = base + w.zeta[k] - w.zeta[0] + w.gain(c[0], c[k], k)
	}
	for _, chain := range w.chains {
		out.RoundTrips += chain.trips.count
	}

	first, last := w.series(0), w.series(1)
	out.RTS = w.estimate("RTS", first, last)
	labels := w.series(2)
	top := float64(len(w.ladder) - 1)
	out.TS = w.estimate("TS", indicator(labels, 0), indicator(labels, top))
	if w.set.MBAR {
		m, err := w.mbar()
		if err != nil {
			return nil, err
		}
		out.MBAR = m
	}
	for _, r := range []*Result{out.RTS, out.TS, out.MBAR} {
		if r != nil {
			w.addWarnings(r, out)
		}
	}
	return out, nil
}

// gain is log(c_k/r_k) − log(c_1/r_1).
func (w *temperedChains[S]) gain(first, other float64, k int) float64 {
	return vec.Log(other/w.set.Prior[k]) - vec.Log(first/w.set.Prior[0])
}

// series is one of the recorded series of each chain.
func (w *temperedChains[S]) series(which int) [][]float64 {
	out := make([][]float64, len(w.chains))
	for i, c := range w.chains {
		out[i] = c.series[which]
	}
	return out
}

func indicator(series [][]float64, value float64) [][]float64 {
	out := make([][]float64, len(series))
	for i, s := range series {
		out[i] = make([]float64, len(s))
		for n, v := range s {
			if v == value {
				out[i][n] = 1
			}
		}
	}
	return out
}

// estimate is log Z from the series of the first and the last temperature.
func (w *temperedChains[S]) estimate(method string, first, last [][]float64) *Result {
	top := len(w.ladder) - 1
	at := w.f.LogZBase() + w.zeta[top] - w.zeta[0]
	res := w.newResult(method)
	a, b := sums(first), sums(last)
	rounds := float64(len(w.chains) * w.set.Rounds)
	sa, _ := moments(a)
	sb, _ := moments(b)
	res.LogZ = at + w.gain(sa/rounds, sb/rounds, top)
	res.Trace = w.trace(at, first, last)
	if !(sa > 0 && sb > 0) {
		res.LogZ = math.NaN()
		res.PerRun = make([]float64, len(a))
		res.warn("the first or the last temperature was never visited; take more rounds, moves or temperatures")
		return res
	}

	// y = q_K/c_K − q_1/c_1 is the influence of a draw on the estimate.
	y := make([][]float64, len(first))
	var without []float64
	for i := range first {
		y[i] = make([]float64, len(first[i]))
		for n := range y[i] {
			y[i][n] = last[i][n]*rounds/sb - first[i][n]*rounds/sa
		}
		without = append(without, w.gain(sa-a[i], sb-b[i], top))
		res.PerRun = append(res.PerRun, at+w.gain(a[i], b[i], top))
	}
	res.chainError(y, without)
	return res
}

// newResult is an empty result with the work of all chains.
func (w *temperedChains[S]) newResult(method string) *Result {
	o := &outcome{rows: make([][]float64, len(w.chains)), moves: w.moves, evals: w.evals}
	return newResult(method, o)
}

func sums(series [][]float64) []float64 {
	out := make([]float64, len(series))
	for i, s := range series {
		out[i], _ = moments(s)
	}
	return out
}

// trace is the estimates after parts of the rounds of all chains.
func (w *temperedChains[S]) trace(at float64, first, last [][]float64) []Point {
	var out []Point
	var sa, sb float64
	done := 0
	per := int64(len(w.chains) * w.set.Moves)
	before := w.moves - per*int64(w.set.Rounds)
	for p := 1; p <= tracePoints; p++ {
		to := w.set.Rounds * p / tracePoints
		for i := range first {
			for n := done; n < to; n++ {
				sa += first[i][n]
				sb += last[i][n]
			}
		}
		done = to
		if sa > 0 && sb > 0 {
			out = append(out, Point{before + per*int64(to), at + w.gain(sa, sb, len(w.ladder)-1)})
		}
	}
	return out
}

// chainError sets the error from independent chains: y is the influence of each draw on the estimate, without are the
// estimates, up to a constant, that leave one chain out. The spread of the chains and their autocorrelation give two estimates
// of the standard error; the larger is taken, and the interval has the degrees of freedom of the chains.
func (r *Result) chainError(y [][]float64, without []float64) {
	r.ESS = diag.ESSBasic(y)
	within := diag.MCSEMean(y)
	if math.IsNaN(within) {
		within = 0
	}
	if len(without) < 2 {
		r.SE = within
		r.warn("one chain: its error does not include regions that it has not visited; take four or more")
		r.studentInterval(int(r.ESS) - 1)
		return
	}
	r.SEJackknife = jackknifeSE(without)
	r.SE = max(r.SEJackknife, within)
	r.studentInterval(len(without) - 1)
}

// addWarnings warns of too few round trips over the ladder, of a Ẑ that is not adapted, and of few effective draws.
func (w *temperedChains[S]) addWarnings(r *Result, t *TemperedResult) {
	if w.set.FromPrior {
		r.warn("β was drawn from its prior instead of its conditional distribution: the estimate is biased (an option kept to reproduce published numbers)")
	}
	if t.RoundTrips < 2*len(w.chains) {
		r.warn(fmt.Sprintf("%d round trips of %d chains between β = 0 and 1: too few for the error to be trusted; take more rounds, or more temperatures where they are few",
			t.RoundTrips, len(w.chains)))
	}
	if k := float64(len(w.ladder)); t.Imbalance > 0.5/k && t.Imbalance > 1/math.Sqrt(k*float64(w.set.Rounds)) {
		r.warn(fmt.Sprintf("after %d passes log Z has not converged: the share of a temperature was off by %.3g where 1/%d is intended; take more passes or longer ones",
			t.Passes, t.Imbalance, len(w.ladder)))
	}
	if !(r.ESS > 100) {
		r.warn(fmt.Sprintf("the effective sample size is %.0f; take more rounds", r.ESS))
	}
}
