package bugs_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

const statementData = "u <- c(3, 1, 2); v <- c(0.4, 0.6); n <- 0; k <- 2; M <- structure(c(1, 0.5, 3, 2), .Dim = c(2, 2)); S <- structure(c(2, 0.5, 0.5, 1), .Dim = c(2, 2)); y <- 1.5; hole <- c(1, NA)"

// statements are what a program may be made of, with the value of r; or what is refused, with the words. In jags they are the same, or only
// there refused: those are extensions.
var statements = []struct {
	name, program string
	r             []float64
	said          string // where it is refused
	jags          bool   // jags takes it
}{
	{"var", "var r[2], q;\nmodel { r[1] <- 1\nr[2] <- 2\nq ~ dnorm(0, 1) }", []float64{1, 2}, "", true},
	{"data block", "data { a <- 2 * k\nfor (i in 1:2) { z[i] <- a + i } }\nmodel { r <- z + 1\nq ~ dnorm(z[1], 1) }", []float64{6, 7}, "", true},
	{"simulation in the data block", "data { z ~ dnorm(100, 1.0E6) }\nmodel { r <- round(z)\nz ~ dnorm(m, 1)\nm ~ dnorm(0, 1) }", []float64{100}, "", true},
	{"semicolons", "model { r <- 1; q ~ dnorm(0, 1); }", []float64{1}, "", true},
	{"no semicolons", "model { r <- 1 q ~ dnorm(0, 1) }", []float64{1}, "", true},
	{"=", "model { r = 3\nq ~ dnorm(0, 1) }", []float64{3}, "", true},
	{"links on the left", "model { log(r[1]) <- 0\nlogit(r[2]) <- 0\nprobit(r[3]) <- 0\ncloglog(r[4]) <- 0\nq ~ dnorm(0, 1) }", []float64{1, 0.5, 0.5, 1 - 1/math.E}, "", true},
	{"loop over a range", "model { for (i in 1:k) { r[i] <- i^2 }\nq ~ dnorm(0, 1) }", []float64{1, 4}, "", true},
	{"loop over a vector", "model { for (i in u) { r[i] <- 10 * i }\nq ~ dnorm(0, 1) }", []float64{10, 20, 30}, "", true},
	{"loop that does not run", "model { for (i in k:1) { z[i] ~ dnorm(0, 1) }\nr <- 1\nq ~ dnorm(0, 1) }", []float64{1}, "", true},
	{"loop without braces", "model { for (i in 1:2) r[i] <- i }", nil, `expected "{" around the body of the loop`, false},
	{"empty subscripts", "model { r <- M[2,]\nq ~ dnorm(0, 1) }", []float64{0.5, 2}, "", true},
	{"range that runs down is empty", "model { r[1:2] <- v[2:1]\nq ~ dnorm(0, 1) }", nil, "but v[2:1] has 0", false},
	{"vector on the left", "model { r[1:2] <- v * 10\nq ~ dnorm(0, 1) }", []float64{4, 6}, "", true},
	{"names", "model { a.b_c1 <- 1\nr <- a.b_c1\nq ~ dnorm(0, 1) }", []float64{1}, "", true},
	{"name that begins with a dot", "model { .r <- 1 }", nil, "a name cannot begin with", false},
	{"words as names", "model { T <- 1\nI <- 2\nlength <- 3\ndim <- 4\nr <- T + I + length + dim\nq ~ dnorm(0, 1) }", []float64{10}, "", true},
	{"keyword as a name", "model { data <- 1 }", nil, "data is a keyword", false},
	{"numbers", "model { r <- 12 + 1. + .5 + 1E2 + 1.0e-3 + 1e+2\nq ~ dnorm(0, 1) }", []float64{213.501}, "", true},
	{"comments", "# one\nmodel { r <- 1 /* two\nlines */ q ~ dnorm(0, 1) # end\n}", []float64{1}, "", true},
	{"//", "model { r <- 1 // one\n}", nil, `"//" is no comment`, false},
	{"precedence", "model { r <- 2 + 3 * 4^2 - -2^2 + 2^-1 + 2 ** 3\nq ~ dnorm(0, 1) }", []float64{62.5}, "", true},
	{"comparisons in a row", "model { r <- 0 < k < 1 }", nil, "cannot follow another", false},
	{"ranges in a row", "model { r <- u[1:2:3] }", nil, "cannot follow another", false},
	{"logical values", "model { r[1] <- k > 1 && n\nr[2] <- k > 1 || n\nr[3] <- k == 2\nr[4] <- k != 2\nr[5] <- k >= 2\nr[6] <- k <= 2\nr[7] <- k < 2\nq ~ dnorm(0, 1) }", []float64{0, 1, 1, 0, 1, 1, 0}, "", true},
	{"!", "model { r <- !n\nq ~ dnorm(0, 1) }", []float64{1}, "", false},
	{"names of arguments of functions", "model { r <- pow(x = 2, 3) }", nil, "Arguments of functions have no names", false},
	{"length and dim", "data { d <- dim(M) }\nmodel { r[1] <- length(u)\nr[2] <- d[2]\nq ~ dnorm(0, 1) }", []float64{3, 2}, "", true},
	{"length of an expression", "model { r <- length(u + 1) }", nil, "length() takes one variable", false},
	{"size by the right side", "model { B <- inverse(S)\nr <- B %*% v * 0\nq ~ dnorm(0, 1) }", []float64{0, 0}, "", true},
	{"node defined twice", "model { r <- 1\nr <- 2 }", nil, "attempt to redefine node r", false},
	{"stochastic index", "model { z ~ dcat(v)\ny ~ dnorm(u[z] + M[z,2], 1)\nr <- 1 }", []float64{1}, "", true},
	{"stochastic range", "model { z ~ dcat(v)\ny ~ dnorm(sum(u[1:z]), 1) }", nil, "changes while sampling", false},
	{"hole", "model { x[1] <- 1\nx[3] <- 3\nr <- x[1] + x[3]\nq ~ dnorm(0, 1) }", []float64{4}, "", true},
	{"sum over a hole", "model { x[1] <- 1\nx[3] <- 3\nr <- sum(x[])\nq ~ dnorm(0, 1) }", nil, "x[2]", false},
	{"NA of a covariate", "model { y ~ dnorm(hole[2], 1) }", nil, "hole[2] is NA in the data and has no distribution", false},
	{"observed in part", "model { hole[1:2] ~ dmnorm(v, S)\nr <- 1 }", []float64{1}, "", false},
	{"data for <-", "model { y <- q + 1\nq ~ dnorm(0, 1) }", nil, "y is a logical node and cannot be observed", false},
	{"<- beside ~", "model { z <- log(y)\nz ~ dnorm(m, 1)\nm ~ dnorm(0, 1)\nr <- 1 }", []float64{1}, "", false},
	{"directed cycle", "model { r <- q\nq ~ dnorm(r, 1) }", nil, "possible directed cycle involving", false},
	{"scalar distribution of vectors", "model { x[1:3] ~ dnorm(u, 1) }", nil, "dnorm wants a number, but u has 3 elements", false},
	{"vector without a subscript", "model { u ~ dnorm(0, 1) }", nil, "u has 3 elements", false},
	{"T of a distribution without", "model { x ~ dunif(0, 1) T(0, 0.5) }", nil, "dunif cannot be truncated", false},
	{"T of dbern", "model { x ~ dbern(0.5) T(0, 0) }", nil, "dbern cannot be truncated", false},
	{"T of dcat", "model { x ~ dcat(v) T(1, 1) }", nil, "dcat cannot be truncated", false},
	{"T of dhyper", "model { x ~ dhyper(6, 7, 5, 1) T(1, 2) }", nil, "dhyper cannot be truncated", false},
	{"T of a vector", "model { x[1:2] ~ dmnorm(v, S) T(0,) }", nil, "dmnorm cannot be truncated", false},
	{"T with reversed bounds", "model { x ~ dnorm(0, 1) T(2, 1) }", nil, "the lower bound of T(,) is above the upper", false},
	{"I where parameters are not fixed", "model { x ~ dnorm(m, 1) I(0,)\nm ~ dnorm(0, 1)\nr <- 1 }", []float64{1}, "", false},
	{"C(,)", "model { x ~ dnorm(m, 1) C(0,)\nm ~ dnorm(0, 1)\nr <- 1 }", []float64{1}, "", false},
	{"C(,) of a vector", "model { x[1:2] ~ dmnorm(v, S) C(v, u[1:2])\nr <- 1 }", []float64{1}, "", false},
	{"C(,) of weights", "model { x[1:2] ~ ddirch(v) C(0, 1) }", nil, "ddirch cannot be censored", false},
	{"I(,) of a vector", "model { x[1:2] ~ dmnorm(v, S) I(0, )\nr <- 1 }", []float64{1}, "", false},
	{"unknown variable", "model { x ~ dnorm(muu, 1) }", nil, "unknown variable muu", false},
	{"unknown distribution", "model { x ~ dfoo(0, 1) }", nil, "unknown distribution: dfoo", false},
	{"unknown function", "model { r <- foo(0, 1) }", nil, "unknown function: foo", false},
	{"number of parameters", "model { x ~ dnorm(0) }", nil, "dnorm takes 2 parameters, not 1", false},
	{"number of arguments", "model { r <- exp(1, 2) }", nil, "exp takes one argument, not 2", false},
	{"index out of range", "model { r <- u[4] }", nil, "is outside 1:3", false},
	{"index that is no whole number", "model { r <- u[1.5] }", nil, "not a whole number", false},
	{"range of a loop that is not fixed", "model { for (i in 1:q) { r[i] <- i }\nq ~ dpois(3) }", nil, "cannot evaluate the range 1:q of counter i", false},
	{"link before ~", "model { log(x) ~ dnorm(0, 1) }", nil, "a link stands only on the left of <-", false},
	{"inverse of no positive definite matrix", "model { r <- inverse(M) * 0\nq ~ dnorm(0, 1) }", []float64{0, 0, 0, 0}, "", false},
	{"model NAME", "model rats { r <- 1\nq ~ dnorm(0, 1) }", []float64{1}, "", false},
	{"if", "model { if (k > 1) { r <- 1 } else { r <- 2 }\nq ~ dnorm(0, 1) }", []float64{1}, "", false},
	{"function", "function sq(x) <- x^2\nmodel { r <- sq(k + 1)\nq ~ dnorm(0, 1) }", []float64{9}, "", false},
	{"target", "model { target += -q^2\nq ~ dnorm(0, 1)\nr <- 1 }", []float64{1}, "", false},
	{"names of parameters", "model { q ~ dnorm(0, sd = 2)\nr <- 1 }", []float64{1}, "", false},
	{"T before", "model { q ~ T(dnorm(0, 1), 0, )\nr <- 1 }", []float64{1}, "", false},
	{"zeros trick", "data { z <- 0 }\nmodel { z ~ dpois(-l + 100)\nl <- -q^2\nq ~ dunif(-3, 3)\nr <- 1 }", []float64{1}, "", true},
	{"ones trick", "data { one <- 1 }\nmodel { one ~ dbern(exp(-q^2))\nq ~ dunif(-3, 3)\nr <- 1 }", []float64{1}, "", true},
	{"ode", "model { s[1:3] <- ode(v[1:1], u[1:3], D(C[1:1], t), 0, 1.0E-3)\nD(C[1], t) <- -C[1] }", nil, "a differential equation, D(…) <- …, is not supported", false},
	{"ode without its equations", "model { s[1:3] <- ode(v[1:1], u[1:3], 1, 0, 1.0E-3) }", nil, "ode", false},
	{"F", "model { r <- integral(F(s), 0, 1, 1.0E-3)\nF(s) <- s^2 }", nil, "F(…) <- …, is not supported", false},
	{"integral", "model { r <- integral(F(s), 0, 1, 1.0E-3) }", nil, "integral", false},
	{"solution", "model { r <- solution(F(s), 0, 1, 1.0E-3) }", nil, "solution", false},
	{"dstable", "model { x ~ dstable(1, 0, 1, 1) }", nil, "dstable is not supported", false},
	{"cumsum", "model { r <- cumsum(u[]) }", nil, "Write sum(x[1:i]) in a loop", false},
	{"log1p", "model { r <- log1p(k) }", nil, "Write log(1 + x)", false},
	{"inv.logit", "model { r <- inv.logit(k) }", nil, "Write ilogit(x)", false},
	{"dpolygamma", "model { x ~ dpolygamma(1, 1) }", nil, "unknown distribution: dpolygamma", false},
	{"expm1", "model { r <- expm1(k) }", nil, "Write exp(x) - 1", false},
	{"mod", "model { r <- mod(k, 3) }", nil, "Write a - b * trunc(a / b)", false},
	{"which", "model { r <- which(u) }", nil, "Give the indices in the data", false},
	{"nchar", "model { r <- nchar(u) }", nil, "Give the number in the data", false},
	{"det", "model { r <- det(S) }", nil, "exp(logdet(A))", false},
	{"eigen", "model { r <- eigen(S) }", nil, "unknown function: eigen", false},
	{"svd", "model { r <- svd(S) }", nil, "unknown function: svd", false},
	{"besselJ", "model { r <- besselJ(k, 1) }", nil, "unknown function: besselJ", false},
	{"besselK", "model { r <- besselK(k, 1) }", nil, "unknown function: besselK", false},
	{"besselY", "model { r <- besselY(k, 1) }", nil, "unknown function: besselY", false},
	{"var of a vector", "model { r <- var(u) }", nil, "var is a keyword", false},
	{"besselI", "model { r <- besselI(k, 1) }", nil, "unknown function: besselI", false},
}

// statementError runs a program as far as a start, and gives r or what is said.
func statementError(program string) (r []float64, err error) {
	p, err := bugs.Parse("m.bug", program)
	if err != nil {
		return nil, err
	}
	d, err := bugs.ReadData("d.R", []byte(statementData))
	if err != nil {
		return nil, err
	}
	c, err := bugs.Compile(p, d, rng.New(1, "data").Rand)
	if err != nil {
		return nil, err
	}
	pl, err := plan.New(c.Model, nil)
	if err != nil {
		return nil, c.Explain(err)
	}
	a, _ := c.Model.Array("r")
	if a == nil {
		return nil, nil
	}
	job := &plan.Job{Plan: pl}
	if _, err := job.Start(context.Background(), 0, rng.New(1, "start").Rand); err != nil {
		return nil, c.Explain(err)
	}
	return slices.Clone(c.Model.NewState().V[a.Base : int(a.Base)+a.Size]), nil
}

func TestLanguageStatements(t *testing.T) {
	for _, c := range statements {
		t.Run(c.name, func(t *testing.T) {
			r, err := statementError(c.program)
			switch {
			case err != nil && c.said == "", err != nil && !strings.Contains(err.Error(), c.said), err == nil && c.said != "":
				t.Errorf("it says %v", err)
			case err == nil:
				if !slices.EqualFunc(r, c.r, func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) }) {
					t.Errorf("r = %v, not %v", r, c.r)
				}
			}
		})
	}
}

func TestStatementsAsJAGS(t *testing.T) {
	withJAGS(t)
	for _, c := range statements {
		t.Run(c.name, func(t *testing.T) {
			theirs, said := jagsRun(t, c.program, statementData, []string{"r"}, 2)
			if c.jags != (theirs != nil) {
				t.Errorf("jags takes it: %v\n%s", theirs != nil, said[max(0, len(said)-300):])
			}
			for k, want := range c.r {
				for _, name := range []string{"r", "r[" + string(rune('1'+k)) + "]"} {
					if s, ok := theirs[name]; ok && !near(want, s.Mean) {
						t.Errorf("%s = %v, in jags %v", name, want, s.Mean)
					}
				}
			}
		})
	}
}
