package plan_test

import (
	"math"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// surfaceOf is that of a model, at a start.
func surfaceOf(t *testing.T, text, data string, seed uint64) (*plan.Surface, []float64) {
	t.Helper()
	p, err := plan.New(compileText(t, text, data).Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := p.Surface()
	if err != nil {
		t.Fatal(err)
	}
	u, err := f.Start(nil, mcmc.Place{}, rng.New(seed, "start").Rand)
	if err != nil {
		t.Fatal(err)
	}
	return f, u
}

// Of every transform the gradients are those of central differences, with the Jacobian and without, and the two densities differ as the Jacobian says; a
// fork says the same.
func TestSurfaceGradients(t *testing.T) {
	for name, c := range map[string][2]string{
		"free and positive": {"model { mu ~ dnorm(0, 0.1); tau ~ dgamma(2, 1); for (i in 1:4) { y[i] ~ dnorm(mu, tau) } }", "y <- c(1, 2, 0, 4)"},
		"between":           {"model { p ~ dbeta(2, 3); a ~ dunif(-1, 5); y ~ dbin(p, 10); z ~ dnorm(a * p, 1) }", "y <- 3\nz <- 1.5"},
		"bounds that move":  {"model { a ~ dnorm(0, 1); b ~ dnorm(0, 1)T(a, ); c ~ dunif(a, b + 1); y ~ dnorm(a + b * c, 2) }", "y <- 1"},
		"shares":            {"model { p[1:3] ~ ddirch(a[]); x[1:3] ~ dmulti(p[], 10) }", "a <- c(1, 2, 1.5)\nx <- c(2, 5, 3)"},
		"effects":           {"model { m ~ dnorm(0, 1); t ~ dgamma(2, 1); for (i in 1:3) { b[i] ~ dnorm(m, t); y[i] ~ dpois(exp(b[i])) } }", "y <- c(1, 2, 0)"},
		"a mixture":         {"model { for (i in 1:4) { z[i] ~ dcat(p[]); y[i] ~ dnorm(m[z[i]], t[z[i]]) }\nfor (k in 1:2) { m[k] ~ dnorm(0, 0.1); t[k] ~ dgamma(2, 1) }\np[1:2] ~ ddirch(a[]) }", "y <- c(1, 2, 0, 4)\na <- c(1, 2)"},
		"a matrix":          {"model { S[1:2, 1:2] ~ dwish(R[,], 4); for (i in 1:3) { y[i, 1:2] ~ dmnorm(m[], S[,]) } }", "R <- structure(c(1, 0.2, 0.2, 2), .Dim = c(2, 2))\nm <- c(0, 1)\ny <- structure(c(1, 2, 0, -1, 1, 3), .Dim = c(3, 2))"},
	} {
		f, u := surfaceOf(t, c[0], c[1], 4)
		other := f.Fork()
		var at [2]float64
		for k, jacobian := range []bool{false, true} {
			f.Jacobian, other.Jacobian = jacobian, jacobian
			g, h := make([]float64, len(u)), make([]float64, len(u))
			at[k] = f.Gradient(u, g)
			if x := other.Gradient(u, h); x != at[k] {
				t.Errorf("%s: a fork has the density %v, not %v", name, x, at[k])
			}
			for j, v := range u {
				if g[j] != h[j] {
					t.Errorf("%s: a fork has the slope %v, not %v", name, h[j], g[j])
				}
				const step = 1e-5
				u[j] = v + step
				up := f.LogDensity(u)
				u[j] = v - step
				down := f.LogDensity(u)
				u[j] = v
				if want := (up - down) / (2 * step); math.Abs(g[j]-want) > 1e-6*(1+math.Abs(want)) {
					t.Errorf("%s, Jacobian %v: slope %d is %v, by differences %v", name, jacobian, j, g[j], want)
				}
				c := f.Owner(j)
				was := f.Move(u).V[c]
				u[j] = v + 0.1
				if f.Move(u).V[c] == was {
					t.Errorf("%s: number %d belongs to %s, which does not move with it", name, j, f.Move(u).M.CellName(c))
				}
				u[j] = v
			}
		}
		if at[0] == at[1] && !strings.Contains(c[0], "free") {
			t.Errorf("%s: the Jacobian is nothing", name)
		}
	}
}

func TestSurfaceRefuses(t *testing.T) {
	for said, c := range map[string][2]string{
		"no gradient by k (dpois), nor can it be summed out": {"model { for (i in 1:3) { z[i] ~ dcat(p[]); y[i] ~ dnorm(z[i] + m, 1) }\nk ~ dpois(3); w ~ dnorm(k, 1); m ~ dnorm(0, 1); p[1] <- 0.5; p[2] <- 0.5 }", "y <- c(1, 2, 1)\nw <- 3"},
		"no data reach any node":                             {"model { m ~ dnorm(0, 1) }", ""},
	} {
		p, err := plan.New(compileText(t, c[0], c[1]).Model, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = p.Surface(); err == nil || !strings.Contains(err.Error(), said) {
			t.Errorf("%v, want %s", err, said)
		}
	}
}

// What is summed out is a sum: of a mixture of N(−1, 1) and N(m, 1) with m ~ N(0, 1), and a Bernoulli node of which no continuous one knows.
func TestSurfaceSumsOut(t *testing.T) {
	f, u := surfaceOf(t, "model { for (i in 1:2) { z[i] ~ dbern(0.3); y[i] ~ dnorm(z[i] * m - (1 - z[i]), 1) }\nm ~ dnorm(0, 1); w ~ dbern(0.25); x ~ dbern(0.2 + 0.5 * w) }", "y <- c(1, -0.5)\nx <- 1", 1)
	u[0] = 0.7
	normal := func(x, m float64) float64 { return math.Exp(-0.5*(x-m)*(x-m)) / math.Sqrt(2*math.Pi) }
	want := math.Log(normal(0.7, 0)) + math.Log(0.25*0.7+0.75*0.2)
	for _, y := range []float64{1, -0.5} {
		want += math.Log(0.3*normal(y, 0.7) + 0.7*normal(y, -1))
	}
	if got := f.Joint(u); math.Abs(got-want) > 1e-12 {
		t.Errorf("log density %v, by hand %v", got, want)
	}
	s, ones := f.Draw(u, rng.New(1, "draw").Rand), 0.0
	z, _ := s.M.Array("z")
	r := rng.New(2, "draw").Rand
	const draws = 20_000
	for range draws {
		ones += f.Draw(u, r).V[z.Base]
	}
	// 5.5 standard errors: 4e-8.
	p := 0.3 * normal(1, 0.7) / (0.3*normal(1, 0.7) + 0.7*normal(1, -1))
	if math.Abs(ones/draws-p) > 5.5*math.Sqrt(p*(1-p)/draws) {
		t.Errorf("z[1] is 1 in %v of the draws, and has the probability %v", ones/draws, p)
	}
}
