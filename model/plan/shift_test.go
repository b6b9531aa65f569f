package plan_test

import (
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// Shifts keep the joint distribution, and are found where sums alone are seen: not where a slope, another prior or an index tells the nodes apart.
func TestShift(t *testing.T) {
	for _, c := range []struct {
		name, model, data string
		moves             []string // nodes, in order
	}{
		{"two relations", `model { m ~ dnorm(1, 2); s ~ dgamma(4, 2); for (i in 1:3) { a[i] ~ dnorm(0.3, s) } for (j in 1:2) { b[j] ~ dnorm(0, 3) }
			for (i in 1:3) { for (j in 1:2) { log(l[i,j]) <- m + a[i] + b[j]; y[i,j] ~ dpois(l[i,j]) } } }`,
			`y <- structure(c(0,0,0,0,0,0), .Dim=c(3,2))`, []string{"a[1]", "a[2]", "a[3]", "b[1]", "b[2]", "m"}},
		{"half of the sum is a cell", `model { m ~ dnorm(1, 2); for (i in 1:3) { a[i] ~ dnorm(0, 1); e[i] <- 2 * m; h[i] <- e[i] + 2 * a[i]; y[i] ~ dbern(ilogit(h[i])); w[i] ~ dnorm(h[i], 2) } }`,
			`y <- c(0,1,0); w <- c(0,0,0)`, []string{"a[1]", "a[2]", "a[3]", "m"}},
		{"a difference", `model { m ~ dnorm(1, 2); for (i in 1:3) { a[i] ~ dnorm(0, 1); y[i] ~ dpois(exp(m - a[i])) } }`, `y <- c(0,1,0)`, nil},
		{"a slope", `model { m ~ dnorm(1, 2); for (i in 1:3) { a[i] ~ dnorm(0, 1); y[i] ~ dpois(exp(m + x[i] * a[i])) } }`, `y <- c(0,1,0); x <- c(1,2,1)`, nil},
		{"one seen by itself", `model { m ~ dnorm(1, 2); for (i in 1:3) { a[i] ~ dnorm(0, 1); y[i] ~ dpois(exp(m + a[i])) } w ~ dnorm(a[2], 1) }`, `y <- c(0,1,0); w <- 0`, nil},
		{"a mean that moves", `model { m ~ dnorm(1, 2); for (i in 1:3) { a[i] ~ dnorm(m, 1); y[i] ~ dpois(exp(m + a[i])) } }`, `y <- c(0,1,0)`, nil},
		{"a product", `model { m ~ dnorm(1, 2); s ~ dnorm(1, 9); for (i in 1:3) { a[i] ~ dnorm(0, 1); y[i] ~ dpois(exp(m + s * a[i])) } }`, `y <- c(0,1,0)`, nil},
		{"below others", `model { m ~ dnorm(1, 2); for (i in 1:3) { a[i] ~ dnorm(0, 1); b[i] ~ dnorm(m + a[i], 1); y[i] ~ dpois(exp(b[i])) } }`, `y <- c(0,1,0)`, []string{"a[1]", "a[2]", "a[3]", "m"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := compileText(t, c.model, c.data).Model
			p, err := plan.New(m, nil)
			if err != nil {
				t.Fatal(err)
			}
			k, names := p.ShiftOf()
			slices.Sort(names)
			if !slices.Equal(names, c.moves) {
				t.Fatalf("it moves %v, want %v", names, c.moves)
			}
			if k == nil {
				return
			}
			joint := jointModel(t, m)
			joint.Kernel = k
			if err := kerneltest.Geweke(joint, kerneltest.Settings{Seed: 1, Replicates: 6000, Steps: 3}); err != nil {
				t.Error(err)
			}
		})
	}
}
