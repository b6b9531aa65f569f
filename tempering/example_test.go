package tempering_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
	"github.com/ergodic-mcmc/ergodic/tempering"
)

// wide is the normal density of sd 10 about 0, and peaks the equal mixture of two of sd 1 about
// −10 and 10, without their 1/√(2π).
type (
	wide  struct{}
	peaks struct{}
)

func (wide) LogDensity(x []float64) float64 { return -float64(x[0]*x[0])/200 - math.Log(10) }

func (peaks) LogDensity(x []float64) float64 {
	a, b := x[0]-10, x[0]+10
	near, far := min(a*a, b*b), max(a*a, b*b)
	return -near/2 + math.Log1p(math.Exp((near-far)/2)) - math.Ln2
}

func ExampleNewPointsJob() {
	path := tempering.Geometric(wide{}, peaks{})
	run := mcmc.Settings{Seed: 1, Draws: 20_000}
	job, err := tempering.NewPointsJob(tempering.Points{
		Path: path,
		Dim:  1,
		Init: func(_ int, _ *rand.Rand, x []float64) { x[0] = 10 }, // all in one mode
		Move: func(_ int, beta float64) (mcmc.Kernel[*mcmc.Point], error) {
			return mh.NewRandomWalk(path.At(beta), []float64{1})
		},
	}, tempering.Settings{Betas: tempering.Even(6)}, run)
	if err != nil {
		fmt.Println(err)
		return
	}
	rec, err := mcmc.NewMemory(job.Variables(), run)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := mcmc.Run(context.Background(), job, run, rec, nil); err != nil {
		fmt.Println(err)
		return
	}
	left, n := 0, 0
	for _, chain := range rec.Draws().Element(0) {
		for _, x := range chain {
			n++
			if x < 0 {
				left++
			}
		}
	}
	fmt.Printf("%.2f of the draws in the left mode\n", float64(left)/float64(n))
	var reports []tempering.Report
	for c := range 4 {
		r, err := job.Report(c)
		if err != nil {
			fmt.Println(err)
			return
		}
		reports = append(reports, r)
	}
	fmt.Printf("barrier %.1f\n", reports[0].Barrier)
	logZ, se, _ := tempering.CombineLogZ(reports...)
	fmt.Printf("log Z ratio 0: within 4 standard errors %t, of less than 0.02 %t\n", math.Abs(logZ) < 4*se, se < 0.02)
	// Output:
	// 0.50 of the draws in the left mode
	// barrier 1.3
	// log Z ratio 0: within 4 standard errors true, of less than 0.02 true
}

// coins is a family over the number of heads among ten coins, with the factor exp(3β) for each head.
type coins struct{}

func (coins) LogDensity(heads *int, beta float64) float64 {
	h := float64(*heads)
	choose := math.Gamma(11) / (math.Gamma(h+1) * math.Gamma(11-h))
	return 3*beta*h + math.Log(choose)
}

// flip moves the number of heads up or down by one.
type flip struct{ beta float64 }

func (k flip) Step(heads *int, r *rand.Rand) mcmc.Info {
	next := *heads + 2*r.IntN(2) - 1
	info := mcmc.Info{Evals: 2}
	if next < 0 || next > 10 {
		return info
	}
	ratio := coins{}.LogDensity(&next, k.beta) - coins{}.LogDensity(heads, k.beta)
	if info.Accepted, info.AcceptProb = mh.Accept(r, ratio); info.Accepted {
		*heads = next
	}
	return info
}

// States need not be vectors. The log of Σ_h C(10, h) e^{3h} / 2¹⁰ is 10 log((1 + e³)/2) = 23.555.
func ExampleNew() {
	move := func(beta float64) (mcmc.Kernel[*int], error) { return flip{beta}, nil }
	k, err := tempering.New(coins{}, move, tempering.Settings{Betas: tempering.Even(5)})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	s := tempering.NewState([]*int{new(int), new(int), new(int), new(int), new(int)})
	const warmup, steps = 1000, 200_000
	for i := range warmup {
		k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: warmup})
	}
	k.Freeze()
	for range steps {
		k.Step(s, r)
	}
	rep := k.Report()
	fmt.Printf("log Z %.2f ± %.2f\n", rep.LogZ, rep.LogZError)
	// Output: log Z 23.56 ± 0.01
}
