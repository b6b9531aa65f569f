package model_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRows holds compiled logical rows to the interpreter's: values, and derivatives that are taken through them.
func TestRows(t *testing.T) {
	for _, tc := range append(slices.Clone(columnCases), columnCase{name: "precisions", model: `model { s1 ~ dunif(0, 9); s2 ~ dunif(0, 9); p1 <- pow(s1, -2); p2 <- pow(s1 * s2, -3); p3 <- 1 / (s1 * s2)
		m1[1] <- p1 + p2; m1[2] <- pow(s2, 0.7) - p3; for (i in 1:N) { y[i] ~ dnorm(m1[1 + equals(i, 2)], p1) } }`}) {
		if len(tc.data) > 0 {
			continue
		}
		m := compileCase(t, tc.model, sample(150, 6))
		cells, det, stoch := blockOf(m, tc.fixed...)
		g, s := m.NewGradient(det, stoch), m.NewState()
		r := rand.New(rand.NewPCG(7, 8))
		rows := m.NewRows(det).NewEvaluator()
		for range 3 {
			if c, msg := s.Simulate(r); c >= 0 {
				t.Fatalf("%s: %s %s", tc.name, m.CellName(c), msg)
			}
			s.RunAllLive()
			g.At(s) // makes s.A
			want, got := m.NewState(), m.NewState()
			copy(want.V, s.V)
			copy(got.V, s.V)
			g.At(want)
			for c := range s.A {
				s.A[c] = r.NormFloat64()
			}
			copy(want.A, s.A)
			for _, seg := range det {
				for i := seg.Lo; i < seg.Hi; i++ {
					for _, c := range m.Templates[seg.T].Cells(int(i)) {
						got.V[c] = math.NaN()
					}
				}
			}
			rows.Run(got) // which makes the derivatives' memory
			copy(got.A, s.A)
			sameCells(t, tc.name+", values", m.CellName, got.V, want.V)
			want.Pull(det)
			rows.Pull(got)
			for _, c := range cells {
				sameCells(t, tc.name+", derivatives", func(int32) string { return m.CellName(c) }, got.A[c:c+1], want.A[c:c+1])
			}
		}
	}
}

func sameCells(t *testing.T, what string, name func(int32) string, got, want []float64) {
	t.Helper()
	for c, x := range want {
		if y := got[c]; y != x && !(math.Abs(y-x) <= 1e-11*(1+math.Abs(x))) && (x == x || y == y) {
			t.Errorf("%s: %s is %v, by the interpreter %v", what, name(int32(c)), y, x)
			return
		}
	}
}
