package path

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// The weighted mean of a coordinate is that of the target, 1.5 with the standard deviation 0.4: 2000 particles, of which
// 500 are effective at least, have a mean within 5.5 standard errors of it but for once in 10⁷.
func TestSMCPopulation(t *testing.T) {
	g := newGaussian(3)
	w := must(SMCPopulation(background, Family[[]float64](g), must(Geometric(30, 0.01)), SMCSettings{Settings: Settings{Seed: 4}, Particles: 2000}))
	total, squares := moments(w.Weights)
	if math.Abs(total-1) > 1e-12 || len(w.States) != 2000 || 1/squares < 500 {
		t.Fatalf("%d weights sum to %v and are effectively %.0f", len(w.States), total, 1/squares)
	}
	for i := range 3 {
		mean := 0.0
		for k, x := range w.States {
			mean += w.Weights[k] * x[i]
		}
		if math.Abs(mean-1.5) > 5.5*0.4*math.Sqrt(squares) {
			t.Errorf("coordinate %d has the mean %.4f", i, mean)
		}
	}
}

func TestSMCPopulationRefusesAndStops(t *testing.T) {
	f := Family[[]float64](newGaussian(1))
	if _, err := SMCPopulation(background, f, Schedule{0, 0.5}, SMCSettings{}); err == nil {
		t.Error("a schedule that ends half way is accepted")
	}
	if _, err := SMCPopulation(background, f, must(Uniform(3)), SMCSettings{Threshold: 2}); err == nil {
		t.Error("a threshold of 2 is accepted")
	}
	stopped, cancel := context.WithCancel(background)
	cancel()
	if _, err := SMCPopulation(stopped, f, must(Uniform(300)), SMCSettings{}); !errors.Is(err, mcmc.ErrInterrupted) {
		t.Errorf("stopped: %v", err)
	}
}
