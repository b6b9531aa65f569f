package model_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/model"
)

// Derivatives of affine cells by nodes b are what a move of 1 adds to the cells, up to rounding of sums of ten numbers, 1e-13 of their size; also where a row reads a cell twice, or
// through a table, computes with other nodes that have moved since, and where a row's operand is 0 or free of the nodes.
func TestJacobianIsWhatMovesAdd(t *testing.T) {
	const head = `model { for (k in 1:3) { b[k] ~ dnorm(0, 1); g[k] ~ dnorm(1, 1) } z ~ dcat(p[]); `
	const tail = ` for (i in 1:4) { y[i] ~ dnorm(m[i], 1) } }`
	const data = `x <- structure(c(1,-2,0.5,0,3,1,0,0,1.5,2,-1,4), .Dim=c(4,3)); y <- c(0,0,0,0); p <- c(0.2,0.3,0.5)`
	for _, relations := range []string{
		`for (k in 1:3) { w[k] <- g[k] * b[k] } for (i in 1:4) { m[i] <- g[1] + inprod(x[i,], w[]) }`,
		`for (i in 1:4) { m[i] <- inprod(x[i,], b[]) / exp(g[2]) - 2 * b[1] }`,
		`for (i in 1:4) { m[i] <- b[1] + b[2] * x[i,1] + g[i - 3 * step(i - 4)] * b[3] }`,
		`for (i in 1:4) { m[i] <- b[1] + b[1] * x[i,2] + (b[2] - b[1]) * g[1] ^ 2 }`,
		`for (i in 1:4) { m[i] <- b[z] * x[i,1] + sum(b[]) + g[3] }`,
		`for (i in 1:4) { m[i] <- sum(b[]) + mean(b[1:2]) * step(g[1]) + ifelse(g[2] > 1, b[3], -b[2]) }`,
		`s[1:3] <- g[1] * b[1:3]; for (i in 1:4) { m[i] <- -(s[1] - s[2]) * (g[1] - g[1]) + s[3] * x[i,3] }`,
	} {
		m := compileCase(t, head+relations+tail, data)
		b, means := cellsOf(m, "b", 3), cellsOf(m, "m", 4)
		around := m.Blanket(b)
		j := m.NewJacobian(&around, m.Forms(&around))
		s := m.NewState()
		r := rand.New(rand.NewPCG(1, 2))
		for range 20 {
			if cell, msg := s.SimulateAll(r); cell >= 0 {
				t.Fatal(m.CellName(cell), msg)
			}
			j.Eval(s)
			for _, c := range means {
				idx, val := j.Row(c)
				got := map[int32]float64{}
				for e, k := range idx {
					got[b[k]] = val[e]
				}
				before := s.V[c]
				for _, cell := range b {
					s.V[cell]++
					s.Run(around.Det)
					if d := s.V[c] - before; math.Abs(d-got[cell]) > 1e-13*(10+math.Abs(before)+math.Abs(d)) {
						t.Errorf("%s: %s moves by %v for %s, not by %v", relations, m.CellName(c), d, m.CellName(cell), got[cell])
					}
					s.V[cell]--
					s.Run(around.Det)
				}
			}
		}
	}
}

// cellsOf are the cells of an array of n elements.
func cellsOf(m *model.Model, name string, n int32) (cells []int32) {
	a, _ := m.Array(name)
	for k := range n {
		cells = append(cells, a.Base+k)
	}
	return cells
}
