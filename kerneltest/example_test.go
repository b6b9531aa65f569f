package kerneltest_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// logExponential is the target: the standard exponential distribution.
func logExponential(x []float64) float64 {
	if x[0] < 0 {
		return math.Inf(-1)
	}
	return -x[0]
}

// scale is a kernel of one's own: it multiplies x by a random factor. The proposal is not symmetric, so that its
// acceptance ratio needs the Jacobian x'/x, which is easily forgotten.
type scale struct{ jacobian bool }

func (k scale) Step(s *mcmc.Point, r *rand.Rand) mcmc.Info {
	x := []float64{s.X[0] * math.Exp(r.NormFloat64())}
	logp := logExponential(x)
	ratio := logp - s.LogP
	if k.jacobian {
		ratio += math.Log(x[0] / s.X[0])
	}
	if math.Log(r.Float64()) >= ratio {
		return mcmc.Info{Evals: 1}
	}
	s.X[0], s.LogP = x[0], logp
	return mcmc.Info{Accepted: true, Evals: 1}
}

// In a test of the kernel's package, where an error is given to t.Error.
func ExampleInvariant() {
	check := func(k mcmc.Kernel[*mcmc.Point]) error {
		target := kerneltest.Sampled[*mcmc.Point]{
			Draw: func(r *rand.Rand) *mcmc.Point {
				return mcmc.NewPoint(mcmc.TargetFunc(logExponential), []float64{r.ExpFloat64()})
			},
			Kernel: k,
			Stats:  func(s *mcmc.Point) []float64 { return s.X },
			Check: func(s *mcmc.Point) error {
				if s.LogP != logExponential(s.X) {
					return errors.New("the log density is not that of the point")
				}
				return nil
			},
		}
		far := func(*rand.Rand) *mcmc.Point {
			return mcmc.NewPoint(mcmc.TargetFunc(logExponential), []float64{20})
		}
		return errors.Join(
			kerneltest.Invariant(target, kerneltest.Settings{Seed: 1, Steps: 3}),
			kerneltest.Converges(target, far, kerneltest.Settings{Seed: 1, Steps: 100, Replicates: 5000}),
		)
	}
	fmt.Println("with the Jacobian:", check(scale{jacobian: true}))
	fmt.Println("without it, caught:", check(scale{}) != nil)
	// Output:
	// with the Jacobian: <nil>
	// without it, caught: true
}
