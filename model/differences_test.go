package model_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/model"
)

// Programs with what the grammar of random programs and the shapes of likelihoods do not have: densities and functions whose derivatives nothing but central differences tells.
var differenceCases = []columnCase{
	{name: "a log likelihood of one's own", model: `model { a ~ dnorm(0, 1); s ~ dgamma(3, 2); z <- 0; z ~ dloglik(-0.5 * s * pow(y1 - a, 2) + 0.5 * log(s) - pow(a * s, 3) / 9) }`},
	{name: "log likelihoods of rows", model: `model { a ~ dnorm(0, 1); b ~ dnorm(0, 1); for (i in 1:7) { z[i] <- 0; z[i] ~ dloglik(y[i] * log(ilogit(a + b * y[i])) - exp(b) * y[i] * y[i]) } }`},
	{name: "flat priors", model: `model { a ~ dflat(); t ~ dhalfflat(); u ~ dflat() T(-3, 5); for (i in 1:7) { y[i] ~ dnorm(a + u * x[i], t) } }`},
	{name: "added to the target", model: `model { a ~ dnorm(0, 1); t ~ dexp(1); target += -a * a * t; for (i in 1:7) { target += log(1 + exp(a * x[i])) - t } y1 ~ dnorm(a, 1) }`},
	{name: "inverse of any matrix", model: `model { for (i in 1:3) { for (j in 1:3) { m[i,j] ~ dnorm(0, 1); q[i,j] <- m[i,j] / 4 + 2 * equals(i, j) } } v <- inverse(q[,]);
		for (i in 1:3) { y[i] ~ dnorm(v[i,1] - 2 * v[2,i] * v[i,3], 2) } y1 ~ dnorm(logdet(s[,]), 1); for (i in 1:3) { for (j in 1:3) { s[i,j] <- inprod(q[i,], q[j,]) } } }`},
	{name: "inverse of a larger matrix", model: `model { for (i in 1:5) { for (j in 1:5) { m[i,j] ~ dnorm(0, 4); q[i,j] <- m[i,j] / 4 + 3 * equals(i, j) } } v <- inverse(q[,]); for (i in 1:5) { y[i] ~ dnorm(sum(v[i,]) + v[1,i], 2) } }`},
	{name: "matrix functions", model: `model { for (i in 1:2) { for (j in 1:2) { m[i,j] ~ dnorm(0, 4) } } e <- mexp(m[,]); p <- m[,] %*% e[,]; for (i in 1:2) { y[i] ~ dnorm(e[i,1] - p[1,i], 2) } y1 ~ dnorm(p[2,2], 1) }`},
	{name: "multinomial", model: `model { a[1:4] ~ ddirch(al[]); b ~ dnorm(0, 1); for (j in 1:4) { al[j] <- 2; q[j] <- a[j] * exp(b * j / 3) } k[1:4] ~ dmulti(q[], 12) }`, data: "k <- c(2, 0, 7, 3)"},
	{name: "multinomials of rows", model: `model { for (j in 1:3) { b[j] ~ dnorm(0, 1) } for (i in 1:4) { for (j in 1:3) { q[i,j] <- exp(b[j] * x[i]) / (1 + j) } k[i,1:3] ~ dmulti(q[i,], 5) } }`,
		data: "k <- structure(c(5, 0, 1, 2, 0, 3, 1, 2, 0, 2, 3, 1), .Dim=c(4, 3))"},
	{name: "multivariate t", model: `model { m[1:2] ~ dmt(z[], P[,], 5); t ~ dgamma(3, 2); for (i in 1:2) { z[i] <- 0.3 * i; for (j in 1:2) { P[i,j] <- t * (equals(i, j) + 0.3) } } y1 ~ dnorm(m[1] * m[2], 1) }`},
	{name: "covariance by a parameter", model: `model { r ~ dunif(-0.9, 0.9); s ~ dgamma(4, 2); S[1,1] <- s * s; S[2,2] <- 1; S[1,2] <- r * s; S[2,1] <- r * s; for (i in 1:2) { mu[i] <- s * i } for (i in 1:3) { w[i,1:2] ~ dmnorm.vcov(mu[], S[,]) } }`,
		data: "w <- structure(c(.1, .2, .3, .4, .5, .6), .Dim=c(3,2))"},
	{name: "Wishart", model: `model { W[1:2,1:2] ~ dwish(R[,], 4); t ~ dgamma(3, 2); for (i in 1:2) { mu[i] <- t; for (j in 1:2) { R[i,j] <- t * equals(i, j) + 0.2 } } for (i in 1:3) { w[i,1:2] ~ dmnorm(mu[], W[,]) } }`,
		data: "w <- structure(c(.1, .2, .3, .4, .5, .6), .Dim=c(3,2))"},
	{name: "Dirichlet with parameters", model: `model { s ~ dgamma(4, 2); for (j in 1:3) { al[j] <- s * j } for (i in 1:2) { p[i,1:3] ~ ddirch(al[]) } y1 ~ dnorm(p[1,1] - p[2,3], 4) }`},
	{name: "interpolation", model: `model { a ~ dnorm(0, 4); h ~ dnorm(1, 4); e <- interp.lin(a, g[], v[]); v[1] <- h; v[2] <- h * h; v[3] <- -h; g[1] <- -9; g[2] <- 0.013; g[3] <- 9; y1 ~ dnorm(e, 2) }`},
	{name: "a mass between bounds", model: `model { a ~ dnorm(0, 1); t ~ dgamma(3, 2); lo <- a - t; for (i in 1:5) { y[i] ~ dnorm(a, t) T(lo - 9, 9 + t) } k1 ~ dpois(t) T(1, 6); k2 ~ dbin(ilogit(a), 9) T(2, ) }`, data: "k1 <- 2; k2 <- 5"},
}

// TestByDifferences compares the derivatives that rows give one by one, and those of compiled blocks, with central differences of the rows' log density. Where differences of two
// lengths are not alike to a part in 10⁵ there is a kink or too much rounding; few are left out.
func TestByDifferences(t *testing.T) {
	const data = "y1 <- 0.4; y <- c(0.3, -0.2, 1.1, 0.5, -0.7, 0.2, 0.9); x <- c(1, -1, 0.5, 2, -0.5, 0.3, -1.2)"
	for _, tc := range differenceCases {
		m := compileCase(t, tc.model, data+"; "+tc.data)
		cells, det, stoch := blockOf(m)
		e, g := m.NewBlock(cells, det, stoch).NewEvaluator(), m.NewGradient(det, stoch)
		s := m.NewState()
		r := rand.New(rand.NewPCG(3, 4))
		compared, left := 0, 0
		for range 6 {
			for _, c := range cells { // flat priors have no draws
				if s.V[c] = 0.4 + 0.5*r.Float64(); tc.name == "Wishart" || tc.name == "multinomial" || tc.name == "Dirichlet with parameters" {
					s.V[c] = startOf(m.CellName(c), r)
				}
			}
			s.Run(det)
			at := func(d direction, h float64) float64 {
				for c, w := range d {
					s.V[c] += w * h
				}
				s.Run(det)
				lp := s.LogProb(stoch)
				for c, w := range d {
					s.V[c] -= w * h
				}
				return lp
			}
			if !agreeAt(t, tc.name, m, e, g, s, cells, det, stoch, 1e-9) {
				t.Errorf("%s: no density at %v", tc.name, s.V)
				continue
			}
			g.At(s)
			slopes := slices.Clone(s.A)
			for _, d := range directions(m, cells) {
				got := 0.0
				for c, w := range d {
					got += w * slopes[c]
				}
				by := func(h float64) float64 { return (at(d, h) - at(d, -h)) / (2 * h) }
				want, rough := by(1e-5), by(2e-5)
				if !(math.Abs(want-rough) < 1e-6*(1+math.Abs(want))) {
					left++
					continue
				}
				compared++
				if math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
					t.Errorf("%s: the derivative by %s is %v, by differences %v", tc.name, d.name(m), got, want)
				}
			}
		}
		if left*10 > compared {
			t.Errorf("%s: %d derivatives compared, %d left out", tc.name, compared, left)
		}
	}
}

// direction is cells with how much of them is moved.
type direction map[int32]float64

func (d direction) name(m *model.Model) string {
	var names []string
	for c := range d {
		names = append(names, m.CellName(c))
	}
	slices.Sort(names)
	return strings.Join(names, " with ")
}

// directions are those of single cells, but of two neighbours against each other in a vector that sums to 1, and of an element of a symmetric matrix with its twin.
func directions(m *model.Model, cells []int32) (all []direction) {
	for k, c := range cells {
		t, _ := m.TemplateOf(m.DefRow(c))
		switch {
		case t.Stoch.Name == "ddirch":
			if k+1 < len(cells) && m.DefRow(cells[k+1]) == m.DefRow(c) {
				all = append(all, direction{c: 1, cells[k+1]: -1})
			}
		case m.CellName(c) == "W[2,1]":
			all = append(all, direction{c: 1, cells[k+1]: 1})
		case m.CellName(c) != "W[1,2]":
			all = append(all, direction{c: 1})
		}
	}
	return all
}

// startOf is a value of a node whose support is not all numbers: an element of a positive definite matrix, or of a vector that sums to 1 up to what its density asks for.
func startOf(name string, r *rand.Rand) float64 {
	switch name {
	case "W[1,1]", "W[2,2]":
		return 1 + r.Float64()
	case "W[1,2]", "W[2,1]":
		return 0.25
	case "a[1]", "a[2]", "a[3]", "a[4]":
		return 0.25
	case "p[1,1]", "p[2,3]":
		return 0.5
	case "p[1,2]", "p[1,3]", "p[2,1]", "p[2,2]":
		return 0.25
	}
	return 0.4 + r.Float64()
}
