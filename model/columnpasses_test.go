package model_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// Likelihoods with a pass of their own are known however they are spelt.
func TestPasses(t *testing.T) {
	data := sample(60, 5) + "; k1 <- " + column(60, func(i int) float64 { return float64(1 + (i*i+i/3)%4) })
	shapes := map[string]string{}
	for _, tc := range columnCases {
		shapes[tc.name] = tc.model
	}
	for name, want := range map[string]string{
		"ordered probit": "ordered probit", "ordered logit, tails": "ordered logit", "graded responses": "ordered logit", "ordered, one scale": "ordered probit",
		"softmax": "formula", "negative binomial, dispersion": "negative binomial", "negative binomial, logit": "negative binomial", "negative binomial, large counts": "negative binomial",
		"negative binomial, sizes": "formula",
	} {
		m := compileCase(t, shapes[name], data)
		if got := m.NewBlock(blockOf(m)).Passes(); !slices.Contains(got, want) {
			t.Errorf("%s: %q, want one of them to be %s", name, got, want)
		}
	}
}

// A category far out keeps its probability, where the difference of two that are nearly 1 has none: log(Φ(b)−Φ(a)) with a = 9 and b = 10 by the upper tails.
func TestFarCategory(t *testing.T) {
	for name, want := range map[string]float64{
		"phi":    vec.Log(vec.NormCDF(-9) - vec.NormCDF(-10)),
		"ilogit": vec.Log(vec.Ilogit(-9) - vec.Ilogit(-10)),
	} {
		m := compileCase(t, fmt.Sprintf(`model { for (i in 1:2) { y[i] ~ dcat(p[i,]); p[i,1] <- %[1]s(9 - m); p[i,2] <- %[1]s(10 - m) - %[1]s(9 - m); p[i,3] <- 1 - %[1]s(10 - m) } m ~ dnorm(0, 1) }`, name), "y <- c(2, 2)")
		cells, det, stoch := blockOf(m)
		s := m.NewState()
		s.V[cells[0]] = 0
		s.Run(det)
		e := m.NewBlock(cells, det, stoch).NewEvaluator()
		e.Prepare(s)
		got := e.ValueGradient(s) - model.HalfLog2Pi
		if want *= 2; math.Abs(got-want) > 1e-10*math.Abs(want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
