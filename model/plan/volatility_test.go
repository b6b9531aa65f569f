package plan_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// TestWhatHasAMixture asks which kernel moves the log precisions of fifty data, however the program writes them, where their block is asked for, and whether nuts takes that over where nothing is.
func TestWhatHasAMixture(t *testing.T) {
	var y []string
	for i := range 50 {
		y = append(y, fmt.Sprintf("%.3f", math.Sin(float64(i*i))*math.Exp(math.Sin(float64(i)/8))))
	}
	y[7] = "0"
	data := "n <- 50; y <- c(" + strings.Join(y, ",") + ")"
	const walk = ` h[1] ~ dnorm(m, t); for (i in 2:n) { h[i] ~ dnorm(m + f * (h[i-1] - m), t) } m ~ dnorm(0, 1); f ~ dunif(-1, 1); t ~ dgamma(2, 0.1) `
	for _, tc := range []struct{ name, model, kernel string }{
		{"exp of the node", `for (i in 1:n) { y[i] ~ dnorm(0, exp(-h[i])) }` + walk, "block-volatility"},
		{"standard deviations", `for (i in 1:n) { s[i] <- exp(h[i] / 2); p[i] <- pow(s[i], -2); y[i] ~ dnorm(0, p[i]) }` + walk, "block-volatility"},
		{"link function", `for (i in 1:n) { log(p[i]) <- 1 - h[i]; y[i] ~ dnorm(0, 2 * p[i]) }` + walk, "block-volatility"},
		{"a mean that is sampled", `c ~ dt(0, 1, 4); for (i in 1:n) { y[i] ~ dnorm(c, exp(-h[i])) }` + walk, "block-volatility"},
		{"a factor that is sampled", `c ~ dgamma(2, 2); for (i in 1:n) { y[i] ~ dnorm(0, c * exp(-h[i])) }` + walk, "block-glm"},
		{"no exponential", `for (i in 1:n) { y[i] ~ dnorm(0, ilogit(h[i])) }` + walk, "nuts"},
		{"in the mean too", `for (i in 1:n) { y[i] ~ dnorm(exp(h[i]), exp(h[i])) }` + walk, "nuts"},
		{"in the mean by another cell", `for (i in 1:n) { y[i] ~ dnorm(exp(h[i] / 2), exp(-h[i])) }` + walk, "nuts"},
		{"truncated data", `for (i in 1:n) { y[i] ~ dnorm(0, exp(-h[i])) T(-9, 9) }` + walk, "nuts"},
		{"effects that are no walk", `for (i in 1:n) { y[i] ~ dnorm(0, exp(-h[i])); h[i] ~ dnorm(m, t) } m ~ dnorm(0, 1); t ~ dgamma(2, 1)`, "nuts"},
		{"leverage, which no block takes", `y[n] ~ dnorm(0, exp(-h[n])); for (i in 2:n) { y[i-1] ~ dnorm(r * exp(h[i-1] / 2) * (h[i] - h[i-1]), exp(-h[i-1]) / (1 - r * r)) } r ~ dunif(-1, 1)` + walk, "nuts"},
	} {
		c := compileText(t, "model { "+tc.model+" }", data)
		for _, kernel := range slices.Compact([]string{tc.kernel, "nuts"}) {
			var asked []*plan.Override
			if kernel != "nuts" {
				asked = []*plan.Override{{Pattern: "h[*]", Kernel: kernel, Match: func(name string) bool { return strings.HasPrefix(name, "h[") }}}
			}
			p, err := plan.New(c.Model, asked)
			if err != nil {
				t.Fatal(tc.name, err)
			}
			if !slices.ContainsFunc(p.Items, func(it plan.Item) bool { return it.Kernel == kernel && len(it.Rows) >= 50 }) {
				t.Errorf("%s: no %s of the walk in %+v", tc.name, kernel, p.Items)
			}
		}
	}
}
