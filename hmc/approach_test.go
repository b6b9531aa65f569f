package hmc_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/hmc"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// movingAverage is the posterior of θ and log σ in y[t] = e[t] + θ e[t−1] with y[t] = 0 but for y[0] = 1 and e[−1] = 0: e[t] = (−θ)ᵗ, which beyond |θ| = 1 grows
// without bound. The priors are normal with sd 1.
type movingAverage struct{}

const terms = 200

func (movingAverage) LogDensity(u []float64) float64 {
	var grad [2]float64
	return movingAverage{}.Gradient(u, grad[:])
}

func (movingAverage) Gradient(u, grad []float64) float64 {
	square, slope, power := 1.0, 0.0, 1.0
	for t := 1; t < terms; t++ {
		power *= u[0] // θᵗ
		slope += 2 * float64(t) * power * power / u[0]
		square += power * power
	}
	w := math.Exp(-2 * u[1])
	grad[0] = -w*slope/2 - u[0]
	grad[1] = w*square - terms - u[1]
	return -w*square/2 - terms*u[1] - (u[0]*u[0]+u[1]*u[1])/2
}

// Where the density is 10⁻¹⁰⁰…⁰ of that at the mode by more digits than the energy has, a chain finds its way.
func TestFarStart(t *testing.T) {
	for seed, start := range [][]float64{{1.3, 0}, {-1.4, -1}, {2, 3}, {-1.2, -3}} {
		k, err := hmc.NewNUTS(movingAverage{}, 2, hmc.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		s := mcmc.NewPoint(movingAverage{}, start)
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		const warm, draws = 300, 1000
		for i := range warm {
			k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: warm})
		}
		k.Freeze()
		diverged, mean := 0, 0.0
		for range draws {
			if k.Step(s, r).Divergent {
				diverged++
			}
			mean += math.Abs(s.X[0]) / draws
		}
		// The posterior is symmetric in θ and within (−1, 1) but for e⁻²⁰⁰.
		if !(math.Abs(s.X[0]) < 1.01) || diverged > draws/100 || !(mean > 0.05 && mean < 0.95) {
			t.Errorf("from %v: at %v, %d of %d steps divergent, mean of |θ| %v", start, s.X, diverged, draws, mean)
		}
	}
}
