package plan_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// discrete are models all of whose unobserved nodes are discrete, so that their posterior can be enumerated.
type discrete struct {
	name, model, data string
	joint             int  // nodes that ffbs moves, in as many groups as it finds
	from              bool // whether one step forgets where it started: all nodes are moved jointly
}

func discretes() []discrete {
	const chain = `z[1] ~ dcat(p[]); for (t in 2:5) { z[t] ~ dcat(P[z[t-1],]) } `
	const matrix = `p <- c(0.5,0.3,0.2); P <- structure(c(.6,.1,0,.3,.7,0,.1,.2,1), .Dim=c(3,3)); `
	return []discrete{
		{"hidden Markov chain with a dead state", `model { ` + chain + `for (t in 1:5) { y[t] ~ dnorm(m[z[t]], 1) } }`,
			matrix + `m <- c(0,1,3); y <- c(0.2,1.4,0.8,NA,2)`, 5, true},
		{"sticky chain, which single moves cannot leave", `model { z[1] ~ dbern(0.5); for (t in 2:6) { z[t] ~ dbern(0.0001 + 0.9998*z[t-1]) } for (t in 1:6) { y[t] ~ dnorm(z[t], 0.1) } }`,
			`y <- c(0,1,0,1,1,1)`, 6, true},
		{"transitions that vary with time", `model { z[1] ~ dcat(p[]); for (t in 2:4) { z[t] ~ dcat(P[z[t-1],,t]) } for (t in 1:4) { y[t] ~ dpois(z[t]) } }`,
			`p <- c(0.2,0.8); P <- structure(c(0,0,0,0,.9,.2,.1,.8,.5,.5,.5,.5,.3,1,.7,0), .Dim=c(2,2,4)); y <- c(1,0,3,2)`, 4, true},
		{"capture histories", `model { for (i in 1:4) { z[i,1] <- 1; for (t in 2:4) { z[i,t] ~ dbin(0.7*z[i,t-1], 1); y[i,t] ~ dbin(0.4*z[i,t], 1) } } }`,
			`y <- structure(c(1,1,1,1, 0,1,0,0, 0,0,1,0, 0,0,0,0), .Dim=c(4,4))`, 12, true},
		{"order two", `model { z[1] ~ dbern(0.3); z[2] ~ dbern(0.6); for (t in 3:6) { z[t] ~ dbern(Q[1+z[t-1],1+z[t-2]]) } for (t in 1:6) { y[t] ~ dnorm(z[t], 2) } }`,
			`Q <- structure(c(.1,.6,.3,.95), .Dim=c(2,2)); y <- c(0,1,0,0,1,1)`, 6, true},
		{"a tree", `model { r ~ dcat(p[]); for (k in 1:3) { z[k] ~ dbern(0.2*r); y[k] ~ dnorm(z[k] - r, 1) } }`,
			`p <- c(0.5,0.3,0.2); y <- c(0,-1,-2)`, 4, true},
		{"a child of three", `model { a ~ dbern(0.4); b ~ dcat(p[]); c ~ dbin(0.5, 2); y ~ dnorm(a + b*c, 1) }`,
			`p <- c(0.5,0.3,0.2); y <- 3`, 3, true},
		{"a tied pair", `model { a ~ dbern(0.5); b ~ dbern(0.5); y ~ dbern(equals(a, b)) }`, `y <- 1`, 2, true},
		{"a loop", `model { for (k in 1:4) { z[k] ~ dbern(0.5) } y[1] ~ dnorm(z[1]-z[2], 2); y[2] ~ dnorm(z[2]-z[3], 2); y[3] ~ dnorm(z[3]-z[4], 2); y[4] ~ dnorm(z[4]-z[1], 2) }`,
			`y <- c(1,0,-1,0.5)`, 4, true},
		{"index into an array that other nodes are in", `model { a ~ dcat(p[]); for (k in 1:3) { x[k] ~ dbern(0.3) } y ~ dnorm(x[a], 3) }`,
			`p <- c(0.5,0.3,0.2); y <- 1`, 4, true},
		{"censored and truncated neighbours", `model { n ~ dpois(2) T(,4); k ~ dbin(0.5, 3) T(1,); c ~ dinterval(n, 1.5); y ~ dpois(n + k) T(2, ) }`,
			`c <- 1; y <- 4`, 2, true},
		{"a bound that is a node", `model { b ~ dcat(p[]); y ~ dpois(2) T(, m); m <- b + 1; z ~ dbern(b/4); w ~ dnorm(z, 1) }`,
			`p <- c(0.5,0.3,0.2); y <- 1; w <- 0.3`, 2, true},
		{"evidence that leaves one history", `model { z[1] ~ dcat(p[]); for (t in 2:3) { z[t] ~ dcat(P[z[t-1],]) } for (t in 1:3) { y[t] ~ dbern(equals(z[t], 2)) } }`,
			matrix + `y <- c(0,0,1)`, 3, true},
		{"two chains that are alike and one that is not", `model { for (i in 1:3) { z[i,1] ~ dbern(0.4); for (t in 2:3) { z[i,t] ~ dbern(0.2 + 0.6*z[i,t-1]) } for (t in 1:3) { y[i,t] ~ dnorm(z[i,t], 1) } } }`,
			`y <- structure(c(0,0,1,1,1,0,0.5,0.5,2), .Dim=c(3,3))`, 9, true},
		{"densities too far apart for products", `model { z[1] ~ dbern(0.5); for (t in 2:5) { z[t] ~ dbern(1.0E-90 + 0.4*z[t-1]) } for (t in 1:5) { y[t] ~ dnorm(60*z[t], 1) } w ~ dnorm(25*(z[2] + z[3]), 1) }`,
			`y <- c(30,30.01,29.98,60,29.8); w <- 24`, 5, true},
		{"nodes that many others meet in", `model { for (k in 1:14) { z[k] ~ dbern(0.3 + 0.02*k) } s <- sum(z[1:14]); y ~ dnorm(s, 1) }`, `y <- 6`, 14, true},
		{"nodes that a child weighs", `model { for (k in 1:14) { z[k] ~ dbern(0.3) } s <- inprod(z[1:14], v[]); y ~ dnorm(s, 1) }`, `y <- 6; v <- c(1.1,2.3,3.7,4.9,5.3,6.1,7.9,8.3,9.7,10.1,11.3,12.7,13.1,14.9)`, 0, false},
		{"entry that is once for all, individuals who may not be there", `model { for (i in 1:2) { w[i] ~ dbern(0.6); z[i,1] ~ dbern(0.3); for (t in 2:6) { q[i,t-1] <- 1 - z[i,t-1]; z[i,t] ~ dbern(0.7*z[i,t-1] + e[t]*prod(q[i,1:(t-1)])) } for (t in 1:6) { y[i,t] ~ dbern(0.5*z[i,t]*w[i]) } } }`,
			`e <- c(0.3,0.4,0.1,0.5,0.6,1); y <- structure(c(0,0,0,0,0,1,0,0,0,1,0,0), .Dim=c(2,6))`, 14, true},
		{"entry that waits for a count and an extreme, individuals with rates of their own", `model { for (i in 1:2) { z[i,1] ~ dcat(p[]); for (t in 2:5) { h[i,t] <- max(z[i,1:(t-1)]); z[i,t] ~ dcat(P[h[i,t], 1 + step(sum(z[i,1:(t-1)]) - 5), ]) } for (t in 1:5) { y[i,t] ~ dnorm(z[i,t], a[i]) } } }`,
			`p <- c(0.5,0.3,0.2); P <- structure(c(.6,.1,0,.2,.3,1,.3,.7,0,.3,.3,0,.1,.2,1,.5,.4,0), .Dim=c(3,2,3)); a <- c(1,2); y <- structure(c(1,2,1,1.5,2,2.5,1,2,3,3), .Dim=c(2,5))`, 10, true},
	}
}

// compiledDiscrete is a model with its posterior on all values of its unobserved nodes.
func compiledDiscrete(t *testing.T, d discrete) (*plan.Plan, kerneltest.Finite[*model.State]) {
	c := compileText(t, d.model, d.data)
	m := c.Model
	p, err := plan.New(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	var cells []int32
	var values [][2]float64
	states := 1
	for _, row := range m.Unobserved() {
		if !m.Informed(row) {
			continue
		}
		tm, i := m.TemplateOf(row)
		lo, hi := m.FixedBounds(tm, i)
		cells, values = append(cells, tm.Cells(i)[0]), append(values, [2]float64{lo, hi})
		states *= int(hi-lo) + 1
	}
	f := kerneltest.Finite[*model.State]{
		Kernel: p.Sweep(),
		State: func(i int) *model.State {
			s := m.NewState()
			for k, c := range cells {
				n := int(values[k][1]-values[k][0]) + 1
				s.V[c] = values[k][0] + float64(i%n)
				i /= n
			}
			s.RunAllLive()
			return s
		},
		Index: func(s *model.State) int {
			at, by := 0, 1
			for k, c := range cells {
				at += by * int(s.V[c]-values[k][0])
				by *= int(values[k][1]-values[k][0]) + 1
			}
			return at
		},
		Check: func(s *model.State) error { return consistent(m, s) },
	}
	for i := range states {
		f.LogWeight = append(f.LogWeight, f.State(i).LogProb(m.DensityRows()))
	}
	return p, f
}

// Groups of discrete nodes are drawn from their enumerated posterior: exact draws stay so, and, where one kernel moves all nodes, a step from any
// state of the posterior is an exact draw. False alarms: 1e-8 for each comparison, so that all together stay below 1e-6.
func TestGroupsHaveTheEnumeratedPosterior(t *testing.T) {
	for k, d := range discretes() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			p, f := compiledDiscrete(t, d)
			moved := 0
			for _, it := range p.Items {
				if it.Kernel == "ffbs" {
					moved += len(it.Rows)
				}
			}
			if moved != d.joint {
				t.Fatalf("ffbs moves %d nodes, not %d", moved, d.joint)
			}
			set := kerneltest.Settings{Seed: uint64(k), Replicates: 6000, Alpha: 1e-8}
			if err := kerneltest.Exact(f, set); err != nil {
				t.Error(err)
			}
			if !d.from {
				return
			}
			for _, from := range []int{0, len(f.LogWeight) / 2, len(f.LogWeight) - 1} {
				if math.IsInf(f.LogWeight[from], -1) {
					continue
				}
				if err := kerneltest.Reaches(f, from, set); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// A group whose data no values explain stays where it is, as a node does that is drawn by itself, and the others are drawn.
func TestImpossibleEvidenceLeavesAGroupAlone(t *testing.T) {
	c := compileText(t, `model { for (i in 1:2) { z[i,1] ~ dbern(0.5); z[i,2] ~ dbern(0.5*z[i,1]); y[i] ~ dnorm(z[i,2], tau[i]) } for (i in 1:2) { tau[i] ~ dgamma(1,1) } }`, `y <- c(0, 1)`)
	p, err := plan.New(c.Model, []*plan.Override{{Pattern: "tau", Kernel: "prior", Match: func(s string) bool { return strings.HasPrefix(s, "tau") }}})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(p.Items, func(it plan.Item) bool { return it.Kernel == "ffbs" })
	if at < 0 || len(p.Items[at].Rows) != 4 {
		t.Fatalf("%+v", p.Items)
	}
	z, _ := c.Model.Array("z")
	tau, _ := c.Model.Array("tau")
	s := c.Model.NewState()
	s.V[tau.Base], s.V[tau.Base+1] = -1, 1 // no precision
	for k := range int32(4) {
		s.V[z.Base+k] = 1
	}
	s.RunAllLive()
	seen := map[string]int{}
	r := rand.New(rand.NewPCG(3, 3))
	k := p.Sweep().KernelAt(at)
	for range 200 {
		k.Step(s, r)
		if s.V[z.Base] != 1 || s.V[z.Base+2] != 1 {
			t.Fatalf("z[1,] moved to %v %v under a density of 0", s.V[z.Base], s.V[z.Base+2])
		}
		seen[fmt.Sprint(s.V[z.Base+1], s.V[z.Base+3])]++
	}
	if len(seen) != 3 {
		t.Errorf("z[2,] took the values %v; 0 0, 1 0 and 1 1 are possible", seen)
	}
}
