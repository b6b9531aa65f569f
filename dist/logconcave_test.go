package dist

import (
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// TestLogConcaveCost counts evaluations: finding three tangents and being accepted must be cheap in the body, 40 standard
// deviations out, on intervals that the doubles hardly resolve and where the density is flat on one side and steep on the
// other.
func TestLogConcaveCost(t *testing.T) {
	inf := math.Inf(1)
	gammaLog := func(shape float64) func(t float64) (h, dh float64) {
		return func(t float64) (h, dh float64) {
			y := vec.Exp(t)
			return shape*t - y, shape - y
		}
	}
	betaLogit := func(a, b float64) func(t float64) (h, dh float64) {
		return func(t float64) (h, dh float64) {
			return -a*vec.Log1pExp(-t) - b*vec.Log1pExp(t), a*vec.Ilogit(-t) - b*vec.Ilogit(t)
		}
	}
	normal := func(t float64) (h, dh float64) { return -0.5 * t * t, -t }
	for _, c := range []struct {
		name       string
		f          func(t float64) (h, dh float64)
		a, b, mode float64
	}{
		{"normal", normal, -inf, inf, 0},
		{"normal, wrong mode", normal, -inf, inf, 0.7},
		{"normal, half", normal, 0, inf, 0},
		{"normal beyond 40", normal, 40, inf, 0},
		{"normal below -40", normal, -inf, -40, 0},
		{"normal, narrow", normal, 1, 1 + 1e-9, 0},
		{"normal, wide", normal, -1e9, 1e9, 0},
		{"normal, unresolved", normal, 1e12, inf, 0},
		{"gamma(1e-3)", gammaLog(1e-3), -inf, inf, math.Log(1e-3)},
		{"gamma(1e-3), lower tail", gammaLog(1e-3), -inf, -2000, math.Log(1e-3)},
		{"gamma(3), upper tail", gammaLog(3), 6, inf, math.Log(3)},
		{"gamma(1e8)", gammaLog(1e8), -inf, inf, math.Log(1e8)},
		{"beta(134, 1e-7)", betaLogit(134, 1e-7), -inf, 26, math.Log(134e7)},
		{"beta(1e-3, 1e-3)", betaLogit(1e-3, 1e-3), -1, inf, 0},
		{"beta(1e6, 2e6)", betaLogit(1e6, 2e6), -0.69, inf, math.Log(0.5)},
	} {
		r := testRand(10)
		calls := 0
		f := func(t float64) (h, dh float64) { calls++; return c.f(t) }
		const n = 2000
		for range n {
			x := truncLogConcave(r, c.a, c.b, c.mode, f)
			if !(x >= c.a && x <= c.b) {
				t.Fatalf("%s: a draw is %v", c.name, x)
			}
		}
		if per := float64(calls) / n; per > 20 {
			t.Errorf("%s: %.1f evaluations a draw", c.name, per)
		}
	}
}
