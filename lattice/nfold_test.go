package lattice

import (
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// In continuous time too each small model's distribution is left invariant, in detailed balance, and all states are come to.
func TestContinuous(t *testing.T) {
	for _, m := range smallModels() {
		k := must(NewContinuous(m.model, m.beta))
		f := finite(m.model, m.beta, k)
		if err := kerneltest.Exact(f, kerneltest.Settings{}); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
		if !math.IsInf(m.beta, 1) && len(f.LogWeight) <= 1000 {
			if err := kerneltest.DetailedBalance(f, kerneltest.Settings{}); err != nil {
				t.Errorf("%s: %v", m.name, err)
			}
		}
		if m.beta < 2 {
			if err := kerneltest.Reaches(f, 0, kerneltest.Settings{Steps: 80, Replicates: 1500}); err != nil {
				t.Errorf("%s: %v", m.name, err)
			}
		}
		noAllocation(t, m.model, k)
	}
}

// The time of a step is 1: a lone spin has its first value after n steps with probability 1/2 + e^−n/2, because it is struck at rate 1.
func TestContinuousTime(t *testing.T) {
	m := &Model{Graph: must(Geometry{Size: []int{1}}.Graph(1))}
	k := must(NewContinuous(m, 1))
	for _, steps := range []int{1, 2} {
		stay := 0.5 + math.Exp(-float64(steps))/2
		f := finite(m, 1, k)
		f.LogWeight = []float64{math.Log(stay), math.Log(1 - stay)}
		if err := kerneltest.Reaches(f, 0, kerneltest.Settings{Steps: steps}); err != nil {
			t.Errorf("%d steps: %v", steps, err)
		}
	}
}

// The tree follows the state whatever other kernels did to it between steps: it is the one made anew.
func TestContinuousFollowsTheState(t *testing.T) {
	for _, m := range []*Model{
		{Graph: must(Geometry{Size: []int{13, 11}}.Graph(1))},
		{Graph: must(must(Geometry{Kind: Triangular, Size: []int{13, 11}}.Graph(1)).Gaussian(0, 1, 1)), Q: 3, Field: UniformField(143, 0.3)},
	} {
		k, other := must(NewContinuous(m, 0.7)), must(NewMetropolis(m, 0.7, ScanSettings{}))
		r := rng.New(1, "test").Rand
		s := m.Random(r)
		for n := range 50 {
			if n%5 == 4 {
				other.Step(s, r)
			}
			k.Step(s, r)
			fresh := must(NewContinuous(m, 0.7))
			fresh.begin(s.Spins)
			for level := range k.sums {
				for i, sum := range k.sums[level] {
					if sum != fresh.sums[level][i] {
						t.Fatalf("step %d: sum %d of level %d is %v, want %v", n, i, level, sum, fresh.sums[level][i])
					}
				}
			}
		}
	}
}
