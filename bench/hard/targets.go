package main

import (
	"math"
	"math/bits"
)

// target is a program whose posterior is known.
type target struct {
	name        string
	what        string
	program     string
	data, inits string
	laws        map[string]law
}

// targets are all of them. Their references are exact: sums over the states of discrete nodes, closed forms where nodes are normal given one
// number, and the trapezoid rule over that number. Data that say little keep nodes from being drawn from their priors.
func targets() []target {
	return []target{funnel(), banana(), twoModes("two modes", ""), twoModes("two modes, one start", "theta <- 3"),
		product(), tied("tied discretes", ""), tied("tied discretes, one start", "z <- c(1, 1)"), labels(), sum(), sumLogit(),
		cauchy(), bound(), variance(), separable(), far()}
}

// funnel is Neal's (2003, section 8) with data of standard deviation 10 at 0. Given v the x are normal.
func funnel() target {
	logp := func(v float64) float64 { return normal(v, 0, 3) - 4.5*math.Log(math.Exp(v)+100) }
	grid := even(-18, 18, 4001)
	return target{name: "funnel", what: "Neal's funnel over 9 normal nodes",
		program: "model { v ~ dnorm(0, 1/9); for (i in 1:9) { x[i] ~ dnorm(0, exp(-v)); y[i] ~ dnorm(x[i], 0.01) } }",
		data:    "y <- c(0, 0, 0, 0, 0, 0, 0, 0, 0)",
		laws: map[string]law{
			"v": density(grid, logp),
			"x[1]": mixed(grid, logp, func(v float64) (float64, float64) {
				return 0, 1 / math.Sqrt(math.Exp(-v)+0.01)
			}),
		}}
}

// banana is a parabola with normal noise. Given x[1] the other is normal.
func banana() target {
	logp := func(x float64) float64 { return normal(x, 0, 10) + normal(0, 0.1*x*x, math.Sqrt(100.25)) }
	grid := even(-40, 40, 8001)
	return target{name: "banana", what: "a parabola 1 : 50 as wide as long",
		program: "model { x[1] ~ dnorm(0, 0.01); x[2] ~ dnorm(0, 0.01); y ~ dnorm(x[2] + 0.1 * pow(x[1], 2), 4) }",
		data:    "y <- 0",
		laws: map[string]law{
			"x[1]": density(grid, logp),
			"x[2]": mixed(grid, logp, func(x float64) (float64, float64) {
				return -0.1 * x * x * 4 / 4.01, 1 / math.Sqrt(4.01)
			}),
		}}
}

// twoModes is of a square: two modes 36 standard deviations apart, of the same mass.
func twoModes(name, inits string) target {
	logp := func(x float64) float64 { return normal(x, 0, 10) + normal(9, x*x, 0.5) }
	return target{name: name, what: "modes at 3 and -3, 36 sds apart", inits: inits,
		program: "model { theta ~ dnorm(0, 0.01); y ~ dnorm(theta * theta, 4) }",
		data:    "y <- 9",
		laws:    map[string]law{"theta": density(even(-6, 6, 24001), logp)}}
}

// product is of two factors: both branches of a hyperbola. Given one factor the other is normal.
func product() target {
	logp := func(a float64) float64 { return normal(a, 0, 10) + normal(10, 0, math.Sqrt(0.25+100*a*a)) }
	a := density(even(-60, 60, 48001), logp)
	return target{name: "product", what: "a hyperbola's two branches",
		program: "model { a ~ dnorm(0, 0.01); b ~ dnorm(0, 0.01); y ~ dnorm(a * b, 4) }",
		data:    "y <- 10",
		laws:    map[string]law{"a": a, "b": a}}
}

// tied is two Bernoulli nodes, unequal with probability 10⁻⁴ and for the data in the middle.
func tied(name, inits string) target {
	return target{name: name, what: "two Bernoulli nodes, unequal once in 10 000", inits: inits,
		program: "model { z[1] ~ dbern(0.5); z[2] ~ dbern(p[z[1] + 1]); y ~ dnorm(z[1] + z[2], 1) }",
		data:    "y <- 1\np <- c(0.0001, 0.9999)",
		laws:    map[string]law{"z[1]": bernoulli(0.5), "z[2]": bernoulli(0.5)}}
}

// labels is a mixture of two normals whose labels can be exchanged: the sum over all assignments of 12 data.
func labels() target {
	y := []float64{-3.6, -3.1, -2.2, -2.9, -3.4, -2.5, 2.4, 3.3, 3.1, 2.7, 3.9, 2.8}
	// Of m data with sum s, N(mu, 1) each and mu N(0, 100).
	part := func(m, s float64) (logp, mean, sd float64) {
		q := m + 0.01
		return -math.Log(q)/2 + s*s/q/2, s / q, 1 / math.Sqrt(q)
	}
	var lp, mean, sd []float64
	for set := range uint(1) << len(y) {
		s1, s2 := 0.0, 0.0
		for i, v := range y {
			if set>>i&1 == 1 {
				s1 += v
			} else {
				s2 += v
			}
		}
		n1 := float64(bits.OnesCount(set))
		l1, m1, d1 := part(n1, s1)
		l2, _, _ := part(float64(len(y))-n1, s2)
		lp, mean, sd = append(lp, l1+l2), append(mean, m1), append(sd, d1)
	}
	mu := normals(normalised(lp), mean, sd)
	return target{name: "label switching", what: "a mixture of two normals",
		program: "model { for (k in 1:2) { mu[k] ~ dnorm(0, 0.01) }; for (i in 1:12) { z[i] ~ dcat(p[]); y[i] ~ dnorm(mu[z[i]], 1) } }",
		data:    "p <- c(0.5, 0.5)\ny <- c(-3.6, -3.1, -2.2, -2.9, -3.4, -2.5, 2.4, 3.3, 3.1, 2.7, 3.9, 2.8)",
		laws:    map[string]law{"mu[1]": mu, "mu[2]": mu}}
}

// sum is two normal nodes of which data tell the sum, to 1 : 1400.
func sum() target {
	// Posterior precision of (a, b): 10⁻⁴ I + 100 · 11ᵀ; b' = 100 · 11ᵀ.
	mean := 100.0 / (200 + 1e-4)
	sd := math.Sqrt((100 + 1e-4) / (1e-4 * (200 + 1e-4)))
	l := normals([]float64{1}, []float64{mean}, []float64{sd})
	return target{name: "ridge", what: "only a sum is known, normal data",
		program: "model { a ~ dnorm(0, 0.0001); b ~ dnorm(0, 0.0001); y ~ dnorm(a + b, 100) }",
		data:    "y <- 1",
		laws:    map[string]law{"a": l, "b": l}}
}

// sumLogit is the same under a logit. Given the sum each is normal.
func sumLogit() target {
	logp := func(s float64) float64 {
		return normal(s, 0, math.Sqrt(200)) + 12*s - 20*math.Log1p(math.Exp(s))
	}
	l := mixed(even(-8, 8, 4001), logp, func(s float64) (float64, float64) { return s / 2, math.Sqrt(50) })
	return target{name: "ridge under a logit", what: "only a sum is known, binomial data",
		program: "model { a ~ dnorm(0, 0.01); b ~ dnorm(0, 0.01); logit(p) <- a + b; y ~ dbin(p, 20) }",
		data:    "y <- 12",
		laws:    map[string]law{"a": l, "b": l}}
}

// cauchy has tails of a Cauchy distribution out to 10⁴.
func cauchy() target {
	logp := func(x float64) float64 { return -math.Log1p(x*x) + normal(x, 0, 1e4) }
	return target{name: "heavy tail", what: "a Cauchy out to 10 000 scales",
		program: "model { theta ~ dnorm(0, 1.0E-8); y ~ dt(theta, 1, 1) }",
		data:    "y <- 0",
		laws:    map[string]law{"theta": density(wide(8e4, 80001), logp)}}
}

// bound is a posterior that leans on the end of its prior.
func bound() target {
	logp := func(x float64) float64 { return normal(1.5, x, 0.1) }
	return target{name: "bound", what: "data beyond the end of a uniform prior",
		program: "model { theta ~ dunif(0, 1); y ~ dnorm(theta, 100) }",
		data:    "y <- 1.5",
		laws:    map[string]law{"theta": density(even(0, 1, 20001), logp)}}
}

// variance is groups that do not differ. Given sigma, mu is normal.
func variance() target {
	y := []float64{0.1, -0.4, 0.3, 0.2, -0.1, 0.5, -0.3, 0.0}
	n, mean, ss := float64(len(y)), 0.0, 0.0
	for _, v := range y {
		mean += v / n
	}
	for _, v := range y {
		ss += square(v - mean)
	}
	given := func(sigma float64) (centre, q float64) {
		q = n/(1+sigma*sigma) + 1e-4
		return n * mean / (1 + sigma*sigma) / q, q
	}
	logp := func(sigma float64) float64 {
		v := 1 + sigma*sigma
		centre, q := given(sigma)
		return -n/2*math.Log(v) - (ss+n*mean*mean)/v/2 - math.Log(q)/2 + centre*centre*q/2
	}
	grid := even(0, 10, 20001)
	return target{name: "variance near 0", what: "groups that do not differ",
		program: "model { mu ~ dnorm(0, 0.0001); sigma ~ dunif(0, 10); for (i in 1:8) { a[i] ~ dnorm(mu, pow(sigma, -2)); y[i] ~ dnorm(a[i], 1) } }",
		data:    "y <- c(0.1, -0.4, 0.3, 0.2, -0.1, 0.5, -0.3, 0)",
		laws: map[string]law{"sigma": density(grid, logp), "mu": mixed(grid, logp, func(s float64) (float64, float64) {
			centre, q := given(s)
			return centre, 1 / math.Sqrt(q)
		})}}
}

// separable is a logistic regression that the prior alone keeps finite: the trapezoid rule in both coefficients.
func separable() target {
	x := []float64{-3, -2, -1, 1, 2, 3}
	grid, inner := even(-20, 500, 1041), even(-700, 700, 2801)
	logp := func(b, a float64) float64 {
		lp := normal(a, 0, 100) + normal(b, 0, 100)
		for _, v := range x {
			e := a + b*v
			if v < 0 {
				e = -e
			}
			if e < 0 { // log ilogit(e)
				lp += e - math.Log1p(math.Exp(e))
			} else {
				lp -= math.Log1p(math.Exp(-e))
			}
		}
		return lp
	}
	lb, la := make([]float64, len(grid)), make([]float64, len(inner))
	top := logp(100, 0)
	for i, b := range grid {
		for j, a := range inner {
			p := math.Exp(logp(b, a) - top)
			lb[i] += p
			la[j] += p
		}
	}
	onGrid := func(g, p []float64) law {
		return density(g, func(x float64) float64 { return math.Log(p[int(math.Round((x-g[0])/(g[1]-g[0])))]) })
	}
	return target{name: "separable logit", what: "a logistic regression that only the prior keeps finite",
		program: "model { a ~ dnorm(0, 0.0001); b ~ dnorm(0, 0.0001); for (i in 1:6) { logit(p[i]) <- a + b * x[i]; y[i] ~ dbern(p[i]) } }",
		data:    "x <- c(-3, -2, -1, 1, 2, 3)\ny <- c(0, 0, 0, 1, 1, 1)",
		laws:    map[string]law{"a": onGrid(inner, la), "b": onGrid(grid, lb)}}
}

// far is a mode 80 standard deviations away that holds 1.8 % of the mass.
func far() target {
	logp := func(x float64) float64 { return normal(x, 0, math.Sqrt(200)) + normal(0, x*(x-40)/40, 0.5) }
	return target{name: "far mode, one start", what: "a mode 80 sds away with 1.8 % of the mass", inits: "theta <- 0",
		program: "model { theta ~ dnorm(0, 0.005); y ~ dnorm(theta * (theta - 40) / 40, 4) }",
		data:    "y <- 0",
		laws:    map[string]law{"theta": density(even(-10, 50, 60001), logp)}}
}
