package plan_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// twice is a sweep, one with its tuning, and a state.
type twice struct {
	w, again *plan.Sweep
	s        *model.State
}

// ended is a sweep after its warm-up, with the state that this left.
func ended(t *testing.T, src, data string, iterations int) (*model.Model, *twice) {
	c := compileText(t, src, data)
	p, s, r := started(t, c.Model)
	w := p.Sweep()
	for i := range iterations {
		w.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: iterations})
	}
	w.Freeze()
	if !slices.ContainsFunc(p.Items, func(it plan.Item) bool { return it.Kernel == "individuals" }) {
		t.Fatal("no individuals")
	}
	if on, taken := w.Individuals(); !on || taken < 0.3 {
		t.Errorf("parameters are proposed with individuals: %v, and taken in %.2f of the steps", on, taken)
	}
	tuning, err := w.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	again := p.Sweep()
	if err := again.UnmarshalBinary(tuning); err != nil {
		t.Fatal(err)
	}
	return c.Model, &twice{w, again, s}
}

// TestIndividuals counts individuals by the distances of those that were seen. With whoever was not seen integrated out, the posterior of ψ and σ is
//
//	ψ(1−ψ) ψ⁸ ∏ exp(−x²/2σ²) (1 − ψ π(σ))¹⁶, π(σ) = ∫₀³ exp(−x²/2σ²) dx / 3,
//
// which sums over a grid give, and with it the expectation of the number, 8 + 16 ψ(1−π)/(1−ψπ). Individuals share a table: data are the model's.
func TestIndividuals(t *testing.T) {
	seen := []float64{0.1, 0.3, 0.5, 0.6, 0.9, 1.2, 1.4, 1.9}
	m, k := ended(t, `model { psi ~ dbeta(2, 2); s ~ dunif(0.5, 3); for (i in 1:24) { z[i] ~ dbern(psi); x[i] ~ dunif(0, 3); y[i] ~ dbern(z[i] * exp(-x[i]^2 / (2 * s^2))) } N <- sum(z[]) }`,
		`x <- c(0.1,0.3,0.5,0.6,0.9,1.2,1.4,1.9,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA); y <- c(1,1,1,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0)`, 1000)
	var weight, want [4]float64
	const steps = 400
	for i := range steps {
		sigma := 0.5 + 2.5*(float64(i)+0.5)/steps
		pi, lik := 0.0, 0.0
		for j := range steps {
			x := 3 * (float64(j) + 0.5) / steps
			pi += math.Exp(-x*x/(2*sigma*sigma)) / steps
		}
		for _, x := range seen {
			lik -= x * x / (2 * sigma * sigma)
		}
		for j := range steps {
			psi := (float64(j) + 0.5) / steps
			w := math.Exp(lik+9*math.Log(psi)+math.Log(1-psi)+16*math.Log(1-psi*pi)) * 1e6
			for k, x := range [4]float64{psi, sigma, 8 + 16*psi*(1-pi)/(1-psi*pi), sigma * psi} {
				weight[k] += w
				want[k] += w * x
			}
		}
	}
	psi, _ := m.Array("psi")
	s, _ := m.Array("s")
	z, _ := m.Array("z")
	other := m.NewState()
	copy(other.V, k.s.V)
	r1, r2 := rand.New(rand.NewPCG(3, 4)), rand.New(rand.NewPCG(3, 4))
	const n = 40000
	var sum, square [4]float64
	for range n {
		k.w.Step(k.s, r1)
		k.again.Step(other, r2)
		count := 0.0
		for i := range int32(24) {
			count += k.s.V[z.Base+i]
		}
		for j, x := range [4]float64{k.s.V[psi.Base], k.s.V[s.Base], count, k.s.V[psi.Base] * k.s.V[s.Base]} {
			sum[j] += x
			square[j] += x * x
		}
	}
	if !slices.EqualFunc(k.s.V, other.V, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }) {
		t.Error("another way from the same tuning")
	}
	for j := range want {
		mean := sum[j] / n
		// Proposals that are independent and taken more often than not leave a draw in ten or more that is independent: five standard errors, two-sided 6e-7.
		within := 5 * math.Sqrt((square[j]/n-mean*mean)/(n/10))
		if want := want[j] / weight[j]; math.Abs(mean-want) > within {
			t.Errorf("mean %d is %v, not %v ± %v", j, mean, want, within)
		}
	}
}

// TestIndividualsInThePlane has individuals with centres in a square and two detectors; three were seen. What TestIndividuals says holds with integrals over the square, by midpoints:
// ψ(1−ψ) ψ³ I₁₀ I₁₁ I₀₁ (1 − ψ + ψ I₀₀)⁴⁰.
func TestIndividualsInThePlane(t *testing.T) {
	m, k := ended(t, `model { psi ~ dbeta(2, 2); s ~ dunif(0.2, 1); for (i in 1:43) { z[i] ~ dbern(psi); for (d in 1:2) { c[i,d] ~ dunif(0, 2) } for (j in 1:2) { y[i,j] ~ dbern(z[i] * 0.9 * exp(-((c[i,1] - j)^2 + (c[i,2] - 1)^2) / (2 * s^2))) } } }`,
		"y <- structure(c(1,1,0,"+strings.Repeat("0,", 40)+"0,1,1"+strings.Repeat(",0", 40)+"), .Dim=c(43,2))", 1000)
	var weight, want [2]float64
	const steps, side = 200, 60
	for i := range steps {
		sigma := 0.2 + 0.8*(float64(i)+0.5)/steps
		var seen [2][2]float64
		for a := range side * side {
			x, y := 2*(float64(a%side)+0.5)/side, 2*(float64(a/side)+0.5)/side
			var p [2]float64
			for j := range p {
				p[j] = 0.9 * math.Exp(-((x-float64(j+1))*(x-float64(j+1))+(y-1)*(y-1))/(2*sigma*sigma))
			}
			seen[0][0] += (1 - p[0]) * (1 - p[1]) / (side * side)
			seen[1][0] += p[0] * (1 - p[1]) / (side * side)
			seen[0][1] += (1 - p[0]) * p[1] / (side * side)
			seen[1][1] += p[0] * p[1] / (side * side)
		}
		for j := range steps {
			psi := (float64(j) + 0.5) / steps
			w := math.Exp(4*math.Log(psi) + math.Log(1-psi) + math.Log(seen[1][0]*seen[1][1]*seen[0][1]) + 40*math.Log(1-psi+psi*seen[0][0]))
			for k, x := range [2]float64{psi, sigma} {
				weight[k] += w
				want[k] += w * x
			}
		}
	}
	psi, _ := m.Array("psi")
	s, _ := m.Array("s")
	r := rand.New(rand.NewPCG(5, 4))
	const n = 20000
	var sum, square [2]float64
	for range n {
		k.w.Step(k.s, r)
		for j, x := range [2]float64{k.s.V[psi.Base], k.s.V[s.Base]} {
			sum[j] += x
			square[j] += x * x
		}
	}
	for j := range want {
		mean := sum[j] / n
		// Those who were seen are drawn given the parameters: a draw in twenty or more is independent. Five standard errors, two-sided 6e-7.
		within := 5 * math.Sqrt((square[j]/n-mean*mean)/(n/20))
		if want := want[j] / weight[j]; math.Abs(mean-want) > within {
			t.Errorf("mean %d is %v, not %v ± %v", j, mean, want, within)
		}
	}
}
