package diag

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

// TestTransform against the defining sum, by Parseval in disguise: the
// forward transform is in an order of its own, so the products of two spectra
// go back and are compared with the circular convolution.
func TestTransform(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var f transform
	for log2 := range 9 {
		n := 1 << log2
		x, y := make([]complex128, n), make([]complex128, n)
		for i := range x {
			x[i] = complex(r.NormFloat64(), r.NormFloat64())
			y[i] = complex(r.NormFloat64(), r.NormFloat64())
		}
		want := make([]complex128, n)
		for i := range x {
			for k := range y {
				want[(i+k)%n] += x[i] * y[k]
			}
		}
		f.forward(x, log2)
		f.forward(y, log2)
		for k := range x {
			x[k] *= y[k]
		}
		f.inverse(x, log2)
		for i := range x {
			if cmplx.Abs(x[i]/complex(float64(n), 0)-want[i]) > 1e-12*float64(n) {
				t.Fatalf("length %d: element %d is %v, want %v", n, i, x[i]/complex(float64(n), 0), want[i])
			}
		}
	}
}

// TestAutocovariances: direct sums, blocks of all sizes and counts of bits
// agree.
func TestAutocovariances(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, h := range []int{3, 4, 5, 16, 17, 31, 64, 65, 127, 128, 129, 1000} {
		for m := 1; m <= 4; m++ {
			seq := make([]float64, m*h)
			var chosen []int32
			for i := range seq {
				if r.IntN(3) == 0 {
					seq[i] = 1
					chosen = append(chosen, int32(i))
				}
			}
			want := make([]float64, h)
			for j := range m {
				part := seq[j*h : (j+1)*h]
				p := mean(part)
				for lag := range want {
					for i := range h - lag {
						want[lag] += (part[i] - p) * (part[i+lag] - p) / float64(m*h)
					}
				}
			}
			compare := func(how string, acov []float64) {
				for lag, got := range acov {
					if !(math.Abs(got-want[lag]) < 1e-13) {
						t.Fatalf("%s, %d sequences of %d: lag %d is %g, want %g", how, m, h, lag, got, want[lag])
					}
				}
			}
			w := new(Work)
			w.centre(seq, m, h, 0.3)
			for len(w.acov) < h {
				w.lagged(m, h)
			}
			compare("direct", w.acov)
			for _, lags := range []int{1, 10, 20, 40, 100, 300, 2000} {
				w.spectral(m, h, lags)
				if len(w.acov) < min(lags, h) {
					t.Fatalf("%d lags of %d asked for, %d given", lags, h, len(w.acov))
				}
				compare("spectral", w.acov)
			}
			w.indicate(chosen, m, h)
			for w.acov = w.acov[:0]; len(w.acov) < h; {
				w.counted(m, h)
			}
			compare("counted", w.acov)
			w.uncount(m, h)
			w.spectral(m, h, h)
			compare("uncounted", w.acov)
		}
	}
}

// TestESSOfIndicator crosses from counts of bits to the FFT and compares both
// with the same sequences as numbers.
func TestESSOfIndicator(t *testing.T) {
	for _, phi := range []float64{0, 0.9, 0.99, 0.9999} {
		for _, n := range []int{8, 9, 100, 1001, 6000} {
			chains := arChains(uint64(n), 3, n, phi)
			for _, p := range []float64{0.05, 0.5, 0.95} {
				q := Quantile(chains, p)
				indicator := mapped(chains, func(x float64) float64 {
					if x <= q {
						return 1
					}
					return 0
				})
				check(t, "ESS of an indicator", ESSQuantile(chains, p), ESSMean(indicator), 1e-10)
			}
		}
	}
}

// TestTabulate: a row is the head of a summary, whether chains lie side by
// side in memory or not.
func TestTabulate(t *testing.T) {
	var w Work
	for _, n := range []int{0, 1, 2, 3, 5, 6, 100, 101, 3000} {
		for _, phi := range []float64{0, 0.95} {
			chains := arChains(uint64(n), 4, n, phi)
			side := make([]float64, 0, 4*n)
			var adjacent [][]float64
			for c, chain := range chains {
				side = append(side, chain...)
				adjacent = append(adjacent, side[c*n:(c+1)*n])
			}
			want := Summarize(chains, nil).Row
			for _, got := range []Row{Tabulate(chains, &w), Tabulate(adjacent, &w), Tabulate(chains, nil)} {
				if !sameRow(got, want) {
					t.Errorf("%d draws: %v, want %v", n, got, want)
				}
			}
		}
	}
}

func sameRow(a, b Row) bool {
	same := true
	for _, p := range [][2]float64{
		{a.Mean, b.Mean}, {a.SD, b.SD}, {a.MCSEMean, b.MCSEMean}, {a.MCSESD, b.MCSESD}, {a.Q5, b.Q5},
		{a.Median, b.Median}, {a.Q95, b.Q95}, {a.ESSBulk, b.ESSBulk}, {a.ESSTail, b.ESSTail}, {a.Rhat, b.Rhat},
	} {
		same = same && (p[0] == p[1] || math.IsNaN(p[0]) && math.IsNaN(p[1]))
	}
	return same
}
