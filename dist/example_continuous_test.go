package dist_test

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/rng"
)

func ExampleLookup() {
	d, ok := dist.Lookup("dnorm")
	fmt.Println(ok, d.Params)
	// The second parameter is a precision: 1/variance.
	p := []float64{2, 0.25}
	fmt.Println(d.Check([]float64{2, -1}))
	fmt.Printf("%.4f %.4f %.4f\n", d.LogProb(3, p), d.CDF(3, p), d.Quantile(0.975, p))
	// Output:
	// true [mu tau]
	// tau = -1 must be positive
	// -1.7371 0.6915 5.9199
}

func ExampleScalar_SampleT() {
	// A draw from the standard normal distribution 40 standard deviations out.
	d, _ := dist.Lookup("dnorm")
	r := rng.New(1, "example").Rand
	x := d.SampleT(r, []float64{0, 1}, 40, math.Inf(1))
	fmt.Println(x > 40, x < 41)
	fmt.Printf("%.3f\n", d.LogMass([]float64{0, 1}, 40, math.Inf(1)))
	// Output:
	// true true
	// -804.608
}

func ExampleGammaLogProb() {
	// Shape 2 and rate 3: the density 9 x exp(−3x).
	fmt.Printf("%.6f %.6f\n", dist.GammaLogProb(0.5, 2, 3), math.Log(9*0.5*math.Exp(-1.5)))
	// Output: 0.004077 0.004077
}
