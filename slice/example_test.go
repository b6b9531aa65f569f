package slice_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/mcmc"
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

// disc is uniform on the unit disc.
type disc struct{}

func (disc) LogDensity(x []float64) float64 {
	if x[0]*x[0]+x[1]*x[1] > 1 {
		return math.Inf(-1)
	}
	return 0
}

// The square of the distance from the centre of a disc is uniform, of mean 1/2.
func ExampleNewHyperrectangle() {
	k, err := slice.NewHyperrectangle(disc{}, []float64{100, 100}, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	s := mcmc.NewPoint(disc{}, []float64{0, 0})
	const warmup, draws = 500, 100_000
	for i := range warmup {
		k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: warmup})
	}
	k.Freeze()
	sum := 0.0
	for range draws {
		k.Step(s, r)
		sum += s.X[0]*s.X[0] + s.X[1]*s.X[1]
	}
	fmt.Printf("mean square %.2f\n", sum/draws)
	// Output: mean square 0.50
}
