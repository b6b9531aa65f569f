package path

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/diag"
)

// integrals makes the estimates. The lags are what may be wrong with all of them.
func (c *chained) integrals(o *outcome, lags ...lag) *Integrals {
	out := &Integrals{
		TI:            newResult("thermodynamic integration", o),
		SteppingStone: newResult("stepping stone", o),
		Bridge:        newResult("bridge", o),
		Mean:          make([]float64, c.temperatures),
	}
	for k := range out.Mean {
		out.Mean[k] = mean(c.gather(slopes, k))
	}
	bias, lagging := 0.0, false
	for _, l := range lags {
		bias = max(bias, l.bias())
		lagging = lagging || l.beyondChance()
	}
	c.integrate(out.TI, bias)
	middle := math.NaN() // what the bias was measured about
	if lagging {
		middle = out.TI.LogZ
	}
	c.step(out.SteppingStone, bias, middle)
	c.bridge(out.Bridge, bias, middle)
	least, apart := c.leastESS(), c.apart()
	for _, r := range []*Result{out.TI, out.SteppingStone, out.Bridge} {
		r.ESS = least
		if len(c.rows) < 2 {
			r.warn("one chain: it says nothing of its own error; take four or more")
		}
		for _, l := range lags {
			if l.beyondChance() {
				r.warn(l.warning)
			}
		}
		if apart != "" {
			r.warn(apart)
		}
	}
	return out
}

func mean(x []float64) float64 {
	sum, _ := moments(x)
	return sum / float64(len(x))
}

// integrate sums the means with the rule's weights, chain by chain.
func (c *chained) integrate(r *Result, bias float64) {
	rough := coarse(c.ladder)
	var gap []float64
	for _, row := range c.rows {
		var fine, half float64
		for k, w := range c.weights {
			m := mean(c.of(row, slopes, k))
			fine += float64(w * m)
			half += float64(rough[k] * m)
		}
		r.PerRun = append(r.PerRun, c.base+fine)
		gap = append(gap, fine-half)
	}
	r.LogZ = mean(r.PerRun)
	n := len(r.PerRun)
	without := make([]float64, n)
	for i, v := range r.PerRun {
		without[i] = -v / max(float64(n-1), 1)
	}
	// The rule is of fourth order: what halving the steps changed is 15 times what is left once steps are short. Where
	// they are not yet, it may be a few times.
	left := math.Abs(mean(gap)) / 3
	c.leaveOneOut(r, without, bias+left)
	if left > max(r.SEJackknife, 1e-3) {
		r.warn(fmt.Sprintf("the ladder is coarse: thermodynamic integration over every second temperature differs by %.2g; take more temperatures", mean(gap)))
	}
	for i := range c.rows {
		r.Trace = append(r.Trace, Point{r.Moves / int64(n) * int64(i+1), mean(r.PerRun[:i+1])})
	}
}

// step is the sum of the log means of the ratios upwards, and its jackknife over chains.
func (c *chained) step(r *Result, bias, middle float64) {
	n := len(c.rows)
	without, per := make([]float64, n), make([]float64, n)
	r.LogZ = c.base
	parts, rest := make([]float64, n), make([]float64, 0, n)
	for k := range c.temperatures - 1 {
		for i, row := range c.rows {
			parts[i] = logMeanExp(c.of(row, ups, k))
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
	c.neighbours(r, without, bias, middle)
}

// bridge sums Bennett's ratios of neighbours. What each chain moves its root by is its part of the equation over the slope.
func (c *chained) bridge(r *Result, bias, middle float64) {
	n := len(c.rows)
	r.LogZ = c.base
	moved, gaps := make([]float64, n), make([]float64, n)
	for k := range c.temperatures - 1 {
		delta := bennett(c.gather(ups, k), c.gather(downs, k+1))
		r.LogZ += delta
		slope := 0.0
		for i, row := range c.rows {
			var s float64
			gaps[i], s = bennettGap(delta, 0, c.of(row, ups, k), c.of(row, downs, k+1), nil)
			slope += s / float64(n)
		}
		for i, g := range gaps {
			moved[i] += g / slope
		}
	}
	without := make([]float64, n)
	for i, v := range moved {
		r.PerRun = append(r.PerRun, r.LogZ+v)
		without[i] = -v / max(float64(n-1), 1)
	}
	c.neighbours(r, without, bias, middle)
}

// neighbours ends a sum of log ratios between neighbours. Where chains lag, a sum of means of exponentials lies nearer to those
// chains that are too high than the middle of all, and the bias reaches that much further.
func (c *chained) neighbours(r *Result, without []float64, bias, middle float64) {
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

// leaveOneOut sets the error from estimates, up to a constant, that leave out a chain each. The bias adds to
// Student's interval on both sides, for it has a bound rather than a distribution.
//
// Chains that each stay in a part of the space estimate the log Z of that part, and it is their Z that average, as the
// weights of annealed runs do. So the interval, and with it the standard error, also reaches over that of log-normal weights, which is
// the same for chains that differ by much less than a nat.
func (c *chained) leaveOneOut(r *Result, without []float64, bias float64) {
	n, groups := len(without), countGroups(c.origin)
	if n <= groups {
		return
	}
	r.SEJackknife = jackknifeSE(centred(without, c.origin)) * math.Sqrt(float64(n-1)/float64(n-groups))
	r.SE = math.Hypot(r.SEJackknife, bias)
	half := float64(studentT(n-groups)*r.SEJackknife) + bias
	r.CI95 = [2]float64{r.LogZ - half, r.LogZ + half}
	low, high := lognormal(centred(r.PerRun, c.origin))
	r.reach(low-bias, high+bias)
	r.SE = max(r.SE, (r.CI95[1]-r.CI95[0])/(2*studentT(n-groups)))
}

// leastESS is the effective number of draws of the derivative at the temperature that has the fewest.
func (c *chained) leastESS() float64 {
	least := math.NaN()
	for k := range c.temperatures {
		if e := diag.ESSBasic(c.chains(slopes, k)); !(e >= least) {
			least = e
		}
	}
	return least
}
