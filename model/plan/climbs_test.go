package plan_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// answers are those of persons to 8 questions, made with discriminations of 1.5.
func answers(persons int) string {
	r := rand.New(rand.NewPCG(3, 4))
	var y []string
	for range persons {
		ability := r.NormFloat64()
		for _, difficulty := range []float64{-2, 2, -1.5, -1, 0, 0.5, 1, 1.5} {
			answer := "0"
			if r.Float64() < 1/(1+math.Exp(-1.5*(ability-difficulty))) {
				answer = "1"
			}
			y = append(y, answer)
		}
	}
	return fmt.Sprintf("y <- structure(c(%s), .Dim=c(8,%d)); persons <- %d", strings.Join(y, ","), persons, persons)
}

// discriminations are those of a question in the starts of four chains from eight seeds.
func discriminations(t *testing.T, c *bugs.Compiled, question int, inits []model.Inits) (all []float64) {
	t.Helper()
	p, err := plan.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.Monitors([]string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	job := &plan.Job{Plan: p, Inits: inits, Monitors: a}
	for seed := range uint64(8) {
		for chain := range 4 {
			s, err := job.StartApart(context.Background(), placeOf(seed, chain, 4), rng.New(seed, "init", uint64(chain)).Rand)
			if err != nil {
				t.Fatal(err)
			}
			if !(job.LogDensity(s) > math.Inf(-1)) {
				t.Errorf("seed %d, chain %d starts where the log density is %v", seed, chain, job.LogDensity(s))
			}
			all = append(all, s.V[a[0].Cells[question-1]])
		}
	}
	return all
}

// The difficulties of two questions, −2 and 2, are given, so that a mode with negative discriminations is lower by far; half of the starts that are drawn have them.
func TestChainsStartInTheHigherModeOfSigns(t *testing.T) {
	c := compileText(t, `model {
		for (j in 1:persons) { theta[j] ~ dnorm(mu, 1 / sd^2); for (i in 1:8) { y[i,j] ~ dbern(ilogit(a[i] * (theta[j] - b[i]))) } }
		for (i in 1:8) { a[i] ~ dnorm(m, 1 / s^2) }
		for (i in 3:8) { b[i] ~ dnorm(0, 0.001) }
		m ~ dnorm(0, 0.1); s ~ dunif(0.05, 1); mu ~ dnorm(0, 0.1); sd ~ dunif(0, 10)
	}`, answers(80)+"; b <- c(-2,2,NA,NA,NA,NA,NA,NA)")
	for i, a := range discriminations(t, c, 1, nil) {
		if a < 0 {
			t.Errorf("start %d has the discrimination %.2f", i, a)
		}
	}
}

// The discrimination of one question is above 0. In two of five starts a climb leads to where that is near 0 and the others are below.
func TestChainsLeaveTheLowerModeOfSigns(t *testing.T) {
	c := compileText(t, `model {
		for (j in 1:persons) { theta[j] ~ dnorm(0, 1); for (i in 1:8) { y[i,j] ~ dbern(ilogit(m[i] + a[i] * theta[j])) } }
		a[1] ~ dnorm(0, 0.25) T(0,)
		for (i in 2:8) { a[i] ~ dnorm(0, 0.25) }
		for (i in 1:8) { m[i] ~ dnorm(0, 0.1) }
	}`, answers(300))
	for i, a := range discriminations(t, c, 2, nil) {
		if a < 0 {
			t.Errorf("start %d has the discrimination %.2f", i, a)
		}
	}
}

// Three regressions at −3, 0 and 3. One climb in three leads to where two of them have one component and another has next to no data, lower by 60 and more.
func TestChainsStartWhereAllComponentsHaveData(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var x, y []string
	for i := range 150 {
		at := r.NormFloat64()
		k := i % 3
		x = append(x, fmt.Sprintf("%.4f", at))
		y = append(y, fmt.Sprintf("%.4f", []float64{-3, 0, 3}[k]+[]float64{1, -1, 0.5}[k]*at+0.6*r.NormFloat64()))
	}
	c := compileText(t, `model {
		for (i in 1:150) { z[i] ~ dcat(w[]); y[i] ~ dnorm(a[z[i]] + b[z[i]] * x[i], tau[z[i]]) }
		w[1:3] ~ ddirch(ones[]); a[1:3] <- sort(a0[])
		for (k in 1:3) { a0[k] ~ dnorm(0, 0.01); b[k] ~ dnorm(0, 0.1); tau[k] ~ dgamma(1, 1) }
	}`, fmt.Sprintf("ones <- c(1,1,1); x <- c(%s); y <- c(%s)", strings.Join(x, ","), strings.Join(y, ",")))
	for i, a := range discriminations(t, c, 2, nil) {
		if !(math.Abs(a) < 0.5) {
			t.Errorf("start %d has a[2] at %.2f", i, a)
		}
	}
}

// The residuals of a factor model may be 0, where the density has no end: climbs that come to none leave the start as it is.
func TestClimbsWithoutEndLeaveTheStart(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var y []string
	for range 60 {
		f, g := r.NormFloat64(), r.NormFloat64()
		for i := range 6 {
			y = append(y, fmt.Sprintf("%.4f", []float64{0.9, 0.3, 0.7, -0.5, 0.6, 0}[i]*f+[]float64{0, 0.8, -0.4, 0.6, 0.6, 0.9}[i]*g+0.5*r.NormFloat64()))
		}
	}
	c := compileText(t, `model {
		for (j in 1:60) { for (k in 1:2) { f[j,k] ~ dnorm(0, 1) }; for (i in 1:6) { y[i,j] ~ dnorm(inprod(l[i,], f[j,]), 1 / s[i]^2) } }
		for (i in 1:6) { for (k in 1:2) { l[i,k] ~ dnorm(0, 1) }; s[i] ~ dunif(0, 5) }
	}`, fmt.Sprintf("y <- structure(c(%s), .Dim=c(6,60))", strings.Join(y, ",")))
	p, err := plan.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(4) {
		r := func() *rand.Rand { return rng.New(seed, "init", 0).Rand }
		s, err := (&plan.Job{Plan: p}).StartApart(context.Background(), placeOf(seed, 0, 1), r())
		if err != nil {
			t.Fatal(err)
		}
		want, err := p.StartApart(nil, placeOf(seed, 0, 1), r())
		if err != nil {
			t.Fatal(err)
		}
		for cell, kind := range c.Model.Kinds {
			if kind == model.Unobserved && s.V[cell] != want.V[cell] {
				t.Fatalf("seed %d: cell %d starts at %v; want %v", seed, cell, s.V[cell], want.V[cell])
			}
		}
	}
}

// Without bounds and given values both signs are alike: R-hat has to tell, so that chains start at either.
func TestChainsStartInBothOfEqualModes(t *testing.T) {
	c := compileText(t, `model {
		for (j in 1:persons) { theta[j] ~ dnorm(0, 1); for (i in 1:8) { y[i,j] ~ dbern(ilogit(a[i] * (theta[j] - b[i]))) } }
		for (i in 1:8) { a[i] ~ dnorm(0, 0.25); b[i] ~ dnorm(0, 0.1) }
	}`, answers(80))
	negative := 0
	for _, a := range discriminations(t, c, 1, nil) {
		if a < 0 {
			negative++
		}
	}
	if negative < 3 || negative > 29 { // a binomial count of probability ½ is there with 2.5e-7
		t.Errorf("%d of 32 starts have negative discriminations", negative)
	}
}

// A chain leaves a mode only if another has next to all of the mass: not a wide one for a higher one that is narrow, nor for one of which nothing is known.
func TestChainsKeepModesWithMass(t *testing.T) {
	inf := math.Inf(-1)
	for _, tc := range []struct {
		density, mass, otherDensity, otherMass float64
		leaves                                 bool
	}{
		{-700, -800, -650, -750, true},
		{-700, -800, -650, -795, false},
		{-700, -800, -695, -700, false},
		{-700, -800, -750, -900, false},
		{-700, -800, -650, inf, false},
		{-700, inf, -650, inf, false},
		{-700, inf, -650, -750, true},
	} {
		if got := plan.LeavesMode(tc.density, tc.mass, tc.otherDensity, tc.otherMass); got != tc.leaves {
			t.Errorf("%+v: %t", tc, got)
		}
	}
}

// Initial values are where chains start.
func TestClimbsLeaveInitialValues(t *testing.T) {
	c := compileText(t, `model {
		for (j in 1:persons) { theta[j] ~ dnorm(0, 1); for (i in 1:8) { y[i,j] ~ dbern(ilogit(a[i] * (theta[j] - b[i]))) } }
		for (i in 1:8) { a[i] ~ dnorm(1, 1); b[i] ~ dnorm(0, 0.1) }
	}`, answers(80))
	for _, a := range discriminations(t, c, 1, []model.Inits{initsOf(t, c, "a <- c(-3,-3,-3,-3,-3,-3,-3,-3)")}) {
		if a != -3 {
			t.Fatalf("a start has the discrimination %v", a)
		}
	}
}
