package path

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/rng"
)

const bootstraps = 2000

// weighted fills the result of a method whose independent runs have unbiased weights: log Z = base + log mean exp(logw).
//
// The standard error is the larger of bootstrap and jackknife. The interval is the hull of three: Student's on the log
// scale, the bootstrap-t interval (Efron and Tibshirani 1993, chapter 12), which follows the skewness of weights, and that
// of log-normal weights, which log weights as sums of many small terms suggest (Neal 2001, section 4) and which allows for
// large weights that no run has had. None of them allows for a mode that no run has visited.
func (r *Result) weighted(logw []float64, base float64, seed uint64) {
	n := len(logw)
	w := normalised(logw)
	r.PerRun = make([]float64, n)
	for i, v := range logw {
		r.PerRun[i] = base + v
	}
	if n == 0 {
		r.warn("no run is finished")
		return
	}
	if w == nil {
		r.LogZ = math.Inf(-1)
		r.warn("all weights are zero: no run reached the support of the target; take more temperatures")
		return
	}
	r.LogZ = base + logMeanExp(logw)
	sum, squares := moments(w)
	r.EffectiveRuns = sum * sum / squares
	r.ESS = r.EffectiveRuns
	r.MaxShare = 1 / sum // the largest weight is 1
	if n < 2 {
		r.warn("one run gives no standard error; take ten or more")
		return
	}
	t := studentised(w, seed)
	r.SEBootstrap, r.SEJackknife = t.sd, jackknifeLogMean(w)
	r.SE = max(r.SEBootstrap, r.SEJackknife)
	r.studentInterval(n - 1)
	r.cover(r.LogZ+t.low, r.LogZ+t.high)
	low, high := lognormal(logw)
	r.cover(base+low, base+high)
	r.warnFew(logw)
}

// warnFew warns when the effective number of runs is small or the weights have a heavy tail.
func (r *Result) warnFew(logw []float64) {
	if r.EffectiveRuns < min(10, float64(r.Runs)/2) || r.MaxShare > 0.5 {
		r.warn(fmt.Sprintf("few effective runs: %.1f of %d, and the largest weight has %.0f %% of the sum; "+
			"the estimate is more likely too low than its error says; take more temperatures rather than more runs",
			r.EffectiveRuns, r.Runs, 100*r.MaxShare))
	}
	if _, k := diag.PSIS(slices.Clone(logw), 1); k > diag.KThreshold(len(logw)) {
		r.warn(fmt.Sprintf("the weights have a heavy tail (Pareto k = %.2f, trusted up to %.2f): their variance may not exist", k, diag.KThreshold(len(logw))))
	}
}

// normalised divides the weights by the largest; nil when all are zero.
func normalised(logw []float64) []float64 {
	if len(logw) == 0 {
		return nil
	}
	top := slices.Max(logw)
	if math.IsInf(top, -1) {
		return nil
	}
	w := make([]float64, len(logw))
	for i, v := range logw {
		w[i] = vec.Exp(v - top)
	}
	return w
}

func logMeanExp(x []float64) float64 { return vec.LogSumExp(x) - vec.Log(float64(len(x))) }

func moments(w []float64) (sum, squares float64) {
	for _, v := range w {
		sum += v
		squares += float64(v * v)
	}
	return sum, squares
}

// deltaLogMean is the standard error of the log of a mean by the delta method, from n, Σw and Σw².
func deltaLogMean(n, sum, squares float64) float64 {
	return math.Sqrt(max(squares/(sum*sum)-1/n, 0) * n / (n - 1))
}

// jackknifeLogMean is the jackknife's standard error of log mean w.
func jackknifeLogMean(w []float64) float64 {
	n := float64(len(w))
	sum, _ := moments(w)
	without := make([]float64, len(w))
	for i, v := range w {
		rest := sum - v
		if !(rest > 0) {
			return math.Inf(1) // all but one are zero
		}
		without[i] = math.Log(rest / (n - 1))
	}
	return jackknifeSE(without)
}

// leaveEachOut are the means of numbers without each in turn, up to a constant.
func leaveEachOut(x []float64) []float64 {
	without := make([]float64, len(x))
	for i, v := range x {
		without[i] = -v / max(float64(len(x)-1), 1)
	}
	return without
}

// jackknifeSE is √((n−1)/n Σ(θ_i − θ̄)²) of estimates that each leave one out.
func jackknifeSE(without []float64) float64 {
	n := float64(len(without))
	_, squares := deviations(without)
	return math.Sqrt(squares * (n - 1) / n)
}

// bootstrap is the bootstrap standard deviation of the estimate, and the ends of the 95 % bootstrap-t interval relative to it.
type bootstrap struct{ sd, low, high float64 }

func studentised(w []float64, seed uint64) bootstrap {
	n := len(w)
	sum, squares := moments(w)
	est, se := math.Log(sum), deltaLogMean(float64(n), sum, squares)
	r := rng.New(seed, "path bootstrap", uint64(n))
	t := make([]float64, 0, bootstraps)
	var m, s2 float64
	for b := range bootstraps {
		var bs, bq float64
		for range n {
			v := w[r.IntN(n)]
			bs += v
			bq += float64(v * v)
		}
		d := math.Log(bs) - est
		step := d - m
		m += step / float64(b+1)
		s2 += float64(step * (d - m))
		if e := deltaLogMean(float64(n), bs, bq); e > 0 {
			t = append(t, d/e)
		}
	}
	out := bootstrap{sd: math.Sqrt(s2 / (bootstraps - 1))}
	slices.Sort(t)
	if len(t) < bootstraps/2 { // hardly any two weights differ
		return out
	}
	out.low = -se * diag.QuantileSorted(t, 0.975)
	out.high = -se * diag.QuantileSorted(t, 0.025)
	return out
}

// lognormal is the interval for log E w = μ + σ²/2 when log w is normal: quantiles of the generalised pivot
// m − Z s/(√n V) + s²/(2V²) with V² = χ²_{n−1}/(n−1) (Krishnamoorthy and Mathew 2003), which is exact for few runs and any σ.
// Where σ is large it extends to weights far beyond those observed, where nothing supports normality; so it is truncated as far
// above the largest log weight as that lies above the smallest.
func lognormal(logw []float64) (low, high float64) {
	n := float64(len(logw))
	if slices.ContainsFunc(logw, func(v float64) bool { return math.IsInf(v, -1) }) {
		return math.Inf(1), math.Inf(-1) // not normal: no widening
	}
	m, se := meanError(logw)
	s2 := float64(se*se) * n
	r := rng.New(1, "path lognormal", uint64(len(logw)))
	chi := distuv.ChiSquared{K: n - 1, Src: r}
	pivot := make([]float64, bootstraps)
	for i := range pivot {
		v2 := chi.Rand() / (n - 1)
		pivot[i] = m - float64(r.NormFloat64()*se)/math.Sqrt(v2) + s2/(2*v2)
	}
	slices.Sort(pivot)
	end := 2*slices.Max(logw) - slices.Min(logw)
	return min(diag.QuantileSorted(pivot, 0.025), end), min(diag.QuantileSorted(pivot, 0.975), end)
}

// studentT is the 97.5 % point of Student's distribution.
func studentT(df int) float64 { return studentQuantile(df, 0.975) }

func studentQuantile(df int, p float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(max(df, 1))}.Quantile(p)
}
