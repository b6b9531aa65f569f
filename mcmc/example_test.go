package mcmc_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// coin is a job whose state is the side that is up, heads 1 and tails 0.
type coin struct{}

func (coin) Start(context.Context, int, *rand.Rand) (*int, error) { return new(int), nil }
func (coin) Kernel(int) mcmc.Kernel[*int]                         { return turn{} }
func (coin) Variables() []draws.Variable                          { return []draws.Variable{{Name: "heads"}} }
func (coin) Record(s *int, _ *rand.Rand, dst []float64)           { dst[0] = float64(*s) }
func (coin) MarshalState(s *int) ([]byte, error)                  { return []byte{byte(*s)}, nil }
func (coin) UnmarshalState(_ int, b []byte) (*int, error) {
	s := int(b[0])
	return &s, nil
}

// turn proposes the other side, for a coin that shows heads three times in four.
type turn struct{}

func (turn) Step(s *int, r *rand.Rand) mcmc.Info {
	p := 1.0
	if *s == 1 {
		p = 1.0 / 3
	}
	accepted := r.Float64() < p
	if accepted {
		*s = 1 - *s
	}
	return mcmc.Info{Accepted: accepted, AcceptProb: p}
}

func ExampleRun() {
	set := mcmc.Settings{Seed: 1, Chains: 2, Draws: 100_000}
	rec, err := mcmc.NewMemory(coin{}.Variables(), set)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := mcmc.Run(context.Background(), coin{}, set, rec, nil); err != nil {
		fmt.Println(err)
		return
	}
	heads := 0.0
	for _, chain := range rec.Draws().Element(0) {
		for _, h := range chain {
			heads += h
		}
	}
	fmt.Printf("heads in %.2f of %d draws\n", heads/200_000, 200_000)
	// Output: heads in 0.75 of 200000 draws
}

func ExampleCycle() {
	twice := mcmc.Repeat[*int](2, turn{})
	k := mcmc.Cycle[*int](turn{}, twice)
	side := 0
	info := k.Step(&side, rand.New(rand.NewPCG(1, 1)))
	fmt.Println("accepted:", info.Accepted)
	// Output: accepted: true
}
