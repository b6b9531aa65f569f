package dist

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
)

// InvertCDF draws from the law with the given distribution function on [lo, hi], continuous, discrete or mixed, by
// inverting it at a uniform: see SolveQuantile, also for the errors. U is a multiple of 2⁻⁵³: what is rarer than that
// is not seen.
func InvertCDF(r *rand.Rand, lo, hi float64, cdf func(x float64) float64) (float64, error) {
	return SolveQuantile(uniform(r), lo, hi, cdf)
}

// SolveQuantile is the least double x in [lo, hi] with cdf(x) ≥ q: the quantile of any univariate law, for those
// without a formula. Either end may be infinite; cdf is not asked there. It is bracketed by steps away from zero that
// double three times, and solved between doubles as if they were whole numbers (ITP: Oliveira and Takahashi 2020, "An
// enhancement of the bisection method average performance preserving minmax optimality", ACM TOMS 47(1)), which takes
// some 30 calls where cdf is smooth and at most 65 once there is a bracket.
//
// It is an error that q is not a probability, that lo > hi, that cdf does not reach q, and that a value of it is seen
// to be NaN, outside [0, 1] or, by more than 1e-10, less than at a lower x.
func SolveQuantile(q, lo, hi float64, cdf func(x float64) float64) (float64, error) {
	switch {
	case !probability(q):
		return math.NaN(), fmt.Errorf("dist: the quantile at q = %v; q must be between 0 and 1", q)
	case !(lo <= hi):
		return math.NaN(), fmt.Errorf("dist: a law on [%v, %v]; the lower end must not be above the upper", lo, hi)
	}
	if q == 0 {
		return lo, nil
	}
	s := quantileSearch{q: q, cdf: cdf, fa: 0, fb: 1}
	if done, err := s.bracket(lo, hi); done || err != nil {
		return s.b, err
	}
	return s.solve()
}

// quantileSearch holds a bracket, cdf(a) < q ≤ cdf(b).
type quantileSearch struct {
	q      float64
	cdf    func(x float64) float64
	a, b   float64
	fa, fb float64
}

// slack is how much a distribution function may fall by rounding.
const slack = 1e-10

// at evaluates the distribution function, between the ends of the bracket.
func (s *quantileSearch) at(x float64) (float64, error) {
	f := s.cdf(x)
	switch {
	case math.IsNaN(f) || f < -slack || f > 1+slack:
		return f, fmt.Errorf("dist: the distribution function is %v at x = %v; it must be between 0 and 1", f, x)
	case f < s.fa-slack:
		return f, fmt.Errorf("dist: the distribution function falls from %v at %v to %v at x = %v; it must not fall", s.fa, s.a, f, x)
	case f > s.fb+slack:
		return f, fmt.Errorf("dist: the distribution function falls from %v at x = %v to %v at %v; it must not fall", f, x, s.fb, s.b)
	}
	return f, nil
}

// bracket finds a and b. Where done, the quantile is b, the lower end.
func (s *quantileSearch) bracket(lo, hi float64) (done bool, err error) {
	s.a, s.b = lo, hi
	start := min(max(0, lo), hi)
	if finite(lo) {
		start = lo
	}
	if start = min(max(start, -math.MaxFloat64), math.MaxFloat64); lo > start || hi < start {
		return true, fmt.Errorf("dist: a law on [%v, %v] has no finite values", lo, hi)
	}
	f, err := s.at(start)
	if err != nil {
		return true, err
	}
	if f >= s.q {
		s.b, s.fb = start, f
		if start == lo {
			return true, nil
		}
		return false, s.walk(start, -1, -math.MaxFloat64) // lo is −Inf
	}
	s.a, s.fa = start, f
	if finite(hi) {
		f, err = s.at(hi)
		if err == nil && f < s.q {
			err = fmt.Errorf("dist: the distribution function is %v at the upper end, %v; it must be 1", f, hi)
		}
		s.b, s.fb = hi, f
		return false, err
	}
	return false, s.walk(start, 1, math.MaxFloat64)
}

// walk moves away from x until the bracket is closed, or end is reached.
func (s *quantileSearch) walk(x, dir, end float64) error {
	for step := 1.0; ; step *= 8 {
		x += float64(dir * step)
		if math.Abs(x) >= math.MaxFloat64 {
			x = end
		}
		f, err := s.at(x)
		if err != nil {
			return err
		}
		below := f < s.q
		if below {
			s.a, s.fa = x, f
		} else {
			s.b, s.fb = x, f
		}
		if below == (dir < 0) {
			return nil
		}
		if x == end {
			return fmt.Errorf("dist: the distribution function is still %v at x = %v, and never passes q = %v", f, x, s.q)
		}
	}
}

// solve narrows the bracket to neighbouring doubles.
func (s *quantileSearch) solve() (float64, error) {
	a, b := orderKey(s.a), orderKey(s.b)
	gap := uint64(b) - uint64(a)
	width := float64(gap)
	reach := math.Ldexp(1, bits.Len64(gap)) // at least twice the half width that bisection would have
	for ; gap > 1; gap = uint64(b) - uint64(a) {
		mid := a + int64(min(max(uint64(s.step(float64(gap), width, reach)), 1), gap-1))
		reach /= 2
		x := fromOrderKey(mid)
		f, err := s.at(x)
		if err != nil {
			return math.NaN(), err
		}
		if f < s.q {
			a, s.a, s.fa = mid, x, f
		} else {
			b, s.b, s.fb = mid, x, f
		}
	}
	return s.b, nil
}

// step is where to look next in a bracket of width gap: at the secant's zero, moved a little to the middle, and no
// further from it than lets the bracket keep up with bisection but for one step.
func (s *quantileSearch) step(gap, width, reach float64) float64 {
	half := math.Floor(gap / 2)
	secant := float64(gap * ((s.q - s.fa) / (s.fb - s.fa)))
	off, most := secant-half, max(reach-half, 0)
	if nudge := 0.2 * gap * (gap / width); math.Abs(off) > nudge {
		off -= math.Copysign(nudge, off)
	} else {
		off = 0
	}
	return half + min(max(off, -most), most)
}

// orderKey numbers the doubles in ascending order; both zeros are 0.
func orderKey(x float64) int64 {
	b := int64(math.Float64bits(x))
	if b < 0 {
		return math.MinInt64 - b
	}
	return b
}

func fromOrderKey(k int64) float64 {
	if k < 0 {
		k = math.MinInt64 - k
	}
	return math.Float64frombits(uint64(k))
}
