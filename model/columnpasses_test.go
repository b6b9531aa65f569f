package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// Likelihoods with a pass of their own are known however they are spelt.
func TestPasses(t *testing.T) {
	data := sample(60, 5) + "; k1 <- " + column(60, func(i int) float64 { return float64(1 + (i*i+i/3)%4) })
	shapes := map[string]string{}
	for _, tc := range columnCases {
		shapes[tc.name] = tc.model
	}
	for name, want := range map[string]string{
		"ordered probit": "ordered probit", "ordered logit, tails": "ordered logit", "graded responses": "ordered logit", "ordered, one scale": "ordered probit",
		"softmax": "formula", "negative binomial, dispersion": "negative binomial", "negative binomial, logit": "negative binomial", "negative binomial, large counts": "negative binomial",
		"negative binomial, sizes": "formula",
	} {
		m := compileCase(t, shapes[name], data)
		if got := m.NewBlock(blockOf(m)).Passes(); !slices.Contains(got, want) {
			t.Errorf("%s: %q, want one of them to be %s", name, got, want)
		}
	}
}

// TestLine compares normal rows with means on a line in a node of each row, written in several ways, with their rows. Where the node stands elsewhere too, or the factor or the precision is not
// what the pass takes, the rows go the long way.
func TestLine(t *testing.T) {
	for _, tc := range []struct {
		rows, mean string
		lines      int
	}{
		{"y[i] ~ dnorm(e[i], w[i])", "e[i] <- m + s * z[i]", 1},
		{"y[i] ~ dnorm(e[i], w[i])", "e[i] <- s * z[i] + m + c", 1},
		{"y[i] ~ dnorm(e[i], w[i])", "e[i] <- z[i] * s - 2 * m + 1", 0},
		{"y[i] ~ dnorm(e[i], pow(w[i], -2))", "e[i] <- m + m * z[i]", 1},
		{"y[i] ~ dnorm(e[i], w[i])", "e[i] <- 3 + exp(c) * z[i]", 1},
		{"y[i] ~ dnorm(e[i], w[i])", "e[i] <- m - s * z[i]", 0},
		{"y[i] ~ dnorm(e[i], w[i])", "e[i] <- m + s * z[i] + z[i]", 0},
		{"y[i] ~ dnorm(e[i], w[i])", "e[i] <- m + s * z[i] * u[i]", 0},
		{"y[i] ~ dnorm(e[i], w[i] * s)", "e[i] <- m + s * z[i]", 0},
		{"y[i] ~ dnorm(e[i], s)", "e[i] <- m + s * z[i]", 0},
		{"y[i] ~ dnorm(e[i], w[i]); v[i] ~ dnorm(e[i], 1)", "e[i] <- m + s * z[i]", 1},
	} {
		for _, n := range []int{2, 7, 8, 16, 19, 150, 1100} {
			c := columnCase{name: fmt.Sprintf("%s, %s, %d rows", tc.rows, tc.mean, n), data: sample(n, 1),
				model: fmt.Sprintf("model { m ~ dnorm(0, 0.5); c ~ dnorm(0, 1); s ~ dgamma(3, 3); for (i in 1:N) { z[i] ~ dnorm(0, 1); %s; %s } }", tc.mean, tc.rows)}
			c.check(t, 3)
			m := compileCase(t, c.model, c.data)
			if got := m.NewBlock(blockOf(m)).Wholes(); got != tc.lines {
				t.Errorf("%s: %d densities are one pass, want %d", c.name, got, tc.lines)
			}
		}
	}
}

// TestPlane does the same for means that are lines of groups.
func TestPlane(t *testing.T) {
	for _, tc := range []struct {
		mean   string
		planes int
	}{
		{"e[i] <- f[g[i]] + d[g[i]] * x[i,1]", 1},
		{"e[i] <- d[g[i]] * (x[i,1] - 3) + f[g[i]]", 1},
		{"e[i] <- f[g[i]] * x[i,2] + d[g[i]] * x[i,1]", 1},
		{"e[i] <- f[g[i]] + d[g[i]] * x[i,1] + m", 0},
		{"e[i] <- f[g[i]] + f[g[i] + G] * x[i,1]", 1},
		{"e[i] <- f[g[i]] + f[g[i] + 1] * x[i,1]", 0},
		{"e[i] <- f[g[i]] + d[G + 1 - g[i]] * x[i,1]", -1},
		{"e[i] <- f[g[i]] + d[h[i]] * x[i,1]", -1},
	} {
		for _, groups := range []int{16, 30, 33, 700} {
			n := 5 * groups
			c := columnCase{name: fmt.Sprintf("%s, %d groups", tc.mean, groups), data: sample(n, groups),
				model: fmt.Sprintf(`model { m ~ dnorm(0, 0.5); s ~ dgamma(3, 3); for (j in 1:G) { d[j] ~ dnorm(0, 1) } for (j in 1:(2*G)) { f[j] ~ dnorm(m, 1) } for (i in 1:N) { %s; y[i] ~ dnorm(e[i], s) } }`, tc.mean)}
			c.check(t, 2)
			m := compileCase(t, c.model, c.data)
			if got := m.NewBlock(blockOf(m)).Wholes(); tc.planes >= 0 && got != tc.planes {
				t.Errorf("%s: %d densities are done at once, want %d", c.name, got, tc.planes)
			}
		}
	}
}

// A category far out keeps its probability, where the difference of two that are nearly 1 has none: log(Φ(b)−Φ(a)) with a = 9 and b = 10 by the upper tails.
func TestFarCategory(t *testing.T) {
	for name, want := range map[string]float64{
		"phi":    vec.Log(vec.NormCDF(-9) - vec.NormCDF(-10)),
		"ilogit": vec.Log(vec.Ilogit(-9) - vec.Ilogit(-10)),
	} {
		m := compileCase(t, fmt.Sprintf(`model { for (i in 1:2) { y[i] ~ dcat(p[i,]); p[i,1] <- %[1]s(9 - m); p[i,2] <- %[1]s(10 - m) - %[1]s(9 - m); p[i,3] <- 1 - %[1]s(10 - m) } m ~ dnorm(0, 1) }`, name), "y <- c(2, 2)")
		cells, det, stoch := blockOf(m)
		s := m.NewState()
		s.V[cells[0]] = 0
		s.Run(det)
		e := m.NewBlock(cells, det, stoch).NewEvaluator()
		e.Prepare(s)
		got := e.ValueGradient(s) - model.HalfLog2Pi
		if want *= 2; math.Abs(got-want) > 1e-10*math.Abs(want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// repeatedLikelihoods are over a predictor of a binary covariate and an effect.
var repeatedLikelihoods = map[string]string{
	"Bernoulli logit":    "b[i] ~ dbern(p[i]); logit(p[i]) <- e[i]",
	"Bernoulli probit":   "b[i] ~ dbern(p[i]); probit(p[i]) <- e[i] / 4",
	"binomial logit":     "k[i] ~ dbin(p[i], nt[i]); logit(p[i]) <- e[i]",
	"binomial, formula":  "k[i] ~ dbin(p[i], nt[i]); cloglog(p[i]) <- e[i] / 4",
	"Poisson log":        "k[i] ~ dpois(p[i]); log(p[i]) <- e[i]",
	"Poisson, truncated": "k[i] ~ dpois(3) T(0, 9); w[i] ~ dnorm(e[i], 1)",
	"negative binomial":  "k[i] ~ dnegbin(p[i], r); p[i] <- r / (r + q[i]); log(q[i]) <- e[i]",
	"a table":            "k1[i] ~ dcat(p[i,]); p[i,1] <- 1; p[i,2] <- exp(e[i]); p[i,3] <- r; p[i,4] <- 2",
	"ordered":            "k1[i] ~ dcat(p[i,]); p[i,1] <- phi(-1 - e[i] / 4); p[i,2] <- phi(r - e[i] / 4) - phi(-1 - e[i] / 4); p[i,3] <- phi(r + 1 - e[i] / 4) - phi(r - e[i] / 4); p[i,4] <- 1 - phi(r + 1 - e[i] / 4)",
}

func repeatedCase(name string) columnCase {
	return columnCase{name: "repeated rows, " + name, model: `model { for (i in 1:N) { e[i] <- m + c * z[i] + f[h[i]]; ` + repeatedLikelihoods[name] + ` } r ~ dgamma(20, 20); m ~ dnorm(0, 1); c ~ dnorm(0, 1); for (j in 1:4) { f[j] ~ dnorm(0, 1) } }`}
}

// TestRepeatedRows compares densities whose rows repeat with those of the rows, and sees that there are few left.
func TestRepeatedRows(t *testing.T) {
	for name := range repeatedLikelihoods {
		for _, n := range []int{30, 1200} {
			tc := repeatedCase(name)
			tc.data = sample(n, 1) + "; z <- " + column(n, func(i int) float64 { return float64(i * i % 3) }) + "; k1 <- " + column(n, func(i int) float64 { return float64(1 + (i*i+i/3)%4) })
			tc.name = fmt.Sprintf("%s, %d rows", tc.name, n)
			tc.check(t, 3)
			if name == "Poisson, truncated" {
				continue
			}
			m := compileCase(t, tc.model, tc.data)
			if most := slices.Max(m.NewBlock(blockOf(m)).GroupRows()); n > 30 && most > 4*3*2*4 {
				t.Errorf("%s: a group has %d rows", tc.name, most)
			}
		}
	}
}

// TestMergedValues changes data under a block: sums of counts follow, and rows that were told apart by their values go one by one.
func TestMergedValues(t *testing.T) {
	for name := range repeatedLikelihoods {
		tc := repeatedCase(name)
		const n = 100
		tc.data = sample(n, 1) + "; z <- " + column(n, func(i int) float64 { return float64(i % 2) }) + "; k1 <- " + column(n, func(i int) float64 { return float64(1 + i%3) })
		m := compileCase(t, tc.model, tc.data)
		cells, det, stoch := blockOf(m)
		e, g := m.NewBlock(cells, det, stoch).NewEvaluator(), m.NewGradient(det, stoch)
		s := m.NewState()
		if c, msg := s.Simulate(rand.New(rand.NewPCG(1, 2))); c >= 0 {
			t.Fatal(msg)
		}
		for _, seg := range m.ObservedRows() {
			for i := seg.Lo; i < seg.Hi; i += 7 {
				agreeAt(t, tc.name, m, e, g, s, cells, det, stoch, 1e-9)
				c := m.Templates[seg.T].Cells(int(i))[0]
				if s.V[c]++; m.Templates[seg.T].Stoch.Name == "dbern" {
					s.V[c] = math.Mod(s.V[c], 2)
				}
			}
		}
	}
}

// TestPassesByDifferences compares derivatives of passes with central differences of their values.
func TestPassesByDifferences(t *testing.T) {
	data := sample(60, 5) + "; k1 <- " + column(60, func(i int) float64 { return float64(1 + (i*i+i/3)%4) })
	z := "; z <- " + column(60, func(i int) float64 { return float64(i % 2) })
	cases := []columnCase{repeatedCase("Bernoulli logit"), repeatedCase("Poisson log"), repeatedCase("negative binomial"), repeatedCase("ordered"), repeatedCase("a table")}
	for _, tc := range columnCases {
		if strings.HasPrefix(tc.name, "ordered") || strings.HasPrefix(tc.name, "negative") || strings.HasPrefix(tc.name, "softmax") || strings.HasPrefix(tc.name, "graded") {
			cases = append(cases, tc)
		}
	}
	for _, tc := range cases {
		m := compileCase(t, tc.model, data+z)
		cells, det, stoch := blockOf(m)
		e, s := m.NewBlock(cells, det, stoch).NewEvaluator(), m.NewState()
		if c, msg := s.Simulate(rand.New(rand.NewPCG(5, 6))); c >= 0 {
			t.Fatal(msg)
		}
		e.Prepare(s)
		if lp := e.ValueGradient(s); math.IsInf(lp, -1) {
			continue
		}
		slopes := make([]float64, len(cells))
		for k, c := range cells {
			slopes[k] = s.A[c]
		}
		for k, c := range cells {
			at, h := s.V[c], 1e-5
			s.V[c] = at + h
			up := e.ValueGradient(s)
			s.V[c] = at - h
			down := e.ValueGradient(s)
			s.V[c] = at
			if got := (up - down) / (2 * h); math.Abs(got-slopes[k]) > 1e-4*(1+math.Abs(got)) {
				t.Errorf("%s: the derivative by %s is %v, by differences %v", tc.name, m.CellName(c), slopes[k], got)
			}
		}
	}
}
