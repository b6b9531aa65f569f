package dist

import (
	"math"
	"testing"
)

func TestContinuousAllocatesNothing(t *testing.T) {
	r := testRand(6)
	for _, d := range continuous() {
		p := tableCases[d.Name][0]
		dp := make([]float64, len(p))
		lo, hi := d.Quantile(0.6, p), d.Quantile(0.7, p)
		if n := testing.AllocsPerRun(50, func() {
			d.LogProb(lo, p)
			d.Grad(lo, p, dp)
			d.LogCDF(lo, p)
			d.Quantile(0.3, p)
			d.Sample(r, p)
			d.LogProbT(lo, p, lo, hi)
			d.SampleT(r, p, lo, hi)
			d.SampleT(r, p, hi, math.Inf(1))
		}); n != 0 {
			t.Errorf("%s%v: %v allocations", d.Name, p, n)
		}
	}
}

var sink float64

func BenchmarkContinuousLogProb(b *testing.B) {
	x := [8]float64{0.3, 0.4, 0.1, 0.7, 0.2, 0.9, 0.55, 0.62}
	for _, c := range []struct {
		name string
		f    func(x float64) float64
	}{
		{"norm", func(x float64) float64 { return NormLogProb(x, 1, x) }},
		{"lnorm", func(x float64) float64 { return LnormLogProb(x, 1, 2) }},
		{"gamma", func(x float64) float64 { return GammaLogProb(x, 2.5, x) }},
		{"gammaLarge", func(x float64) float64 { return GammaLogProb(x, 250, 400) }},
		{"beta", func(x float64) float64 { return BetaLogProb(x, 2.5, 3) }},
		{"exp", func(x float64) float64 { return ExpLogProb(x, 2) }},
		{"t", func(x float64) float64 { return TLogProb(x, 0, 1, 4) }},
		{"weib", func(x float64) float64 { return WeibLogProb(x, 1.5, 2) }},
		{"unif", func(x float64) float64 { return UnifLogProb(x, -1, 2) }},
		{"logis", func(x float64) float64 { return LogisLogProb(x, 0, 1) }},
		{"dexp", func(x float64) float64 { return DexpLogProb(x, 0, 1) }},
		{"par", func(x float64) float64 { return ParLogProb(x+1, 3, 1) }},
		{"nchisqr", func(x float64) float64 { return NchisqrLogProb(x, 3, 2) }},
		{"nt", func(x float64) float64 { return NtLogProb(x, 1, 1, 5) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			s, i := 0.0, 0
			for b.Loop() {
				s += c.f(x[i&7])
				i++
			}
			sink = s
		})
	}
}

func BenchmarkSampleT(b *testing.B) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name   string
		row    string
		p      []float64
		lo, hi float64
	}{
		{"normHalf", "dnorm", []float64{0, 1}, 0, inf},
		{"norm40", "dnorm", []float64{0, 1}, 40, inf},
		{"gammaBody", "dgamma", []float64{3, 1}, 1, 10},
		{"gammaTail", "dgamma", []float64{3, 1}, 40, inf},
		{"betaTail", "dbeta", []float64{3, 4}, 0.99, 1},
		{"tTail", "dt", []float64{0, 1, 4}, 50, inf},
		{"weibTail", "dweib", []float64{2, 1}, 20, inf},
		{"ntTail", "dnt", []float64{0, 1, 4}, 50, inf},
	} {
		d, _ := Lookup(c.row)
		r := testRand(7)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sink = d.SampleT(r, c.p, c.lo, c.hi)
			}
		})
	}
}
