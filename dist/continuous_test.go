package dist

import (
	"math"
	"testing"
)

// TestReference holds log densities and log tails to values of high precision.
func TestReference(t *testing.T) {
	for _, c := range reference {
		d, ok := Lookup(c.name)
		if !ok {
			t.Fatalf("no distribution %s", c.name)
		}
		check := func(what string, got, want, tol float64) {
			t.Helper()
			if !(got == want || math.Abs(got-want) <= tol*(1+math.Abs(want))) {
				t.Errorf("%s%v at %v: %s = %.17g, want %.17g (off by %.2g)", c.name, c.p, c.x, what, got, want, got-want)
			}
		}
		// A relative change of 2⁻⁵² in x is allowed to pass through.
		slope := math.Abs(c.x * d.Grad(c.x, c.p, make([]float64, len(c.p))))
		check("LogProb", d.LogProb(c.x, c.p), c.logProb, 2e-14+slope*0x1p-52)
		check("LogCDF", d.LogCDF(c.x, c.p), c.logCDF, 2e-13)
		check("LogSF", d.LogSF(c.x, c.p), c.logSF, 2e-13)
		check("log CDF", math.Log(d.CDF(c.x, c.p)), math.Log(math.Exp(c.logCDF)), 2e-13)
	}
}
