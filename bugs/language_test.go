package bugs_test

import (
	"context"
	"flag"
	"math"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// The language, entry by entry: JAGS 4.3, its modules, and what OpenBUGS and NIMBLE add.
// Tables of cases: values and densities (functions_test.go), distributions, statements, alike and
// sampled; testdata/language.txt says which covers what (entries_test.go). With -soak N what JAGS has
// too is compared with the jags of this machine, N thousand draws of each (jags_test.go).
var soak = flag.Int("soak", 0, "thousands of draws in the comparison of the language with jags")

func compileProgram(t *testing.T, program, data string) *bugs.Compiled {
	t.Helper()
	p, err := bugs.Parse("m.bug", program)
	if err != nil {
		t.Fatal(err)
	}
	d, err := bugs.ReadData("d.R", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	c, err := bugs.Compile(p, d, rng.New(1, "data").Rand)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Expressions have the values that their definitions give.
func TestLanguageValues(t *testing.T) {
	for expr, want := range values {
		checkValue(t, expr, want, 1e-12)
	}
}

// checkValue holds the elements of an expression to numbers.
func checkValue(t *testing.T, expr string, want []float64, allowed float64) {
	t.Helper()
	got := valueOf(t, expr)
	if len(got) != len(want) {
		t.Errorf("%s = %v, not %v", expr, got, want)
		return
	}
	for k := range want {
		if math.Abs(got[k]-want[k]) > allowed*(1+math.Abs(want[k])) {
			t.Errorf("%s = %v, not %v", expr, got, want)
		}
	}
}

func valueOf(t *testing.T, expr string) []float64 {
	t.Helper()
	c := compileProgram(t, "model { r <- "+expr+"\ny ~ dnorm(0, 1) }", vectors)
	a, _ := c.Model.Array("r")
	return c.Model.NewState().V[a.Base : int(a.Base)+a.Size]
}

const alikeData = "y <- 1.3; k <- 2; m <- c(0.5, -1); S <- structure(c(2, 0.5, 0.5, 1), .Dim = c(2, 2)); cut <- c(-1, 0.5, 2); ns <- 2; adj <- c(2, 1, 3, 2)"

// alike are statements that say the same.
var alike = []struct{ name, program, same, data string }{
	{"sd", "x ~ dnorm(0, sd = 2)", "x ~ dnorm(0, 0.25)", alikeData},
	{"var", "x ~ dnorm(mean = 1, var = 4)", "x ~ dnorm(1, 0.25)", alikeData},
	{"names in another order", "x ~ dnorm(tau = 4, mean = 1)", "x ~ dnorm(1, 4)", alikeData},
	{"names of ours", "x ~ dgamma(lambda = 2, r = 3)", "x ~ dgamma(3, 2)", alikeData},
	{"scale of a parameter", "x ~ dexp(1)\ny ~ dgamma(2, scale = x)", "x ~ dexp(1)\ny ~ dgamma(2, 1 / x)", alikeData},
	{"gamma by moments", "x ~ dgamma(mean = 3, sd = 2)", "x ~ dgamma(9/4, 3/4)", alikeData},
	{"beta by moments", "x ~ dbeta(mean = 0.25, sd = 0.25)", "x ~ dbeta(0.5, 1.5)", alikeData},
	{"uniform by moments", "x ~ dunif(mean = 0, sd = 1)", "x ~ dunif(-sqrt(3), sqrt(3))", alikeData},
	{"lognormal", "x ~ dlnorm(meanlog = 0, sdlog = 2)", "x ~ dlnorm(0, 0.25)", alikeData},
	{"logistic", "x ~ dlogis(location = 0, scale = 2)", "x ~ dlogis(0, 0.5)", alikeData},
	{"Laplace", "x ~ ddexp(0, scale = 2)\nz ~ ddexp(0, var = 2)", "x ~ ddexp(0, 0.5)\nz ~ ddexp(0, 1)", alikeData},
	{"t", "x ~ dt(0, sigma = 2, df = 4)\nz ~ dt_nonstandard(4, 0, 2)\nw ~ dt(mu = 0, sigma2 = 4, df = 4)", "x ~ dt(0, 0.25, 4)\nz ~ dt(0, 0.25, 4)\nw ~ dt(0, 0.25, 4)", alikeData},
	{"Weibull", "x ~ dweib(shape = 2, scale = 3)\nz ~ dweib(2, rate = 3)", "x ~ dweib(2, 1/9)\nz ~ dweib(2, 9)", alikeData},
	{"exponential", "x ~ dexp_nimble(2)\nz ~ dexp(scale = 4)", "x ~ dexp(2)\nz ~ dexp(0.25)", alikeData},
	{"inverse gamma", "x ~ dinvgamma(2, rate = 4)\nz ~ dinvgamma(shape = 2, scale = 3)", "x ~ dinvgamma(2, 0.25)\nz ~ dinvgamma(2, 3)", alikeData},
	{"counts", "a ~ dbin(prob = 0.3, size = 4)\nb ~ dnegbin(size = 3, prob = 0.3)\nd ~ dgampois(2, 3)\ne ~ dgeom0(0.3)", "a ~ dbin(0.3, 4)\nb ~ dnegbin(0.3, 3)\nd ~ dnegbin(0.6, 3)\ne ~ dnegbin(0.3, 1)", alikeData},
	{"covariance", "x[1:2] ~ dmnorm(m[1:2], cov = S[1:2,1:2])", "x[1:2] ~ dmnorm.vcov(m[1:2], S[1:2,1:2])", alikeData},
	{"multivariate t", "x[1:2] ~ dmvt(m[1:2], scale = S[,], df = 5)", "x[1:2] ~ dmt(m[1:2], inverse(S[,]), 5)", alikeData},
	{"Wishart by scale", "x[1:2,1:2] ~ dwish(S = S[,], df = 3)", "x[1:2,1:2] ~ dwish(inverse(S[,]), 3)", alikeData},
	{"T before", "x ~ T(dnorm(0, 1), 0, )\nz ~ T(dexp(1), , 2)\nw ~ T(dnorm(0, 1), -1, 1)\nv ~ T(dnorm(0, sd = 2), 0)", "x ~ dnorm(0, 1) T(0,)\nz ~ dexp(1) T(,2)\nw ~ dnorm(0, 1) T(-1,1)\nv ~ dnorm(0, 0.25) T(0,)", alikeData},
	{"if", "if (k > 1) { x ~ dnorm(0, 1) } else { x ~ dnorm(5, 1) }", "x ~ dnorm(0, 1)", alikeData},
	{"else", "if (k > 2) x ~ dnorm(0, 1) else if (k == 2) { x ~ dnorm(5, 1) } else x ~ dexp(1)", "x ~ dnorm(5, 1)", alikeData},
	{"if in a loop", "for (i in 1:3) { if (i == 1) { x[i] ~ dnorm(0, 1) } else { x[i] ~ dnorm(x[i-1], 1) } }", "x[1] ~ dnorm(0, 1)\nfor (i in 2:3) { x[i] ~ dnorm(x[i-1], 1) }", alikeData},
	{"ordered logit", "x ~ dnorm(0, 1)\nk ~ dordered.logit(x, cut)", "x ~ dnorm(0, 1)\nk ~ dcat(p[])\np[1] <- ilogit(-1 - x)\np[2] <- ilogit(0.5 - x) - ilogit(-1 - x)\np[3] <- ilogit(2 - x) - ilogit(0.5 - x)\np[4] <- 1 - ilogit(2 - x)", alikeData},
	{"ordered probit", "x ~ dnorm(0, 1)\nk ~ dordered.probit(x, cut[1:1])", "x ~ dnorm(0, 1)\nk ~ dcat(p[])\np[1] <- phi(-1 - x)\np[2] <- 1 - phi(-1 - x)", alikeData},
	{"states in continuous time", "x ~ dexp(1)\nQ[1,1] <- -x\nQ[1,2] <- x\nQ[2,1] <- 0\nQ[2,2] <- 0\nk ~ dmstate(1, 3, Q)", "x ~ dexp(1)\nb <- 1\nb ~ dbern(1 - exp(-3 * x))", alikeData},
	{"flat", "x ~ dflat()\ny ~ dnorm(x, 1)", "x ~ dnorm(0, 1)\ny ~ dnorm(x, 1)\nz <- 0\nz ~ dloglik(-logdensity.norm(x, 0, 1))", alikeData},
	{"half flat", "x ~ dhalfflat()\ny ~ dnorm(x, 1)", "x ~ dexp(1)\ny ~ dnorm(x, 1)\nz <- 0\nz ~ dloglik(x)", alikeData},
	{"likelihood of one's own", "x ~ dnorm(0, 1)\nz <- 0\nz ~ dloglik(-0.5 * pow(y - x, 2) - 0.5 * log(2 * 3.141592653589793))", "x ~ dnorm(0, 1)\ny ~ dnorm(x, 1)", alikeData},
	{"target", "x ~ dnorm(0, 1)\ntarget += -x\nfor (i in 1:2) { target += x * i }", "x ~ dnorm(0, 1)\nz <- 0\nz ~ dloglik(2 * x)", alikeData},
	{"constraint", "x ~ dnorm(0, 1)\none ~ dconstraint(x > 0 && x < 2)", "x ~ dnorm(0, 1)\none ~ dbern(step(x) * step(2 - x))", alikeData + "; one <- 1"},
	{"sum of two", "a ~ dnorm(0, 1)\nb ~ dnorm(1, 2)\ny ~ sum(a, b)", "a ~ dnorm(0, 1)\nz <- 0\nz ~ dloglik(logdensity.norm(y - a, 1, 2))", alikeData},
	{"sum of a vector", "for (i in 1:3) { x[i] ~ dpois(l[i]); l[i] ~ dgamma(i, 1) }\nk ~ dsum(x[1], x[2], x[3])", "for (i in 1:2) { x[i] ~ dpois(l[i]) }\nfor (i in 1:3) { l[i] ~ dgamma(i, 1) }\nz <- 0\nz ~ dloglik(logdensity.pois(k - x[1] - x[2], l[3]))", alikeData},
	{"sum not observed", "a ~ dpois(2)\nb ~ dpois(3)\ns ~ sum(a, b)\ny ~ dnorm(s, 1)", "a ~ dpois(2)\nb ~ dpois(3)\ny ~ dnorm(a + b, 1)", alikeData},
	{"censoring", "x ~ dnorm(0, 1)\nz ~ dnorm(x, 1) C(0.5, )\ny ~ dnorm(x, 2) C(7, 8)", "x ~ dnorm(0, 1)\nz ~ dnorm(x, 1)\nb <- 1\nb ~ dinterval(z, 0.5)\ny ~ dnorm(x, 2)", alikeData},
	{"censoring of vectors", "for (i in 1:2) { x[i,1:2] ~ dmnorm(m[], S[,]) C(lo[i,], hi[i,1:2]) }\nv[1:2] ~ dmt(m[], S[,], 4) I(, 0.5)\nw[1:2] ~ dmnorm.vcov(m[], S[,]) C(m[], )",
		"for (i in 1:2) { x[i,1:2] ~ dmnorm(m[], S[,]); for (k in 1:2) { b[i,k] <- 1; b[i,k] ~ dinterval(x[i,k], c(lo[i,k], hi[i,k])) } }\nv[1:2] ~ dmt(m[], S[,], 4)\nw[1:2] ~ dmnorm.vcov(m[], S[,])\n" +
			"for (k in 1:2) { d[k] <- 0; d[k] ~ dinterval(v[k], 0.5); e[k] <- 1; e[k] ~ dinterval(w[k], m[k]) }",
		alikeData + "; lo <- structure(c(-1, 0, -2, -1), .Dim = c(2, 2)); hi <- structure(c(1, 2, 0, 1), .Dim = c(2, 2))"},
	// An element that is data has no bounds.
	{"censoring of vectors observed in part", "w[1:2] ~ dmnorm(m[], S[,]) C(2, 3)", "w[1:2] ~ dmnorm(m[], S[,])\nb <- 1\nb ~ dinterval(w[2], c(2, 3))", alikeData + "; w <- c(0.5, NA)"},
	{"censoring by I", "x ~ dnorm(0, 1)\nz ~ dnorm(x, 1) I(, 0.5)", "x ~ dnorm(0, 1)\nz ~ dnorm(x, 1)\nb <- 0\nb ~ dinterval(z, 0.5)", alikeData},
	{"rounding", "x ~ dnorm(0, 1)\ny ~ dround(x, 0)", "x ~ dnorm(0, 1)\nb <- 1\nb ~ dinterval(x, c(0.5, 1.5))", "y <- 1"},
	{"rounding not observed", "x ~ dnorm(0, 1)\nr ~ dround(x, 0)\ny ~ dnorm(r, 1)", "x ~ dnorm(0, 1)\ny ~ dnorm(round(x), 1)", alikeData},
	{"observed in part", "w[1:2] ~ dmnorm(m[], S[,])\ny ~ dnorm(w[2], 1)", "y ~ dnorm(w[2], 1)\nw[1] ~ dnorm(m[1], 1.75)\nw[2] ~ dnorm(m[2] - 0.5 * (w[1] - m[1]), 1)", alikeData + "; w <- c(1, NA)"},
	{"observed in part by covariance", "w[1:2] ~ dmnorm.vcov(m[], S[,])\ny ~ dnorm(w[2], 1)", "y ~ dnorm(w[2], 1)\nw[1] ~ dnorm(m[1], 1 / 2)\nw[2] ~ dnorm(m[2] + 0.25 * (w[1] - m[1]), 1 / 0.875)", alikeData + "; w <- c(1, NA)"},
	{"blocks by arithmetic", "for (t in 1:2) { x[(t-1)*ns+(1:ns)] ~ dmnorm(m[], S[,]) }", "for (t in 1:2) { x[(2*t-1):(2*t)] ~ dmnorm(m[], S[,]) }", alikeData},
	{"exponential covariance", "b[1:2] ~ spatial.exp(m[], px[], py[], tau, phi, kappa)\ntau ~ dexp(1)\nphi ~ dexp(1)\nkappa ~ dunif(0, 2)", "b[1:2] ~ dmnorm.vcov(m[], V[,])\ntau ~ dexp(1)\nphi ~ dexp(1)\nkappa ~ dunif(0, 2)\nV[1,1] <- 1 / tau\nV[2,2] <- 1 / tau\nV[1,2] <- exp(-pow(5 * phi, kappa)) / tau\nV[2,1] <- V[1,2]", alikeData + "; px <- c(1, 4); py <- c(2, 6)"},
	// Prediction and the vector that it is from are one vector.
	{"places predicted together", "z[1:2] ~ spatial.exp(m[], px[1:2], py[1:2], tau, phi, kappa)\nz[3:4] ~ spatial.pred(e[3:4], px[3:4], py[3:4], z[1:2])\ntau ~ dexp(1)\nphi ~ dexp(1)\nkappa ~ dunif(0.5, 1.5)", "z[1:4] ~ spatial.exp(e[], px[], py[], tau, phi, kappa)\ntau ~ dexp(1)\nphi ~ dexp(1)\nkappa ~ dunif(0.5, 1.5)", places},
	{"places predicted one by one", "z[1:3] ~ spatial.exp(e[1:3], px[1:3], py[1:3], tau, phi, kappa)\nfor (j in 4:4) { z[j] ~ spatial.unipred(e[j], px[j], py[j], z[1:3]) }\ntau ~ dexp(1)\nphi ~ dexp(1)\nkappa ~ dunif(0.5, 1.5)", "z[1:4] ~ spatial.exp(e[], px[], py[], tau, phi, kappa)\ntau ~ dexp(1)\nphi ~ dexp(1)\nkappa ~ dunif(0.5, 1.5)", places},
	{"geometric", "x ~ dbeta(1, 1)\nk ~ dgeom(x)\nl ~ dgeom(x)", "x ~ dbeta(1, 1)\nn <- k - 1\nn ~ dnegbin(x, 1)\nm <- l - 1\nm ~ dnegbin(x, 1)", "k <- 2; l <- 1"},
	{"random walk", "tau ~ dexp(1)\nw[1:3] ~ drw1(tau, g)", "tau ~ dexp(1)\nfor (i in 2:3) { w[i] ~ dnorm(w[i-1], tau) }", "w <- c(0.5, 1, 2.5); g <- 1:3"},
	{"trapezium", "x ~ dtrapez(0, 2, 2, 4)\ny ~ dnorm(x, 1)", "x ~ dunif(0, 4)\ny ~ dnorm(x, 1)\nz <- 0\nz ~ dloglik(log(1 - abs(x - 2) / 2) + log(2))", alikeData},
	{"two points, observed", "x ~ dbeta(1, 1)\nk ~ dpick(x, 2, 5)\ny ~ dpick(x, 2, 1.3)", "x ~ dbeta(1, 1)\none <- 1\none ~ dbern(x)\nzero <- 0\nzero ~ dbern(x)", alikeData},
	{"samples", "x ~ dexp(1)\np[1] <- x\np[2] <- 1\np[3] <- 3\ns[1:3] ~ dsample(p[], 2)", "x ~ dexp(1)\nz <- 0\nz ~ dloglik(log(3 * x) - log(x + 3 * x + 3))", "s <- c(1, 0, 1)"},
	{"nothing in a loop", "for (i in 1:n) { q[i] ~ dnorm(r[i], 1) }\nfor (i in 1:n) { w[i] <- q[i] + 1 }\nx ~ dnorm(0, 1)", "x ~ dnorm(0, 1)", alikeData + "; n <- 0"},
	{"dcut", "a ~ dnorm(0, 1)\nb ~ dcut(a)\nd ~ dnorm(b, 1)", "a ~ dnorm(0, 1)\nd ~ dnorm(cut(a), 1)", alikeData},
	{"dcar_proper", "b[1:2] ~ dcar_proper(m[], C[], a[], num[], M[], tau, gamma)\ntau ~ dexp(1)\ngamma ~ dunif(0, 1)", "b[1:2] ~ car.proper(m[], C[], a[], num[], M[], tau, gamma)\ntau ~ dexp(1)\ngamma ~ dunif(0, 1)", alikeData + "; C <- c(1, 1); a <- c(2, 1); num <- c(1, 1); M <- c(1, 1)"},
	{"aliases", "a ~ dbinom(0.3, 7)\nb ~ dchisq(3)\nd[1:2] ~ ddirich(w)\ne ~ dggamma(2, 1, 1.5)\nf[1:2] ~ dmultinom(w, 5)\ng ~ dnchisq(3, 2)\nh ~ dnbinom(0.4, 3)\ni ~ dweibull(2, 1.5)\nj ~ dbetabinom(2, 3, 7)", "a ~ dbin(0.3, 7)\nb ~ dchisqr(3)\nd[1:2] ~ ddirch(w)\ne ~ dgen.gamma(2, 1, 1.5)\nf[1:2] ~ dmulti(w, 5)\ng ~ dnchisqr(3, 2)\nh ~ dnegbin(0.4, 3)\ni ~ dweib(2, 1.5)\nj ~ dbetabin(2, 3, 7)", "w <- c(1, 2)"},
}

// Statements that say the same have the same log density, wherever the nodes are; what is
// named differently is drawn from the second program.
func TestLanguageDensities(t *testing.T) {
	for _, c := range alike {
		t.Run(c.name, func(t *testing.T) {
			a, b := compileProgram(t, "model { "+c.program+" }", c.data), compileProgram(t, "model { "+c.same+" }", c.data)
			r := rng.New(2, "language").Rand
			for range 5 {
				from := b.Model.NewState()
				if cell, msg := from.Simulate(r); cell >= 0 {
					t.Fatal(msg)
				}
				to := a.Model.NewState()
				for _, arr := range b.Model.Arrays {
					if own, ok := a.Model.Array(arr.Name); ok {
						for k := range min(arr.Size, own.Size) {
							if to.M.Kinds[own.Base+int32(k)] == model.Unobserved {
								to.V[own.Base+int32(k)] = from.V[arr.Base+int32(k)]
							}
						}
					}
				}
				got, want := logDensity(to), logDensity(from)
				if !(math.Abs(got-want) < 1e-9*(1+math.Abs(want))) && got != want {
					t.Fatalf("log density %v, not %v", got, want)
				}
			}
		})
	}
}

// logDensity is that of all nodes, with what is computed computed.
func logDensity(s *model.State) float64 {
	for _, row := range s.M.Topological() {
		if t, i := s.M.TemplateOf(row); t.Prog != nil {
			s.RunRow(t, i)
		}
	}
	return s.LogProb(s.M.DensityRows())
}

// sampled are programs whose posterior is known: want is the mean and the standard deviation of
// each name; NaN is not compared. By jags they are compared where it has them.
var sampled = []struct {
	name, program, data string
	want                map[string][2]float64
	jags                bool
}{
	{"sum", "a ~ dnorm(0, 1)\nb ~ dnorm(0, 1)\ny ~ sum(a, b)", "y <- 1", map[string][2]float64{"a": {0.5, math.Sqrt(0.5)}, "b": {0.5, math.Sqrt(0.5)}}, true},
	// Given their sum, Poisson variables are multinomial.
	{"sum of counts", "a ~ dpois(3)\nb ~ dpois(2)\nd ~ dpois(5)\ny ~ sum(a, b, d)", "y <- 10", map[string][2]float64{"a": {3, math.Sqrt(2.1)}, "b": {2, math.Sqrt(1.6)}, "d": {5, math.Sqrt(2.5)}}, true},
	// jags finds no start for it by itself.
	{"rounding", "x ~ dunif(0, 10)\ny ~ dround(x, 0)", "y <- 3", map[string][2]float64{"x": {3, math.Sqrt(1. / 12)}}, false},
	// The component has probability 0.7 a priori; x given y and it is normal.
	{"normal mixture", "x ~ dnormmix(mu, tau, p)", "mu <- c(-1, 1)\ntau <- c(1, 4)\np <- c(0.3, 0.7)", map[string][2]float64{"x": {0.4, math.Sqrt(0.3*1 + 0.7*0.25 + 1 - 0.16)}}, true},
	// A half-t standard deviation with 5 degrees of freedom and scale 1 has mean 2 sqrt(5) Γ(3)/(Γ(5/2) 4 sqrt(π)).
	{"scaled Wishart", "O[1:2,1:2] ~ dscaled.wishart(s, 5)\nV <- inverse(O)\nsigma <- sqrt(V[1,1])", "s <- c(1, 2)", map[string][2]float64{"sigma": {2 * math.Sqrt(5) * 2 / (1.329340388179137 * 4 * math.SqrtPi), math.NaN()}}, true},
	// A diagonal element of an inverse Wishart matrix is inverse gamma: shape (df − p + 1)/2, scale S/2.
	{"inverse Wishart", "X[1:2,1:2] ~ dinvwish(S[,], 13)\nx <- X[1,1]", "S <- structure(c(20, 3, 3, 10), .Dim = c(2, 2))", map[string][2]float64{"x": {2, 1}}, false},
	{"inverse gamma", "x ~ dinvgamma(6, 10)", "", map[string][2]float64{"x": {2, 1}}, false},
	{"extremes", "x ~ dgpar(1, 2, -0.25)", "", map[string][2]float64{"x": {2.6, 1.6 / math.Sqrt(1.5)}}, false},
	// 1 + 0.25 h has the moments of a Weibull variable.
	{"generalised extreme values", "x ~ dgev(0, 1, -0.25)", "", map[string][2]float64{"x": {4 * (1 - math.Gamma(1.25)), 4 * math.Sqrt(math.Gamma(1.5)-math.Pow(math.Gamma(1.25), 2))}}, false},
	{"flat", "x ~ dflat()\ny ~ dnorm(x, 4)", "y <- 7", map[string][2]float64{"x": {7, 0.5}}, false},
	{"observed in part", "w[1:2] ~ dmnorm(m, S)\nm[1] ~ dnorm(0, 1)\nm[2] <- 0", "w <- c(1, NA); S <- structure(c(2, 0.5, 0.5, 1), .Dim = c(2, 2))",
		// m1 given w1 has precision 1 + 1.75 and mean 1.75/2.75; w2 is normal about −(w1 − m1)/2.
		map[string][2]float64{"m[1]": {1.75 / 2.75, math.Sqrt(1 / 2.75)}, "w[2]": {-0.5 * (1 - 1.75/2.75), math.Sqrt(1 + 0.25/2.75)}}, false},
	// x given z > 0 is skew normal: E x = E z / 2, E z = sqrt(2 · 2/π).
	// Counts may lie on the bounds: 2 and 3 of the first, from 2 of the second, which is 2 with probability (1/2) / e / (1 − 2 / e).
	{"flat, censored", "x ~ dflat() C(0, 2)\ny ~ dloglik(x)\nz ~ dflat() I(0, 1)\nw ~ dbin(z, 3)", "y <- 0; w <- 3", map[string][2]float64{"x": {(math.E*math.E + 1) / (math.E*math.E - 1), math.NaN()}, "z": {0.8, math.NaN()}}, false},
	{"censored counts", "k ~ dpois(3) C(2, 3)\nl ~ dpois(1) C(1.5, )\nm ~ dpois(2) C(, 1)\na <- k == 2\nb <- l == 2", "", map[string][2]float64{"a": {0.5, math.NaN()}, "b": {0.5 / (math.E - 2), math.NaN()}, "m": {2. / 3, math.NaN()}}, false},
	{"censoring", "x ~ dnorm(0, 1)\nz ~ dnorm(x, 1) C(0, )", "", map[string][2]float64{"z": {math.Sqrt(4 / math.Pi), math.Sqrt(2 - 4/math.Pi)}, "x": {math.Sqrt(1 / math.Pi), math.Sqrt(1 - 1/math.Pi)}}, false},
	{"states", "y ~ dmstate(1, 2, Q)\nz ~ dmstate(y, 1, Q)", "Q <- structure(c(-1, 0.5, 1, -0.5), .Dim = c(2, 2))",
		map[string][2]float64{"y": {1 + 2./3*(1-math.Exp(-3)), math.NaN()}, "z": {1 + 2./3*(1-math.Exp(-4.5)), math.NaN()}}, true},
	{"ordered", "x ~ dnorm(0, 1)\nk ~ dordered.logit(x, cut)\nl ~ dordered.probit(x, cut)", "k <- 3; l <- 2; cut <- c(-1, 1)", nil, true},
	// Along the eigenvectors (1, 0, −1)/√2 and (1, −2, 1)/√6 of the graph, with eigenvalues 1 and 3, the posterior is normal; area 4 is 0.
	{"car.normal", "b[1:4] ~ car.normal(adj[], w[], num[], 2)\nfor (i in 1:4) { w[i] <- 1; y[i] ~ dnorm(b[i], 1) }", "adj <- c(2, 1, 3, 2); num <- c(1, 2, 1, 0); y <- c(1, 0, -2, 5)",
		map[string][2]float64{"b[1]": {0.5 - 1./42, math.Sqrt(1./6 + 1./42)}, "b[2]": {2. / 42, math.Sqrt(2. / 21)}}, false},
	// Without data what a proper prior is given stays as it is: the densities have the right powers of tau.
	{"car.normal's precision", "b[1:5] ~ car.normal(adj[], w[], num[], tau)\ntau ~ dgamma(30, 20)\nx <- (b[1] - b[2]) * sqrt(tau)\nz <- (b[4] - b[5]) * sqrt(tau)", areas + "; w <- c(1, 2, 1, 3, 2, 3, 4, 4)",
		// The variance of b1 − b2 is that of resistances 1 and 1/2 + 1/3 in parallel.
		map[string][2]float64{"tau": {1.5, math.Sqrt(30) / 20}, "x": {0, math.Sqrt(1 / (1 + 1.2))}, "z": {0, 0.5}}, false},
	{"dcar_normal", "b[1:5] ~ dcar_normal(adj = adj[], num = num[], tau = tau)\ntau ~ dgamma(30, 20)\nfor (i in 3:5) { y[i] ~ dnorm(b[i], 1) }", areas + "; y <- c(NA, NA, 7, 8, 8)",
		map[string][2]float64{"b[3]": {7, 1}, "b[4]": {8, math.NaN()}}, false},
	// A random walk of the second order: its straight line is free, b[2] lies on it.
	{"negative weights", "b[1:3] ~ dcar_normal(adj[], w[], num[], tau, 2, 0)\ntau ~ dgamma(30, 20)\ny[1] ~ dnorm(b[1], 1)\ny[3] ~ dnorm(b[3], 1)", "adj <- c(2, 3, 1, 3, 1, 2); w <- c(2, -1, 2, 2, -1, 2); num <- c(2, 2, 2); y <- c(1, NA, 3)",
		map[string][2]float64{"tau": {1.5, math.Sqrt(30) / 20}, "b[1]": {1, 1}, "b[2]": {2, math.NaN()}, "b[3]": {3, 1}}, false},
	{"car.l1", "b[1:3] ~ car.l1(adj[1:6], w[1:6], num[1:3], tau)\ntau ~ dgamma(30, 20)", areas + "; w <- c(1, 2, 1, 3, 2, 3)", map[string][2]float64{"tau": {1.5, math.Sqrt(30) / 20}}, false},
	{"mv.car", "b[1:2, 1:5] ~ mv.car(adj[], w[], num[], O[,])\nO[1:2,1:2] ~ dwish(R[,], 30)", areas + "; w <- c(1, 2, 1, 3, 2, 3, 4, 4); R <- structure(c(20, 0, 0, 10), .Dim = c(2, 2))",
		map[string][2]float64{"O[1,1]": {1.5, math.Sqrt(2*30) / 20}, "O[2,2]": {3, math.Sqrt(2*30) / 10}, "O[1,2]": {0, math.Sqrt(30. / 200)}}, false},
	// With two areas and M = 1 the precision is tau (1, −gamma; −gamma, 1).
	{"car.proper", "b[1:2] ~ car.proper(mu[], C[], adj[], num[], M[], tau, gamma)\ntau ~ dgamma(30, 20)\ngamma ~ dunif(0, max.bound(C[], adj[], num[], M[]))\nx <- (b[1] - 3) * sqrt(tau * (1 - gamma^2))",
		"mu <- c(3, 5); C <- c(1, 1); adj <- c(2, 1); num <- c(1, 1); M <- c(1, 1)", map[string][2]float64{"tau": {1.5, math.Sqrt(30) / 20}, "gamma": {0.5, math.Sqrt(1. / 12)}, "x": {0, 1}}, false},
	{"random walk", "w[1:3] ~ drw1(tau, g)\ntau ~ dgamma(3, 2)", "w <- c(0.5, 1, 2.5)\ng <- c(0, 1, 2)", map[string][2]float64{"tau": {4 / 3.25, 2 / 3.25}}, true},
	{"trapezium", "x ~ dtrapez(0, 1, 2, 4)", "", map[string][2]float64{"x": {0.2*2./3 + 0.4*1.5 + 0.4*8./3, math.NaN()}}, false},
	{"two points", "x ~ dpick(0.3, 1, 4)\ny ~ dnorm(x, 1)", "y <- 2", map[string][2]float64{"x": {4 - 3*0.3*math.Exp(-0.5)/(0.3*math.Exp(-0.5)+0.7*math.Exp(-2)), math.NaN()}}, false},
	// The samples {1, 2}, {1, 3} and {2, 3} have the weights 1, 2 and 2.
	{"samples", "s[1:3] ~ dsample(p, 2)\ny ~ dnorm(s[1], 2)\nx <- s[1]", "y <- 1; p <- c(1, 1, 2)", map[string][2]float64{"x": {3 / (3 + 2*math.Exp(-1)), math.NaN()}}, false},
	// Of n customers number i sits at a new table with probability alpha/(alpha + i).
	{"dCRP", "xi[1:4] ~ dCRP(1.5, size = 4)\nfor (j in 1:4) { n[j] <- sum(xi[] == j) }\nk <- sum(n[] > 0)", "", map[string][2]float64{"k": {1 + 1.5/2.5 + 1.5/3.5 + 1.5/4.5, math.Sqrt(1.5 * (1/6.25 + 2/12.25 + 3/20.25))}}, false},
	// (r + 1)/2 is beta with both parameters eta − 1 + p/2.
	{"LKJ", "U[1:3,1:3] ~ dlkj_corr_cholesky(2, 3)\nR <- t(U) %*% U\na <- R[1,2]\nb <- R[2,3]\nd <- R[3,3]\nQ[1:3,1:3] ~ dlkj_corr(2, 3)\ne <- Q[1,3]\nz ~ dnorm(e, 0.01)", "z <- 0",
		map[string][2]float64{"a": {0, math.Sqrt(1. / 6)}, "b": {0, math.Sqrt(1. / 6)}, "d": {1, math.NaN()}, "e": {0, math.NaN()}}, false},
	{"cut", "a ~ dnorm(0, 1)\ny ~ dnorm(a, 1)\nb ~ dnorm(cut(a), 1)\nz ~ dnorm(b, 1)\na.cut <- cut(a)\nd ~ dnorm(a.cut, 1)\nw ~ dnorm(d, 1)", "y <- 1; z <- 5; w <- 9",
		map[string][2]float64{"a": {0.5, math.Sqrt(0.5)}, "b": {2.75, math.Sqrt(0.625)}, "d": {4.75, math.Sqrt(0.625)}}, false},
	// Both sides of a cut belong together: a is N(1/2, 1/2), e given a is N((3 − a)/3, 2/3), b given both is N((a + e + 3)/2, 1/2). Of f given a, whose density is no normal one, the moments are by a grid.
	{"cut, both sides", "a ~ dnorm(0, 1)\ny ~ dnorm(a, 1)\ne ~ dnorm(0, 1)\nb ~ dnorm(cut(a) + e, 1)\nz ~ dnorm(b, 1)\nf ~ dnorm(cut(a), 1)\nw ~ dpois(exp(f))\ns <- a + e\nt <- a + b\nu <- a + f", "y <- 1; z <- 3; w <- 3",
		map[string][2]float64{"s": {4. / 3, math.Sqrt(8. / 9)}, "t": {8. / 3, math.Sqrt(14. / 9)}, "u": {1.326400, 1.066294}}, false},
	// All states of one side are drawn in one pass. y and v tell nothing: z[1] and w[1] are the same with probability 0.8.
	{"cut, states", "for (i in 1:20) { z[i] ~ dbern(0.5)\ny[i] ~ dnorm(z[i], 1)\nw[i] ~ dbern(0.2 + 0.6 * cut(z[i]))\nv[i] ~ dnorm(w[i], 1) }\ns <- z[1] + w[1]", "y <- c(0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5); v <- c(0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5)",
		map[string][2]float64{"s": {1, math.Sqrt(0.8)}}, false},
	{"cut index", "k ~ dcat(p)\ny ~ dnorm(m[cut(k)], 1)", "y <- 1; p <- c(0.25, 0.75); m <- c(1, 9)", map[string][2]float64{"k": {1.75, math.NaN()}}, false},
	{"replicates", "x ~ dnorm(0, 1)\nfor (i in 1:1) { y[i] ~ dnorm(x, 1)\nr[i] <- replicate.post(y[i])\nq[i] <- post.p.value(y[i]) }\ns <- r[1]\nt <- q[1]", "y <- c(2, NA)",
		map[string][2]float64{"s": {1, math.Sqrt(1.5)}, "t": {0.5 * math.Erfc(-1/math.Sqrt(3)), math.NaN()}}, false},
	// The rest of a Dirichlet vector, 0.6, is divided by ddirch(2, 3, 1), and y weighs its first share by its size.
	{"Dirichlet in part", "x[1:4] ~ ddirch(a)\ny ~ dbern(x[2])\nu[1:3] ~ ddirch(c(k, 1, 1))\nk ~ dcat(p)\nw ~ dbern(u[3])", "x <- c(0.4, NA, NA, NA); a <- c(1, 2, 3, 1); y <- 1; u <- c(0.3, NA, NA); w <- 1; p <- c(0.5, 0.5)",
		map[string][2]float64{"x[2]": {0.6 * 3 / 7, 0.6 * math.Sqrt(3./7*4/7/8)}, "x[4]": {0.6 / 7, 0.6 * math.Sqrt(1./7*6/7/8)},
			// u1 is beta with k and 2: density 1.4 or 1.26 at 0.3.
			"k": {1 + 1.26/2.66, math.Sqrt(1.26*1.4) / 2.66}, "u[3]": {0.7 * 2 / 3, 0.7 * math.Sqrt(1./18)}}, false},
	{"Dirichlet but for one", "x[1:3] ~ ddirch(c(k, 1, 1))\nk ~ dcat(p)\nw <- x[2] + k", "x <- c(0.3, NA, 0.2); p <- c(0.5, 0.5)",
		map[string][2]float64{"k": {1 + 1.8/3.8, math.Sqrt(1.8*2) / 3.8}, "w": {1.5 + 1.8/3.8, math.Sqrt(1.8*2) / 3.8}}, false}, // densities 2 and 6 · 0.3
	// Of 10 trials 2 and 3 are seen: the probability is k² / (k + 4)^10 in k. The other 5 are binomial, and y weighs x2 by its size.
	{"multinomial in part", "x[1:4] ~ dmulti(c(k, 1, 1, 2), 10)\ny ~ dbern(x[2] / 10)\nk ~ dcat(p)\nz[1:3] ~ dmulti(c(2, 1, k), 7)\ns <- z[2] + k", "x <- c(2, NA, NA, 3); y <- 1; p <- c(0.5, 0.5); z <- c(4, NA, 0)",
		map[string][2]float64{"x[2]": {3, 1}, "x[3]": {2, 1},
			// z has probability 2⁴ / (k + 3)^7.
			"s": {4 + twoOf(1/math.Pow(5, 10)/math.Pow(4, 7), 4/math.Pow(6, 10)/math.Pow(5, 7)), math.NaN()},
			"k": {1 + twoOf(1/math.Pow(5, 10)/math.Pow(4, 7), 4/math.Pow(6, 10)/math.Pow(5, 7)), math.NaN()}}, false},
	// What a refusal of a Wishart matrix observed in part says instead: given O11 = 1, O12 is N(0, 1) and O22 − O12² gamma(1.5, 0.5).
	{"Wishart in part, by hand", "O[1,1] <- 1\nO[1,2] ~ dflat()\nO[2,1] <- O[1,2]\nO[2,2] ~ dhalfflat()\nzero ~ dloglik(logdensity.wish(O[,], R[,], 4))\nd <- O[2,2] - O[1,2] * O[1,2]", "R <- structure(c(1, 0, 0, 1), .Dim = c(2, 2)); zero <- 0",
		map[string][2]float64{"O[1,2]": {0, 1}, "d": {3, math.Sqrt(6)}}, false},
	{"truncated", "x ~ dnorm(m, 1) T(0, 2)\nm ~ dnorm(0, 1)", "x <- 1.5", nil, true},
}

// twoOf is the second's share of two weights.
func twoOf(a, b float64) float64 { return b / (a + b) }

// places are four, of which two have data.
const places = "m <- c(0.5, -1); e <- c(0.5, -1, 2, 0); px <- c(1, 4, 2, 0); py <- c(2, 6, 1, 3); z <- c(NA, NA, 1.3, 0.2)"

// areas are a triangle and a pair.
const areas = "adj <- c(2, 3, 1, 3, 1, 2, 5, 4); num <- c(2, 2, 2, 1, 1)"

// draw runs a program and gives mean, standard deviation and their errors by name.
func draw(t *testing.T, program, data string, names []string, draws int) map[string]diag.Summary {
	t.Helper()
	c := compileProgram(t, program, data)
	p, err := plan.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	monitors, err := c.Monitors(names)
	if err != nil {
		t.Fatal(err)
	}
	job := &plan.Job{Plan: p, Monitors: monitors}
	set := mcmc.Settings{Seed: 3, Chains: 2, Draws: draws}
	record, err := mcmc.NewMemory(job.Variables(), set)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mcmc.Run(context.Background(), job, set, record, nil); err != nil {
		t.Fatal(err)
	}
	out := map[string]diag.Summary{}
	for k, name := range record.Draws().Names() {
		out[name] = diag.Summarize(record.Draws().Element(k), nil)
	}
	return out
}

// Posteriors have the moments that they should, in 5 standard errors: one false alarm in two million.
func TestLanguageDraws(t *testing.T) {
	for _, c := range sampled {
		if c.want == nil {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			var names []string
			for name := range c.want {
				names = append(names, name)
			}
			slices.Sort(names)
			got := draw(t, "model { "+c.program+" }", c.data, names, 2000)
			for name, want := range c.want {
				s := got[name]
				if d := math.Abs(s.Mean - want[0]); !(d <= 5*s.MCSEMean) {
					t.Errorf("%s has mean %v ± %v, not %v", name, s.Mean, s.MCSEMean, want[0])
				}
				if d := math.Abs(s.SD - want[1]); d > 5*s.MCSESD {
					t.Errorf("%s has standard deviation %v ± %v, not %v", name, s.SD, s.MCSESD, want[1])
				}
			}
		})
	}
}

// The factors of an autoregression's density are no data, of which the deviance is.
func TestDataAreWithoutFactorsOfPriors(t *testing.T) {
	m := compileProgram(t, "model { b[1:5] ~ car.normal(adj[], w[], num[], tau)\ntau ~ dexp(1)\nfor (i in 1:5) { y[i] ~ dnorm(b[i], 1) } }", areas+"; y <- 1:5; w <- c(1, 2, 1, 3, 2, 3, 4, 4)").Model
	if data, all := model.Count(m.DataRows()), model.Count(m.ObservedRows()); data != 5 || all <= data {
		t.Errorf("%d data of %d observed rows", data, all)
	}
}
