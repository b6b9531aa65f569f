package dist

import (
	"math"
	"testing"
)

// TestLogMassGrad compares with differences of LogMass, of an accuracy that its own rounding allows: in the body of each distribution, on one side, in far tails
// and where the interval is narrow.
func TestLogMassGrad(t *testing.T) {
	closed := 0
	eachCase(t, func(t *testing.T, d *Scalar, p []float64) {
		if !d.CanTruncate {
			return
		}
		dp := make([]float64, len(p))
		for _, iv := range intervals(d, p) {
			lo, hi := iv[0], iv[1]
			if !(lo <= hi) || math.IsInf(d.LogMass(p, lo, hi), 0) || !(math.Max(math.Abs(lo), math.Abs(hi)) > 0) {
				continue
			}
			dlo, dhi := d.LogMassGrad(dp, p, lo, hi, 1<<len(p)-1)
			spread := d.Quantile(0.8, p) - d.Quantile(0.2, p)
			mass := d.LogMass(p, lo, hi)
			noise := func(step float64) float64 { return 1e-11 * (1 + math.Abs(mass)) / step }
			for k := range p {
				alone := make([]float64, len(p))
				if d.LogMassGrad(alone, p, lo, hi, 1<<k); alone[k] != dp[k] || alone[(k+1)%len(p)] != 0 && len(p) > 1 {
					t.Errorf("∂/∂%s alone of log P(%v ≤ X ≤ %v) = %v, of all parameters %v", d.Params[k], lo, hi, alone, dp)
				}
				step := 1e-3 * math.Abs(p[k])
				if k == 0 && (d.Name == "dnorm" || d.Name == "dt" || d.Name == "ddexp" || d.Name == "dlogis") {
					step = min(1e-2*spread, 0.1*(hi-lo))
				}
				if d.Name == "ddexp" && min(math.Abs(lo-p[0]), math.Abs(hi-p[0])) < 2*step || d.Name == "dbin" && k == 1 {
					continue // the kink, and a whole number
				}
				if w := hi - lo; d.Name == "dpar" && k == 1 { // the support must not pass the bounds
					lo0, _ := d.Support(p)
					step = min(step, 0.1*w, 0.1*math.Abs(lo-lo0))
				}
				if d.Name == "dgev" || d.Name == "dgpar" {
					step = min(step, 0.1*leastGap(d, p, k, lo, hi))
				}
				shift := append([]float64(nil), p...)
				shift[k] = p[k] - step
				if step == 0 || d.Check(shift) != "" || d.slide == nil || math.IsNaN(d.slide(k, max(lo, 1), p)) {
					continue
				}
				if shift[k] = p[k] + step; d.Check(shift) != "" {
					continue
				}
				want := derivative(func(v float64) float64 { shift[k] = v; return d.LogMass(shift, lo, hi) }, p[k], step)
				if !(math.Abs(dp[k]-want) <= 1e-5*(math.Abs(want)+1)+noise(step)) {
					t.Errorf("∂/∂%s of log P(%v ≤ X ≤ %v) = %v, differences give %v", d.Params[k], lo, hi, dp[k], want)
				}
				closed++
			}
			if d.Discrete {
				if dlo != 0 || dhi != 0 {
					t.Errorf("derivatives by bounds of whole numbers: %v, %v", dlo, dhi)
				}
				continue
			}
			for _, b := range []struct {
				at, got float64
				mass    func(x float64) float64
			}{
				{lo, dlo, func(x float64) float64 { return d.LogMass(p, x, hi) }},
				{hi, dhi, func(x float64) float64 { return d.LogMass(p, lo, x) }},
			} {
				if math.IsInf(b.at, 0) {
					continue
				}
				step := min(room(d, b.at, p), 0.01*(hi-lo), 1e-3*max(math.Abs(b.at), spread))
				if want := derivative(b.mass, b.at, step); step > 0 && !(math.Abs(b.got-want) <= 1e-5*(math.Abs(want)+1)+noise(step)) {
					t.Errorf("the derivative of log P(%v ≤ X ≤ %v) by %v is %v, differences give %v", lo, hi, b.at, b.got, want)
				}
			}
		}
	})
	if t.Logf("%d derivatives by parameters compared", closed); closed < 500 {
		t.Errorf("only %d derivatives by parameters were compared", closed)
	}
}

// leastGap is by how much a parameter may change before an end of the support comes to a bound, if ends move with it as fast as they do at p.
func leastGap(d *Scalar, p []float64, k int, lo, hi float64) float64 {
	const h = 1e-6
	shift := append([]float64(nil), p...)
	shift[k] += h
	lo0, hi0 := d.Support(p)
	lo1, hi1 := d.Support(shift)
	least := math.Inf(1)
	for _, e := range [][2]float64{{lo0, lo1}, {hi0, hi1}} {
		rate := math.Abs(e[1]-e[0]) / h
		for _, b := range []float64{lo, hi} {
			if gap := math.Abs(b - e[0]); rate > 0 && gap > 0 && !math.IsInf(gap, 1) {
				if gap < 1e-8*math.Abs(b) {
					return 0 // eight digits of the gap are rounding: no differences there
				}
				least = min(least, gap/rate)
			}
		}
	}
	return least
}
