package lattice

import (
	"fmt"
	"math"
)

// Peak is where a quantity is largest, with the jackknife's standard errors.
type Peak struct {
	Beta, BetaSE  float64
	Value, SE     float64
	Temperature   float64
	TemperatureSE float64
}

const peakGrid = 400 // inverse temperatures that are looked at first

// Peak finds the largest value of a quantity within the range of the measurements. It is an error if that is at an end of the range, so that
// the peak may lie beyond.
func (w *Reweighting) Peak(q Quantity) (Peak, error) {
	if !w.series[0].measured(q) {
		return Peak{}, fmt.Errorf("lattice: the %s was not measured", q.words())
	}
	best, at := math.Inf(-1), -1
	step := (w.hi - w.lo) / peakGrid
	for k := range peakGrid + 1 {
		beta := w.lo + float64(step*float64(k))
		if v := w.value(q, &w.all, beta); v > best && w.support(beta) >= enoughEffective {
			best, at = v, k
		}
	}
	if at <= 0 || at >= peakGrid {
		return Peak{}, fmt.Errorf("lattice: the %s is largest at an end of the range that the measurements reach, β from %.6g to %.6g: its peak may lie beyond", q.words(), w.lo, w.hi)
	}
	centre := w.lo + float64(step*float64(at))
	p := Peak{}
	p.Beta, p.Value = w.climb(q, &w.all, centre-step, centre+step)
	var betas, values, temperatures []float64
	for g := range w.without {
		lo, hi := max(w.lo, centre-float64(8*step)), min(w.hi, centre+float64(8*step))
		b, v := w.climb(q, &w.without[g], lo, hi)
		betas, values, temperatures = append(betas, b), append(values, v), append(temperatures, 1/b)
	}
	p.BetaSE, p.SE = jackknifeSE(betas), jackknifeSE(values)
	p.Temperature, p.TemperatureSE = 1/p.Beta, jackknifeSE(temperatures)
	return p, nil
}

func (w *Reweighting) value(q Quantity, d *density, beta float64) float64 {
	of := w.of
	of.beta = beta
	m, _ := w.at(d, beta)
	return of.value(q, &m)
}

// climb finds the maximum between two β by golden section (Kiefer 1953).
func (w *Reweighting) climb(q Quantity, d *density, lo, hi float64) (beta, value float64) {
	const golden = 0.6180339887498949
	f := func(b float64) float64 { return w.value(q, d, b) }
	left, right := hi-float64(golden*(hi-lo)), lo+float64(golden*(hi-lo))
	fl, fr := f(left), f(right)
	for range 30 {
		if fl > fr {
			hi, right, fr = right, left, fl
			left = hi - float64(golden*(hi-lo))
			fl = f(left)
		} else {
			lo, left, fl = left, right, fr
			right = lo + float64(golden*(hi-lo))
			fr = f(right)
		}
	}
	if fl > fr {
		return left, fl
	}
	return right, fr
}

// Crossing is the inverse temperature at which a quantity of two systems is equal, as Binder's cumulants are at the critical one up to
// corrections of finite size. It is searched where both are supported, and an error if their difference does not change sign there
// exactly once on a fine grid.
func Crossing(a, b *Reweighting, q Quantity) (beta, se float64, err error) {
	lo, hi := max(a.lo, b.lo), min(a.hi, b.hi)
	if !(lo < hi) || !a.series[0].measured(q) || !b.series[0].measured(q) {
		return math.NaN(), math.NaN(), fmt.Errorf("lattice: the %s of both sizes is not known at any one temperature", q.words())
	}
	gap := func(da, db *density, beta float64) float64 {
		return a.value(q, da, beta) - b.value(q, db, beta)
	}
	step := (hi - lo) / peakGrid
	changes, at := 0, 0.0
	last := gap(&a.all, &b.all, lo)
	for k := 1; k <= peakGrid; k++ {
		x := lo + float64(step*float64(k))
		now := gap(&a.all, &b.all, x)
		if now*last < 0 {
			changes++
			at = x - step
		}
		last = now
	}
	if changes != 1 {
		return math.NaN(), math.NaN(), fmt.Errorf("lattice: the %s of both sizes is equal at %d temperatures between β = %.6g and %.6g", q.words(), changes, lo, hi)
	}
	cross := func(da, db *density, lo, hi float64) float64 {
		first := gap(da, db, lo)
		for range 50 {
			middle := (lo + hi) / 2
			if gap(da, db, middle)*first > 0 {
				lo = middle
			} else {
				hi = middle
			}
		}
		return (lo + hi) / 2
	}
	beta = cross(&a.all, &b.all, at, at+step)
	wide := func(da, db *density) float64 {
		return cross(da, db, max(lo, at-float64(10*step)), min(hi, at+float64(11*step)))
	}
	var of, other []float64
	for g := range a.without {
		of = append(of, wide(&a.without[g], &b.all))
		other = append(other, wide(&a.all, &b.without[g]))
	}
	return beta, math.Hypot(jackknifeSE(of), jackknifeSE(other)), nil
}
