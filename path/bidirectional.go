package path

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// bidirectional estimates log Z from the forward and reverse log weights of each run by Bennett's acceptance ratio.
func bidirectional(base float64, up, down []float64, o *outcome, seed uint64) *Result {
	res := newResult("BAR of forward and reverse AIS", o)
	n := len(up)
	if n == 0 {
		res.warn("no run is finished")
		return res
	}
	delta := pairedBAR(up, down)
	if math.IsNaN(delta) {
		res.PerRun = make([]float64, n)
		res.warn("no run has nonzero weights in both directions; take more temperatures")
		return res
	}
	res.LogZ = base + delta
	w := normalised(up)
	sum, squares := moments(w)
	res.EffectiveRuns, res.MaxShare = sum*sum/squares, 1/sum
	if n < 2 {
		res.PerRun = []float64{res.LogZ}
		res.warn("one run gives no standard error; take ten or more")
		return res
	}
	without := make([]float64, n)
	u, d := make([]float64, 0, n), make([]float64, 0, n)
	for i := range n {
		u, d = append(append(u[:0], up[:i]...), up[i+1:]...), append(append(d[:0], down[:i]...), down[i+1:]...)
		without[i] = pairedBAR(u, d)
		// The jackknife pseudovalue n θ − (n−1) θ_{−i}.
		res.PerRun = append(res.PerRun, res.LogZ+float64(float64(n-1)*(delta-without[i])))
	}
	res.SEJackknife = jackknifeSE(without)
	res.SEBootstrap = bootstrapPairs(up, down, seed)
	res.SE = max(res.SEJackknife, res.SEBootstrap)
	if math.IsNaN(res.SE) { // without one of the runs there is no estimate
		res.SE = math.Inf(1)
		res.warn("the estimate depends on a single run; take more temperatures")
	}
	res.studentInterval(n - 1)
	for i := 1; i <= n; i += max(1, n/50) {
		res.Trace = append(res.Trace, Point{res.Moves / int64(n) * int64(i), base + pairedBAR(up[:i], down[:i])})
	}
	return res
}

// pairedBAR is Bennett's acceptance ratio of runs whose reverse annealing starts where the forward annealing ended; each reverse
// weight counts with the forward weight of its run.
func pairedBAR(up, down []float64) float64 {
	w := normalised(up)
	if w == nil {
		return math.NaN()
	}
	sum, squares := moments(w)
	for i := range w {
		w[i] *= sum / squares // they sum to the effective number of runs
	}
	return weightedBAR(up, down, w)
}

// addWarnings compares forward with reverse annealing.
func (b *Bounds) addWarnings() {
	r, low, high := b.BAR, b.Lower, b.Upper
	n := r.Runs
	if n < 2 || math.IsNaN(r.LogZ) {
		return
	}
	few := low.EffectiveRuns < float64(n)/2
	gap := discrepancy{nats: high.LogZ - low.LogZ, se: math.Hypot(high.SE, low.SE), df: n - 1}
	if few {
		r.warn(fmt.Sprintf("%.1f of %d forward runs are effective: few reverse runs start from states that are typical of the target, so that both "+
			"directions can agree and be wrong; the interval covers both. Take more temperatures", low.EffectiveRuns, n))
	}
	if gap.beyondChance() {
		r.warn(fmt.Sprintf("reverse AIS gives %.3g ± %.2g more than forward AIS, which is beyond chance: runs are stuck in parts of the space; "+
			"the interval covers both. Take more temperatures", gap.nats, gap.se))
	}
	if !few && !gap.beyondChance() {
		return
	}
	r.cover(low.CI95[0], low.CI95[1])
	if half := float64(studentT(n-1) * high.SE); !math.IsNaN(half) && !math.IsInf(high.LogZ, 0) {
		r.cover(high.LogZ-half, high.LogZ+half)
	}
	r.coverSE(n - 1)
}

func bootstrapPairs(up, down []float64, seed uint64) float64 {
	const times = 200
	n := len(up)
	r := rng.New(seed, "path bootstrap pairs", uint64(n))
	u, d, est := make([]float64, n), make([]float64, n), make([]float64, times)
	for b := range est {
		for i := range n {
			k := r.IntN(n)
			u[i], d[i] = up[k], down[k]
		}
		est[b] = pairedBAR(u, d)
	}
	_, squares := deviations(est)
	return math.Sqrt(squares / (times - 1))
}
