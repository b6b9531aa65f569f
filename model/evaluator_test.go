package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// columnCase is a program whose block of all continuous nodes is compared with the rows' own densities and derivatives.
type columnCase struct {
	name, model, data string
	fixed             []string // arrays of nodes that are left out of the block
}

func compileCase(t testing.TB, src, data string) *model.Model {
	t.Helper()
	prog, err := bugs.Parse("test.bug", src)
	if err != nil {
		t.Fatal(err)
	}
	d, err := bugs.ReadData("data.R", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	c, err := bugs.Compile(prog, d, rng.New(1, "test").Rand)
	if err != nil {
		t.Fatal(err)
	}
	return c.Model
}

// blockOf has all continuous nodes that data reach, but for those of the arrays left out.
func blockOf(m *model.Model, without ...string) (cells []int32, det, stoch []model.Seg) {
	var own []int32
	for _, row := range m.Unobserved() {
		t, i := m.TemplateOf(row)
		name, _, _ := strings.Cut(m.CellName(t.Cells(i)[0]), "[")
		if !m.Informed(row) || slices.Contains(without, name) || t.Stoch.Scalar != nil && t.Stoch.Scalar.Discrete || t.Stoch.Interval {
			continue
		}
		own = append(own, row)
		cells = append(cells, t.Cells(i)...)
	}
	around := m.Blanket(cells)
	seen := map[int32]bool{}
	for _, seg := range around.Stoch {
		for i := seg.Lo; i < seg.Hi; i++ {
			own = append(own, m.Templates[seg.T].First+i)
		}
	}
	slices.Sort(own)
	for _, row := range own {
		if seen[row] {
			continue
		}
		seen[row] = true
		next := m.Seg(row)
		if n := len(stoch); n > 0 && stoch[n-1].T == next.T && stoch[n-1].Hi == next.Lo {
			stoch[n-1].Hi = next.Hi
			continue
		}
		stoch = append(stoch, next)
	}
	return cells, around.Det, stoch
}

func near(a, b, tol float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= tol*(1+math.Abs(a)+math.Abs(b))
}

// agreeAt compares an evaluator with the rows' own functions at a state whose logical cells are up to date.
func agreeAt(t *testing.T, name string, m *model.Model, e *model.Evaluator, g *model.Gradient, s *model.State, cells []int32, det, stoch []model.Seg, tol float64) bool {
	t.Helper()
	want := s.LogProb(stoch)
	if !(math.Abs(want) < 1e15) {
		return false
	}
	g.At(s)
	slopes := make([]float64, len(cells))
	most := 0.0
	for k, c := range cells {
		slopes[k] = s.A[c]
		most = max(most, math.Abs(s.A[c]))
	}
	e.Prepare(s)
	for range 2 { // what is left of the first evaluation must not enter the second
		got := e.ValueGradient(s)
		if !near(got, want, 1e-12*float64(1+len(cells))) {
			t.Errorf("%s: the log density is %.17g, row by row %.17g", name, got, want)
			return true
		}
		for k, c := range cells {
			if !near(s.A[c], slopes[k], tol) && math.Abs(s.A[c]-slopes[k]) > 1e-13*most {
				t.Errorf("%s: the derivative by %s is %.17g, row by row %.17g", name, m.CellName(c), s.A[c], slopes[k])
			}
		}
	}
	s.Run(det)
	return true
}

func (tc *columnCase) check(t *testing.T, points int) {
	t.Helper()
	m := compileCase(t, tc.model, tc.data)
	cells, det, stoch := blockOf(m, tc.fixed...)
	if len(cells) == 0 {
		t.Fatalf("%s: the block has no nodes", tc.name)
	}
	tol := 1e-9
	if strings.Contains(tc.model, "T(") { // differences of a probability, which enlarge the rounding of its parameters by some 1e5
		tol = 1e-7
	}
	e, g := m.NewBlock(cells, det, stoch).NewEvaluator(), m.NewGradient(det, stoch)
	r := rand.New(rand.NewPCG(7, 8))
	s := m.NewState()
	compared := 0
	for range points {
		if c, msg := s.Simulate(r); c >= 0 {
			t.Fatalf("%s: %s %s", tc.name, m.CellName(c), msg)
		}
		for range 2 { // the second time with other values of the block alone
			if agreeAt(t, tc.name, m, e, g, s, cells, det, stoch, tol) {
				compared++
			}
			for _, c := range cells {
				s.V[c] *= 1 + 0.2*r.Float64()
			}
			s.Run(det)
		}
	}
	if compared < points/2 {
		t.Errorf("%s: compared at %d of %d points only", tc.name, compared, points)
	}
}

func column(n int, f func(i int) float64) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(",")
		}
		if x := f(i); math.IsNaN(x) {
			b.WriteString("NA")
		} else {
			fmt.Fprintf(&b, "%.4f", x)
		}
	}
	return "c(" + b.String() + ")"
}

// sample is data of n rows in g groups for the programs below: x is a matrix of 3 columns, g the group, h another, y normal, b 0 or 1, k counts, nt trials.
func sample(n, groups int) string {
	r := rand.New(rand.NewPCG(3, uint64(n)))
	normal := func(int) float64 { return r.NormFloat64() }
	whole := func(n int) func(int) float64 { return func(int) float64 { return float64(r.IntN(n)) } }
	return fmt.Sprintf("N <- %d; G <- %d; x <- structure(%s, .Dim=c(%d,3)); g <- %s; h <- %s; y <- %s; b <- %s; k <- %s; nt <- %s; w <- %s; u <- %s", n, groups,
		column(3*n, normal), n, column(n, func(i int) float64 { return float64(1 + i*groups/n) }), column(n, func(int) float64 { return float64(1 + r.IntN(4)) }),
		column(n, normal), column(n, whole(2)), column(n, whole(4)), column(n, func(int) float64 { return float64(4 + r.IntN(3)) }),
		column(n, func(int) float64 { return 0.5 + r.Float64() }), column(n, func(int) float64 { return 0.05 + 0.9*r.Float64() }))
}

// linearSpellings are ways to write one linear predictor.
var linearSpellings = []string{
	"e[i] <- a + c[1]*x[i,1] + c[2]*x[i,2] + c[3]*x[i,3] + f[g[i]]",
	"e[i] <- f[g[i]] + inprod(c[], x[i,]) + a",
	"e[i] <- a + inprod(x[i,], c[]) + 1 * f[g[i]]",
	"xc[i] <- x[i,] %*% c; e[i] <- xc[i] + a + f[g[i]]",
	"e[i] <- -(-a - f[g[i]]) - (0 - c[1])*x[i,1] + x[i,2]*c[2] + c[3]*x[i,3]/1",
	"p1[i] <- a + f[g[i]]; p2[i] <- sum(q[i,]); for (j in 1:3) { q[i,j] <- c[j]*x[i,j] } e[i] <- p1[i] + p2[i]",
	"e[i] <- mean(r[i,])*2; r[i,1] <- a + f[g[i]]; r[i,2] <- inprod(c[], x[i,])",
	"e[i] <- (a + f[g[i]] + inprod(c[1:2], x[i,1:2])) + x[i,3] * c[3]",
}

var columnLikelihoods = map[string]string{
	"normal":          "y[i] ~ dnorm(e[i], tau)",
	"normal, weights": "y[i] ~ dnorm(e[i], tau * w[i])",
	"normal, data":    "y[i] ~ dnorm(e[i], w[i])",
	"logit":           "b[i] ~ dbern(p[i]); logit(p[i]) <- e[i] * tau",
	"logit in place":  "b[i] ~ dbern(ilogit(e[i]))",
	"probit":          "b[i] ~ dbern(phi(e[i]))",
	"binomial":        "k[i] ~ dbin(p[i], nt[i]); logit(p[i]) <- e[i]",
	"cloglog":         "k[i] ~ dbin(p[i], nt[i]); cloglog(p[i]) <- e[i] / 4",
	"poisson":         "k[i] ~ dpois(l[i]); log(l[i]) <- e[i] + log(w[i])",
	"negbin":          "k[i] ~ dnegbin(p[i], tau); p[i] <- tau / (tau + l[i]); log(l[i]) <- e[i]",
	"gamma":           "w[i] ~ dgamma(tau, tau / exp(e[i]))",
	"beta":            "u[i] ~ dbeta(v[i] * tau, (1 - v[i]) * tau); logit(v[i]) <- e[i] / 3",
	"lognormal":       "w[i] ~ dlnorm(e[i], tau)",
	"t":               "y[i] ~ dt(e[i], tau, 4)",
	"t, k":            "y[i] ~ dt(e[i], 1, 2 + tau)",
	"logistic":        "y[i] ~ dlogis(e[i], tau)",
	"laplace":         "y[i] ~ ddexp(e[i], tau)",
	"weibull":         "w[i] ~ dweib(tau, exp(-e[i] / 2))",
	"exponential":     "w[i] ~ dexp(exp(-e[i]))",
	"truncated":       "w[i] ~ dnorm(e[i], tau) T(0, 2)",
	"ordered logit":   "k1[i] ~ dcat(or[i,]); for (j in 1:2) { logit(Q[i,j]) <- j * tau - 1 - e[i] / 2 } or[i,1] <- Q[i,1]; or[i,2] <- Q[i,2] - Q[i,1]; or[i,3] <- 1 - Q[i,2]",
	"ordered probit":  "k1[i] ~ dcat(or[i,]); for (j in 1:2) { Q[i,j] <- phi((e[i] / 4 - j * tau + 1) / w[i]) } or[i,1] <- 1 - Q[i,1]; or[i,2] <- Q[i,1] - Q[i,2]; or[i,3] <- Q[i,2]",
	"softmax":         "k1[i] ~ dcat(pr[i,]); pr[i,1] <- 1; pr[i,2] <- exp(e[i]); pr[i,3] <- tau * exp(-e[i])",
	"negbin, offset":  "k[i] ~ dnegbin(p[i], tau); p[i] <- 1 / (1 + l[i] / tau); l[i] <- w[i] * exp(e[i])",
	"negbin, sizes":   "k[i] ~ dnegbin(p[i], w[i] * tau); logit(p[i]) <- -e[i]",
	"categories":      "k1[i] ~ dcat(pr[i,]); pr[i,1] <- ilogit(e[i]); pr[i,2] <- 1 - pr[i,1]",
}

// TestColumnLikelihoods compares likelihoods over one linear predictor, written in several ways, with their rows.
func TestColumnLikelihoods(t *testing.T) {
	for _, n := range []int{1, 2, 7, 150, 700} {
		groups := min(n, 5)
		if n == 700 { // rows go by the places of groups
			groups = 60
		}
		data := sample(n, groups) + "; k1 <- " + column(n, func(i int) float64 { return float64(1 + i%2) })
		names := make([]string, 0, len(columnLikelihoods))
		for name := range columnLikelihoods {
			names = append(names, name)
		}
		slices.Sort(names)
		for j, name := range names {
			for k, spelling := range linearSpellings {
				if n != 150 && (k+j)%len(linearSpellings) != 0 {
					continue
				}
				tc := columnCase{name: fmt.Sprintf("%d rows, %s, %s", n, name, spelling), data: data,
					model: fmt.Sprintf(`model { a ~ dnorm(0, 4); for (j in 1:3) { c[j] ~ dnorm(0, 9) } s ~ dunif(0.5, 2); for (j in 1:G) { f[j] ~ dnorm(0, s) }
						tau ~ dgamma(3, 2); for (i in 1:N) { %s; %s } }`, spelling, columnLikelihoods[name])}
				tc.check(t, 2)
			}
		}
	}
}

// columnCases are shapes that the likelihoods above do not have.
var columnCases = []columnCase{
	{name: "shared by two densities", model: `model { a ~ dnorm(0, 1); d ~ dnorm(0, 1); s ~ dgamma(2, 2); for (i in 1:N) { e[i] <- a + d*x[i,1]; y[i] ~ dnorm(e[i], s); l[i] <- exp(e[i]); k[i] ~ dpois(l[i]);
		w[i] ~ dgamma(2, l[i]) } }`},
	{name: "nonlinear hierarchy", model: `model { for (j in 1:G) { a[j] <- exp(ma + sa*za[j]); d[j] <- exp(md + sd*zd[j]); za[j] ~ dnorm(0, 1); zd[j] ~ dnorm(0, 1) } ma ~ dnorm(0, 1); md ~ dnorm(-1, 1);
		sa ~ dnorm(0, 1) T(0,); sd ~ dnorm(0, 1) T(0,); sigma ~ dnorm(0, 1) T(0,); for (i in 1:N) { mu[i] <- a[g[i]] * exp(-d[g[i]] * w[i]); y[i] ~ dnorm(mu[i], 1/sigma^2) } }`},
	{name: "indices that move", fixed: []string{"z", "q"}, model: `model { for (j in 1:3) { f[j] ~ dnorm(0, 1) } for (i in 1:N) { z[i] ~ dcat(q[]); y[i] ~ dnorm(f[z[i]] + f[h1[i]], t[z[i]]); h1[i] <- min(h[i], 3) }
		for (j in 1:3) { t[j] ~ dgamma(2, 1) } q[1:3] ~ ddirch(al[]); for (j in 1:3) { al[j] <- 1 } }`},
	{name: "an index by a step", model: `model { a ~ dnorm(0, 1); f[1] ~ dnorm(0, 1); f[2] ~ dnorm(3, 1); for (i in 1:N) { y[i] ~ dnorm(f[1 + step(y0[i] - a)], 1); y0[i] <- x[i,1] } }`},
	{name: "missing values", model: `model { a ~ dnorm(0, 1); c ~ dnorm(0, 1); s ~ dgamma(3, 3); for (i in 1:N) { v[i] ~ dnorm(a + c * x[i,1], s); y[i] ~ dnorm(v[i], 2) } for (i in 1:2) { y2[i] ~ dnorm(v[i] * v[i+1], s) } }`,
		data: "v <- c(NA, 0.4, NA, 0.7, 1.1, NA); y2 <- c(0.4, NA); N <- 6"},
	{name: "a random walk", model: `model { v[1] ~ dnorm(0, 1); s ~ dgamma(3, 3); for (i in 2:N) { v[i] ~ dnorm(rho * v[i-1], s) } rho ~ dunif(-1, 1); for (i in 1:N) { y[i] ~ dnorm(v[i], 3) } }`},
	{name: "others move between steps", fixed: []string{"s", "f"}, model: `model { a ~ dnorm(0, s); c ~ dnorm(0, 1); s ~ dgamma(3, 3); for (j in 1:G) { f[j] ~ dnorm(a, s) } for (i in 1:N) { y[i] ~ dnorm(a * f[g[i]] + c * x[i,1] * s + f[g[i]], s);
		b[i] ~ dbern(ilogit(a + f[g[i]] * c + log(s))) } }`},
	{name: "branches", model: `model { a ~ dnorm(0, 1); c ~ dnorm(1, 1); s ~ dgamma(3, 3); for (i in 1:N) { e[i] <- ifelse(x[i,1] > 0, a, c * exp(a)) + max(a, c * x[i,2]) + pow(s, 1.5) + abs(c - x[i,3]) + sqrt(s) * step(a);
		y[i] ~ dnorm(e[i], s); u[i] ~ dbeta(s / w[i], w[i] + c^2) } }`},
	{name: "trials that follow", model: `model { a ~ dnorm(0, 1); for (i in 1:N) { k[i] ~ dbin(p[i], t[i]); t[i] <- 5 + round(a); p[i] <- ilogit(a + x[i,1]) } }`},
	{name: "ordered probit", model: `model { for (i in 1:N) { k1[i] ~ dcat(p[i,1:4]); e[i] <- inprod(x[i,], be[]); p[i,1] <- phi(c[1] - e[i]); for (j in 2:3) { p[i,j] <- phi(c[j] - e[i]) - phi(c[j-1] - e[i]) }
		p[i,4] <- 1 - phi(c[3] - e[i]) } for (j in 1:3) { be[j] ~ dnorm(0, 25) } c[1] ~ dnorm(0, 4); c[2] ~ dnorm(1, 4) T(c[1],); c[3] ~ dnorm(2, 4) T(c[2],) }`, data: orderedCounts},
	{name: "ordered logit, tails", model: `model { for (i in 1:N) { k1[i] ~ dcat(p[i,]); for (j in 1:3) { logit(Q[i,j]) <- e[i] - c[j] } e[i] <- inprod(x[i,], be[]) + f[g[i]]; p[i,1] <- 1 - Q[i,1]; for (j in 2:3) { p[i,j] <- Q[i,j-1] - Q[i,j] }
		p[i,4] <- Q[i,3] } for (j in 1:3) { be[j] ~ dnorm(0, 4) } for (j in 1:G) { f[j] ~ dnorm(0, 4) } c[1] ~ dnorm(0, 1); c[2] ~ dnorm(0, 1) T(c[1],); c[3] ~ dnorm(0, 1) T(c[2],) }`, data: orderedCounts},
	{name: "graded responses", model: `model { for (i in 1:N) { k1[i] ~ dcat(p[i,]); for (j in 1:3) { Q[i,j] <- ilogit(a[h[i]] * (c[h[i],j] - f[g[i]] - x[i,1])) } p[i,1] <- Q[i,1]; for (j in 2:3) { p[i,j] <- Q[i,j] - Q[i,j-1] } p[i,4] <- 1 - sum(p[i,1:3]) }
		for (k in 1:4) { a[k] ~ dlnorm(0, 4); for (j in 1:3) { c[k,j] <- d[k] + j * s } d[k] ~ dnorm(-1, 4) } s ~ dexp(2); for (j in 1:G) { f[j] ~ dnorm(0, 4) } }`, data: orderedCounts},
	{name: "repeated responses", model: `model { for (i in 1:N) { k1[i] ~ dcat(p[i,]); for (j in 1:3) { Q[i,j] <- ilogit(c[h[i],j] - f[g[i]]) } p[i,1] <- Q[i,1]; for (j in 2:3) { p[i,j] <- Q[i,j] - Q[i,j-1] } p[i,4] <- 1 - sum(p[i,1:3]) }
		for (k in 1:4) { for (j in 1:3) { c[k,j] <- d[k] + j * s } d[k] ~ dnorm(-1, 4) } s ~ dexp(2); for (j in 1:G) { f[j] ~ dnorm(0, 4) } }`, data: orderedCounts},
	{name: "ordered, one scale", model: `model { for (i in 1:N) { k1[i] ~ dcat(p[i,]); e[i] <- m * x[i,1]; for (j in 1:3) { Q[i,j] <- phi((c[j] - e[i]) / s) } p[i,1] <- Q[i,1]; for (j in 2:3) { p[i,j] <- Q[i,j] - Q[i,j-1] } p[i,4] <- 1 - p[i,1] - p[i,2] - p[i,3] }
		for (j in 1:3) { c[j] <- -1 + j * d } d ~ dgamma(4, 4); m ~ dnorm(0, 16); s ~ dgamma(80, 20) }`, data: orderedCounts},
	{name: "ordered, points out of order", model: `model { for (i in 1:N) { k1[i] ~ dcat(p[i,]); p[i,1] <- ilogit(c[1] - x[i,1]); p[i,2] <- ilogit(c[2] - x[i,1]) - ilogit(c[1] - x[i,1]); p[i,3] <- ilogit(c[3] - x[i,1]) - ilogit(c[2] - x[i,1]); p[i,4] <- 1 - ilogit(c[3] - x[i,1]) }
		for (j in 1:3) { c[j] ~ dnorm(j, 0.5) } }`, data: orderedCounts},
	{name: "softmax, divided", model: `model { for (i in 1:N) { k1[i] ~ dcat(p[i,]); for (j in 1:4) { p[i,j] <- q[i,j] / sum(q[i,]) } q[i,1] <- 1; for (j in 2:4) { log(q[i,j]) <- a[j] + be[j] * x[i,1] + f[g[i]] } }
		for (j in 2:4) { a[j] ~ dnorm(0, 1); be[j] ~ dnorm(0, 1) } for (j in 1:G) { f[j] ~ dnorm(0, 1) } }`, data: orderedCounts},
	{name: "a table with zeros", model: `model { for (i in 1:N) { k1[i] ~ dcat(p[i,]); p[i,1] <- q[1] * (h[i] > 1) + (h[i] <= 1); p[i,2] <- q[2]; p[i,3] <- q[3] + 0.2; p[i,4] <- 1 } q[1:3] ~ ddirch(al[]); for (j in 1:3) { al[j] <- 2 } }`, data: orderedCounts},
	{name: "negative binomial, dispersion", model: `model { for (i in 1:N) { k[i] ~ dnegbin(p[i], r); p[i] <- 1 / (1 + d * mu[i]); mu[i] <- w[i] * exp(m + c * x[i,1] + f[g[i]]) } r <- 1 / d; d ~ dgamma(2, 2); m ~ dnorm(0, 1); c ~ dnorm(0, 4); for (j in 1:G) { f[j] ~ dnorm(0, 4) } }`},
	{name: "negative binomial, logit", model: `model { for (i in 1:N) { k[i] ~ dnegbin(p[i], 3); logit(p[i]) <- m + c * x[i,1] } m ~ dnorm(0, 1); c ~ dnorm(0, 4) }`},
	{name: "negative binomial, sizes", model: `model { for (i in 1:N) { k[i] ~ dnegbin(p[i], r[g[i]]); p[i] <- r[g[i]] / (r[g[i]] + mu[i]); log(mu[i]) <- m + c * x[i,1] } for (j in 1:G) { r[j] ~ dgamma(3, 1) } m ~ dnorm(0, 1); c ~ dnorm(0, 4) }`},
	{name: "negative binomial, large counts", model: `model { for (i in 1:N) { kk[i] ~ dnegbin(r / (r + mu[i]), r); kk[i] <- k[i] * 1000; log(mu[i]) <- m + c * x[i,1] } r ~ dgamma(3, 1); m ~ dnorm(7, 1); c ~ dnorm(0, 4) }`},
	{name: "softmax", model: `model { for (i in 1:N) { k1[i] ~ dcat(p[i,1:4]); for (j in 1:4) { p[i,j] <- exp(a[j] + be[j] * x[i,1]) } } for (j in 1:4) { a[j] ~ dnorm(0, 1); be[j] ~ dnorm(0, 1) } }`, data: orderedCounts},
	{name: "structural zeros", model: `model { for (j in 1:3) { c[j] ~ dnorm(0, 1) } for (i in 1:N) { e[i] <- c[1] * z[i,1] + inprod(c[2:3], z[i,2:3]); z[i,1] <- x[i,1] * (i > 20); z[i,2] <- 0; z[i,3] <- x[i,3] * (i < 10);
		y[i] ~ dnorm(e[i], 1); b[i] ~ dbern(p[i]); logit(p[i]) <- e[i] } }`},
	{name: "empty groups and repeated rows", model: `model { for (j in 1:9) { f[j] ~ dnorm(m, t) } m ~ dnorm(0, 1); t ~ dgamma(2, 2); for (i in 1:N) { b[i] ~ dbern(p[i]); logit(p[i]) <- f[2 * h[i]] ; y[i] ~ dnorm(f[2 * h[i]], t) } }`},
	{name: "one mean for all", model: `model { m ~ dnorm(0, 1); t ~ dgamma(2, 2); for (i in 1:N) { y[i] ~ dnorm(m, t); b[i] ~ dbern(p); k[i] ~ dpois(l); w[i] ~ dgamma(t, t) } logit(p) <- m; log(l) <- m }`},
	{name: "a mean and its square", model: `model { m ~ dnorm(0, 1); for (i in 1:N) { e[i] <- m * x[i,1] + m * m + m / w[i] - m; y[i] ~ dnorm(e[i], 1) } }`},
	{name: "several templates", model: `model { m ~ dnorm(0, 1); c ~ dnorm(0, 1); e[1] <- m; for (i in 2:N) { e[i] <- m + c * y[i-1] } for (i in 1:N) { y[i] ~ dnorm(e[i], 2) } }`},
	{name: "every other row", model: `model { m ~ dnorm(0, 1); c ~ dnorm(0, 1); for (i in 1:75) { e[2*i] <- m + c; e[2*i-1] <- m * c * w[i] } for (i in 1:150) { y[i] ~ dnorm(e[i], 2) } }`},
	{name: "vectors and matrices", model: `model { m ~ dnorm(0, 1); be[1:3] ~ dmnorm(z[], P[,]); for (i in 1:3) { z[i] <- 0; for (j in 1:3) { P[i,j] <- equals(i, j) + 0.2 } } mu <- x %*% be; for (i in 1:N) { y[i] ~ dnorm(mu[i] + m, 2) } S <- inverse(Q);
		for (i in 1:2) { for (j in 1:2) { Q[i,j] <- equals(i, j) + exp(-m * m) / 2 } } for (i in 1:4) { w2[i,1:2] ~ dmnorm(mw[], S[,]) } mw[1] <- m; mw[2] <- m * 2 }`,
		data: "w2 <- structure(c(.1, .2, .3, .4, .5, .6, .7, .8), .Dim=c(4,2))"},
	{name: "sums over groups", model: `model { for (j in 1:G) { f[j] ~ dnorm(0, 1); c[j] <- f[j] - mean(f[]) } for (i in 1:N) { y[i] ~ dnorm(c[g[i]] + x[i,1] * sum(f[]), 2) } s <- sd(f[]); y3 ~ dnorm(s, 1) }`, data: "y3 <- 1.2"},
	{name: "bounds that move", model: `model { m ~ dunif(0, 1); t ~ dunif(m, 3); for (i in 1:G) { f[i] ~ dunif(-t, t); q[i] ~ dbeta(2, 2) T(0.1, 0.9); v[i] ~ dexp(t) T(, 4) } for (i in 1:N) { y[i] ~ dnorm(f[g[i]] + q[g[i]] - v[g[i]], 1) } }`},
	{name: "an autoregression of errors", model: `model { m ~ dnorm(0, 1); th ~ dunif(-1, 1); s ~ dgamma(2, 2); err[1] <- y[1] - m; for (i in 2:40) { nu[i] <- m + th * err[i-1]; err[i] <- y[i] - nu[i]; y[i] ~ dnorm(nu[i], s) } }`},
	{name: "densities in expressions", model: `model { m ~ dnorm(0, 1); for (i in 1:min(N, 7)) { p[i] <- ilogit(m) * dnorm(y[i], m, 1) + (1 - ilogit(m)) * dnorm(y[i], 0, 2); L[i] <- -log(p[i]) + 10; z[i] ~ dpois(L[i]) } }`, data: zeroCounts},
}

// orderedCounts stands for the counts from 1 on.
const orderedCounts = "counts"

const zeroCounts = "z <- c(0,0,0,0,0,0,0)"

// TestColumnShapes compares blocks with what their rows say, in other shapes.
func TestColumnShapes(t *testing.T) {
	for _, n := range []int{1, 5, 150, 1300, 1301} {
		groups := min(n, 6)
		if n == 1301 { // rows go by the places of groups
			groups = 60
		}
		for _, tc := range columnCases {
			if n != 150 && (strings.Contains(tc.name, "every") || strings.Contains(tc.name, "errors") || tc.data != "" && tc.name[0] == 'm') || n == 1 && tc.name == "several templates" || n == 1 && (tc.name == "a random walk" || tc.name == "sums over groups") {
				continue
			}
			base := sample(n, groups)
			if strings.Contains(tc.data, "N <-") {
				base = strings.ReplaceAll(sample(6, 2), "N <- 6", "")[1:]
			}
			c := tc
			if tc.data == orderedCounts {
				tc.data = "k1 <- " + column(n, func(i int) float64 { return float64(1 + (i*i+i/3)%4) })
			}
			c.name, c.data = fmt.Sprintf("%s, %d rows", tc.name, n), base+"; "+tc.data
			c.check(t, 4)
		}
	}
}

// TestColumnsNotFinite compares blocks with their rows where 0·∞ is 0, as in BUGS, and where a factor 0 does not make up for what is no number.
func TestColumnsNotFinite(t *testing.T) {
	const priors = "x ~ dnorm(0, 1.0E-9); z ~ dnorm(0, 1); "
	u := column(30, func(i int) float64 { return float64(i) / 20 })
	for _, tc := range []struct {
		name, model string
		x           float64
		fixed       []string
	}{
		{"step of a number", "a <- step(1 - z * exp(x)); y1 ~ dnorm(a, 1)", 800, nil},
		{"step of a number, the factor stands still", "a <- step(1 - z * exp(x)); y1 ~ dnorm(a, 1)", 800, []string{"z"}},
		{"step of columns", "for (i in 1:30) { a[i] <- step(1 - z * exp(x + i)); u[i] ~ dnorm(a[i], 1) }", 800, nil},
		{"step of columns, the factor stands still", "for (i in 1:30) { a[i] <- step(1 - z * exp(x + i)); u[i] ~ dnorm(a[i], 1) }", 800, []string{"z"}},
		{"comparison", "for (i in 1:30) { a[i] <- ifelse(1 > z * exp(x + i), 2, 1); u[i] ~ dnorm(a[i], 1) }", 800, nil},
		{"vector", "mu[1] <- z * exp(x); mu[2] <- x / 1000; for (i in 1:2) { for (j in 1:2) { P[i,j] <- equals(i, j) } } u[1:2] ~ dmnorm(mu[], P[,])", 800, nil},
		{"no number times 0", "for (i in 1:30) { u[i] ~ dnorm(z + 0 * log(x - i), 1) }", -2, nil},
		{"no number times 0, once", "y1 ~ dnorm(sum(z, 0 * log(x)), 1)", -2, nil},
		{"no number of its own times 0", "l <- log(x); for (i in 1:30) { u[i] ~ dnorm(z + 0 * l, 1); y[i] ~ dnorm(0 * l, 1) }", -2, nil},
		{"no number minus itself", "for (i in 1:30) { u[i] ~ dnorm(z + log(x - i) - log(x - i), 1) }", -2, nil},
		{"no number that is not chosen", "for (i in 1:30) { a[i] <- ifelse(x > 0, log(x), z); u[i] ~ dnorm(a[i], 1) }", -2, nil},
	} {
		m := compileCase(t, "model { "+priors+tc.model+" }", "y1 <- 0.3; u <- "+u+"; y <- "+u)
		cells, det, stoch := blockOf(m, tc.fixed...)
		e, g := m.NewBlock(cells, det, stoch).NewEvaluator(), m.NewGradient(det, stoch)
		s := m.NewState()
		if c, msg := s.Simulate(rand.New(rand.NewPCG(7, 8))); c >= 0 {
			t.Fatalf("%s: %s %s", tc.name, m.CellName(c), msg)
		}
		for c := range s.V {
			switch m.CellName(int32(c)) {
			case "x":
				s.V[c] = tc.x
			case "z":
				s.V[c] = 0
			}
		}
		s.RunAllLive()
		if agreeAt(t, tc.name, m, e, g, s, cells, det, stoch, 1e-9) {
			continue
		}
		e.Prepare(s)
		if got := e.ValueGradient(s); got != s.LogProb(stoch) {
			t.Errorf("%s: the log density is %v, row by row %v", tc.name, got, s.LogProb(stoch))
		}
	}
}

// TestGradientModels compares the models of the benchmark.
func TestGradientModels(t *testing.T) {
	for _, tc := range gradientModels() {
		tc.check(t, 3)
	}
}
