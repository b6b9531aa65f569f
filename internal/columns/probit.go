package columns

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

const (
	invSqrt2Pi = 0.3989422804014327
	farthest   = 1e15 // larger distances count as this one
	millsFold  = 5.3
)

// mills are the coefficients of (1+√2·a)·erfcx(a/√2) in powers of t = (a−5.3)/(a+5.3), for a ≥ 0, from a Chebyshev series (after Shepherd and
// Laframboise, 1981, who take the fold 3.75·√2), found with 40 digits; their error is below 2e-16.
const (
	mills0, mills1, mills2, mills3     = 1.2375562887602014, -0.14024279337529452, 0.0034648538101244375, 0.08241445962200626
	mills4, mills5, mills6, mills7     = -0.10887068012106495, 0.09227834755665619, -0.05861145705010624, 0.028276927112255483
	mills8, mills9, mills10, mills11   = -0.009689751065343935, 0.0017305001627786532, 0.000299590310368346, -0.00028942267642486144
	mills12, mills13, mills14, mills15 = 5.0563098082040296e-05, 2.262792459706453e-05, -1.1342258130357198e-05, -1.037239915760753e-06
	mills16, mills17, mills18, mills19 = 1.7375267807178725e-06, -4.115403691614771e-08, -2.489289430625303e-07, 1.7456324304891427e-08
	mills20, mills21, mills22          = 3.210184457933699e-08, -1.841189682856111e-09, -2.6360567164231155e-09
)

// BernoulliProbit adds log p(y[i]) for y[i] 0 or 1 with probability Φ(eta[i]) of 1, and sets d[i] to its derivative by eta[i].
func BernoulliProbit(t *Density, d, y, eta []float64) {
	y, eta = y[:len(d)], eta[:len(d)]
	for len(d) > 0 {
		n := t.Factors.room(len(d), 1)
		best().bernoulliProbit(&t.Terms, &t.Factors, d[:n], y[:n], eta[:n])
		d, y, eta = d[n:], y[n:], eta[n:]
	}
}

// OrderedProbit adds log(Φ(b[i])−Φ(a[i])), where a[i] < b[i] are the cutpoints below and above the category of row i less its predictor, and sets
// da[i] and db[i] to its derivatives. Below the lowest category a[i] is −Inf, above the highest b[i] is +Inf. Where a[i] ≥ b[i] the log density is
// −Inf. The error of a row is some 1e-16 over the probability between a[i] and b[i], or over what it is of the tail beyond the nearer one.
func OrderedProbit(t *Density, da, db, a, b []float64) {
	db, a, b = db[:len(da)], a[:len(da)], b[:len(da)]
	for len(da) > 0 {
		n := t.Factors.room(len(da), 1)
		best().orderedProbit(&t.Terms, &t.Factors, da[:n], db[:n], a[:n], b[:n])
		da, db, a, b = da[n:], db[n:], a[n:], b[n:]
	}
}

// halfErfcx is erfcx(a/√2)/2 for a ≥ 0: Φ(−a) is that times exp(−a²/2).
func halfErfcx(a float64) float64 {
	t := (a - millsFold) / (a + millsFold)
	t2 := float64(t * t)
	q := float64(t2 * t2)
	p0 := mills0 + float64(q*(mills4+float64(q*(mills8+float64(q*(mills12+float64(q*(mills16+float64(q*mills20)))))))))
	p1 := mills1 + float64(q*(mills5+float64(q*(mills9+float64(q*(mills13+float64(q*(mills17+float64(q*mills21)))))))))
	p2 := mills2 + float64(q*(mills6+float64(q*(mills10+float64(q*(mills14+float64(q*(mills18+float64(q*mills22)))))))))
	p3 := mills3 + float64(q*(mills7+float64(q*(mills11+float64(q*(mills15+float64(q*mills19)))))))
	p := (p0 + float64(t*p1)) + float64(t2*(p2+float64(t*p3)))
	return p / (2 + float64(2*math.Sqrt2*a))
}

// positive keeps numbers that are no factors out of products; a row's term tells of them.
func positive(f float64) float64 {
	if f > 0x1p-1022 {
		return f
	}
	return 0x1p-1022
}

func bernoulliProbitGo(s *Sums, l *Logs, d, y, eta []float64) {
	for i := range d {
		sign := 2*y[i] - 1
		z := float64(sign * eta[i])
		tail := halfErfcx(min(math.Abs(z), farthest))
		e := vec.Exp(max(float64(-0.5*float64(z*z)), leastExp))
		f, w := 1-float64(e*tail), min(z, 0)
		if z < 0 {
			f, e = tail, 1
		}
		s[i%lanes] += float64(-0.5 * float64(w*w))
		l.multiply(i%lanes, positive(f))
		d[i] = float64(sign * (float64(invSqrt2Pi*e) / f))
	}
}

// orderedProbitGo turns an interval above 0 into its mirror image, so that the upper end is the nearer one to 0, and takes the density of that end out
// of both tails.
func orderedProbitGo(s *Sums, l *Logs, da, db, a, b []float64) {
	for i := range da {
		lo, hi := a[i], b[i]
		above := lo+hi > 0
		if above {
			lo, hi = -hi, -lo
		}
		far, near := min(math.Abs(lo), farthest), min(math.Abs(hi), farthest)
		tail, ratio := halfErfcx(near), vec.Exp(max(float64(-0.5*float64(max(far-near, 0)*(far+near))), leastExp))
		rest := float64(ratio * halfErfcx(far))
		e, w := vec.Exp(max(float64(-0.5*float64(near*near)), leastExp)), min(hi, 0)
		f := 1 - float64(e*(tail+rest))
		if hi < 0 {
			f, e = tail-rest, 1
		}
		term := float64(-0.5 * float64(w*w))
		if !(f > 0) {
			term = float64(0*f) + math.Inf(-1)
		}
		s[i%lanes] += term
		l.multiply(i%lanes, positive(f))
		d := float64(invSqrt2Pi*e) / f
		r := float64(d * ratio)
		if above {
			d, r = r, d
		}
		db[i], da[i] = d, -r
	}
}
