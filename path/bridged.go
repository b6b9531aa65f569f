package path

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// bridged combines pairs of works.
func bridged(base float64, up, down []float64, o *outcome, seed uint64) *Result {
	res := newResult("bridge of forward and reverse AIS", o)
	n := len(up)
	if n == 0 {
		res.warn("no run is finished")
		return res
	}
	delta := bridge(up, down)
	if math.IsNaN(delta) {
		res.PerRun = make([]float64, n)
		res.warn("no run has a weight both on the way up and on the way down; take more temperatures")
		return res
	}
	res.LogZ = base + delta
	w := normalised(up)
	sum, squares := moments(w)
	res.EffectiveRuns, res.MaxShare = sum*sum/squares, 1/sum
	if n < 2 {
		res.PerRun = []float64{res.LogZ}
		res.warn("one run: it says nothing of its own error; take ten or more")
		return res
	}
	without := make([]float64, n)
	u, d := make([]float64, 0, n), make([]float64, 0, n)
	for i := range n {
		u, d = append(append(u[:0], up[:i]...), up[i+1:]...), append(append(d[:0], down[:i]...), down[i+1:]...)
		without[i] = bridge(u, d)
		// What the run moved the estimate by, on the scale of one run: n θ − (n−1) θ_{−i}.
		res.PerRun = append(res.PerRun, res.LogZ+float64(float64(n-1)*(delta-without[i])))
	}
	res.SEJackknife = jackknifeSE(without)
	res.SEBootstrap = bootstrapPairs(up, down, seed)
	res.SE = max(res.SEJackknife, res.SEBootstrap)
	if math.IsNaN(res.SE) { // without one of the runs there is no estimate
		res.SE = math.Inf(1)
		res.warn("the estimate hangs on one run; take more temperatures")
	}
	res.student(n - 1)
	for i := 1; i <= n; i += max(1, n/50) {
		res.Trace = append(res.Trace, Point{res.Moves / int64(n) * int64(i), base + bridge(up[:i], down[:i])})
	}
	return res
}

// bridge is Bennett's ratio of works whose ways down start where the ways up ended, each with the weight of its way up.
func bridge(up, down []float64) float64 {
	w := normalised(up)
	if w == nil {
		return math.NaN()
	}
	sum, squares := moments(w)
	for i := range w {
		w[i] *= sum / squares // they sum to the effective number
	}
	return bennettWeighted(up, down, w)
}

// addWarnings compares the ways up with the ways down.
func (b *Bounds) addWarnings() {
	r, low, high := b.Bridge, b.Lower, b.Upper
	n := r.Runs
	if n < 2 || math.IsNaN(r.LogZ) {
		return
	}
	few := low.EffectiveRuns < float64(n)/2
	gap := lag{nats: high.LogZ - low.LogZ, se: math.Hypot(high.SE, low.SE), df: n - 1}
	if few {
		r.warn(fmt.Sprintf("of %d runs up %.1f are effective: few ways down start from states that count for the target, so that up and down "+
			"can agree and both be wrong; the interval reaches over both. Take more temperatures", n, low.EffectiveRuns))
	}
	if gap.beyondChance() {
		r.warn(fmt.Sprintf("the ways down give %.3g ± %.2g more than the ways up, and chance does not explain it: runs are stuck in parts of the space; "+
			"the interval reaches over both. Take more temperatures", gap.nats, gap.se))
	}
	if !few && !gap.beyondChance() {
		return
	}
	r.reach(low.CI95[0], low.CI95[1])
	if half := float64(studentT(n-1) * high.SE); !math.IsNaN(half) && !math.IsInf(high.LogZ, 0) {
		r.reach(high.LogZ-half, high.LogZ+half)
	}
	r.SE = max(r.SE, (r.CI95[1]-r.CI95[0])/(2*studentT(n-1)))
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
		est[b] = bridge(u, d)
	}
	_, squares := deviations(est)
	return math.Sqrt(squares / (times - 1))
}
