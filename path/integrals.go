package path

import (
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/diag"
)

// integrals computes the three estimates. The discrepancies measure a bias that all of them have.
func (c *chainSamples) integrals(o *outcome, lags ...discrepancy) *Integrals {
	out := &Integrals{
		TI:            newResult("thermodynamic integration", o),
		SteppingStone: newResult("stepping stone", o),
		BAR:           newResult("BAR", o),
		Mean:          make([]float64, c.temperatures),
	}
	for k := range out.Mean {
		out.Mean[k] = mean(c.pooled(slopes, k))
	}
	bias, significant := 0.0, false
	for _, l := range lags {
		bias = max(bias, l.bias())
		significant = significant || l.beyondChance()
	}
	c.thermodynamic(out.TI, bias)
	middle := math.NaN() // the estimate that the bias was measured about
	if significant {
		middle = out.TI.LogZ
	}
	c.steppingStone(out.SteppingStone, bias, middle)
	c.bar(out.BAR, bias, middle)
	least, disagreement := c.leastESS(), c.rhatWarning()
	for _, r := range []*Result{out.TI, out.SteppingStone, out.BAR} {
		r.ESS = least
		if len(c.rows) < 2 {
			r.warn("one chain gives no standard error; take four or more")
		}
		for _, l := range lags {
			if l.beyondChance() {
				r.warn(l.warning)
			}
		}
		if disagreement != "" {
			r.warn(disagreement)
		}
	}
	return out
}

func mean(x []float64) float64 {
	sum, _ := moments(x)
	return sum / float64(len(x))
}

// thermodynamic is thermodynamic integration: the means of the derivative times the quadrature weights, chain by chain.
func (c *chainSamples) thermodynamic(r *Result, bias float64) {
	rough := coarse(c.ladder)
	var gap []float64
	for _, row := range c.rows {
		var fine, half float64
		for k, w := range c.weights {
			m := mean(c.values(row, slopes, k))
			fine += float64(w * m)
			half += float64(rough[k] * m)
		}
		r.PerRun = append(r.PerRun, c.base+fine)
		gap = append(gap, fine-half)
	}
	r.LogZ = mean(r.PerRun)
	// The rule is of fourth order: for short steps, halving them changes the integral by 15 times the error that remains. For
	// longer steps the factor is smaller.
	left := math.Abs(mean(gap)) / 3
	c.leaveOneOut(r, leaveEachOut(r.PerRun), bias+left)
	if left > max(r.SEJackknife, 1e-3) {
		r.warn(fmt.Sprintf("the ladder is coarse: thermodynamic integration over every second temperature differs by %.2g; take more temperatures", mean(gap)))
	}
	for i := range c.rows {
		r.Trace = append(r.Trace, Point{r.Moves / int64(len(c.rows)) * int64(i+1), mean(r.PerRun[:i+1])})
	}
}

// steppingStone is the sum of the log means of the density ratios to the next temperature, with a jackknife over chains.
func (c *chainSamples) steppingStone(r *Result, bias, middle float64) {
	n := len(c.rows)
	without, per := make([]float64, n), make([]float64, n)
	r.LogZ = c.base
	parts, rest := make([]float64, n), make([]float64, 0, n)
	for k := range c.temperatures - 1 {
		for i, row := range c.rows {
			parts[i] = logMeanExp(c.values(row, ups, k))
			per[i] += parts[i]
		}
		r.LogZ += logMeanExp(parts)
		for i := range c.rows {
			rest = append(append(rest[:0], parts[:i]...), parts[i+1:]...)
			without[i] += logMeanExp(rest)
		}
	}
	for _, v := range per {
		r.PerRun = append(r.PerRun, c.base+v)
	}
	c.finishRatios(r, without, bias, middle)
}

// bar sums Bennett's acceptance ratios of neighbouring temperatures. The influence of a chain on a root is its part of the
// equation divided by the slope.
func (c *chainSamples) bar(r *Result, bias, middle float64) {
	n := len(c.rows)
	r.LogZ = c.base
	moved, gaps := make([]float64, n), make([]float64, n)
	for k := range c.temperatures - 1 {
		delta := barRatio(c.pooled(ups, k), c.pooled(downs, k+1))
		r.LogZ += delta
		slope := 0.0
		for i, row := range c.rows {
			var s float64
			gaps[i], s = barGap(delta, 0, c.values(row, ups, k), c.values(row, downs, k+1), nil)
			slope += s / float64(n)
		}
		for i, g := range gaps {
			moved[i] += g / slope
		}
	}
	for _, v := range moved {
		r.PerRun = append(r.PerRun, r.LogZ+v)
	}
	c.finishRatios(r, leaveEachOut(moved), bias, middle)
}

// finishRatios sets the error of a sum of log ratios between neighbours. Where chains are biased, a mean of exponentials is
// dominated by chains that are too high, and its distance from the middle estimate is added to the bias.
func (c *chainSamples) finishRatios(r *Result, without []float64, bias, middle float64) {
	r.Trace = []Point{{r.Moves, r.LogZ}}
	if math.IsNaN(r.LogZ) || math.IsInf(r.LogZ, 0) {
		r.warn("neighbouring temperatures of the ladder do not overlap; take more of them")
		return
	}
	if !math.IsNaN(middle) {
		bias += math.Abs(r.LogZ - middle)
	}
	c.leaveOneOut(r, without, bias)
}

// leaveOneOut sets the error from estimates, up to a constant, that leave out one chain each. The bias is added to Student's
// interval on both sides, as it is bounded and has no known distribution.
//
// Chains that each stay in a part of the space estimate log Z of that part, and it is their Z that average, as the weights of
// annealed runs do. So the interval, and with it the standard error, also covers that of log-normal weights, which is
// the same for chains that differ by much less than a nat.
func (c *chainSamples) leaveOneOut(r *Result, without []float64, bias float64) {
	n, groups := len(without), len(slices.Compact(slices.Sorted(slices.Values(c.origin))))
	if n <= groups {
		return
	}
	r.SEJackknife = jackknifeSE(centred(without, c.origin)) * math.Sqrt(float64(n-1)/float64(n-groups))
	r.SE = math.Hypot(r.SEJackknife, bias)
	half := float64(studentT(n-groups)*r.SEJackknife) + bias
	r.CI95 = [2]float64{r.LogZ - half, r.LogZ + half}
	low, high := lognormal(centred(r.PerRun, c.origin))
	r.cover(low-bias, high+bias)
	r.coverSE(n - groups)
}

// leastESS is the effective sample size of the derivative, the smallest over temperatures.
func (c *chainSamples) leastESS() float64 {
	least := math.NaN()
	for k := range c.temperatures {
		if e := diag.ESSBasic(c.chains(slopes, k)); !(e >= least) {
			least = e
		}
	}
	return least
}
