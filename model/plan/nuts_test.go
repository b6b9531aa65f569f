package plan_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/hmc"
)

// TestGradients compares gradients with central differences of the log density, in the models of the conformance suite where they are draws from the
// joint distribution, and in larger ones, whose rows go by blocks.
func TestGradients(t *testing.T) {
	compared := 0
	for k, tc := range append(cases(), larger()...) {
		c := compileText(t, tc.model, tc.data)
		p := allByNUTS(t, c.Model)
		if p == nil {
			continue
		}
		joint, r := jointModel(t, c.Model), rand.New(rand.NewPCG(uint64(k), 5))
		for turn := range 15 {
			sweep := p.Sweep()
			if turn >= 5 && sweep.HalfCentred(0.2, turn >= 10) == 0 {
				break
			}
			target, u := sweep.Unbounded(joint.Draw(r))
			u = slices.Clone(u)
			grad := make([]float64, len(u))
			lp := target.Gradient(u, grad)
			if math.IsInf(lp, 0) || math.IsNaN(lp) {
				continue
			}
			for j := range u {
				if math.Abs(u[j]) > 30 {
					continue // a probability within e⁻³⁰ of 1 is rounded: by differences the density is a staircase
				}
				want, rough := differenceAt(target, u, j, 1e-5), differenceAt(target, u, j, 1e-4)
				if !(math.Abs(want-rough) < 1e-4*(1+math.Abs(want))) {
					continue // a step or a bound is near: no derivative to compare with
				}
				compared++
				// Terms of 10⁹ that cancel, as those of a large count, leave so much rounding that only a wide step sees through it, and its error is extrapolated away.
				wide := (4*rough - differenceAt(target, u, j, 2e-4)) / 3
				if off := min(math.Abs(grad[j]-want), math.Abs(grad[j]-rough), math.Abs(grad[j]-wide)); !(off < 1e-5*(1+math.Abs(want))) { // small shares of a simplex are rounded: of the two steps, the larger one sees less of that
					t.Errorf("%s: derivative %d is %v, by differences %v", tc.name, j, grad[j], want)
				}
			}
		}
	}
	if t.Logf("%d derivatives compared", compared); compared < 500 {
		t.Errorf("only %d derivatives were compared", compared)
	}
}

// larger are models whose rows go by blocks.
func larger() []conformance {
	return []conformance{
		{name: "rows by blocks", model: `model { s ~ dunif(0.1, 3); a ~ dnorm(0, 1); for (j in 1:3) { b[j] ~ dnorm(0, 1 / s^2) }
			for (i in 1:150) { e[i] <- a + inprod(b[], x[i,]) - sum(b[]) * b[g[i]]; logit(p[i]) <- e[i]; y[i] ~ dbern(p[i]); log(l[i]) <- e[i] / 2 + exp(-b[1] * b[1]);
				w[i] ~ dpois(l[i]); q[i] <- 1 / (1 + pow(e[i], 2)) * max(a, b[1]) + sqrt(s) * ifelse(x[i,1] > 0, b[2], -b[3]); u[i] ~ dt(q[i], s, 4); v[i] ~ dnorm(q[i], s) T(-1, 5) } }`,
			data: rowsByBlocks()},
		{name: "bounds by blocks", model: `model { a ~ dnorm(0, 1); lo[1] <- a; for (i in 2:150) { lo[i] <- 0.9 * lo[i-1] + x[i,1] / 5 }
			for (i in 1:150) { b[i] ~ dnorm(0, 1) T(lo[i],); y[i] ~ dbern(ilogit(b[i])); w[i] ~ dpois(exp(b[i] / 4)); u[i] ~ dnorm(b[i], 1); v[i] ~ dnorm(b[i], 1) T(-2, 6); q[i] <- g[i] } }`,
			data: rowsByBlocks()},
	}
}

// differenceAt is a central difference of a log density along coordinate j.
func differenceAt(target hmc.Target, u []float64, j int, h float64) float64 {
	at := u[j]
	u[j] = at + h
	up := target.LogDensity(u)
	u[j] = at - h
	down := target.LogDensity(u)
	u[j] = at
	return (up - down) / (2 * h)
}

// rowsByBlocks are data of 150 rows.
func rowsByBlocks() string {
	r := rand.New(rand.NewPCG(1, 2))
	column := func(n int, f func() float64) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(&b, "%.3f", f())
		}
		return b.String()
	}
	whole := func(n int) func() float64 { return func() float64 { return float64(r.IntN(n)) } }
	return fmt.Sprintf("x <- structure(c(%s), .Dim=c(150,3)); g <- c(%s); y <- c(%s); w <- c(%s); u <- c(%s); v <- c(%s)",
		column(450, r.NormFloat64), column(150, func() float64 { return float64(1 + r.IntN(3)) }), column(150, whole(2)), column(150, whole(4)),
		column(150, r.NormFloat64), column(150, func() float64 { return 5*r.Float64() - 1 }))
}
