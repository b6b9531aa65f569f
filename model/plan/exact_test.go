package plan_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// exactCase is a small model whose posterior means are known.
type exactCase struct {
	name, model, data string
	over              string // node=kernel, or array=kernel, or none
	want              []exactMean
}

type exactMean struct {
	node string
	mean float64
}

// exactCases say in what assumption about its neighbours a kernel was wrong, and where each
// number comes from.
func exactCases() []exactCase {
	return []exactCase{
		{"simplex-slice keeps the sum at 1",
			`model { p[1:3] ~ ddirch(al[]); y ~ dnorm(p[1], 1.0E-4) }`, `al <- c(.3,.3,.3); y <- 0.5`, "",
			[]exactMean{{"p[1]", 1. / 3}, {"p[2]", 1. / 3}, {"p[3]", 1. / 3}}}, // the datum moves them by less than 1e-5
		{"simplex-slice, what elements leave of 1",
			`model { p[1:3] ~ ddirch(al[]); q <- 1 - p[1] - p[2]; y ~ dbern(q) }`, `al <- c(.3,.3,.02); y <- 0`, "",
			// y = 0 weighs with p1 + p2: half Dirichlet(1.3, .3, .02), half Dirichlet(.3, 1.3, .02).
			[]exactMean{{"p[1]", 0.8 / 1.62}, {"p[2]", 0.8 / 1.62}, {"p[3]", 0.02 / 1.62}}},
		{"simplex-slice far out",
			`model { p[1:3] ~ ddirch(al[]); y ~ dnorm(0 * p[2], 1); l <- log(p[1]) }`, `al <- c(.02,1,1); y <- 0`, "",
			[]exactMean{{"l", -50.980392156862745}}}, // ψ(.02) − ψ(2.02)
		{"simplex-slice with a structural zero",
			`model { p[1:3] ~ ddirch(al[]); y ~ dnorm(0 * p[2], 1); s <- p[2] * p[2] }`, `al <- c(0,1,2); y <- 0`, "",
			[]exactMean{{"p[1]", 0}, {"p[2]", 1. / 3}, {"s", 1. / 6}}}, // moments of Beta(1, 2)
		{"collapsed, children that share a child",
			`model { a ~ dunif(.1,10); l1 ~ dgamma(a,1); l2 ~ dgamma(a,1); y ~ dpois(l1*l2) }`, `y <- 0`, "",
			[]exactMean{{"a", 0.996593}}}, // ∫ a U(a,1,1) da / ∫ U(a,1,1) da over (.1, 10), U Tricomi's function; mpmath
		{"collapsed, a child with a sampler of its own",
			`model { a ~ dunif(.1,10); l1 ~ dgamma(a,1); l2 ~ dgamma(a,1); y ~ dpois(l1*l2) }`, `y <- 0`, "l1=slice",
			[]exactMean{{"a", 0.996593}}},
		{"collapsed, the node bounds its child",
			`model { m ~ dunif(0,1); p ~ dbeta(2,2) T(m,); y ~ dbin(p,5) }`, `y <- 1`, "",
			[]exactMean{{"m", 0.2379118}}}, // ∝ P(p > m | Beta(3,6)) / P(p > m | Beta(2,2)); Simpson's rule
		{"collapsed, children far out in their truncated posterior",
			`model { a ~ dgamma(2,1); for (i in 1:2) { p[i] ~ dbeta(a,1) T(,0.1); y[i] ~ dbin(p[i],n) } }`, `y <- c(2.9e12,2.8e12); n <- 3e12`, "",
			[]exactMean{{"a", 4}}}, // p is at 0.1, where the truncated prior is 10 a: Gamma(2 + 2, 1)
		{"block-glm, precision of a Student follows the predictor",
			`model { a ~ dnorm(2,1); b ~ dnorm(0,4); for (i in 1:4) { m[i] <- a+b*x[i]; tau[i] <- 4/pow(m[i],2); y[i] ~ dt(m[i],tau[i],4) } }`,
			`x <- c(-1,0,1,2); y <- c(1,2.2,1.3,4.5)`, "",
			[]exactMean{{"a", 1.947020}, {"b", 0.460323}}}, // midpoint rule, 1500² points
		{"block-glm, trials follow the predictor",
			`model { a ~ dnorm(0,1); b ~ dnorm(0,1); for (i in 1:2) { m[i] <- a+b*x[i]; logit(p[i]) <- m[i]; n[i] <- 3 + 2*step(m[i]); y[i] ~ dbin(p[i],n[i]) } }`,
			`x <- c(-1,1); y <- c(1,3)`, "",
			[]exactMean{{"a", -0.0984038}, {"b", 0.7104830}}}, // m[1], m[2] independent N(0, 2): midpoint rule for each
		{"conjugate-normal, a curved cell beside a straight one",
			`model { b ~ dnorm(0,1); m[1:2] <- c(b, b*b); y ~ dnorm(m[1],1); pred ~ dnorm(m[2],100) }`, `y <- 1`, "",
			[]exactMean{{"b", 0.5}, {"m[2]", 0.75}, {"pred", 0.75}}}, // b ~ N(½, ½)
		{"conjugate-normal, a slope that moves beside one that does not",
			`model { b ~ dnorm(0,1); s ~ dnorm(3,1); m[1:2] <- c(b, s*b); y ~ dnorm(m[1],1); z ~ dnorm(s,1); pred ~ dnorm(m[2],100) }`, `y <- 1; z <- 3`, "b=conjugate-normal",
			[]exactMean{{"b", 0.5}, {"m[2]", 1.5}, {"pred", 1.5}}},
		{"conjugate-dirichlet, a child that reads a column",
			`model { for (k in 1:2) { x[k,1:2] ~ ddirch(a[]) } z ~ dcat(q[]); y ~ dcat(x[,z]) }`, `a <- c(1,1); q <- c(.9,.1); y <- 1`, "",
			[]exactMean{{"x[1,1]", 0.572690}, {"z", 1.1}}}, // midpoint rule, 2000² points
		{"conjugate-dirichlet, an index that follows the node",
			`model { for (k in 1:2) { x[k,1:2] ~ ddirch(a[]) } z <- 1 + step(x[1,1] - 0.5); y ~ dcat(x[z,]) }`, `a <- c(1,1); y <- 1`, "",
			[]exactMean{{"x[1,1]", (1./24 + 0.5*0.375) / 0.375}}}, // likelihood x where x < ½, else ½ on average
		{"a structural zero that follows a node",
			`model { z ~ dbern(0.5); al[1] <- 1; al[2] <- 1; al[3] <- z * w; w ~ dbern(0.5); p[1:3] ~ ddirch(al[]) }`, `p <- c(.3,.7,0)`, "",
			[]exactMean{{"z", 1. / 3}, {"w", 1. / 3}}}, // p[3] is 0 with probability 1 where al[3] is, with 0 elsewhere: not both are 1
		{"enumerate on a fractional lower bound",
			`model { n ~ dbin(0.4,6) T(0.5,); y ~ dnorm(n,1) }`, `y <- 0`, "",
			[]exactMean{{"n", 1.3054004}}}, // sum over 1:6
		{"enumerate on fractional bounds",
			`model { n ~ dbin(0.4,6) T(0.5,2.7); y ~ dnorm(n,1) }`, `y <- 0`, "",
			[]exactMean{{"n", 1.2710752}}}, // sum over 1:2
		{"nuts, Dirichlet with a structural zero",
			`model { p[1:4] ~ ddirch(al[]); y ~ dcat(p[]); w[1:4] ~ dmulti(p[], 3) }`, `al <- c(.3,0,1,.7); y <- 1; w <- c(1,0,2,0)`, "p=nuts",
			[]exactMean{{"p[1]", 2.3 / 6}, {"p[2]", 0}, {"p[3]", 3. / 6}, {"p[4]", 0.7 / 6}}}, // Dirichlet(2.3, 0, 3, .7)
		{"nuts, Wishart",
			`model { X[1:2,1:2] ~ dwish(R[,],4); for (i in 1:3) { y[i,1:2] ~ dmnorm(m[],X[,]) } }`,
			`R <- structure(c(2,.5,.5,1), .Dim=c(2,2)); m <- c(0,0); y <- structure(c(1,-1,2,0,1,1), .Dim=c(3,2))`, "X=nuts",
			[]exactMean{{"X[1,1]", 7 * 3 / 21.75}, {"X[1,2]", -7 * 1.5 / 21.75}, {"X[2,2]", 7 * 8 / 21.75}}}, // Wishart of R + Σ y yᵀ = [8 1.5; 1.5 3] and 7
		{"nuts, ordered nodes",
			`model { x[1] ~ dexp(1); for (k in 2:3) { x[k] ~ dexp(1) T(x[k-1],) } y ~ dexp(x[3]) }`, `y <- 1`, "x=nuts",
			[]exactMean{{"x[1]", 2. / 3}, {"x[2]", 4. / 3}, {"x[3]", 2}}}, // x[3] is Gamma(3, 1) before y, and x[1], x[2] are uniform below it
		{"nuts, data above which the node lies",
			`model { b ~ dpar(2,1); for (i in 1:3) { y[i] ~ dunif(0,b) } }`, `y <- c(1,3,2)`, "b=nuts",
			[]exactMean{{"b", 3.75}}}, // Pareto(2 + 3, 3)
		{"nuts, a cut point",
			`model { x[1] ~ dunif(0,1); for (i in 2:4) { x[i] ~ dunif(0,1); y[i] ~ dinterval(x[i],x[1]) } }`, `y <- c(NA,0,1,1)`, "x=nuts",
			[]exactMean{{"x[1]", 0.4}, {"x[2]", 0.2}, {"x[3]", 0.7}}}, // Beta(2, 3); half of it; (1 + it)/2
		{"block-volatility, a zero and a number near it among the data",
			`model { a[1] ~ dnorm(0,1); for (i in 2:4) { a[i] ~ dnorm(0.8*a[i-1],2) } for (i in 1:4) { y[i] ~ dnorm(0,exp(-a[i])) } }`, `y <- c(0,1e-14,1.3,0.2)`, "a=block-volatility",
			[]exactMean{{"a[1]", -0.6087654}, {"a[2]", -0.5549907}, {"a[3]", -0.2164655}, {"a[4]", -0.4012168}}}, // sums over 4001 points, forwards and backwards
		{"block-volatility, Student children with outliers",
			`model { a[1] ~ dnorm(0,1); for (i in 2:4) { a[i] ~ dnorm(0.8*a[i-1],2) } for (i in 1:4) { y[i] ~ dt(0,exp(-a[i]),3) } }`, `y <- c(0,8,1.3,-20)`, "a=block-volatility",
			[]exactMean{{"a[1]", 0.8845800}, {"a[2]", 1.5730265}, {"a[3]", 1.6715665}, {"a[4]", 2.0123410}}}, // sums over 4001 points, forwards and backwards
		{"truncated-mnormal",
			`model { for (i in 1:2) { x[i,1:2] ~ dmnorm(m[],O[,]); for (k in 1:2) { y[i,k] ~ dinterval(x[i,k],0) } } v <- x[1,1] * x[1,2] }`,
			`m <- c(0,0); O <- structure(c(1.3333333333333333,-0.6666666666666667,-0.6666666666666667,1.3333333333333333), .Dim=c(2,2)); y <- structure(c(1,1,1,0), .Dim=c(2,2))`, "",
			[]exactMean{{"x[1,1]", 0.8976201}, {"x[1,2]", 0.8976201}, {"x[2,1]", 0.5984134}, {"x[2,2]", -0.5984134}, {"v", 0.9134967}}}, // v: (√(1−ρ²) + ρ(π/2 + asin ρ)) / (2π P); x: (1 + ρs) / (√(8π) P), s the product of the signs, P = ¼ + s asin(ρ)/2π, ρ = ½ (Tallis 1961)
		{"slice on fractional bounds",
			`model { n ~ dbin(0.4,6) T(0.5,2.7); y ~ dnorm(n,1) }`, `y <- 0`, "n=slice",
			[]exactMean{{"n", 1.2710752}}},
	}
}

// TestPosteriorMeansAreExact samples each model and compares with the exact means. A mean is
// off by 5.7 of its Monte Carlo errors with probability 1.2e-8; of the comparisons here one in
// a million runs of the test would fail by chance.
func TestPosteriorMeansAreExact(t *testing.T) {
	set := mcmc.Settings{Seed: 1, Chains: 4, Warmup: 1000, Draws: 20000}
	if testing.Short() {
		set.Draws = 5000
	}
	for _, tc := range exactCases() {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			compareMeans(t, tc, set)
		})
	}
}

func compareMeans(t *testing.T, tc exactCase, set mcmc.Settings) {
	c := compileText(t, tc.model, tc.data)
	var over []*plan.Override
	if node, kernel, ok := strings.Cut(tc.over, "="); ok {
		over = append(over, &plan.Override{Pattern: node, Kernel: kernel, Match: func(s string) bool { return s == node || strings.HasPrefix(s, node+"[") }})
	}
	p, err := plan.New(c.Model, over)
	if err != nil {
		t.Fatal(err)
	}
	var monitors []model.Monitor
	for _, w := range tc.want {
		m, err := c.Monitors([]string{w.node})
		if err != nil {
			t.Fatal(err)
		}
		m[0].Name = w.node
		monitors = append(monitors, m...)
	}
	job := &plan.Job{Plan: p, Monitors: monitors}
	rec, err := mcmc.NewMemory(job.Variables(), set)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mcmc.Run(context.Background(), job, set, rec, nil); err != nil {
		t.Fatal(err)
	}
	for i, w := range tc.want {
		chains := rec.Draws().Element(i)
		mean, n := 0.0, 0
		for _, x := range chains {
			for _, v := range x {
				mean += v
				n++
			}
		}
		mean /= float64(n)
		se := diag.MCSEMean(chains)
		t.Logf("%s: %.6f ± %.6f, exact %.6f", w.node, mean, se, w.mean)
		if off := math.Abs(mean - w.mean); !(off <= 5.7*se) && off > 1e-12 {
			t.Errorf("%s has mean %.6f with a Monte Carlo error of %.2g; %.6f is right", w.node, mean, se, w.mean)
		}
		if n := diag.ESSMean(chains); n < 100 { // a chain that hardly moves has an error in which everything hides
			t.Errorf("%s has %.0f effective draws", w.node, n)
		}
	}
}
