package mcmc

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/draws"
)

// counter is a job whose state counts its steps.
type counter struct{}

func (counter) Start(context.Context, int, *rand.Rand) (*int, error) { return new(int), nil }
func (counter) Kernel(int) Kernel[*int] {
	return Cycle[*int](Repeat[*int](2, count{}), count{})
}
func (counter) Variables() []draws.Variable                { return []draws.Variable{{Name: "n"}} }
func (counter) Record(s *int, _ *rand.Rand, dst []float64) { dst[0] = float64(*s) }
func (counter) MarshalState(*int) ([]byte, error)          { return nil, nil }
func (counter) UnmarshalState(int, []byte) (*int, error)   { return new(int), nil }

type count struct{}

func (count) Step(s *int, _ *rand.Rand) Info { *s++; return Info{} }

type nowhere struct{}

func (nowhere) Append(int, bool, []float64, Stat) error { return nil }
func (nowhere) Sync(int) ([]byte, error)                { return nil, nil }
func (nowhere) Truncate(int, int, int, []byte) error    { return nil }
func (nowhere) Close() error                            { return nil }

// An iteration after warm-up allocates nothing, recording included.
func TestAllocations(t *testing.T) {
	set := Settings{Chains: 1, Warmup: -1, Draws: 1 << 40}.WithDefaults()
	c := newChain[*int](0, counter{}, &set, nowhere{}, 1)
	if err := c.start(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(1000, func() {
		if err := c.sample(c.iter + 1); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations per iteration", n)
	}
	if *c.state != 3*c.iter || c.kept[sampling] != c.iter {
		t.Errorf("%d steps and %d draws in %d iterations", *c.state, c.kept[sampling], c.iter)
	}
}
