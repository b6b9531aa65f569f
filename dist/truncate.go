package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// LogProbT is the log density of d truncated to [lo, hi] and renormalised: LogProb − log P(lo ≤ X ≤ hi) inside,
// -Inf outside. Both bounds are inclusive, also for a discrete d. NaN for p outside the domain, lo > hi or a bound
// that is NaN. Where the mass is below exp(−1e12) it is -Inf too: the two logarithms are then so large that their difference
// is rounding, and a chain that believed it would be held there.
func (d *Scalar) LogProbT(x float64, p []float64, lo, hi float64) float64 {
	if !(lo <= hi) {
		return math.NaN()
	}
	l := d.LogProb(x, p)
	if l != l {
		return l
	}
	if x < lo || x > hi || l == math.Inf(-1) {
		return math.Inf(-1)
	}
	mass := d.LogMass(p, lo, hi)
	if mass < leastLogMass {
		return math.Inf(-1)
	}
	return l - mass
}

const leastLogMass = -1e12

// LogMass is log P(lo ≤ X ≤ hi), accurate also where the interval is far in a tail or narrow; NaN for p outside the
// domain, lo > hi or a bound that is NaN.
func (d *Scalar) LogMass(p []float64, lo, hi float64) float64 {
	if !(lo <= hi) {
		return math.NaN()
	}
	if d.Discrete {
		return d.logMassDiscrete(p, math.Ceil(lo), math.Floor(hi))
	}
	switch supLo, supHi := d.Support(p); {
	case hi >= supHi && lo > supLo:
		return d.LogSF(lo, p)
	case lo <= supLo && hi < supHi:
		return d.LogCDF(hi, p)
	case hi >= supHi && lo <= supLo:
		return 0 * d.LogCDF(supHi, p) // NaN for p outside the domain
	}
	a, b := d.LogCDF(lo, p), d.LogSF(hi, p)
	if a != a || b != b {
		return math.NaN()
	}
	if max(a, b) < -math.Ln2 { // the interval holds the median
		return vec.Log1mExp(min(vec.LogAddExp(a, b), 0))
	}
	big, small := d.LogCDF(hi, p), a
	if a > b {
		big, small = d.LogSF(lo, p), b
	}
	if big-small < 1e-4 {
		if l, ok := d.logMassNarrow(p, lo, hi); ok {
			return l
		}
	}
	if big <= small { // equal up to rounding
		return math.Inf(-1)
	}
	return vec.LogSubExp(big, small)
}

// Nodes and weights of Gauss's quadrature with 5 points on [-1, 1].
var (
	gaussNode   = [5]float64{-0.906179845938664, -0.538469310105683, 0, 0.538469310105683, 0.906179845938664}
	gaussWeight = [5]float64{0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665, 0.2369268850561891}
)

// logMassNarrow integrates the density over an interval on which it hardly changes: there the difference of two values
// of the distribution function would be mostly rounding. ok is false where the density does change.
func (d *Scalar) logMassNarrow(p []float64, lo, hi float64) (logMass float64, ok bool) {
	half := float64(0.5 * (hi - lo))
	mid := lo + half
	top := d.LogProb(mid, p)
	if !(math.Abs(d.LogProb(lo, p)-top)+math.Abs(d.LogProb(hi, p)-top) < 0.2) {
		return 0, false
	}
	s := 0.0
	for i, z := range gaussNode {
		s += float64(gaussWeight[i] * vec.Exp(d.LogProb(mid+float64(z*half), p)-top))
	}
	return top + vec.Log(float64(s*half)), true
}

// fewValues is how many values of a discrete distribution are summed one by one.
const fewValues = 64

func (d *Scalar) logMassDiscrete(p []float64, lo, hi float64) float64 {
	supLo, supHi := d.Support(p)
	lo, hi = max(lo, supLo), min(hi, supHi)
	switch {
	case lo != lo || hi != hi:
		return math.NaN()
	case d.LogProb(supLo, p) != d.LogProb(supLo, p):
		return math.NaN()
	case !(lo <= hi):
		return math.Inf(-1)
	case lo == supLo && hi == supHi:
		return 0
	case hi-lo < fewValues || d.LogCDF == nil:
		sum := math.Inf(-1)
		for x := lo; x <= hi; x++ {
			sum = vec.LogAddExp(sum, d.LogProb(x, p))
		}
		return sum
	}
	a, b := math.Inf(-1), d.LogSF(hi, p)
	if lo > supLo {
		a = d.LogCDF(lo-1, p)
	}
	switch {
	case max(a, b) < -math.Ln2:
		return vec.Log1mExp(min(vec.LogAddExp(a, b), 0))
	case a > b:
		return vec.LogSubExp(d.LogSF(lo-1, p), b)
	}
	return vec.LogSubExp(d.LogCDF(hi, p), a)
}

// SampleT draws from d truncated to [lo, hi], both bounds inclusive, and never returns a value outside. It is exact
// however far out the interval lies. A positive variable whose draw underflows is returned as 2⁻¹⁰²² (or lo, hi where
// that is outside). NaN where the interval has no mass, for p outside the domain and for a bound that is NaN; for a
// continuous d and lo = hi inside the support the draw is lo.
func (d *Scalar) SampleT(r *rand.Rand, p []float64, lo, hi float64) float64 {
	if !(lo <= hi) || d.Check(p) != "" {
		return math.NaN()
	}
	supLo, supHi := d.Support(p)
	a, b := max(lo, supLo), min(hi, supHi)
	if d.Discrete {
		a, b = math.Ceil(a), math.Floor(b)
	}
	switch {
	case !(a <= b) || math.IsInf(a, 1) || math.IsInf(b, -1):
		return math.NaN()
	case a == supLo && b == supHi:
		return d.Sample(r, p)
	case a == b:
		return a
	}
	// Most intervals hold most of the mass. However many plain draws are tried first, the result has the same law.
	for range 2 {
		if x := d.Sample(r, p); x >= a && x <= b {
			return x
		}
	}
	switch {
	case d.sampleT != nil:
		return min(max(d.sampleT(r, p, a, b), a), b)
	case d.Discrete:
		return d.sampleDiscreteT(r, p, a, b)
	}
	return d.sampleInverseT(r, p, a, b)
}

// sampleInverseT inverts the logarithm of the tail in which the interval lies.
func (d *Scalar) sampleInverseT(r *rand.Rand, p []float64, lo, hi float64) float64 {
	far, near, upper := d.tailEnds(p, lo, hi)
	if near-far < 1e-4 {
		if x := d.sampleNarrowT(r, p, lo, hi); x == x {
			return x
		}
	}
	if !(far < near) {
		return math.NaN()
	}
	target := vec.LogAddExp(far, vec.Log(uniformFine(r))+vec.LogSubExp(near, far))
	return d.solveTail(p, lo, hi, middle(lo, hi), target, upper)
}

// tailEnds gives log P(X ≤ x) at both ends of the interval, or log P(X > x) where upper is set: the kind that is small
// there. far belongs to the end with the smaller probability. A discrete interval includes lo.
func (d *Scalar) tailEnds(p []float64, lo, hi float64) (far, near float64, upper bool) {
	if d.Discrete {
		lo--
	}
	a, b := d.LogCDF(lo, p), d.LogSF(hi, p)
	if a > b {
		return b, d.LogSF(lo, p), true
	}
	return a, d.LogCDF(hi, p), false
}

// isBelow reports whether x is below the quantile where the tail of tailEnds is target.
func (d *Scalar) isBelow(x float64, p []float64, target float64, upper bool) bool {
	if upper {
		return d.LogSF(x, p) > target
	}
	return d.LogCDF(x, p) < target
}

// sampleNarrowT draws by rejection from the uniform distribution where the density hardly changes over the interval; NaN
// where it does.
func (d *Scalar) sampleNarrowT(r *rand.Rand, p []float64, lo, hi float64) float64 {
	const change = 0.2
	top := d.LogProb(lo+float64(0.5*(hi-lo)), p)
	if !(math.Abs(d.LogProb(lo, p)-top)+math.Abs(d.LogProb(hi, p)-top) < change) {
		return math.NaN()
	}
	for {
		x := lo + float64(uniform(r)*(hi-lo))
		if -StdExp(r) <= d.LogProb(x, p)-(top+2*change) {
			return x
		}
	}
}

// solveTail finds x between lo and hi where log P(X ≤ x) = target, or log P(X > x) = target where upper is set: Newton's
// method from the guess, within a bracket that every evaluation shrinks, and halving where it leaves that or is slow.
func (d *Scalar) solveTail(p []float64, lo, hi, x, target float64, upper bool) float64 {
	sign := 1.0
	tail := d.LogCDF
	if upper {
		sign, tail = -1, d.LogSF
	}
	last := math.Inf(1)
	for {
		l := tail(x, p)
		diff := l - target
		if diff == 0 {
			return x
		}
		if float64(sign*diff) < 0 {
			lo = x
		} else {
			hi = x
		}
		// tail′ = ±density, (log tail)′ = ±density/tail.
		step := -float64(float64(sign*diff) * vec.Exp(l-d.LogProb(x, p)))
		if math.Abs(step) < 0x1p-50*math.Abs(x) {
			return x
		}
		next := x + step
		if !(next > lo && next < hi && math.Abs(step) < 0.75*last) {
			next = middle(lo, hi)
			if !(next > lo && next < hi) {
				return lo
			}
			step = next - x
		}
		x, last = next, math.Abs(step)
	}
}

// middle halves an interval, in orders of magnitude where its ends are orders of magnitude apart.
func middle(lo, hi float64) float64 {
	switch {
	case lo < 0 && hi > 0:
		return 0
	case lo >= 0 && hi > 4*lo:
		return math.Sqrt(max(lo, smallest)) * math.Sqrt(min(hi, math.MaxFloat64))
	case hi <= 0 && lo < 4*hi:
		return -math.Sqrt(max(-hi, smallest)) * math.Sqrt(min(-lo, math.MaxFloat64))
	}
	return lo + float64(0.5*(hi-lo))
}

// sampleDiscreteT draws from a discrete d given lo ≤ X ≤ hi, whole numbers inside the support.
func (d *Scalar) sampleDiscreteT(r *rand.Rand, p []float64, lo, hi float64) float64 {
	if hi-lo < fewValues || d.LogCDF == nil {
		return d.sampleListT(r, p, lo, hi)
	}
	far, near, upper := d.tailEnds(p, lo, hi)
	if !(far < near) {
		return math.NaN()
	}
	if m := vec.LogSubExp(near, far); m > -1 {
		for {
			if x := d.Sample(r, p); x >= lo && x <= hi {
				return x
			}
		}
	}
	target := vec.LogAddExp(far, vec.Log(uniformFine(r))+vec.LogSubExp(near, far))
	// The interval is open at lo-1, and hi may be infinite: gallop first.
	lo--
	for step := 1.0; lo+step < hi; step *= 2 {
		if !d.isBelow(lo+step, p, target, upper) {
			hi = lo + step
			break
		}
		lo += step
	}
	for hi-lo > 1 {
		mid := lo + math.Floor(0.5*(hi-lo))
		if !(mid > lo && mid < hi) {
			break // beyond 2⁵³
		}
		if d.isBelow(mid, p, target, upper) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// sampleListT goes through the values one by one and keeps each with its share of the mass so far.
func (d *Scalar) sampleListT(r *rand.Rand, p []float64, lo, hi float64) float64 {
	sum, pick := math.Inf(-1), math.NaN()
	for x := lo; x <= hi; x++ {
		l := d.LogProb(x, p)
		if l == math.Inf(-1) {
			continue
		}
		sum = vec.LogAddExp(sum, l)
		if math.IsNaN(pick) || -StdExp(r) < l-sum {
			pick = x
		}
	}
	return pick
}
