package vec

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"
)

// TestIncompleteAgainstGonum compares the bodies with another implementation; the tails are in the tests of package
// dist, against values of high precision.
func TestIncompleteAgainstGonum(t *testing.T) {
	for _, a := range []float64{0.01, 0.3, 1, 2.5, 10, 99, 500, 900, 1100, 1e4} {
		for _, f := range []float64{0.01, 0.3, 0.8, 0.95, 1, 1.04, 1.3, 2, 5} {
			x := a * f
			if got, want := GammaP(a, x), mathext.GammaIncReg(a, x); math.Abs(got-want) > 1e-11*want+1e-300 {
				t.Errorf("GammaP(%v, %v) = %v, want %v", a, x, got, want)
			}
			if got, want := GammaQ(a, x), mathext.GammaIncRegComp(a, x); math.Abs(got-want) > 1e-10*want+1e-300 {
				t.Errorf("GammaQ(%v, %v) = %v, want %v", a, x, got, want)
			}
		}
	}
	for _, a := range []float64{0.01, 0.5, 1, 3, 40, 900} {
		for _, b := range []float64{0.01, 0.5, 1, 3, 40, 900, 1500} {
			for _, x := range []float64{0.001, 0.2, 0.5, 0.77, 0.999} {
				if got, want := RegIncBeta(a, b, x), mathext.RegIncBeta(a, b, x); math.Abs(got-want) > 1e-10*want+1e-300 {
					t.Errorf("RegIncBeta(%v, %v, %v) = %v, want %v", a, b, x, got, want)
				}
			}
		}
	}
}

// TestComplements: P + Q = 1 and I + J = 1, on both sides of every switch between algorithms.
func TestComplements(t *testing.T) {
	for _, a := range []float64{1e-3, 0.999, 1, 7.999, 8, 999, 1000, 1e8} {
		for _, x := range []float64{1e-9, a * 0.7501, a * 0.7499, a, a + 0.999, a + 1, a * 1.2499, a * 1.2501, 1.0999, 1.1, 50} {
			p, q := GammaTails(a, x)
			if s := math.Exp(p) + math.Exp(q); math.Abs(s-1) > 1e-14 {
				t.Errorf("GammaTails(%v, %v): the tails sum to 1%+g", a, x, s-1)
			}
			x2 := x * (1 + 1e-9)
			if p2, q2 := GammaTails(a, x2); p2 < p-1e-13*math.Abs(p) || q2 > q+1e-13*math.Abs(q) {
				t.Errorf("GammaTails(%v, ·) is not monotonic at %v", a, x)
			}
			for _, b := range []float64{1e-3, 2, 999, 1001, 1e6} {
				y := 1 / (1 + x/b)
				i, j := BetaTails(a, b, 1-y, y)
				if s := math.Exp(i) + math.Exp(j); math.Abs(s-1) > 1e-14 {
					t.Errorf("BetaTails(%v, %v, %v): the tails sum to 1%+g", a, b, 1-y, s-1)
				}
				j2, i2 := BetaTails(b, a, y, 1-y)
				if math.Abs(i-i2) > 1e-12*math.Abs(i) || math.Abs(j-j2) > 1e-12*math.Abs(j) {
					t.Errorf("BetaTails(%v, %v, %v): %v, %v, but exchanged %v, %v", a, b, 1-y, i, j, i2, j2)
				}
			}
		}
	}
}

// TestQuantilesInvert: the tail at the quantile is the probability asked for, from 10⁻³⁰⁰⁰ to 1 − 10⁻¹⁶.
func TestQuantilesInvert(t *testing.T) {
	logs := []float64{-7000, -700, -50, -5, -1, -0.694, -0.692, -0.3, -1e-3, -1e-10, -1e-16}
	for _, upper := range []bool{false, true} {
		for _, a := range []float64{1e-3, 0.2, 1, 3.7, 80, 1e4, 1e7} {
			for _, logp := range logs {
				lx := GammaQuantileLog(a, logp, upper)
				p, q := GammaTails(a, Exp(lx))
				if Exp(lx) < 1e-300 { // there P(a, x) = xᵃ/Γ(a+1)
					p = a*lx - Lgamma(1+a)
					q = Log1mExp(min(p, 0))
				}
				got := p
				if upper {
					got = q
				}
				// The tail's logarithm changes by the elasticity times an ulp of x.
				if tol := 1e-12 + 1e-15*math.Abs(logp)*(1+a); !(math.Abs(got-logp) <= tol*(1+math.Abs(logp))) && !small(a, logp, upper) {
					t.Errorf("GammaQuantileLog(%v, %v, %v): the tail there is %v", a, logp, upper, got)
				}
			}
			for _, b := range []float64{1e-3, 0.5, 2, 60, 2e4} {
				for _, logp := range logs {
					l := BetaQuantileLogit(a, b, logp, upper)
					i, j := BetaTails(a, b, Ilogit(l), Ilogit(-l))
					got := i
					if upper {
						got = j
					}
					if math.Abs(l) > 650 {
						continue // the argument underflows; the slope is exact there
					}
					if !(math.Abs(got-logp) <= 1e-11*(1+math.Abs(logp))) && !small(math.Min(a, b), logp, upper) {
						t.Errorf("BetaQuantileLogit(%v, %v, %v, %v) = %v: the tail there is %v", a, b, logp, upper, l, got)
					}
				}
			}
		}
	}
}

// small reports probabilities so near 1 that the quantile underflows.
func small(a, logp float64, _ bool) bool { return a < 0.1 && logp > -1e-9 }
