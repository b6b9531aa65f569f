package ensemble_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/ensemble"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// valley is a long narrow normal density: its coordinates have correlation 0.99.
type valley struct{}

func (valley) LogDensity(x []float64) float64 {
	return -(float64(x[0]*x[0]) - float64(1.98*x[0]*x[1]) + float64(x[1]*x[1])) / (2 * 0.0199)
}

func ExampleJob() {
	set := mcmc.Settings{Seed: 1, Chains: 2, Draws: 5000}
	job, err := ensemble.NewJob(ensemble.Job{
		Target:  valley{},
		Dim:     2,
		Walkers: 16,
		Init: func(_, _ int, r *rand.Rand, x []float64) {
			x[0], x[1] = r.Float64(), r.Float64()
		},
	}, set)
	if err != nil {
		fmt.Println(err)
		return
	}
	rec, err := mcmc.NewMemory(job.Variables(), set)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := mcmc.Run(context.Background(), job, set, rec, nil); err != nil {
		fmt.Println(err)
		return
	}
	walkers, _ := job.ByWalker(rec.Draws(), 0, "x[1]")
	tau := diag.IntegratedTime(walkers)
	average, _ := job.Average(rec.Draws(), "x[1]")
	fmt.Printf("autocorrelation time about %.0f steps%s\n", tau.Tau, tau.Warning())
	fmt.Printf("mean 0 to within %.3f\n", diag.MCSEMean(average))
	// Output:
	// autocorrelation time about 37 steps
	// mean 0 to within 0.013
}

func ExampleNew() {
	// Differential evolution with a snooker step in ten, as ter Braak and Vrugt mix them.
	const walkers, dim = 8, 2
	evolve, err := ensemble.New(valley{}, walkers, dim, ensemble.DifferentialEvolution{}, ensemble.Settings{})
	if err != nil {
		fmt.Println(err)
		return
	}
	snooker, err := ensemble.New(valley{}, walkers, dim, ensemble.Snooker{}, ensemble.Settings{})
	if err != nil {
		fmt.Println(err)
		return
	}
	kernel, err := mcmc.Mixture([]float64{0.9, 0.1}, mcmc.Kernel[*ensemble.State](evolve), snooker)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	start := make([]float64, walkers*dim)
	for i := range start {
		start[i] = r.NormFloat64()
	}
	s, err := ensemble.NewState(valley{}, dim, start)
	if err != nil {
		fmt.Println(err)
		return
	}
	const warmup, steps = 1000, 100_000
	for range warmup {
		kernel.Step(s, r)
	}
	product := 0.0
	for range steps {
		kernel.Step(s, r)
		for w := range walkers {
			x := s.Walker(w)
			product += x[0] * x[1]
		}
	}
	fmt.Printf("covariance %.2f\n", product/(steps*walkers))
	// Output: covariance 0.99
}

// Walkers on a line could never leave it.
func ExampleNewState() {
	_, err := ensemble.NewState(valley{}, 2, []float64{0, 1, 1, 3, 2, 5, 3, 7})
	fmt.Println(err)
	// Output: ensemble: the starts lie in a plane: in all 4 walkers coordinate 2 follows from those before it, and would for ever; spread the starts in every direction
}
