package plan_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// splitKernel is the kernel of splits and mergers of a plan, as it is after a warm-up on draws from the joint distribution, or without one: then parameters start at draws from their prior.
func splitKernel(t *testing.T, p *plan.Plan, joint kerneltest.Joint[*model.State], warm bool) *plan.Sweep {
	t.Helper()
	w := p.Sweep()
	if warm {
		w = tuned(p, joint, 1, 400)
	}
	w.Freeze()
	if n := w.TrySplits(); n != 1 {
		t.Fatalf("%d such kernels: %+v", n, p.Items)
	}
	return w
}

func splitItem(p *plan.Plan) int {
	return slices.IndexFunc(p.Items, func(it plan.Item) bool { return it.Kernel == "split-merge" })
}

// Splits and mergers keep the joint distribution by themselves, at a false-alarm rate of 10⁻⁶ for each model, many of them one after the other: in a sweep, kernels that draw the same nodes anew would hide
// most of a fault.
func TestSplitsKeepTheJointDistribution(t *testing.T) {
	n := 15_000 * *soak
	if testing.Short() {
		n = 3_000
	}
	found := 0
	for k, tc := range cases() {
		if tc.kernel != "split-merge" {
			continue
		}
		found++
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := compileText(t, tc.model, tc.data)
			p, err := plan.New(c.Model, nil)
			if err != nil {
				t.Fatal(err)
			}
			joint := jointModel(t, c.Model)
			for _, warm := range []bool{true, false} {
				w := splitKernel(t, p, joint, warm)
				joint.Kernel = w
				joint.Kernel.Step(joint.Draw(rand.New(rand.NewPCG(1, 2))), rand.New(rand.NewPCG(1, 3))) // constants of its kernels
				joint.Kernel = w.KernelAt(splitItem(p))
				if err := kerneltest.Geweke(joint, kerneltest.Settings{Seed: uint64(k), Replicates: n, Steps: 10}); err != nil {
					t.Errorf("warm-up %v: %v", warm, err)
				}
			}
		})
	}
	if found < 4 {
		t.Errorf("%d models", found)
	}
}

// Labels of five data that are normal around the mean of their component, a mean that is normal itself, have a posterior that is known: the prior of labels with the weights integrated out, which differs between
// the models, times the normal densities with the means integrated out. Splits and mergers leave it invariant, and satisfy detailed balance, from means and weights drawn given the labels.
func TestSplitsAreExact(t *testing.T) {
	const data = `y <- c(-1.2,-0.4,0.3,0.5,1.6)`
	y := []float64{-1.2, -0.4, 0.3, 0.5, 1.6}
	const body = ` for (k in 1:K) { mu[k] ~ dnorm(0.2, 0.4) } for (i in 1:5) { y[i] ~ dnorm(mu[z[i]], 2) } }`
	for _, tc := range []struct {
		name, head, data string
		k                int
		prior            func(n []float64) float64
		weights          func(r *rand.Rand, s *model.State, n []float64)
	}{
		{"Dirichlet", `model { p[1:K] ~ ddirch(a[]); for (i in 1:5) { z[i] ~ dcat(p[]) }`, `; K <- 3; a <- c(1,2,0.5)`, 3, func(n []float64) float64 {
			return lgamma(1+n[0]) + lgamma(2+n[1]) + lgamma(0.5+n[2]) - lgamma(2) - lgamma(0.5)
		}, func(r *rand.Rand, s *model.State, n []float64) {
			x := make([]float64, 3)
			dist.Dirichlet(x, r, []float64{1 + n[0], 2 + n[1], 0.5 + n[2]})
			put(s, "p", x)
		}},
		{"stick", `model { for (k in 1:2) { v[k] ~ dbeta(1, 1.5) } p[1] <- v[1]; p[2] <- v[2] * (1 - v[1]); p[3] <- (1 - v[1]) * (1 - v[2]); for (i in 1:5) { z[i] ~ dcat(p[]) }`, `; K <- 3`, 3, func(n []float64) float64 {
			return lbeta(1+n[0], 1.5+n[1]+n[2]) + lbeta(1+n[1], 1.5+n[2])
		}, func(r *rand.Rand, s *model.State, n []float64) {
			put(s, "v", []float64{dist.Beta(r, 1+n[0], 1.5+n[1]+n[2]), dist.Beta(r, 1+n[1], 1.5+n[2])})
		}},
		{"given", `model { for (i in 1:5) { z[i] ~ dcat(w[]) }`, `; K <- 4; w <- c(0.2,0.5,0,0.3)`, 4, func(n []float64) float64 {
			if n[2] > 0 {
				return math.Inf(-1)
			}
			return n[0]*math.Log(0.2) + n[1]*math.Log(0.5) + n[3]*math.Log(0.3)
		}, func(*rand.Rand, *model.State, []float64) {}},
		{"process", `model { z[1:5] ~ dCRP(1.3, size = 5)`, `; K <- 5`, 5, func(n []float64) float64 {
			lp, tables := 0.0, 0.0
			for _, c := range n {
				if c > 0 {
					lp += lgamma(c) + math.Log(1.3)
					tables++
				}
			}
			return lp + lgamma(6-tables) // which labels the tables have is even (Antoniak 1974)
		}, func(*rand.Rand, *model.State, []float64) {}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := compileText(t, tc.head+body, data+tc.data)
			p, err := plan.New(c.Model, nil)
			if err != nil {
				t.Fatal(err)
			}
			states := int(math.Pow(float64(tc.k), 5))
			labels := func(i int) (z [5]int, n []float64) {
				n = make([]float64, tc.k)
				for j := range z {
					z[j] = i % tc.k
					n[z[j]]++
					i /= tc.k
				}
				return z, n
			}
			r := rand.New(rand.NewPCG(5, 7))
			f := kerneltest.Finite[*model.State]{Check: func(s *model.State) error { return consistent(c.Model, s) },
				State: func(i int) *model.State {
					z, n := labels(i)
					s := c.Model.NewState()
					sum, mu, at := make([]float64, tc.k), make([]float64, tc.k), make([]float64, 5)
					for j, h := range z {
						sum[h] += y[j]
						at[j] = float64(h + 1)
					}
					for h := range mu { // precision 0.4 and mean 0.2 a priori, each datum of precision 2
						prec := 0.4 + 2*n[h]
						mu[h] = (0.4*0.2+2*sum[h])/prec + r.NormFloat64()/math.Sqrt(prec)
					}
					put(s, "z", at)
					put(s, "mu", mu)
					tc.weights(r, s, n)
					s.RunAllLive()
					return s
				},
				Index: func(s *model.State) (i int) {
					z, _ := c.Model.Array("z")
					for j := int32(4); j >= 0; j-- {
						i = tc.k*i + int(s.V[z.Base+j]) - 1
					}
					return i
				}}
			for i := range states {
				z, n := labels(i)
				lp := tc.prior(n)
				for h := range n { // the density of the data of a component, its mean integrated out
					sum, squares := 0.0, 0.0
					for j, l := range z {
						if l == h {
							sum += y[j] - 0.2
							squares += (y[j] - 0.2) * (y[j] - 0.2)
						}
					}
					lp += 0.5*n[h]*math.Log(2) + 0.5*math.Log(0.4/(0.4+2*n[h])) - squares + 2*sum*sum/(0.4+2*n[h])
				}
				f.LogWeight = append(f.LogWeight, lp)
			}
			n := 60_000
			if testing.Short() {
				n = 15_000
			}
			for _, warm := range []bool{true, false} {
				w := splitKernel(t, p, jointModel(t, c.Model), warm)
				w.Step(f.State(0), rand.New(rand.NewPCG(1, 1))) // constants of its kernels
				f.Kernel = w.KernelAt(splitItem(p))
				if err := kerneltest.Exact(f, kerneltest.Settings{Seed: 1, Replicates: n, Steps: 3}); err != nil {
					t.Errorf("warm-up %v: %v", warm, err)
				}
				if err := kerneltest.DetailedBalance(f, kerneltest.Settings{Seed: 2, Replicates: n, Steps: 1}); err != nil {
					t.Errorf("warm-up %v: %v", warm, err)
				}
			}
		})
	}
}

func lgamma(x float64) float64 { l, _ := math.Lgamma(x); return l }

func lbeta(a, b float64) float64 { return lgamma(a) + lgamma(b) - lgamma(a+b) }

// put writes the elements of an array.
func put(s *model.State, name string, x []float64) {
	a, _ := s.M.Array(name)
	copy(s.V[a.Base:], x)
}

// Components are split and merged only where each has parameters of its own to propose.
func TestWhereComponentsAreNotSplit(t *testing.T) {
	const head = `p[1:3] ~ ddirch(a[]); for (i in 1:3) { z[i] ~ dcat(p[]) } `
	for name, body := range map[string]string{
		"no parameters":               `for (i in 1:3) { y[i] ~ dnorm(d[z[i]], 1) }`,
		"counts by component":         `for (k in 1:3) { m[k] ~ dpois(3) } for (i in 1:3) { y[i] ~ dnorm(m[z[i]], 1) }`,
		"parameters that are one":     `m[1:3] ~ dmnorm(d[], O[,]); for (i in 1:3) { y[i] ~ dnorm(m[z[i]], 1) }`,
		"other parameters in one":     `m[1] ~ dnorm(0, 1); m[2] ~ dnorm(0, 1); m[3] ~ dgamma(1, 1); for (i in 1:3) { y[i] ~ dnorm(m[z[i]], 1) }`,
		"supports that move":          `for (k in 1:3) { m[k] ~ dunif(0, b); } b ~ dgamma(2, 1); for (i in 1:3) { y[i] ~ dnorm(m[z[i]], 1) }`,
		"another index":               `for (k in 1:4) { m[k] ~ dnorm(0, 1) } for (i in 1:3) { y[i] ~ dnorm(m[z[i]+1], 1) }`,
		"one allocation":              `for (k in 1:3) { m[k] ~ dnorm(0, 1) } y[1] ~ dnorm(m[z[1]], 1)`,
		"weights that parameters set": `for (k in 1:3) { m[k] ~ dgamma(2, 1) } for (i in 1:3) { x[i] ~ dcat(m[]); y[i] ~ dnorm(m[x[i]], 1) }`,
	} {
		p := planOf(t, compileText(t, "model { "+head+body+" }", "y <- c(0,0,0); d <- c(0,1,2); a <- c(1,1,1); O <- structure(c(1,0,0,0,1,0,0,0,1), .Dim=c(3,3))").Model)
		if splitItem(p) >= 0 {
			t.Errorf("%s: components are split: %+v", name, p.Items)
		}
	}
}

// TestSplitsAllocateNothing holds a step after warm-up to no allocation, and its tuning to bytes that make it again.
func TestSplitsAllocateNothing(t *testing.T) {
	for _, tc := range cases() {
		if tc.kernel != "split-merge" {
			continue
		}
		c := compileText(t, tc.model, tc.data)
		p := planOf(t, c.Model)
		joint := jointModel(t, c.Model)
		w := splitKernel(t, p, joint, true)
		r := rand.New(rand.NewPCG(1, 2))
		s := joint.Draw(r)
		for range 50 {
			w.Step(s, r)
		}
		k := w.KernelAt(splitItem(p))
		if n := testing.AllocsPerRun(300, func() { k.Step(s, r) }); n != 0 {
			t.Errorf("%s: %v allocations in a step", tc.name, n)
		}
		b, err := w.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		again := p.Sweep()
		if err := again.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		again.TrySplits()
		x, y := joint.Clone(s), joint.Clone(s)
		rx, ry := rand.New(rand.NewPCG(3, 4)), rand.New(rand.NewPCG(3, 4))
		for range 50 {
			w.Step(x, rx)
			again.Step(y, ry)
		}
		if !slices.Equal(x.V, y.V) {
			t.Errorf("%s: made again it goes elsewhere", tc.name)
		}
	}
}
