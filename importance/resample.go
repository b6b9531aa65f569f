package importance

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Resampler fills parent with indices of w: the expected number of times that i comes is len(parent) w_i/Σ w. The
// weights need not sum to 1. A scheme takes O(len(w) + len(parent)) and allocates nothing. It is an error that w is
// empty, has an entry that is negative, infinite or NaN, or no positive one, or that the sum overflows. Schemes
// other than Multinomial give less varying numbers; see Douc, Cappé and Moulines (2005), "Comparison of resampling schemes
// for particle filtering".
type Resampler func(parent []int, w []float64, r *rand.Rand) error

// Multinomial draws each parent independently, and sorts them: uniforms come in descending order, each the greatest
// of those that are left (Bentley and Saxe 1980, "Generating sorted lists of random numbers", ACM TOMS 6).
func Multinomial(parent []int, w []float64, r *rand.Rand) error {
	total, err := sum(w)
	if err != nil {
		return err
	}
	multinomial(parent, len(w), total, r, func(i int) float64 { return w[i] })
	return nil
}

// multinomial draws from n weights that add up to total up to rounding.
func multinomial(parent []int, n int, total float64, r *rand.Rand, weight func(i int) float64) {
	k := n - 1
	for weight(k) == 0 {
		k--
	}
	below := total - weight(k) // the sum of the weights before k
	last := k                  // the least index of positive weight met
	logU := 0.0
	for i := len(parent) - 1; i >= 0; i-- {
		logU -= dist.StdExp(r) / float64(i+1)
		u := float64(vec.Exp(logU) * total)
		for u < below && k > 0 {
			k--
			if v := weight(k); v > 0 {
				below -= v
				last = k
			}
		}
		parent[i] = last
	}
}

// Systematic puts a comb with len(parent) teeth and a random offset over the weights (Carpenter, Clifford and Fearnhead
// 1999, IEE Proc. Radar 146): i comes ⌊len(parent) w_i⌋ or ⌈len(parent) w_i⌉ times, for normalised w. The parents are
// sorted. One uniform is used.
func Systematic(parent []int, w []float64, r *rand.Rand) error {
	offset := r.Float64()
	return comb(parent, w, func(i int) float64 { return float64(i) + offset })
}

// Stratified draws one uniform in each of len(parent) equal parts of the mass (Kitagawa 1996, J. Comp. Graph. Stat.
// 5). The parents are sorted.
func Stratified(parent []int, w []float64, r *rand.Rand) error {
	return comb(parent, w, func(i int) float64 { return float64(i) + r.Float64() })
}

// comb takes the weight under each tooth, the i-th in [i, i+1), where all weights together are len(parent).
func comb(parent []int, w []float64, tooth func(i int) float64) error {
	total, err := sum(w)
	if err != nil {
		return err
	}
	n := float64(len(parent))
	k, last, above := -1, 0, 0.0 // above is the sum of the weights to k
	for i := range parent {
		u := tooth(i)
		for float64(above/total*n) <= u && k < len(w)-1 {
			k++
			if w[k] > 0 {
				above += w[k]
				last = k
			}
		}
		parent[i] = last
	}
	return nil
}

// Residual gives i the whole part of len(parent) w_i for certain, for normalised w, and draws the rest independently
// with the fractional parts as weights (Liu and Chen 1998, JASA 93). The certain parents come first; both groups are
// sorted.
func Residual(parent []int, w []float64, r *rand.Rand) error {
	total, err := sum(w)
	if err != nil {
		return err
	}
	n := float64(len(parent))
	next, rest := 0, 0.0
	for i, v := range w {
		whole, fraction := split(float64(v / total * n))
		rest += fraction
		for range whole {
			parent[next] = i
			next++
		}
	}
	if next < len(parent) {
		multinomial(parent[next:], len(w), rest, r, func(i int) float64 {
			_, fraction := split(float64(w[i] / total * n))
			return fraction
		})
	}
	return nil
}

// split takes a share apart. One that rounding may have put below a whole number is that: equal weights, say, have
// shares of 1 and no fractions.
func split(share float64) (whole int, fraction float64) {
	floor := math.Floor(float64(share * (1 + 0x1p-44)))
	return int(floor), max(share-floor, 0)
}

// sum is the sum of weights, which must be some.
func sum(w []float64) (float64, error) {
	total := 0.0
	for i, v := range w {
		if !(v >= 0 && v <= math.MaxFloat64) {
			return 0, fmt.Errorf("importance: weight %d is %v; it must be finite and not negative", i+1, v)
		}
		total += v
	}
	switch {
	case len(w) == 0:
		return 0, errors.New("importance: there are no weights; give at least one")
	case total == 0:
		return 0, fmt.Errorf("importance: all %d weights are zero; at least one must be positive", len(w))
	case math.IsInf(total, 1):
		return 0, errors.New("importance: the sum of the weights overflows; divide them all by a constant")
	}
	return total, nil
}
