package path

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// integrals makes the estimates of the rows of independent chains.
func (d drawn) integrals(base float64, ladder Schedule, o *outcome) *Integrals {
	out := &Integrals{
		TI:            newResult("thermodynamic integration", o),
		SteppingStone: newResult("stepping stone", o),
		Bridge:        newResult("bridge", o),
		Mean:          make([]float64, d.temperatures),
	}
	for k := range out.Mean {
		out.Mean[k] = mean(d.gather(o.rows, slopes, k))
	}
	d.integrate(out.TI, base, ladder, o.rows)
	d.step(out.SteppingStone, base, o.rows)
	d.bridge(out.Bridge, base, o.rows)
	least := d.leastESS(o.rows)
	drift := d.drift(ladder, o.rows)
	for _, r := range []*Result{out.TI, out.SteppingStone, out.Bridge} {
		r.ESS = least
		if len(o.rows) < 2 {
			r.warn("one chain: it says nothing of its own error; take four or more")
		}
		if drift != "" {
			r.warn(drift)
		}
	}
	return out
}

func mean(x []float64) float64 {
	sum, _ := moments(x)
	return sum / float64(len(x))
}

// integrate sums the means with the rule's weights, chain by chain.
func (d drawn) integrate(r *Result, base float64, ladder Schedule, rows [][]float64) {
	w, rough := quadrature(ladder), coarse(ladder)
	var gap []float64
	for _, row := range rows {
		var fine, half float64
		for k := range w {
			m := mean(d.of(row, slopes, k))
			fine += float64(w[k] * m)
			half += float64(rough[k] * m)
		}
		r.PerRun = append(r.PerRun, base+fine)
		gap = append(gap, fine-half)
	}
	// The rule is of fourth order: what halving the steps changed is 15 times what is left once steps are short. Where
	// they are not yet, it may be a few times.
	left := math.Abs(mean(gap)) / 3
	r.average(left)
	if left > max(r.SEJackknife, 1e-3) {
		r.warn(fmt.Sprintf("the ladder is coarse: thermodynamic integration over every second temperature differs by %.2g; take more temperatures", mean(gap)))
	}
	n := int64(len(rows))
	for i := range rows {
		r.Trace = append(r.Trace, Point{r.Moves / n * int64(i+1), mean(r.PerRun[:i+1])})
	}
}

// average is the mean of independent estimates with Student's interval; bias is a known error beside.
func (r *Result) average(bias float64) {
	n := len(r.PerRun)
	r.LogZ = mean(r.PerRun)
	if n < 2 {
		return
	}
	without := make([]float64, n)
	for i, v := range r.PerRun {
		without[i] = (float64(float64(n)*r.LogZ) - v) / float64(n-1)
	}
	r.SEJackknife = jackknifeSE(without)
	r.SE = math.Hypot(r.SEJackknife, bias)
	half := float64(studentT(n-1) * r.SE)
	r.CI95 = [2]float64{r.LogZ - half, r.LogZ + half}
}

// step is the sum of the log means of the ratios upwards, and its jackknife over chains.
func (d drawn) step(r *Result, base float64, rows [][]float64) {
	n := len(rows)
	without, per := make([]float64, n), make([]float64, n)
	r.LogZ = base
	parts := make([]float64, n)
	for k := range d.temperatures - 1 {
		for i, row := range rows {
			parts[i] = logMeanExp(d.of(row, ups, k))
			per[i] += parts[i]
		}
		r.LogZ += logMeanExp(parts)
		for i := range rows {
			without[i] += logMeanExp(append(append([]float64(nil), parts[:i]...), parts[i+1:]...))
		}
	}
	for _, v := range per {
		r.PerRun = append(r.PerRun, base+v)
	}
	r.leaveOneOut(without)
}

// leaveOneOut sets the error from estimates, up to a constant, that leave out a chain each.
func (r *Result) leaveOneOut(without []float64) {
	n := len(without)
	r.Trace = []Point{{r.Moves, r.LogZ}}
	if math.IsNaN(r.LogZ) || math.IsInf(r.LogZ, 0) {
		r.warn("neighbouring temperatures of the ladder do not overlap; take more of them")
		return
	}
	if n < 2 {
		return
	}
	r.SEJackknife = jackknifeSE(without)
	r.SE = r.SEJackknife
	half := float64(studentT(n-1) * r.SE)
	r.CI95 = [2]float64{r.LogZ - half, r.LogZ + half}
}

// bridge sums Bennett's ratios of neighbours. What each chain moves its root by is its part of the equation over the slope.
func (d drawn) bridge(r *Result, base float64, rows [][]float64) {
	n := len(rows)
	r.LogZ = base
	moved := make([]float64, n)
	for k := range d.temperatures - 1 {
		delta := bennett(d.gather(rows, ups, k), d.gather(rows, downs, k+1))
		r.LogZ += delta
		slope := 0.0
		gaps := make([]float64, n)
		for i, row := range rows {
			var s float64
			gaps[i], s = bennettPart(delta, d.of(row, ups, k), d.of(row, downs, k+1))
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
	r.leaveOneOut(without)
}

// bennettPart is a chain's part of Bennett's equation at Δ, with as many draws on either side, and how fast it falls.
func bennettPart(delta float64, up, down []float64) (gap, slope float64) {
	for _, w := range up {
		p := vec.Ilogit(w - delta)
		gap += p
		slope += float64(p * (1 - p))
	}
	for _, w := range down {
		p := vec.Ilogit(w + delta)
		gap -= p
		slope += float64(p * (1 - p))
	}
	return gap, slope
}

// leastESS is the effective number of draws of the derivative at the temperature that has the fewest.
func (d drawn) leastESS(rows [][]float64) float64 {
	least := math.NaN()
	for k := range d.temperatures {
		if e := diag.ESSBasic(d.chains(rows, slopes, k)); !(e >= least) {
			least = e
		}
	}
	return least
}

// drift compares the first and the second half of the draws of each chain: in words where they differ by more
// than chance, five standard errors.
func (d drawn) drift(ladder Schedule, rows [][]float64) string {
	if len(rows) < 4 {
		return ""
	}
	w := quadrature(ladder)
	r := &Result{}
	for _, row := range rows {
		sum := 0.0
		for k := range w {
			x := d.of(row, slopes, k)
			half := len(x) / 2
			sum += float64(w[k] * (mean(x[half:]) - mean(x[:half])))
		}
		r.PerRun = append(r.PerRun, sum)
	}
	r.average(0)
	if math.Abs(r.LogZ) > studentT(len(rows)-1)/1.96*5*r.SE {
		return fmt.Sprintf("chains lag behind equilibrium: the second half of the draws gives %.3g more than the first; take more draws or temperatures", r.LogZ)
	}
	return ""
}
