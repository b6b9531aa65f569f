package plan_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// Answers of 80 persons to 8 questions, made with discriminations of 1.5; the difficulties of the first two, −2 and 2, are given. One chain starts where all discriminations
// are negative and abilities turned round, another where one discrimination is negative and its difficulty far out. Both are modes of a density that is lower by far, where
// chains stay without mirror; they have left them after the warm-up.
func TestMirrorLeavesReflectedModes(t *testing.T) {
	const persons, items = 80, 8
	r := rand.New(rand.NewPCG(3, 4))
	difficulty := [items]float64{-2, 2, -1.5, -1, 0, 0.5, 1, 1.5}
	var answers, abilities, reflected []string
	for range persons {
		ability := r.NormFloat64()
		abilities, reflected = append(abilities, fmt.Sprint(ability)), append(reflected, fmt.Sprint(-ability))
		for _, b := range difficulty {
			answer := "0"
			if r.Float64() < 1/(1+math.Exp(-1.5*(ability-b))) {
				answer = "1"
			}
			answers = append(answers, answer)
		}
	}
	c := compileText(t, `model {
		for (j in 1:80) { theta[j] ~ dnorm(0, 1); for (i in 1:8) { y[i,j] ~ dbern(ilogit(a[i] * (theta[j] - b[i]))) } }
		for (i in 1:8) { a[i] ~ dnorm(m, 1/s^2) }
		for (i in 3:8) { b[i] ~ dnorm(0, 0.001) }
		m ~ dnorm(0, 0.1); s ~ dunif(0.05, 1)
	}`, fmt.Sprintf("y <- structure(c(%s), .Dim=c(8,80)); b <- c(-2,2,NA,NA,NA,NA,NA,NA)", strings.Join(answers, ",")))
	p, err := plan.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.Monitors([]string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	for name, inits := range map[string]string{
		"all": "m <- -1.5; s <- 0.3; a <- c(-1.5,-1.5,-1.5,-1.5,-1.5,-1.5,-1.5,-1.5); b <- c(NA,NA,1.5,1,0,-0.5,-1,-1.5); theta <- c(" + strings.Join(reflected, ",") + ")",
		"one": "m <- 1.5; s <- 0.9; a <- c(1.5,1.5,1.5,-0.05,1.5,1.5,1.5,1.5); b <- c(NA,NA,-1.5,24,0,0.5,1,1.5); theta <- c(" + strings.Join(abilities, ",") + ")",
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			s, err := p.Start(initsOf(t, c, inits), r)
			if err != nil {
				t.Fatal(err)
			}
			w := p.Sweep()
			const warm = 400
			for i := range warm {
				w.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: warm})
			}
			for i, cell := range a[0].Cells {
				if s.V[cell] < 0 {
					t.Errorf("a[%d] is %.2f after the warm-up", i+1, s.V[cell])
				}
			}
		})
	}
}
