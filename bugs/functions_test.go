package bugs_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/dist"
)

const vectors = "u <- c(3, 1, 2); v <- c(0.4, 0.6); n <- 0; M <- structure(c(1, 0.5, 3, 2), .Dim = c(2, 2)); S <- structure(c(2, 0.5, 0.5, 1), .Dim = c(2, 2)); O <- structure(c(2, 0, 0, 1), .Dim = c(2, 2)); D <- structure(c(1, 0, 0, 0), .Dim = c(2, 2))"

// values are those of expressions by hand.
var values = map[string][]float64{
	"carMinBound(c(1, 1), c(2, 1), c(1, 1), c(1, 1)) + nimStep(2)": {0},
	"2^-1 - 2^2 + 2**3": {4.5}, "pow(2, 3)": {8}, "1 && 0 || 1": {1}, "3 >= 2": {1}, "!1": {0}, "-2^2": {-4},
	"equals(1, 1) + step(0) + step(-1)": {2}, "round(2.5) + trunc(-2.5)": {1}, "dround(2.345, 1)": {2.3},
	"ifelse(u > 1.5, u, 0)": {3, 0, 2}, "u^2": {9, 1, 4}, "pow(u, 2)": {9, 1, 4}, "abs(-u)": {3, 1, 2}, "1 != 2": {1}, "(1 < 2) + (2 <= 2) + (3 > 4) + (1 == 1)": {3}, "logdet(O)": {math.Log(2)}, "dinterval(1.5, sort(u))": {1}, "7 / 2 * 3": {10.5}, "2 - 3 - 4": {-5}, "mexp(D)": {math.E, 0, 0, 1},
	"trunc(2.7)": {2}, "round(-2.5)": {-2}, "step(0)": {1}, "equals(2, 2)": {1}, "exp(0)": {1}, "log(1)": {0}, "sqrt(4)": {2}, "abs(-2)": {2}, "phi(0)": {0.5}, "ilogit(0)": {0.5}, "icloglog(0)": {1 - 1/math.E}, "ifelse(0, 1, 2)": {2}, "c(1, 2)": {1, 2}, "exp(v - v)": {1, 1}, "ilogit(v - v)": {0.5, 0.5},
	"phi(v - v)": {0.5, 0.5}, "log(v / v)": {0, 0}, "sqrt(u * u)": {3, 1, 2}, "step(u - 2)": {1, 0, 1}, "equals(u, 2)": {0, 0, 1}, "round(v)": {0, 1},
	"2 * (1:3) - 1": {1, 3, 5}, "1:2 + 1": {2, 3}, "u[2 * (1:2) - 1]": {3, 2}, "u[c(3, 1)]": {2, 3}, "c(u, v)": {3, 1, 2, 0.4, 0.6},
	"rep(v, 2)": {0.4, 0.6, 0.4, 0.6}, "rep(v, c(1, 3))": {0.4, 0.6, 0.6, 0.6}, "rep(u, c(0, 2, 0))": {1, 1}, "rep(u, u)": {3, 3, 3, 1, 2, 2}, "c(rep(1, 0), v)": {0.4, 0.6},
	"sum(u, 1)": {7}, "prod(u, 2)": {12}, "max(u, 4)": {4}, "min(u)": {1}, "mean(u)": {2}, "sd(u)": {1}, "inprod(u, u)": {14}, "inprod2(u, u)": {14},
	"ranked(u, 2)": {2}, "rank(u, 1) + rank(v, 1)": {4}, "cumulative(y, 0)": {0.5}, "deviance(y, 0)": {math.Log(2 * math.Pi)}, "density(y, 0)": {1 / math.Sqrt(2*math.Pi)},
	"min.bound(c(1, 1, 1, 1), c(2, 1, 3, 2), c(1, 2, 1), c(1, 1, 1)) + carMaxBound(c(1, 1), c(2, 1), u[2] * c(1, 1), c(1, 1))": {1 - 1/math.Sqrt2},
	"dnorm(c(0, 1), 0, c(1, 4))": {1 / math.Sqrt(2*math.Pi), 2 / math.Sqrt(2*math.Pi) * math.Exp(-2)}, "pexp(c(1, 2), 2)": {1 - math.Exp(-2), 1 - math.Exp(-4)}, "sort(S)": {0.5, 0.5, 1, 2}, "logdensity.pois(c(0, 1), 2)": {-2, math.Log(2) - 2},
	"logdensity.CRP(c(1, 1, 2), 2)": {math.Log(2 * 2 / (2 * 3 * 4.) / 6)}, "logdensity.sample(c(1, 0, 1), c(0.2, 0.3, 0.5), 2)": {math.Log(0.1 / 0.31)},
	"sort(u)": {1, 2, 3}, "rank(u)": {3, 1, 2}, "order(u)": {2, 3, 1}, "interp.lin(1.5, sort(u), u)": {2}, "length(u)": {3}, "dim(M)": {2, 2},
	"M %*% v": {2.2, 1.4}, "t(v) %*% v": {0.52}, "M %*% t(M)": {10, 6.5, 6.5, 4.25}, "t(M)": {1, 3, 0.5, 2}, "logdet(S)": {math.Log(1.75)},
	"inverse(M)": {4, -1, -6, 2}, "inverse(S)": {1 / 1.75, -0.5 / 1.75, -0.5 / 1.75, 2 / 1.75},
	"mexp(M - M)": {1, 0, 0, 1}, "logfact(3)": {math.Log(6)}, "lfactorial(3)": {math.Log(6)}, "lgamma(4)": {math.Log(6)}, "loggam(4)": {math.Log(6)},
	"expit(0) + iprobit(0)": {1}, "cloglog(0.5)": {math.Log(math.Log(2))}, "icloglog(log(log(2)))": {0.5}, "logit(0.5)": {0}, "probit(0.5)": {0},
	"arccos(1) + arcsin(0) + arctan(0) + arccosh(1) + arcsinh(0) + arctanh(0)": {0}, "acos(1) + asin(0) + atan(0) + acosh(1) + asinh(0) + atanh(0)": {0},
	"cos(0) + sin(0) + tan(0) + cosh(0) + sinh(0) + tanh(0)": {2}, "dnorm(0, 0, 1) * sqrt(2 * 3.141592653589793)": {1}, "pnorm(0, 0, 1)": {0.5}, "qnorm(0.5, 3, 1)": {3},
	"pexp(1, 2)": {1 - math.Exp(-2)}, "logdensity.pois(0, 2)": {-2}, "logdensity.cat(2, v)": {math.Log(0.6)}, "dbin(1, 0.5, 2)": {0.5}, "logdensity.unif(1, 0, 2)": {-math.Log(2)},
}

// notOfJAGS are expressions that JAGS 4.3 refuses: functions of OpenBUGS and NIMBLE, inverse links of vectors, functions of functions, and
// inverses of matrices that are not symmetric.
var notOfJAGS = []string{
	"rank(u, 1) + rank(v, 1)", "inverse(M)", "density(y, 0)", "expit(0) + iprobit(0)", "inprod2(u, u)", "cumulative(y, 0)", "lfactorial(3)", "logdensity.CRP(c(1, 1, 2), 2)", "!1",
	"carMinBound(c(1, 1), c(2, 1), c(1, 1), c(1, 1)) + nimStep(2)", "ilogit(v - v)", "exp(v - v)", "phi(v - v)", "ranked(u, 2)", "deviance(y, 0)", "lgamma(4)",
	"min.bound(c(1, 1, 1, 1), c(2, 1, 3, 2), c(1, 2, 1), c(1, 1, 1)) + carMaxBound(c(1, 1), c(2, 1), u[2] * c(1, 1), c(1, 1))",
}

// What jags has has the same value there, and what it refuses is known to be an extension.
func TestValuesAsJAGS(t *testing.T) {
	withJAGS(t)
	for expr := range values {
		valueAsJAGS(t, expr, slices.Contains(notOfJAGS, expr))
	}
}

func valueAsJAGS(t *testing.T, expr string, refused bool) {
	t.Helper()
	theirs, said := jagsRun(t, "model { r <- "+expr+"\ny ~ dnorm(0, 1) }", vectors, []string{"r"}, 1)
	if refused != (theirs == nil) {
		t.Errorf("%s: jags refuses it: %v\n%s", expr, theirs == nil, said[max(0, len(said)-300):])
	}
	if theirs == nil {
		return
	}
	for k, want := range valueOf(t, expr) {
		if b, ok := theirs[fmt.Sprintf("r[%d]", k+1)]; ok && !near(want, b.Mean) {
			t.Errorf("%s = %v, in jags %v", expr, want, b.Mean)
		} else if b, ok := theirs["r"]; ok && !near(want, b.Mean) {
			t.Errorf("%s = %v, in jags %v", expr, want, b.Mean)
		}
	}
}

// densities are a value and parameters of every distribution that has functions, and a letter for each: d, p, q, and l for logdensity. JAGS
// 4.3.1 has all but those of dbern, and none under an alias.
var densities = []struct{ name, x, params, has string }{
	{"bern", "1", "0.3", "ldpq"}, {"beta", "0.7", "2, 3", "ldpq"}, {"bin", "4", "0.3, 7", "ldpq"}, {"chisqr", "2.5", "3", "ldpq"}, {"dexp", "1.5", "1, 2", "ldpq"},
	{"exp", "0.7", "2", "ldpq"}, {"f", "1.4", "6, 9", "ldpq"}, {"gamma", "1.4", "3, 2", "ldpq"}, {"gen.gamma", "1.2", "2, 1, 1.5", "ldpq"}, {"hyper", "3", "6, 7, 5, 1.5", "ldpq"},
	{"logis", "1.5", "1, 2", "ldpq"}, {"lnorm", "1.5", "0, 4", "ldpq"}, {"negbin", "4", "0.4, 3", "ldpq"}, {"nchisqr", "4", "3, 2", "ldpq"}, {"norm", "1.5", "1, 4", "ldpq"},
	{"nt", "1.5", "0.5, 1, 9", "ldpq"}, {"par", "1.7", "3, 1", "ldpq"}, {"pois", "4", "3", "ldpq"}, {"t", "1.5", "1, 2, 5", "ldpq"}, {"weib", "0.7", "2, 1.5", "ldpq"},
	{"binom", "4", "0.3, 7", "ldpq"}, {"chisq", "2.5", "3", "ldpq"}, {"ggamma", "1.2", "2, 1, 1.5", "ldpq"}, {"nbinom", "4", "0.4, 3", "ldpq"}, {"nchisq", "4", "3, 2", "ldpq"}, {"weibull", "0.7", "2, 1.5", "ldpq"},
	{"unif", "1", "0, 2", "l"}, {"cat", "2", "v", "l"}, {"mnorm", "v", "v + 1, S", "l"}, {"mnorm.vcov", "v", "v + 1, S", "l"}, {"mt", "v", "v + 1, S, 5", "l"}, {"dirch", "v", "v + 1", "l"}, {"dirich", "v", "v + 1", "l"},
	{"multi", "u", "u, 6", "l"}, {"multinom", "u", "u, 6", "l"}, {"wish", "S", "S, 4", "l"}, {"betabin", "4", "2, 3, 7", "ldpq"}, {"betabinom", "4", "2, 3, 7", "ldpq"},
}

// densityCalls are the calls of functions of a distribution.
func densityCalls(name, x, params, has string) (calls []string) {
	for _, kind := range has {
		switch kind {
		case 'l':
			calls = append(calls, "logdensity."+name+"("+x+", "+params+")")
		case 'd':
			calls = append(calls, "d"+name+"("+x+", "+params+")")
		case 'p':
			calls = append(calls, "p"+name+"("+x+", "+params+")")
		case 'q':
			calls = append(calls, "q"+name+"(0.6, "+params+")")
		}
	}
	return calls
}

// Densities, distribution functions and quantiles belong to one another: exp(l) is d, and p of the quantile is at least what was asked for.
func TestLanguageDensityFunctions(t *testing.T) {
	for _, d := range densities {
		if len(d.has) < 4 {
			continue
		}
		calls := densityCalls(d.name, d.x, d.params, d.has)
		l, density, q := valueOf(t, calls[0])[0], valueOf(t, calls[1])[0], valueOf(t, calls[3])[0]
		if math.Abs(math.Exp(l)-density) > 1e-12 {
			t.Errorf("%s is %v, and %s %v", calls[0], l, calls[1], density)
		}
		if p := valueOf(t, fmt.Sprintf("p%s(%v, %s)", d.name, q, d.params))[0]; p < 0.6-1e-9 {
			t.Errorf("%s = %v, of probability %v", calls[3], q, p)
		}
	}
}

func TestDensityFunctionsAsJAGS(t *testing.T) {
	withJAGS(t)
	for _, d := range densities {
		canonical, _ := dist.Lookup("d" + d.name)
		alias := canonical != nil && canonical.Name != "d"+d.name || slices.Contains([]string{"dirich", "multinom"}, d.name)
		for k, call := range densityCalls(d.name, d.x, d.params, d.has) {
			valueAsJAGS(t, call, alias || d.name == "bern" && k > 0)
		}
	}
}
