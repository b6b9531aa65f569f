package slice_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/slice"
)

// A step of the standard exponential law, from its median.
func ExampleUnivariate_Step1() {
	logp := func(x float64) float64 { return -x }
	r := rand.New(rand.NewPCG(1, 2))
	var u slice.Univariate
	x, fx := math.Ln2, -math.Ln2
	sum := 0.0
	for range 100_000 {
		x, fx, _ = u.Step1(r, x, fx, 0, math.Inf(1), logp)
		sum += x
	}
	fmt.Printf("mean %.1f\n", sum/100_000)
	// Output: mean 1.0
}
