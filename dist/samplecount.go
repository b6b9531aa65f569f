package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Binomial draws the number of successes in n trials of probability p: by inversion where the mean is below 10, else
// by transformed rejection (BTRS of Hörmann 1993, "The generation of binomial random variates", J. Stat. Comput.
// Simul. 46). NaN unless 0 ≤ p ≤ 1 and n is a whole number ≥ 0.
func Binomial(r *rand.Rand, p, n float64) float64 {
	if !(p >= 0 && p <= 1) || !isCount(n) {
		return math.NaN()
	}
	return binomialPair(r, p, 1-p, n)
}

// binomialPair is Binomial with q = 1 − p given to full precision.
func binomialPair(r *rand.Rand, p, q, n float64) float64 {
	switch {
	case p > q:
		return n - binomialPair(r, q, p, n)
	case p == 0 || n == 0:
		return 0
	case n*p < 10:
		return binomialInversion(r, p, q, n)
	}
	return binomialRejection(r, p, q, n)
}

// maxInversion bounds the search of a distribution with mean below 10: what lies beyond has probability below 1e-70,
// and only rounding gets there.
const maxInversion = 110

// binomialInversion searches the distribution function from 0 upward; n p < 10 and p ≤ 1/2.
func binomialInversion(r *rand.Rand, p, q, n float64) float64 {
	odds := p / q
	positive := -vec.Expm1(n * vec.Log1p(-p)) // P(X > 0)
	for {
		u := uniformFine(r)
		if u >= positive {
			return 0
		}
		u /= positive // uniform again
		prob := float64(n * odds * ((1 - positive) / positive))
		for x := 1.0; x <= n && x <= maxInversion; x++ {
			if u -= prob; u < 0 {
				return x
			}
			prob = float64(prob * ((n - x) / (x + 1) * odds))
		}
	}
}

func binomialRejection(r *rand.Rand, p, q, n float64) float64 {
	sd := math.Sqrt(n * p * q)
	b := 1.15 + float64(2.53*sd)
	a := -0.0873 + float64(0.0248*b) + float64(0.01*p)
	c := float64(n*p) + 0.5
	alpha := (2.83 + 5.1/b) * sd
	squeeze := 0.92 - 4.2/b
	mode := math.NaN() // log probability of the mode, computed when first needed
	for {
		v := uniform(r)
		u := uniform(r) - 0.5
		us := 0.5 - math.Abs(u)
		x := math.Floor(float64((2*a/us+b)*u) + c)
		if us >= 0.07 && v <= squeeze {
			return x
		}
		if x < 0 || x > n {
			continue
		}
		if math.IsNaN(mode) {
			m := math.Floor((n + 1) * p)
			mode = binomialStirling(m, n-m, p, q)
		}
		if vec.Log(v*alpha/(a/(us*us)+b)) <= binomialStirling(x, n-x, p, q)-mode {
			return x
		}
	}
}

// Poisson draws from the Poisson distribution of mean lambda: by inversion below 10, else by transformed rejection
// (PTRS of Hörmann 1993, "The transformed rejection method for generating Poisson random variables", Insurance:
// Mathematics and Economics 12). NaN unless 0 ≤ lambda < ∞.
func Poisson(r *rand.Rand, lambda float64) float64 {
	switch {
	case !(lambda >= 0) || math.IsInf(lambda, 1):
		return math.NaN()
	case lambda == 0:
		return 0
	case lambda < 10:
		return poissonInversion(r, lambda)
	}
	return poissonRejection(r, lambda)
}

func poissonInversion(r *rand.Rand, lambda float64) float64 {
	positive := -vec.Expm1(-lambda) // P(X > 0)
	for {
		u := uniformFine(r)
		if u >= positive {
			return 0
		}
		u /= positive // uniform again
		prob := float64(lambda * ((1 - positive) / positive))
		for x := 1.0; x <= maxInversion; x++ {
			if u -= prob; u < 0 {
				return x
			}
			prob = float64(prob * (lambda / (x + 1)))
		}
	}
}

func poissonRejection(r *rand.Rand, lambda float64) float64 {
	b := 0.931 + float64(2.53*math.Sqrt(lambda))
	a := -0.059 + float64(0.02483*b)
	invAlpha := 1.1239 + 1.1328/(b-3.4)
	squeeze := 0.9277 - 3.6224/(b-2)
	for {
		u := uniform(r) - 0.5
		v := uniform(r)
		us := 0.5 - math.Abs(u)
		x := math.Floor(float64((2*a/us+b)*u) + lambda + 0.43)
		if us >= 0.07 && v <= squeeze {
			return x
		}
		if x < 0 || (us < 0.013 && v > us) {
			continue
		}
		if vec.Log(v*invAlpha/(a/(us*us)+b)) <= poissonStirling(x, lambda) {
			return x
		}
	}
}
