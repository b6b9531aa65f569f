package plan_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

const largeRows, largeColumns = 60, 1100

// largeData is data with a matrix X of more elements than states hold; rows of it that nobody reads are missing.
func largeData(missing int) *bugs.Data {
	d := &bugs.Data{Values: map[string]*bugs.Value{}}
	add := func(name string, v *bugs.Value) { d.Names, d.Values[name] = append(d.Names, name), v }
	add("N", &bugs.Value{Data: []float64{largeRows}})
	add("p", &bugs.Value{Dims: []int{3}, Data: []float64{0.2, 0.3, 0.5}})
	x := &bugs.Value{Dims: []int{largeRows + missing, largeColumns}, NA: make([]bool, (largeRows+missing)*largeColumns)}
	for k := range x.NA {
		i, j := k%(largeRows+missing), k/(largeRows+missing)
		x.Data = append(x.Data, float64((7*i+i*j+j*j)%29)/20-0.7)
		x.NA[k] = i >= largeRows
	}
	add("X", x)
	for _, a := range []struct {
		name              string
		modulus, smallest int
	}{{"y", 5, 0}, {"z", 4, 0}, {"k", 2, 0}, {"v", 3, 0}, {"g", 3, 1}} {
		v := &bugs.Value{Dims: []int{largeRows}}
		for i := range largeRows {
			v.Data = append(v.Data, float64(i*i%a.modulus+a.smallest))
		}
		add(a.name, v)
	}
	return d
}

// Large data that states do not hold are the same data: a program draws the same bits where a row that nobody reads is
// missing, and every state holds all.
func TestDataThatStatesDoNotHold(t *testing.T) {
	for _, tc := range []struct {
		name, program string
		held          bool
	}{
		{"regressions", `data { for (i in 1:N) { w[i] <- X[i,9]/2 } }
model {
	for (i in 1:N) {
		y[i] ~ dnorm(mu[i], tau)
		mu[i] <- a + b[1]*X[i,1] + inprod(b[2:4], X[i,2:4]) + u[g[i]]
		z[i] ~ dpois(lambda[i])
		log(lambda[i]) <- c*X[i,5] + 0.1*pow(X[i,6], 2) + w[i]/10
		s[i] <- d*X[i,7]
		k[i] ~ dbern(ilogit(s[i] + 0.1*X[i,1]*b[1]))
		v[i] ~ dnorm(exp(d*X[i,8]), 1/(1+exp(e*X[i,8])))
	}
	for (j in 1:4) { b[j] ~ dnorm(0, 0.1) }
	for (j in 1:3) { u[j] ~ dnorm(0, 2) }
	a ~ dnorm(0, 0.1)
	c ~ dnorm(0, 1)
	d ~ dnorm(0, 1)
	e ~ dnorm(0, 1)
	tau ~ dgamma(2, 2)
}`, false},
		{"unknown columns", `model {
	for (i in 1:N) {
		y[i] ~ dnorm(a*X[i,1] + X[i,h], 1)
	}
	a ~ dnorm(0, 0.1)
	h ~ dcat(p[])
}`, true},
		{"parameters of distributions", `model {
	for (i in 1:N) {
		y[i] ~ dnorm(a[i], exp(X[i,1]))
		a[i] ~ dnorm(X[i,2], 1)
	}
}`, true},
	} {
		compiled := func(missing int) *bugs.Compiled {
			prog, err := bugs.Parse("test.bug", tc.program)
			if err != nil {
				t.Fatal(err)
			}
			c, err := bugs.Compile(prog, largeData(missing), rand.New(rand.NewPCG(1, 1)))
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		some, all := compiled(0), compiled(1)
		if got := some.Model.Held() == len(some.Model.Init); got != tc.held || all.Model.Held() != len(all.Model.Init) {
			t.Fatalf("%s: states hold %d of %d cells, and %d of %d", tc.name, some.Model.Held(), len(some.Model.Init), all.Model.Held(), len(all.Model.Init))
		}
		if tc.held {
			continue
		}
		set := mcmc.Settings{Seed: 3, Chains: 2, Warmup: 60, Draws: 20}
		for _, kernel := range []string{"", "adaptive", "slice", "nuts"} {
			var over []*plan.Override
			if kernel != "" {
				over = []*plan.Override{{Pattern: "*", Kernel: kernel, Match: func(string) bool { return true }}}
			}
			if hashDraws(t, tc.name, some, over, set) != hashDraws(t, tc.name, all, over, set) {
				t.Errorf("%s by %q: other draws", tc.name, kernel)
			}
		}
	}
}
