package vec

import (
	"math"
	"math/rand/v2"
	"testing"
)

var sink float64

func bench(b *testing.B, f func(float64) float64, lo, hi float64) {
	r := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, 1024)
	for i := range x {
		x[i] = lo + (hi-lo)*r.Float64()
	}
	s := 0.0
	i := 0
	for b.Loop() {
		s += f(x[i&1023])
		i++
	}
	sink = s
}

func BenchmarkScalar(b *testing.B) {
	for _, c := range []struct {
		name   string
		f      func(float64) float64
		lo, hi float64
	}{
		{"Exp", Exp, -10, 10}, {"math.Exp", math.Exp, -10, 10},
		{"Log", Log, 0, 10}, {"math.Log", math.Log, 0, 10},
		{"Log1p", Log1p, -1, 10}, {"Expm1", Expm1, -1, 10},
		{"Pow1.7", func(x float64) float64 { return Pow(x, 1.7) }, 0, 10},
		{"Sin", Sin, -10, 10}, {"Atan", Atan, -3, 3}, {"Tanh", Tanh, -3, 3},
		{"Lgamma0-1", Lgamma, 0, 1}, {"Lgamma1-3", Lgamma, 1, 3}, {"Lgamma3-8", Lgamma, 3, 8}, {"Lgamma8-100", Lgamma, 8, 100},
		{"Digamma0-10", Digamma, 0, 10}, {"Digamma10-100", Digamma, 10, 100}, {"Trigamma", Trigamma, 0, 20},
		{"NormCDF", NormCDF, -5, 5}, {"LogNormCDF", LogNormCDF, -5, 5}, {"NormQuantile", NormQuantile, 0, 1},
		{"LogBeta", func(x float64) float64 { return LogBeta(x, 3) }, 0, 10},
		{"Ilogit", Ilogit, -5, 5}, {"Log1pExp", Log1pExp, -5, 5},
		{"LogGammaP", func(x float64) float64 { return LogGammaP(3, x) }, 0, 10},
		{"BetaTails", func(x float64) float64 { i, _ := BetaTails(3, 5, x, 1-x); return i }, 0, 1},
	} {
		b.Run(c.name, func(b *testing.B) { bench(b, c.f, c.lo, c.hi) })
	}
}
