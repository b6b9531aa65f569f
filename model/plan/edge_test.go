package plan_test

import (
	"maps"
	"testing"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// Positive nodes and shares that kernels move by densities have an edge, those drawn from their full conditional have none.
func TestEdges(t *testing.T) {
	m, job, s := planned(t, "model { p ~ dbeta(0.01, 0.01)\n y ~ dnorm(p, 1)\n q ~ dbeta(1, 1)\n z ~ dbin(q, 3)\n g ~ dgamma(1, 1)\n x ~ dnorm(g, 1)\n m ~ dnorm(g, 1)\n w ~ dnorm(m, 1)\n d[1:2] ~ ddirch(a[])\n v ~ dnorm(d[1], 1)\n h ~ dunif(1, 5)\n c ~ dgamma(h, 1)\n u ~ dpois(c)\n e[1:2] ~ ddirch(a[])\n k ~ dcat(e[]) }",
		"u <- 1\ny <- 1\nz <- 1\nx <- 1\nw <- 1\nv <- 1\nk <- 1\na <- c(1, 1)")
	for cell, kind := range m.Kinds {
		if kind == model.Unobserved {
			job.Monitors = append(job.Monitors, model.Monitor{Variable: draws.Variable{Name: m.CellName(int32(cell))}, Cells: []int32{int32(cell)}})
		}
	}
	want := map[string]plan.Edges{"p": {Zero: true, One: true}, "g": {Zero: true}, "d[1]": {Zero: true}, "d[2]": {Zero: true}}
	if got := job.Edges(s); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
