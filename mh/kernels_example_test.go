package mh_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
)

// weather is a normalised target over three kinds of weather.
type weather []float64

func (w weather) LogDensity(x int) float64 { return math.Log(w[x]) }

// The three acceptance rules leave the same target invariant, and accept less and less. By
// enumeration 0.7, 0.4504 and 0.155.
func ExampleRule() {
	target := weather{0.5, 0.3, 0.2}
	q, err := mh.NewMatrix([][]float64{{0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, rule := range []mh.Rule{mh.MetropolisHastings, mh.Barker, mh.Plain} {
		k, err := mh.New(target, mh.Move[int](q), rule)
		if err != nil {
			fmt.Println(err)
			return
		}
		s, r := mcmc.NewState(target, 0), rand.New(rand.NewPCG(1, 2))
		const steps = 500_000
		var first, accepted float64
		for range steps {
			if k.Step(s, r).Accepted {
				accepted++
			}
			if s.X == 0 {
				first++
			}
		}
		fmt.Printf("%v: %.2f of the time in state 0, %.0f %% accepted\n", rule, first/steps, 100*accepted/steps)
	}
	// Output:
	// Metropolis–Hastings: 0.50 of the time in state 0, 70 % accepted
	// Barker: 0.50 of the time in state 0, 45 % accepted
	// plain: 0.50 of the time in state 0, 15 % accepted
}

// tour is a neighbourhood of structured states: orders of cities, of which two are swapped.
type tour struct{ at []float64 }

func (tour) Count(x []int) int { return len(x) * (len(x) - 1) / 2 }

func (tour) Neighbour(dst, x []int, n int) []int {
	dst = append(dst[:0], x...)
	i, j := 0, 1
	for ; n > 0; n-- {
		if j++; j == len(x) {
			i++
			j = i + 1
		}
	}
	dst[i], dst[j] = dst[j], dst[i]
	return dst
}

// LogDensity makes short tours probable.
func (t tour) LogDensity(x []int) float64 {
	length := 0.0
	for i := 1; i < len(x); i++ {
		length += math.Abs(t.at[x[i]] - t.at[x[i-1]])
	}
	return -2 * length
}

// A state may be of any type: here the order in which five cities on a line are visited.
func ExampleNeighbours() {
	t := tour{at: []float64{0, 4, 1, 3, 2}}
	set := mcmc.Settings{Seed: 1, Draws: 5000}
	job, err := mcmc.NewStates(mcmc.States[[]int]{
		Init: func(int, *rand.Rand) (*mcmc.State[[]int], error) {
			return mcmc.NewState(t, []int{0, 1, 2, 3, 4}), nil
		},
		Move: func(int) (mcmc.Kernel[*mcmc.State[[]int]], error) {
			swap, err := mh.NewNeighbours[[]int](t)
			if err != nil {
				return nil, err
			}
			return mh.New[[]int](t, swap, mh.MetropolisHastings)
		},
		Named: []draws.Variable{{Name: "length"}},
		Write: func(x []int, dst []float64) { dst[0] = -t.LogDensity(x) / 2 },
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
	shortest := 0
	for _, chain := range rec.Draws().Element(0) {
		for _, length := range chain {
			if length == 4 {
				shortest++
			}
		}
	}
	// By enumeration of the 120 orders: 0.69.
	fmt.Printf("%.1f of the draws are the shortest tour\n", float64(shortest)/20_000)
	// Output: 0.7 of the draws are the shortest tour
}

// mean is the average of the first coordinate over a chain of a kernel over vectors.
func mean(k mcmc.Adapter[*mcmc.State[[]float64]], s *mcmc.State[[]float64], warmup, draws int) float64 {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range warmup {
		k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: warmup})
	}
	k.Freeze()
	sum := 0.0
	for range draws {
		k.Step(s, r)
		sum += s.X[0]
	}
	return sum / float64(draws)
}

// waiting is the gamma density of shape 3.
type waiting struct{}

func (waiting) LogDensity(x []float64) float64 {
	if x[0] <= 0 {
		return math.Inf(-1)
	}
	return 2*math.Log(x[0]) - x[0]
}

func ExampleMultiply() {
	move, _ := mh.NewMultiply(1)
	k, _ := mh.New(waiting{}, mh.Move[[]float64](move), mh.MetropolisHastings)
	fmt.Printf("mean %.1f\n", mean(k, mcmc.NewState(waiting{}, []float64{1e-6}), 1000, 100_000))
	// Output: mean 3.0
}

// Short and long steps, as a mixture of kernels and as a proposal whose density is a mixture.
func ExampleMixture() {
	short, _ := mh.NewWalk(1, []float64{0.01}, mh.WalkSettings{Learn: mh.LearnNothing})
	long, _ := mh.NewWalk(1, []float64{16}, mh.WalkSettings{Learn: mh.LearnNothing})
	weights := []float64{1, 3}
	kernels, _ := mh.NewMixture(weights, mh.Move[[]float64](short), long)
	density, _ := mh.NewMixtureDensity(weights, mh.Conditional[[]float64](short), long)
	for _, move := range []mh.Move[[]float64]{kernels, density} {
		k, _ := mh.New(waiting{}, move, mh.MetropolisHastings)
		fmt.Printf("mean %.1f\n", mean(k, mcmc.NewState(waiting{}, []float64{1}), 0, 200_000))
	}
	// Output:
	// mean 3.0
	// mean 3.0
}

func ExampleWalk() {
	walk, _ := mh.NewWalk(2, []float64{1, 0, 0, 1}, mh.WalkSettings{Increment: mh.Student, Learn: mh.RobustAdaptive})
	k, _ := mh.New(valley{}, mh.Move[[]float64](walk), mh.MetropolisHastings)
	fmt.Printf("mean %.1f\n", math.Abs(mean(k, mcmc.NewState(valley{}, []float64{0, 0}), 5000, 200_000)))
	_, err := mh.NewWalk(2, []float64{1, 2, 2, 1}, mh.WalkSettings{})
	fmt.Println(err)
	// Output:
	// mean 0.0
	// mh: the matrix is not positive definite: the determinant of its first 2 rows and columns is not positive; is a variance zero or negative, or a coordinate a combination of others?
}

// A large step first, and a small one where it is rejected.
func ExampleDelayedRejection() {
	bold, _ := mh.NewWalk(1, []float64{100}, mh.WalkSettings{Learn: mh.LearnNothing})
	timid, _ := bold.Shrunk(0.1)
	k, _ := mh.NewDelayedRejection(waiting{}, mh.Conditional[[]float64](bold), timid)
	fmt.Printf("mean %.1f\n", mean(k, mcmc.NewState(waiting{}, []float64{1}), 0, 100_000))
	// Output: mean 3.0
}

func ExampleMultipleTry() {
	bold, _ := mh.NewWalk(1, []float64{100}, mh.WalkSettings{Learn: mh.LearnNothing})
	k, _ := mh.NewMultipleTry(waiting{}, mh.Move[[]float64](bold), 5)
	fmt.Printf("mean %.1f\n", mean(k, mcmc.NewState(waiting{}, []float64{1}), 0, 100_000))
	// Output: mean 3.0
}

// frailty is the rate of exponential waiting times that share an unknown gamma factor, which
// an average over draws of it integrates out without bias.
type frailty struct{ waits []float64 }

func (m frailty) LogEstimate(x []float64, r *rand.Rand) float64 {
	rate := x[0]
	if rate <= 0 {
		return math.Inf(-1)
	}
	const particles = 20
	sum := 0.0
	for range particles {
		factor := rate * dist.Gamma(r, 4, 4)
		like := 1.0
		for _, w := range m.waits {
			like *= factor * math.Exp(-factor*w)
		}
		sum += like
	}
	return math.Log(sum/particles) - rate
}

func ExamplePseudoMarginal() {
	m := frailty{waits: []float64{0.5, 1, 0.3}}
	walk, _ := mh.NewWalk(1, []float64{1}, mh.WalkSettings{})
	k, _ := mh.NewPseudoMarginal(m, mh.Move[[]float64](walk))
	start := mh.NewEstimatedState(m, []float64{1}, rand.New(rand.NewPCG(3, 4)))
	// By quadrature: 1.442.
	fmt.Printf("mean %.1f\n", mean(k, start, 1000, 200_000))
	// Output: mean 1.4
}

// A multiplication is not symmetric.
func ExampleCheckMove() {
	move := mh.Symmetric[[]float64](func(_, x []float64, r *rand.Rand) []float64 {
		return []float64{x[0] * math.Exp(r.NormFloat64())}
	})
	err := mh.CheckMove(move, mh.MoveCheck[[]float64]{
		Target: waiting{},
		Draw:   func(r *rand.Rand) []float64 { return []float64{dist.Gamma(r, 3, 1)} },
		Stats:  func(x []float64) []float64 { return x },
		Steps:  10_000,
	})
	fmt.Println(err != nil)
	// Output: true
}

// root is a target that gives NaN outside its support in place of −Inf.
type root struct{}

func (root) LogDensity(x []float64) float64 { return math.Log(x[0]) - x[0] }

func ExampleWatch() {
	target := mh.Watch[[]float64](root{})
	fmt.Println(target.LogDensity([]float64{1}), target.Err())
	target.LogDensity([]float64{-1})
	fmt.Println(target.Err())
	// Output:
	// -1 <nil>
	// mh: the log density was NaN at 1 points and +Inf at 0, first NaN at [-1]; they were taken to have zero density: return −Inf outside the support, and see that nothing overflows
}

func ExampleAdvise() {
	res := &mcmc.Result{Chains: []mcmc.ChainResult{{AcceptProb: 0.41}, {AcceptProb: 0.97}}}
	for _, line := range mh.Advise(res, 1) {
		fmt.Println(line)
	}
	// Output:
	// chain 2 accepted 97 % of its proposals; a random walk in 1 dimensions should accept from 25 % to 50 %: make the steps longer, or the warm-up longer so that it learns them
}
