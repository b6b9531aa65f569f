package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// TruncNormal draws from the normal distribution of mean mu and standard deviation sd given lo ≤ X ≤ hi, exactly
// however far out the interval lies: rejection from the normal, the uniform or the shifted exponential, whichever
// Robert (1995), "Simulation of truncated normal variables", Stat. Comput. 5, finds cheapest. NaN where lo > hi, lo
// is +Inf, hi is -Inf, sd is not positive or an argument is NaN.
func TruncNormal(r *rand.Rand, mu, sd, lo, hi float64) float64 {
	a, b := (lo-mu)/sd, (hi-mu)/sd
	switch {
	case !(sd > 0) || math.IsInf(sd, 1) || math.IsNaN(a) || math.IsNaN(b) || !(lo <= hi) ||
		math.IsInf(lo, 1) || math.IsInf(hi, -1):
		return math.NaN()
	case lo == hi:
		return lo
	case a >= 0:
		return min(max(lo+float64(sd*tailOffset(r, a, (hi-lo)/sd)), lo), hi)
	case b <= 0:
		return min(max(hi-float64(sd*tailOffset(r, -b, (hi-lo)/sd)), lo), hi)
	}
	return min(max(mu+float64(sd*truncAround(r, a, b)), lo), hi)
}

// truncAround draws a standard normal given a ≤ Z ≤ b, a < 0 < b.
func truncAround(r *rand.Rand, a, b float64) float64 {
	width := b - a
	if width > math.Sqrt2*math.SqrtPi {
		for {
			if z := StdNormal(r); z >= a && z <= b {
				return z
			}
		}
	}
	for {
		z := a + float64(width*uniform(r))
		if 2*StdExp(r) >= z*z {
			return z
		}
	}
}

// tailOffset draws Z − a given a ≤ Z ≤ a + width, a ≥ 0. Working with the offset keeps its precision where a is huge.
func tailOffset(r *rand.Rand, a, width float64) float64 {
	if a > math.MaxFloat64 {
		return 0 // all the mass is at the near end
	}
	root := a
	if a < 1e8 {
		root = math.Sqrt(float64(a*a) + 4)
	}
	// Uniform proposals are cheaper than exponential ones on a narrow interval (Robert 1995, eq. 2.4).
	gap := 2 / (a + root) // α − a, where α = (a + √(a²+4))/2 is the best exponential rate
	if width <= gap*vec.Exp(0.5-float64(0.5*a*gap)) {
		for {
			z := width * uniform(r)
			if StdExp(r) >= z*(a+float64(0.5*z)) {
				return z
			}
		}
	}
	if a < 0.25 {
		for {
			z := math.Abs(StdNormal(r)) - a
			if z >= 0 && z <= width {
				return z
			}
		}
	}
	rate := a + gap
	for {
		z := StdExp(r) / rate
		if d := z - gap; z <= width && 2*StdExp(r) >= d*d {
			return z
		}
	}
}
