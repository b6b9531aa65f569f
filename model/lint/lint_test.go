package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/model/lint"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

func TestCheck(t *testing.T) {
	const groups = "g <- c(1,1,2,2,3,3); N <- 6; J <- 3; "
	for _, c := range []struct{ name, model, data, want string }{
		{"few groups", "for (i in 1:N) { y[i] ~ dnorm(b[g[i]], tau) }; for (j in 1:J) { b[j] ~ dnorm(mu, tau.b) }; mu ~ dnorm(0, 1.0E-6)\n tau.b ~ dgamma(0.001, 0.001); tau ~ dgamma(0.001, 0.001)",
			groups + "y <- c(1,2,3,4,5,6)", "2 prior tau.b"},
		{"a prior that says something", "for (i in 1:N) { y[i] ~ dnorm(b[g[i]], 1) }; for (j in 1:J) { b[j] ~ dnorm(0, tau.b) }\n tau.b ~ dgamma(2, 1)", groups + "y <- c(1,2,3,4,5,6)", ""},
		{"a mean with its effects", "for (i in 1:N) { y[i] ~ dnorm(a + b[g[i]], 1) }; for (j in 1:J) { b[j] ~ dnorm(mu, 1) }\n a ~ dnorm(0, 1.0E-4)\n mu ~ dnorm(0, 1.0E-4)",
			groups + "y <- c(1,2,3,4,5,6)", "3 unidentified mu and b[]"},
		{"an intercept and fixed effects", "for (i in 1:N) { y[i] ~ dnorm(a + b[g[i]], 1) }; for (j in 1:J) { b[j] ~ dnorm(0, 1.0E-4) }\n a ~ dnorm(0, 1.0E-4)",
			groups + "y <- c(1,2,3,4,5,6)", "2 unidentified a"},
		{"one effect left out", "for (i in 1:N) { y[i] ~ dnorm(a + b[g[i]], 1) }; b[1] <- 0; for (j in 2:J) { b[j] ~ dnorm(0, 1.0E-4) }\n a ~ dnorm(0, 1.0E-4)",
			groups + "y <- c(1,2,3,4,5,6)", ""},
		{"two flat numbers", "for (i in 1:N) { y[i] ~ dpois(exp(a + b)) }\n a ~ dnorm(0, 1.0E-4)\n b ~ dnorm(0, 1.0E-4)", "N <- 3; y <- c(1,2,3)", "3 unidentified b"},
		{"a slope", "for (i in 1:N) { y[i] ~ dnorm(a + b * x[i], 1) }\n a ~ dnorm(0, 1.0E-4)\n b ~ dnorm(0, 1.0E-4)", "N <- 3; y <- c(1,2,3); x <- c(1,2,4)", ""},
		{"separated", "for (i in 1:N) { y[i] ~ dbern(p[i]); logit(p[i]) <- a + b * x[i] }\n a ~ dnorm(0, 0.1)\n b ~ dnorm(0, 1.0E-6)", "N <- 6; y <- c(0,1,0,1,1,1); x <- c(0,0,0,0,1,2)", "3 separable b"},
		{"not separated", "for (i in 1:N) { y[i] ~ dbern(p[i]); logit(p[i]) <- a + b * x[i] }\n a ~ dnorm(0, 0.1)\n b ~ dnorm(0, 1.0E-6)", "N <- 6; y <- c(0,1,0,1,1,0); x <- c(0,0,0,0,1,2)", ""},
		{"separated, and held", "for (i in 1:N) { y[i] ~ dbern(p[i]); logit(p[i]) <- a + b * x[i] }\n a ~ dnorm(0, 0.1)\n b ~ dnorm(0, 0.16)", "N <- 6; y <- c(0,1,0,1,1,1); x <- c(0,0,0,0,1,2)", ""},
		{"counts that turn far out", "for (i in 1:N) { y[i] ~ dbin(p[i], 60); logit(p[i]) <- b * x[i] }\n b ~ dnorm(0, 1.0E-6)", "N <- 2; y <- c(59,1); x <- c(0.01,-0.01)", ""},
		{"a group without events", "for (i in 1:N) { y[i] ~ dpois(exp(b[g[i]])) }\n for (j in 1:J) { b[j] ~ dnorm(0, 1.0E-4) }", groups + "y <- c(1,2,0,0,5,6)", "2 separable b[2]"},
		{"all successes", "y ~ dbin(p, 10); logit(p) <- a\n a ~ dflat()", "y <- 10", "2 separable a"},
		{"unused", "y ~ dnorm(a, 1)\n a ~ dnorm(0, 1)\n sd ~ dunif(0, 10)\n pred ~ dnorm(a, 1)", "y <- 1", "3 unused sd"},
	} {
		p, err := bugs.Parse(c.name, "model { "+c.model+" }")
		if err != nil {
			t.Fatal(err)
		}
		d, err := bugs.ReadData("data", []byte(c.data))
		if err != nil {
			t.Fatal(err)
		}
		compiled, err := bugs.Compile(p, d, nil)
		if err != nil {
			t.Fatal(err)
		}
		made, err := plan.New(compiled.Model, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := made.Start(nil, rng.New(1, "lint").Rand)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range lint.Check(s) {
			got = append(got, fmt.Sprint(f.Place.Line, " ", f.Code, " ", f.Node))
			if f.Message == "" || f.Advice == "" || f.Place.Col == 0 {
				t.Errorf("%s: %+v", c.name, f)
			}
		}
		if all := strings.Join(got, ", "); all != c.want {
			t.Errorf("%s: %s, not %s", c.name, all, c.want)
		}
	}
}
