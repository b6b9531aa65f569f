package gibbs_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/gibbs"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// A bivariate normal distribution of correlation 0.6, whose conditionals are
// N(0.6 y, 1 − 0.6²) and N(0.6 x, 1 − 0.6²).
func ExampleNewSampler() {
	const rho = 0.6
	pair := gibbs.Func[[]float64](func(s []float64, i int, r *rand.Rand) {
		s[i] = float64(rho*s[1-i]) + float64(math.Sqrt(1-rho*rho)*r.NormFloat64())
	})
	k, err := gibbs.NewSampler(pair, gibbs.Settings{Nodes: 2, Scan: gibbs.Permutation})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, r := []float64{0, 0}, rand.New(rand.NewPCG(1, 2))
	const draws = 200_000
	product := 0.0
	for range draws {
		k.Step(s, r)
		product += s[0] * s[1]
	}
	fmt.Printf("correlation %.1f\n", product/draws)
	// Output: correlation 0.6
}

// sprinkler is the network of the wet lawn (Murphy, 2001): clouds decide on sprinkler and
// rain, and these wet the grass.
type sprinkler struct{ blankets *gibbs.Blankets }

const (
	cloudy = iota
	sprinkling
	rain
	wet
)

// given is the probability that a node is 1 given its parents.
func (sprinkler) given(s []int8, i int) float64 {
	switch i {
	case sprinkling:
		return [...]float64{0.5, 0.1}[s[cloudy]]
	case rain:
		return [...]float64{0.2, 0.8}[s[cloudy]]
	case wet:
		return [...]float64{0, 0.9, 0.9, 0.99}[s[sprinkling]+2*s[rain]]
	}
	return 0.5
}

// Draw weighs the values of node i by its own probability and those of its blanket, which has
// all the children.
func (m sprinkler) Draw(s []int8, i int, r *rand.Rand) {
	var w [2]float64
	for v := range w {
		s[i] = int8(v)
		w[v] = m.mass(s, i)
		for _, j := range m.blankets.Of(i) {
			w[v] *= m.mass(s, int(j))
		}
	}
	s[i] = 0
	if r.Float64()*(w[0]+w[1]) < w[1] {
		s[i] = 1
	}
}

func (m sprinkler) mass(s []int8, i int) float64 {
	if s[i] == 1 {
		return m.given(s, i)
	}
	return 1 - m.given(s, i)
}

// The grass is wet. Did it rain? By summation P(rain | wet) = 0.4581/0.6471 = 0.708,
// P(sprinkler | wet) = 0.2781/0.6471 = 0.430 and P(cloudy | wet) = 0.3726/0.6471 = 0.576.
func ExampleDirected() {
	edges := [][2]int{{cloudy, sprinkling}, {cloudy, rain}, {sprinkling, wet}, {rain, wet}}
	b, err := gibbs.Directed(4, func(yield func(i, j int) bool) {
		for _, e := range edges {
			if !yield(e[0], e[1]) {
				return
			}
		}
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	set := mcmc.Settings{Seed: 1, Draws: 50_000}
	job, err := gibbs.NewVectors(gibbs.Vectors[int8]{
		Nodes: 4,
		Named: []draws.Variable{{Name: "cloudy"}, {Name: "sprinkler"}, {Name: "rain"}, {Name: "wet"}},
		Init:  func(_ int, _ *rand.Rand, s []int8) { s[rain], s[wet] = 1, 1 },
		Move: func(int) (mcmc.Kernel[[]int8], error) {
			return gibbs.NewSampler(sprinkler{b}, gibbs.Settings{Nodes: 4, Observed: []int{wet}})
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
	fmt.Println("blanket of the sprinkler:", b.Of(sprinkling))
	for i, name := range rec.Draws().Names() {
		sum, n := 0.0, 0
		for _, chain := range rec.Draws().Element(i) {
			for _, v := range chain {
				sum, n = sum+v, n+1
			}
		}
		fmt.Printf("P(%s | wet) = %.2f\n", name, sum/float64(n))
	}
	// Output:
	// blanket of the sprinkler: [0 2 3]
	// P(cloudy | wet) = 0.58
	// P(sprinkler | wet) = 0.43
	// P(rain | wet) = 0.71
	// P(wet | wet) = 1.00
}

// grid joins each node to the one on its right and the one below.
func grid(side int) func(yield func(i, j int) bool) {
	return func(yield func(i, j int) bool) {
		for i := range side * side {
			if i%side+1 < side && !yield(i, i+1) {
				return
			}
			if i+side < side*side && !yield(i, i+side) {
				return
			}
		}
	}
}

// Spins on a grid of 256 × 256 want to agree with their neighbours, with strength 0.3 (the
// Ising model). Onsager's (1944) energy of an endless grid says that the product of two
// neighbours is 0.352 in the mean.
func ExampleNewParallel() {
	const side, strength = 256, 0.3
	b, err := gibbs.Undirected(side*side, grid(side))
	if err != nil {
		fmt.Println(err)
		return
	}
	spins := gibbs.Func[[]int8](func(s []int8, i int, r *rand.Rand) {
		sum := 0
		for _, j := range b.Of(i) {
			sum += int(s[j])
		}
		s[i] = -1
		if r.Float64()*(1+math.Exp(-2*strength*float64(sum))) < 1 {
			s[i] = 1
		}
	})
	k, err := gibbs.NewParallel(spins, gibbs.ParallelSettings{Blankets: b})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, r := make([]int8, side*side), rand.New(rand.NewPCG(1, 2))
	const warmup, sweeps = 50, 100
	agreement, n := 0, 0
	for sweep := range warmup + sweeps {
		k.Step(s, r)
		if sweep < warmup {
			continue
		}
		for i, j := range grid(side) {
			agreement += int(s[i] * s[j])
			n++
		}
	}
	fmt.Printf("%d colours, product of neighbours %.2f\n", k.Colours(), float64(agreement)/float64(n))
	// Output: 2 colours, product of neighbours 0.35
}

func ExampleBlankets_Proper() {
	b, err := gibbs.Undirected(4, grid(2))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(b.Proper([]int{0, 1, 1, 0}))
	fmt.Println(b.Proper([]int{0, 1, 1, 1}))
	// Output:
	// <nil>
	// gibbs: nodes 1 and 3 are in each other's Markov blanket and both have colour 1; they cannot be drawn at the same time
}
