package plan_test

import (
	"math"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// Every kernel is judged by the exact form of Geweke's joint-distribution test
// (2004): draw parameters from the prior and data from the likelihood, take a
// few steps of the kernel given those data, and the parameters must still have
// the prior's distribution, jointly with the data. Replicates are independent,
// so a two-sample Kolmogorov–Smirnov test between fresh draws and moved ones is
// exact: no autocorrelation enters.
//
// ksLimit is the two-sample statistic's bound at a false-alarm rate of 10⁻⁸ for
// each comparison, c(α)·√(2/n) with c(α) = √(−ln(α/2)/2) = 3.09 (Smirnov 1948):
// the few hundred comparisons of this file alarm falsely in fewer than one run
// in 10⁵ seeds, and the seeds are fixed.
func ksLimit(n int) float64 { return 3.09 * math.Sqrt(2/float64(n)) }

func ks(a, b []float64) float64 {
	sort.Float64s(a)
	sort.Float64s(b)
	d := 0.0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x := min(a[i], b[j])
		for i < len(a) && a[i] == x {
			i++
		}
		for j < len(b) && b[j] == x {
			j++
		}
		d = max(d, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	return d
}

type conformance struct {
	name, model, data string
	kernel            string // that some node must get
	force             string // or that is asked for, for all nodes named x…
}

func cases() []conformance {
	return []conformance{
		{"normal mean", `model { x ~ dnorm(1, 0.5); for (i in 1:3) { m[i] <- 2 - x * a[i]; y[i] ~ dnorm(m[i], t) } }`, `a <- c(1,-2,0.5); t <- 2; y <- c(0,0,0)`, "conjugate-normal", ""},
		{"normal, varying slope", `model { x ~ dnorm(0, 1); b ~ dnorm(1, 2); for (i in 1:2) { y[i] ~ dnorm(b * x + i, 3) } }`, `y <- c(0,0)`, "conjugate-normal", ""},
		{"normal, lognormal child, truncated", `model { x ~ dnorm(0, 1) T(-0.5, 2); y ~ dlnorm(x / 2, 4) }`, `y <- 1`, "conjugate-normal", ""},
		{"normal, dmnorm child", `model { x ~ dnorm(0, 1); m[1] <- x; m[2] <- 1 - 2 * x; y[1:2] ~ dmnorm(m[], O[,]) }`, `O <- structure(c(2,0.5,0.5,1), .Dim=c(2,2)); y <- c(0,0)`, "conjugate-normal", ""},
		{"normal, mixture index", `model { for (k in 1:2) { x[k] ~ dnorm(k, 1) } z ~ dcat(p[]); y ~ dnorm(x[z], 2) }`, `p <- c(0.3,0.7); y <- 0`, "conjugate-normal", "conjugate-normal"},
		{"normal, censored", `model { x ~ dnorm(0, 1); c ~ dinterval(x, k[]); y ~ dnorm(x, 1) }`, `k <- c(-0.3, 0.8); c <- 1; y <- 0`, "conjugate-normal", ""},
		{"gamma precision", `model { x ~ dgamma(3, 2); for (i in 1:3) { y[i] ~ dnorm(0, x * a[i]) } }`, `a <- c(1,2,0.5); y <- c(0,0,0)`, "conjugate-gamma", ""},
		{"gamma rates", `model { x ~ dgamma(2, 1); u ~ dpois(3 * x); v ~ dexp(x / 2); w ~ dgamma(1.5, x); q ~ dweib(1.3, x); d ~ ddexp(0, x); l ~ dlnorm(0, x) }`, `u <- 1; v <- 1; w <- 1; q <- 1; d <- 1; l <- 1`, "conjugate-gamma", ""},
		{"gamma, truncated", `model { x ~ dgamma(2, 1) T(0.5, 3); y ~ dpois(x) }`, `y <- 1`, "conjugate-gamma", ""},
		{"exponential and chi-squared", `model { x ~ dexp(2); z ~ dchisqr(3); y ~ dpois(x); w ~ dexp(z) }`, `y <- 1; w <- 1`, "conjugate-gamma", ""},
		{"gamma, mixture index", `model { for (k in 1:2) { x[k] ~ dgamma(2, k) } z ~ dcat(p[]); y ~ dpois(x[z]) }`, `p <- c(0.3,0.7); y <- 1`, "conjugate-gamma", ""},
		{"gamma as Pareto shape", `model { x ~ dgamma(3, 2); y ~ dpar(x, 1.5) }`, `y <- 2`, "conjugate-gamma", ""},
		{"beta", `model { x ~ dbeta(2, 3); y ~ dbin(x, 5); z ~ dbern(1 - x); w ~ dnegbin(x, 2) }`, `y <- 1; z <- 1; w <- 1`, "conjugate-beta", ""},
		{"beta, truncated", `model { x ~ dbeta(2, 3) T(0.2, 0.6); y ~ dbin(x, 5) }`, `y <- 1`, "conjugate-beta", ""},
		{"beta times indicator", `model { x ~ dunif(0, 1); f ~ dunif(0, 1); z ~ dbern(0.6); y ~ dbern(z * x); w ~ dbern(z * x + (1 - z) * f) }`, `y <- 1; w <- 1`, "conjugate-beta", ""},
		{"beta, fallback", `model { x ~ dunif(0, 1); q ~ dunif(0, 1); y ~ dbin(q * x, 3) }`, `y <- 1`, "", ""},
		{"beta, mixture index", `model { for (k in 1:2) { x[k] ~ dbeta(1, k) } z ~ dbern(0.4); y ~ dbin(x[z + 1], 4) }`, `y <- 1`, "conjugate-beta", ""},
		{"Dirichlet", `model { x[1:3] ~ ddirch(a[]); y ~ dcat(x[]); w[1:3] ~ dmulti(x[], 4) }`, `a <- c(1,2,0.5); y <- 1; w <- c(1,2,1)`, "conjugate-dirichlet", ""},
		{"Dirichlet, picked", `model { for (k in 1:2) { x[k,1:2] ~ ddirch(a[]) } z ~ dcat(p[]); y ~ dcat(x[z,]) }`, `a <- c(1,2); p <- c(0.5,0.5); y <- 1`, "conjugate-dirichlet", ""},
		{"multivariate normal", `model { x[1:2] ~ dmnorm(m[], O[,]); y ~ dnorm(x[1] - 2 * x[2], 1); w[1:2] ~ dmnorm(x[], O[,]) }`, `m <- c(0,1); O <- structure(c(2,0.5,0.5,1), .Dim=c(2,2)); y <- 0; w <- c(0,0)`, "conjugate-mnormal", ""},
		{"Wishart", `model { x[1:2,1:2] ~ dwish(R[,], 4); for (i in 1:2) { y[i,1:2] ~ dmnorm(m[], x[,]) } }`, `m <- c(0,1); R <- structure(c(2,0.5,0.5,1), .Dim=c(2,2)); y <- structure(c(0,0,0,0), .Dim=c(2,2))`, "conjugate-wishart", ""},
		{"finite", `model { x ~ dcat(p[]); b ~ dbern(0.3); n ~ dbin(0.4, 6); y ~ dnorm(x + 2 * b - n, 1) }`, `p <- c(1,2,3); y <- 0`, "enumerate", ""},
		{"count by slice", `model { x ~ dpois(4); y ~ dbin(0.3, x) }`, `y <- 0`, "slice", ""},
		{"adaptive, bounded", `model { x ~ dunif(-1, 2); y ~ dpois(exp(x)) }`, `y <- 1`, "", ""},
		{"adaptive, heavy tail", `model { x ~ dt(0, 1, 2); y ~ dnorm(x, 1) }`, `y <- 1`, "", ""},
		{"slice for a conjugate node", `model { x ~ dnorm(1, 0.5); y ~ dnorm(x, 2) }`, `y <- 1`, "slice", "slice"},
		{"elliptical", `model { x[1:2] ~ dmnorm(m[], O[,]); y ~ dpois(exp(x[1] + x[2])) }`, `m <- c(0,1); O <- structure(c(2,0.5,0.5,1), .Dim=c(2,2)); y <- 1`, "elliptical-slice", ""},
		{"simplex", `model { x[1:3] ~ ddirch(a[]); y ~ dnorm(x[1] * x[2], 30) }`, `a <- c(1,2,1.5); y <- 0`, "simplex-slice", ""},
		{"block, normal", `model { a ~ dnorm(0, 1); b ~ dnorm(a, 2); for (i in 1:3) { m[i] <- a + b * x[i]; y[i] ~ dnorm(m[i], 2) } }`, `x <- c(-1,0.5,2); y <- c(0,0,0)`, "block-normal", ""},
		{"block, varying slopes", `model { s ~ dunif(0.5, 2); a ~ dnorm(0, 1); for (i in 1:3) { b[i] ~ dnorm(0, 1); y[i] ~ dnorm(a + s * b[i], 3) } }`, `y <- c(0,0,0)`, "block-normal", ""},
		{"block, random walk", `model { t ~ dgamma(4, 2); x[1] ~ dnorm(0, 1); for (i in 2:5) { x[i] ~ dnorm(x[i-1], t) } for (i in 1:5) { y[i] ~ dnorm(2 * x[i], 1) } }`, `y <- c(0,0,0,0,0)`, "block-normal", ""},
		{"block, logistic", `model { a ~ dnorm(0, 1); b ~ dnorm(0, 1); for (i in 1:3) { logit(p[i]) <- a + b * x[i]; y[i] ~ dbin(p[i], 5) } }`, `x <- c(-1,0.5,2); y <- c(0,0,0)`, "block-glm", ""},
		{"block, Poisson with effects", `model { t ~ dgamma(4, 2); a ~ dnorm(0, 1); for (i in 1:3) { b[i] ~ dnorm(0, t); log(l[i]) <- a + b[i]; y[i] ~ dpois(l[i]) } }`, `y <- c(0,0,0)`, "block-glm", ""},
		{"block, Student", `model { a ~ dnorm(0, 1); b ~ dnorm(0, 1); for (i in 1:3) { y[i] ~ dt(a + b * x[i], 2, 3) } }`, `x <- c(-1,0.5,2); y <- c(0,0,0)`, "block-glm", ""},
		{"block, by differences", `model { a ~ dnorm(0, 1); b ~ dnorm(0, 1); for (i in 1:3) { cloglog(p[i]) <- a + b * x[i]; y[i] ~ dbin(p[i], 5); z[i] ~ dgamma(2, exp(a - b)) } }`, `x <- c(-1,0.5,2); y <- c(0,0,0); z <- c(1,1,1)`, "block-glm", ""},
		{"joint, normal block", `model { t ~ dgamma(4, 2); m ~ dnorm(0, 1); for (i in 1:3) { x[i] ~ dnorm(m, t); y[i] ~ dnorm(x[i], 2) } }`, `y <- c(0,0,0)`, "joint-with-block", ""},
		{"joint, sd of a Poisson block", `model { s ~ dunif(0.2, 2); a ~ dnorm(0, 1); for (i in 1:3) { b[i] ~ dnorm(0, 1 / s^2); log(l[i]) <- a + b[i]; y[i] ~ dpois(l[i]) } }`, `y <- c(0,0,0)`, "joint-with-block", ""},
		{"joint, change point", `model { c ~ dunif(0, 4); a ~ dnorm(0, 1); b ~ dnorm(0, 1); for (i in 1:4) { y[i] ~ dnorm(a + b * step(i - c) * (i - c), 2) } }`, `y <- c(0,0,0,0)`, "joint-with-block", ""},
		{"collapsed beta", `model { m ~ dunif(0, 1); k ~ dgamma(3, 1); for (i in 1:3) { p[i] ~ dbeta(m * k, (1 - m) * k); y[i] ~ dbin(p[i], 5) } }`, `y <- c(1,1,1)`, "collapsed", ""},
		{"collapsed truncated beta", `model { m ~ dunif(0, 1); for (i in 1:3) { p[i] ~ dbeta(2 * m, 2 - 2 * m) T(, 0.9); y[i] ~ dbin(p[i], 5) } }`, `y <- c(1,1,1)`, "collapsed", ""},
		{"collapsed gamma", `model { a ~ dexp(1); b ~ dgamma(2, 1); for (i in 1:3) { th[i] ~ dgamma(a, b); y[i] ~ dpois(2 * th[i]) } }`, `y <- c(1,1,1)`, "collapsed", ""},
		{"hierarchy", `model { mu ~ dnorm(0, 1); tau ~ dgamma(3, 2); for (i in 1:3) { x[i] ~ dnorm(mu, tau); y[i] ~ dbin(ilogit(x[i]), 4) } }`, `y <- c(1,1,1)`, "block-glm", ""},
	}
}

// overrides asks for a kernel where the case forces one.
func (tc *conformance) overrides() []*plan.Override {
	if tc.force == "" {
		return nil
	}
	return []*plan.Override{{Pattern: "x", Kernel: tc.force, Match: func(s string) bool { return s[0] == 'x' }}}
}

func compileText(t testing.TB, src, data string) *bugs.Compiled {
	t.Helper()
	prog, err := bugs.Parse("test.bug", src)
	if err != nil {
		t.Fatal(err)
	}
	d, err := bugs.ReadData("data.R", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	c, err := bugs.Compile(prog, d, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestKernelsKeepTheJointDistribution(t *testing.T) {
	n := 20000
	if testing.Short() {
		n = 4000
	}
	for k, tc := range cases() {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			conform(t, tc, n, uint64(k))
		})
	}
}

func conform(t *testing.T, tc conformance, n int, seed uint64) {
	c := compileText(t, tc.model, tc.data)
	p, err := plan.New(c.Model, tc.overrides())
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, it := range p.Items {
		found = found || it.Kernel == tc.kernel || tc.kernel == ""
	}
	if !found {
		t.Fatalf("no node got the kernel %s: %+v", tc.kernel, p.Items)
	}
	total := 400
	if strings.HasPrefix(tc.name, "joint") {
		total = 1700
	}
	fresh, moved := judge(t, c.Model, p, n, seed, total)
	for name, a := range fresh {
		if d := ks(a, moved[name]); d > ksLimit(n) {
			t.Errorf("%s: after the kernel the distribution is off by %.4f, more than %.4f", name, d, ksLimit(n))
		}
	}
}

// judge returns independent draws of every unobserved element, and of its
// product with each datum, before and after a few steps.
func judge(t *testing.T, m *model.Model, p *plan.Plan, n int, seed uint64, total int) (fresh, moved map[string][]float64) {
	r := rand.New(rand.NewPCG(seed, 17))
	fresh, moved = map[string][]float64{}, map[string][]float64{}
	see := func(s *model.State, to map[string][]float64) {
		for c, k := range m.Kinds {
			if k != model.Unobserved {
				continue
			}
			x := s.V[c]
			name := m.CellName(int32(c))
			to[name] = append(to[name], x)
			for d, k := range m.Kinds {
				if k == model.Observed {
					to[name+"·"+m.CellName(int32(d))] = append(to[name+"·"+m.CellName(int32(d))], x*s.V[d])
				}
			}
		}
	}
	s := m.NewState()
	w := p.Sweep()
	prior := func() {
		if cell, msg := s.SimulateAll(r); cell >= 0 {
			t.Fatal(m.CellName(cell), msg)
		}
	}
	// A joint move is switched off where the node moves well without it, as it
	// does here: with warm-up cut short in its first quarter it stays on.
	for i := range 400 {
		prior()
		w.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: total})
	}
	w.Freeze()
	for range n {
		prior()
		see(s, fresh)
		prior()
		for range 3 {
			w.Step(s, r)
		}
		see(s, moved)
	}
	return fresh, moved
}
