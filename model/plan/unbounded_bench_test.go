package plan_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// BenchmarkUnbounded is the cost of a value with its gradient for nodes of each kind of bounds, with a datum each.
func BenchmarkUnbounded(b *testing.B) {
	const n = 400
	for _, bc := range []struct{ name, node string }{
		{"free", "x[i] ~ dnorm(0, 1)"},
		{"positive", "x[i] ~ dexp(1)"},
		{"interval", "x[i] ~ dunif(0, 3)"},
		{"ordered", "x[i] ~ dexp(1) T(x[i-1],)"},
		{"between nodes", "x[i] ~ dunif(x[1], x[2])"},
		{"between functions", "x[i] ~ dunif(lo - z[i], hi + z[i])"},
		{"censored", "x[i] ~ dexp(1); c[i] ~ dinterval(x[i], z[i])"},
	} {
		b.Run(bc.name, func(b *testing.B) {
			src := fmt.Sprintf(`model { x[1] ~ dunif(0, 1); x[2] ~ dunif(2, 3); lo <- x[1] / 2; hi <- x[2] + x[1]; for (i in 3:N) { %s } for (i in 1:N) { y[i] ~ dnorm(x[i], 1) } }`, bc.node)
			data := fmt.Sprintf("N <- %d; y <- c(%s1)", n, strings.Repeat("1,", n-1))
			if strings.Contains(bc.node, "z[") {
				data += fmt.Sprintf("; z <- c(%s0.5)", strings.Repeat("0.5,", n-1))
			}
			if strings.Contains(bc.node, "dinterval") {
				data += fmt.Sprintf("; c <- c(%s1)", strings.Repeat("1,", n-1))
			}
			c := compileText(b, src, data)
			p := allByNUTS(b, c.Model)
			s := c.Model.NewState()
			r := rand.New(rand.NewPCG(1, 1))
			for cell, msg := s.SimulateAll(r); cell >= 0; cell, msg = s.SimulateAll(r) {
				b.Fatal(msg)
			}
			copy(s.V, c.Model.Init)
			target, at := p.Sweep().Unbounded(s)
			_ = target
			u, grad := slices.Clone(at), make([]float64, len(at))
			for j := range u {
				u[j] = 0.1
			}
			b.ReportAllocs()
			for b.Loop() {
				u[0] = -u[0]
				target.Gradient(u, grad)
			}
		})
	}
}
