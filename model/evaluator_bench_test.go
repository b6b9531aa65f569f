package model_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/cputime"
)

// gradientModels are those of the table of bench/gradient.txt.
func gradientModels() []columnCase {
	r := rand.New(rand.NewPCG(11, 12))
	normal := func(int) float64 { return r.NormFloat64() }
	logistic := func(n, k int) columnCase {
		return columnCase{name: fmt.Sprintf("logistic %d×%d", n, k),
			model: `model { for (j in 1:K) { b[j] ~ dnorm(0, 1) } for (i in 1:N) { logit(p[i]) <- inprod(x[i,], b[]); y[i] ~ dbern(p[i]) } }`,
			data: fmt.Sprintf("N <- %d; K <- %d; x <- structure(%s, .Dim=c(%d,%d)); y <- %s", n, k, column(n*k, normal), n, k,
				column(n, func(int) float64 { return float64(r.IntN(2)) }))}
	}
	groups := func(n, g int) string { return column(n, func(i int) float64 { return float64(1 + i*g/n) }) }
	return []columnCase{
		{name: "eight schools", model: `model { mu ~ dnorm(0, 0.04); tau ~ dt(0, 0.04, 1) T(0,); for (j in 1:8) { z[j] ~ dnorm(0, 1); theta[j] <- mu + tau*z[j]; prec[j] <- pow(sigma[j], -2); y[j] ~ dnorm(theta[j], prec[j]) } }`,
			data: "y <- c(28,8,-3,7,-1,1,18,12); sigma <- c(15,10,16,11,9,11,10,18)"},
		{name: "radon", model: `model { ma ~ dnorm(0, 0.01); b ~ dnorm(0, 0.01); sa ~ dnorm(0, 1) T(0,); sy ~ dnorm(0, 1) T(0,); for (j in 1:85) { z[j] ~ dnorm(0, 1); a[j] <- ma + sa*z[j] }
			for (i in 1:919) { mu[i] <- a[g[i]] + b*x[i]; y[i] ~ dnorm(mu[i], tau) } tau <- pow(sy, -2) }`,
			data: fmt.Sprintf("g <- %s; x <- %s; y <- %s", groups(919, 85), column(919, func(int) float64 { return float64(r.IntN(2)) }), column(919, normal))},
		{name: "nonlinear", model: `model { ma ~ dnorm(0, 1); mb ~ dnorm(-1, 1); sa ~ dnorm(0, 1) T(0,); sb ~ dnorm(0, 1) T(0,); sy ~ dnorm(0, 1) T(0,);
			for (j in 1:60) { za[j] ~ dnorm(0, 1); zb[j] ~ dnorm(0, 1); a[j] <- exp(ma + sa*za[j]); b[j] <- exp(mb + sb*zb[j]) }
			for (i in 1:720) { y[i] ~ dnorm(a[g[i]] * exp(-b[g[i]] * t[i]), tau) } tau <- pow(sy, -2) }`,
			data: fmt.Sprintf("g <- %s; t <- %s; y <- %s", groups(720, 60), column(720, func(i int) float64 { return float64(i%12) / 4 }), column(720, normal))},
		logistic(1000, 20),
		logistic(10000, 50),
	}
}

// BenchmarkValueGradient is one value with its gradient, and row by row.
func BenchmarkValueGradient(b *testing.B) {
	for _, tc := range gradientModels() {
		m := compileCase(b, tc.model, tc.data)
		cells, det, stoch := blockOf(m)
		r := rand.New(rand.NewPCG(1, 2))
		s := m.NewState()
		if c, msg := s.Simulate(r); c >= 0 {
			b.Fatal(msg)
		}
		for _, c := range cells {
			s.V[c] = 0.2 + 0.1*r.Float64()
		}
		s.Run(det)
		name := strings.ReplaceAll(tc.name, " ", "_")
		b.Run(name+"/columns", func(b *testing.B) {
			e := m.NewBlock(cells, det, stoch).NewEvaluator()
			e.Prepare(s)
			b.ReportAllocs()
			start := cputime.Process()
			for b.Loop() {
				e.ValueGradient(s)
			}
			b.ReportMetric(1e9*(cputime.Process()-start)/float64(b.N), "cpu-ns/op")
		})
		if testing.Short() {
			continue
		}
		b.Run(name+"/rows", func(b *testing.B) {
			g := m.NewGradient(det, stoch)
			b.ReportAllocs()
			for b.Loop() {
				s.Run(det)
				s.LogProb(stoch)
				g.At(s)
			}
		})
	}
}
