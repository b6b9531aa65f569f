package dist

import (
	"math"
	"testing"
)

var trapezCases = [][]float64{{0, 1, 2, 4}, {-1, -1, 3, 3.5}, {10, 12, 12, 13}}

// The distribution function and the moments are those of the density, by Simpson's rule, which is
// exact for lines times squares, on each of the three parts.
func TestTrapezParts(t *testing.T) {
	d := trapez()
	for _, p := range trapezCases {
		mass, mean, square := 0.0, 0.0, 0.0
		for k := range 3 {
			lo, hi := p[k], p[k+1]
			for i, w := range []float64{1, 4, 1} {
				x := lo + 0.5*float64(i)*(hi-lo)
				y := 0.0
				if hi > lo {
					in := min(max(x, math.Nextafter(lo, hi)), math.Nextafter(hi, lo))
					y = w * math.Exp(d.LogProb(in, p)) * (hi - lo) / 6
				}
				mass, mean, square = mass+y, mean+y*x, square+y*x*x
			}
			if got := d.CDF(hi, p); !near(got, mass, 1e-12, 1e-12) || !near(math.Exp(d.LogSF(hi, p)), 1-mass, 1e-9, 1e-12) {
				t.Errorf("%v: P(X ≤ %v) = %v, want %v", p, hi, got, mass)
			}
		}
		if got := d.Mean(p); !near(got, mean, 1e-12, 0) {
			t.Errorf("%v: mean %v, want %v", p, got, mean)
		}
		if got, want := d.Variance(p), square-mean*mean; !near(got, want, 1e-10, 0) {
			t.Errorf("%v: variance %v, want %v", p, got, want)
		}
		for _, q := range []float64{0, 0.01, 0.3, 0.5, 0.77, 0.99, 1} {
			if got := d.CDF(d.Quantile(q, p), p); !near(got, q, 1e-12, 1e-12) {
				t.Errorf("%v: P(X ≤ quantile of %v) = %v", p, q, got)
			}
		}
	}
}

func TestTrapezGrad(t *testing.T) {
	d, p := trapez(), []float64{0, 1, 2, 4}
	const h = 1e-6
	for _, x := range []float64{0.3, 1.5, 3.1} {
		dp := make([]float64, 4)
		dx := d.Grad(x, p, dp)
		if want := (d.LogProb(x+h, p) - d.LogProb(x-h, p)) / (2 * h); !near(dx, want, 1e-8, 1e-8) {
			t.Errorf("derivative by x = %v is %v, differences give %v", x, dx, want)
		}
		for i := range p {
			q := append([]float64(nil), p...)
			q[i] += h
			up := d.LogProb(x, q)
			q[i] -= 2 * h
			if want := (up - d.LogProb(x, q)) / (2 * h); !near(dp[i], want, 1e-8, 1e-8) {
				t.Errorf("at %v the derivative by %s is %v, differences give %v", x, d.Params[i], dp[i], want)
			}
		}
	}
}

// Draws between bounds have the probability of each half that the distribution function gives: 20,000
// draws, one false alarm in a million.
func TestTrapezDraws(t *testing.T) {
	d, r := trapez(), testRand(3)
	for _, p := range trapezCases {
		for _, ends := range [][2]float64{{math.Inf(-1), math.Inf(1)}, {p[0] + 0.4, p[3] - 0.2}, {p[2], math.Inf(1)}, {math.Inf(-1), (p[0] + p[1]) / 2}} {
			from, to := d.CDF(ends[0], p), d.CDF(ends[1], p)
			if !(to > from) {
				continue
			}
			middle := d.Quantile((from+to)/2, p)
			low := 0
			for range 20000 {
				x := d.SampleT(r, p, ends[0], ends[1])
				if !(x >= max(ends[0], p[0]) && x <= min(ends[1], p[3])) {
					t.Fatalf("%v between %v: drew %v", p, ends, x)
				}
				if x <= middle {
					low++
				}
			}
			if math.Abs(float64(low)-10000) > 4.9*math.Sqrt(5000) {
				t.Errorf("%v between %v: %d of 20000 draws below the median", p, ends, low)
			}
		}
	}
	for _, p := range [][]float64{{0, 0, 0, 0}, {1, 0, 2, 3}, {0, 1, 2, math.Inf(1)}, {math.NaN(), 1, 2, 3}} {
		if d.Check(p) == "" || d.LogProb(1, p) == d.LogProb(1, p) || d.Sample(r, p) == d.Sample(r, p) {
			t.Errorf("%v is taken", p)
		}
	}
}
