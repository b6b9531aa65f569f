package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// countWeights are weights of the whole numbers from lo on, up to a factor of which log is the logarithm.
type countWeights struct {
	lo  int
	w   []float64
	log float64
}

const (
	// leastWeight is the share of the largest weight below which weights at the ends are left out.
	leastWeight = 1e-20
	// leastPart is what a weight is nothing beside when the largest is 1.
	leastPart = 1e-30
	// mostWide bounds the numbers that have weights: counts that are spread wider do not move at once.
	mostWide = 1 << 12
	// tallWeight is when weights are made smaller.
	tallWeight = 1e200
)

// one is 0 for certain.
func (a *countWeights) one() { a.lo, a.w, a.log = 0, append(a.w[:0], 1), 0 }

func (a *countWeights) end() int { return a.lo + len(a.w) }

// at is the weight of a number.
func (a *countWeights) at(k int) float64 {
	if k < a.lo || k >= a.end() {
		return 0
	}
	return a.w[k-a.lo]
}

// ofSum is the probability of a sum of two independent counts.
func (a *countWeights) ofSum(b *countWeights, total int) float64 {
	sum := 0.0
	for i, w := range a.w {
		sum += float64(w * b.at(total-a.lo-i))
	}
	return sum
}

// level makes the largest weight 1; false where none is positive.
func (a *countWeights) level() bool {
	top := 0.0
	for _, w := range a.w {
		top = max(top, w)
	}
	if !(top > 0) || !vec.Finite(top) {
		return false
	}
	for k := range a.w {
		a.w[k] /= top
	}
	a.log += vec.Log(top)
	return true
}

// trim leaves out the ends that do not matter, and makes the largest weight 1; false where none is positive.
func (a *countWeights) trim() bool {
	if !a.level() {
		return false
	}
	from, to := 0, len(a.w)
	for a.w[from] < leastWeight {
		from++
	}
	for a.w[to-1] < leastWeight {
		to--
	}
	n := copy(a.w, a.w[from:to])
	a.w = a.w[:n]
	a.lo += from
	return true
}

func (a *countWeights) sum() float64 {
	total := 0.0
	for _, w := range a.w {
		total += w
	}
	return total
}

// law makes them the probabilities of a count. A Poisson law has its rate in a, a binomial one its probability and the number of trials, a negative binomial one its
// two parameters. False where it is too wide or none.
func (k *countWeights) law(law countLaw, a, b float64) bool {
	mode, hi, top := 0.0, math.Inf(1), 0.0 // the largest of the values if there is one
	switch law {
	case poissonCount:
		if !(a >= 0) {
			return false
		}
		mode, top = math.Floor(a), a
	case binomialCount:
		if !(a >= 0 && a <= 1 && b >= 0) {
			return false
		}
		hi = b
		mode, top = min(math.Floor((b+1)*a), b), b*a
	default:
		if !(a > 0 && a <= 1 && b > 0) {
			return false
		}
		mode, top = max(0, math.Floor((b-1)*(1-a)/a)), b*(1-a)/a
	}
	if !(top < mostWide*mostWide) {
		return false
	}
	ratio := func(n float64) float64 { // of the probabilities of n + 1 and n
		switch law {
		case poissonCount:
			return a / (n + 1)
		case binomialCount:
			return (b - n) / (n + 1) * (a / (1 - a))
		}
		return (n + b) / (n + 1) * (1 - a)
	}
	k.w = k.w[:0]
	w, n := 1.0, mode
	for n > 0 {
		next := w / ratio(n-1)
		if !(next >= leastWeight) {
			break
		}
		w, n = next, n-1
		k.w = append(k.w, w)
		if len(k.w) > mostWide {
			return false
		}
	}
	for i, j := 0, len(k.w)-1; i < j; i, j = i+1, j-1 {
		k.w[i], k.w[j] = k.w[j], k.w[i]
	}
	k.lo, k.log = int(n), 0
	w, n = 1, mode
	k.w = append(k.w, 1)
	for n < hi {
		w *= ratio(n)
		if !(w >= leastWeight) {
			break
		}
		n++
		k.w = append(k.w, w)
		if len(k.w) > mostWide {
			return false
		}
	}
	total := k.sum()
	for i := range k.w {
		k.w[i] /= total
	}
	return true
}

// convolve is the law of the sum of two independent counts.
func (k *countWeights) convolve(a, b *countWeights) {
	k.lo, k.log = a.lo+b.lo, a.log+b.log
	k.w = zeros(k.w, len(a.w)+len(b.w)-1)
	k.addProduct(a, b, 1)
}

// addProduct adds f times the law of a sum, of which it has the numbers.
func (k *countWeights) addProduct(a, b *countWeights, f float64) {
	for i, x := range a.w {
		if x *= f; x == 0 {
			continue
		}
		to := k.w[a.lo+b.lo+i-k.lo:]
		to = to[:len(b.w)]
		for j, y := range b.w {
			to[j] += float64(x * y)
		}
	}
}

// thin makes them the law of how many of a + more survive, each with probability p, where a has the law given, with weights of which the largest is 1: by Horner's rule
// for the generating function, in which each of them is a factor (1 − p + p z).
func (k *countWeights) thin(a *countWeights, more int, p float64) {
	k.lo, k.w, k.log = 0, append(k.w[:0], 0), a.log
	for m := a.end() - 1 + more; m >= 0; m-- {
		if i := m - more - a.lo; i >= 0 {
			k.w[0] += a.w[i]
		}
		if m > 0 {
			k.another(p)
		}
	}
}

// another makes the law of n survivors that of n + 1.
func (k *countWeights) another(p float64) {
	q, before := 1-p, 0.0
	for s, x := range k.w {
		k.w[s] = float64(x*q) + float64(before*p)
		before = x
	}
	if before *= p; before > leastPart {
		k.w = append(k.w, before)
	}
	for n := len(k.w); n > 1 && k.w[n-1] < leastPart; n-- {
		k.w = k.w[:n-1]
	}
}

// draw gives a number by the weights; false where none is positive.
func (k *countWeights) draw(r *rand.Rand) (int, bool) {
	total := k.sum()
	if !(total > 0) || !vec.Finite(total) {
		return 0, false
	}
	left, last := float64(r.Float64()*total), 0
	for i, w := range k.w {
		if w > 0 {
			last = k.lo + i
		}
		if left -= w; left < 0 {
			break
		}
	}
	return last, true
}

// zeros is w with n zeros.
func zeros(w []float64, n int) []float64 {
	if cap(w) < n {
		w = make([]float64, n, n+n/2)
	}
	w = w[:n]
	clear(w)
	return w
}
