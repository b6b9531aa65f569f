package plan_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// counted are models whose continuous nodes, x…, move with counts summed out. The nodes x have no bounds, so that no Jacobian comes in.
func counted() []conformance {
	return []conformance{
		{"abundance and detection", `model { x1 ~ dnorm(1, 1); x2 ~ dnorm(0, 1); for (i in 1:3) { N[i] ~ dpois(exp(x1 + 0.3 * i)); for (j in 1:2) { y[i,j] ~ dbin(ilogit(x2 - 0.2 * j), N[i]) } } total <- sum(N[]) }`,
			`y <- structure(c(1,0,4, 2,0,3), .Dim=c(3,2))`, "nuts", ""},
		{"one visit, and covariates of both", `model { for (k in 1:3) { x[k] ~ dnorm(0, 1) } for (i in 1:3) { log(l[i]) <- x[1] + x[2] * c[i]; N[i] ~ dpois(l[i]); logit(p[i]) <- x[3] + x[2]; y[i] ~ dbin(p[i], N[i]) } w ~ dnorm(x[3], 1) }`,
			`y <- c(1,0,4); c <- c(-1,0,1); w <- 0.3`, "nuts", ""},
		{"negative binomial", `model { x1 ~ dnorm(0, 1); x2 ~ dnorm(0, 1); x3 ~ dnorm(0, 2); r <- exp(x3); for (i in 1:3) { N[i] ~ dnegbin(r / (r + exp(x1)), r); for (j in 1:3) { y[i,j] ~ dbin(ilogit(x2), N[i]) } } }`,
			`y <- structure(c(1,0,4, 2,0,3, 1,0,5), .Dim=c(3,3))`, "nuts", ""},
		{"a missing visit, a certain one, a site without animals", `model { x ~ dnorm(0, 1); for (i in 1:3) { N[i] ~ dpois(exp(x) * a[i]); y[i,1] ~ dbin(0.4, N[i]); y[i,2] ~ dbin(p[i], N[i]); y[i,3] ~ dbin(ilogit(x), N[i]) } }`,
			`y <- structure(c(1,0,2, 2,0,3, 1,0,NA), .Dim=c(3,3)); a <- c(1,0,2); p <- c(1,0.5,0.2)`, "nuts", ""},
		{"a switch beside", `model { x ~ dnorm(0, 1); q ~ dnorm(0, 1); for (i in 1:4) { w[i] ~ dbern(0.6); N[i] ~ dpois(exp(x) * w[i]); y[i] ~ dbin(ilogit(q), N[i]) } }`,
			`y <- c(1,0,0,2)`, "nuts", ""},
	}
}

// The density of the continuous nodes is the sum over the counts, up to rounding and one constant, and the derivatives are those of the density: central differences
// with a step of 1e-5. The sums end at 2000, beyond which no term is above 1e-300 of the largest.
func TestCountsAreSummed(t *testing.T) {
	for k, tc := range counted() {
		t.Run(tc.name, func(t *testing.T) {
			c := compileText(t, tc.model, tc.data)
			m := c.Model
			p, err := plan.New(m, tc.overrides())
			if err != nil {
				t.Fatal(err)
			}
			s := jointModel(t, m).Draw(rand.New(rand.NewPCG(1, uint64(k))))
			copyData(m, s)
			target, u := p.Sweep().Unbounded(s)
			constant := math.NaN()
			r := rand.New(rand.NewPCG(2, uint64(k)))
			grad, more := make([]float64, len(u)), make([]float64, len(u))
			for range 20 {
				for j := range u {
					u[j] = r.NormFloat64()
				}
				lp := target.Gradient(u, grad)
				if again := target.LogDensity(u); math.Abs(again-lp) > 1e-11*(1+math.Abs(lp)) {
					t.Fatalf("%v with derivatives, %v without", lp, again)
				}
				want := countsEnumerated(m, s, p)
				if constant != constant {
					constant = lp - want
				}
				if off := lp - want - constant; math.Abs(off) > 1e-10 {
					t.Errorf("the density at %v is off by %v", u, off)
				}
				for j := range u {
					const h = 1e-5
					x := u[j]
					u[j] = x + h
					up := target.Gradient(u, more)
					u[j] = x - h
					down := target.Gradient(u, more)
					u[j] = x
					if d := (up - down) / (2 * h); math.Abs(d-grad[j]) > 1e-5*(1+math.Abs(d)) {
						t.Errorf("the derivative by number %d at %v is %v, by differences %v", j, u, grad[j], d)
					}
				}
			}
		})
	}
}

// countsEnumerated is the log of the sum of the density over the counts that nuts sums out, one after the other.
func countsEnumerated(m *model.Model, s *model.State, p *plan.Plan) float64 {
	at := m.NewState()
	copy(at.V, s.V)
	lp := math.NaN()
	for _, it := range p.Items {
		for _, row := range it.Rows {
			if t, i := m.TemplateOf(row); it.Kernel != "nuts" || t.Stoch.Name != "dpois" && t.Stoch.Name != "dnegbin" {
				continue
			} else {
				cell := t.Cells(i)[0]
				var logs []float64
				for n := range 2000 {
					at.V[cell] = float64(n)
					at.RunAllLive()
					logs = append(logs, at.LogProb(m.DensityRows()))
				}
				best := slices.Index(logs, slices.Max(logs))
				at.V[cell] = float64(best)
				at.RunAllLive()
				if lp != lp {
					lp = 0
				}
				lp += logSum(logs) - logs[best]
			}
		}
	}
	return lp + at.LogProb(m.DensityRows())
}
