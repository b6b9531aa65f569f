package dist

import (
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// logFactSize: factorials below it come from a table.
const logFactSize = 1024

var logFactTable = newLogFactTable()

// newLogFactTable sums logarithms with compensation (Kahan 1965), so that each entry is within an ulp or two.
func newLogFactTable() *[logFactSize]float64 {
	t := new([logFactSize]float64)
	sum, lost := 0.0, 0.0
	for i := 2; i < logFactSize; i++ {
		y := vec.Log(float64(i)) - lost
		next := sum + y
		lost = (next - sum) - y
		sum = next
		t[i] = sum
	}
	return t
}

// logFact is log n! for a whole number n ≥ 0.
func logFact(n float64) float64 {
	if n < logFactSize {
		return logFactTable[int(n)]
	}
	return float64((n+0.5)*vec.Log(n)) - n + halfLog2Pi + stirlingErr(n)
}
