package model_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/model"
)

// The log density of many rows at once has the bits of their sum one by one, also where a row's value is impossible.
func TestRowsInBlocks(t *testing.T) {
	for name, relation := range map[string]string{
		"Bernoulli":   "y[i] ~ dbern(p[i])\n logit(p[i]) <- b * x[i]",
		"binomial":    "y[i] ~ dbin(p[i], 3)\n logit(p[i]) <- b * x[i]",
		"Poisson":     "y[i] ~ dpois(p[i])\n log(p[i]) <- b * x[i]",
		"normal":      "y[i] ~ dnorm(x[i], t[i])\n t[i] <- exp(b * x[i])",
		"categorical": "y[i] ~ dcat(w[i, 1:3])\n w[i, 1] <- 1\n w[i, 2] <- exp(b * x[i])\n w[i, 3] <- b + x[i] * x[i]",
	} {
		for _, n := range []int{5, 6, 63, 64, 65, 150} {
			var x, y []string
			for i := range n {
				x = append(x, fmt.Sprint(float64(i%17)/2-3.7))
				value := i * i % 7 % 2
				if name == "categorical" {
					value++
				}
				y = append(y, fmt.Sprint(value))
			}
			m := compileCase(t, "model { for (i in 1:N) { "+relation+" }\n b ~ dnorm(0, 1) }",
				fmt.Sprintf("N <- %d\nx <- c(%s)\ny <- c(%s)\n", n, strings.Join(x, ","), strings.Join(y, ",")))
			s := m.NewState()
			from, i := m.TemplateOf(m.Unobserved()[0])
			rows := m.ObservedRows()
			for _, b := range []float64{0.3, 1.7, -300, 0, math.NaN()} {
				s.V[from.Cells(i)[0]] = b
				s.RunAllLive()
				sum := 0.0
				each := make([]float64, model.Count(rows))
				s.LogProbEach(rows, each)
				for _, g := range rows {
					for i := g.Lo; i < g.Hi; i++ {
						lp := s.LogProbRow(m.Templates[g.T], int(i))
						if sum += lp; each[0] != lp {
							t.Errorf("%s, %d rows, b = %v, row %d: %v of all, %v by itself", name, n, b, i, each[0], lp)
						}
						each = each[1:]
					}
				}
				if got := s.LogProb(rows); got != sum || math.IsNaN(b) != math.IsInf(sum, -1) && b != -300 {
					t.Errorf("%s, %d rows, b = %v: %v at once, %v one by one", name, n, b, got, sum)
				}
			}
			s.V[from.Cells(i)[0]] = 0.5
			s.RunAllLive()
			g := rows[0]
			s.V[m.Templates[g.T].Cells(int(g.Hi) - 1)[0]] = 4.5
			if got := s.LogProb(rows); got != math.Inf(-1) && name != "normal" {
				t.Errorf("%s, %d rows, one of them impossible: %v", name, n, got)
			}
		}
	}
}
