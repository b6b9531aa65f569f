package gibbs

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// groups is a network with evidence: node 0 is a mean from N(0, 1), the next are four group
// means from N(mean, 1), and the last an observation of each from N(group mean, 1/4).
type groups struct{}

const nGroups = 4

func (groups) edges(yield func(i, j int) bool) {
	for g := 1; g <= nGroups; g++ {
		if !yield(0, g) || !yield(g, g+nGroups) {
			return
		}
	}
}

// Draw is by conjugacy: precisions add up, and means weigh by them.
func (groups) Draw(s []float64, i int, r *rand.Rand) {
	precision, sum := 1.0, 0.0
	if i == 0 {
		for _, v := range s[1 : 1+nGroups] {
			precision++
			sum += v
		}
	} else {
		precision, sum = 1+4, s[0]+4*s[i+nGroups]
	}
	s[i] = sum/precision + r.NormFloat64()/math.Sqrt(precision)
}

func (groups) redraw(s []float64, r *rand.Rand) {
	for g := 1; g <= nGroups; g++ {
		s[g+nGroups] = s[g] + r.NormFloat64()/2
	}
}

func (m groups) joint(k mcmc.Kernel[[]float64]) kerneltest.Joint[[]float64] {
	return kerneltest.Joint[[]float64]{
		Draw: func(r *rand.Rand) []float64 {
			s := make([]float64, 1+2*nGroups)
			s[0] = r.NormFloat64()
			for g := 1; g <= nGroups; g++ {
				s[g] = s[0] + r.NormFloat64()
			}
			m.redraw(s, r)
			return s
		},
		Redraw: m.redraw,
		Clone:  slices.Clone[[]float64],
		Kernel: k,
		Stats: func(s []float64) []float64 {
			return []float64{s[0], s[1], s[4], s[0] * s[2], s[3] * s[3], s[1] - s[5]}
		},
	}
}

// The posterior of a network with evidence, by scans and by colours (the group means have
// one), passes the joint-distribution test and simulation-based calibration.
func TestNetwork(t *testing.T) {
	m := groups{}
	b := must(Directed(1+2*nGroups, m.edges))
	evidence := []int{5, 6, 7, 8}
	k := must(NewParallel(m, ParallelSettings{Blankets: b, Observed: evidence}))
	if k.Colours() != 2 {
		t.Errorf("%d colours", k.Colours())
	}
	kernels := []mcmc.Kernel[[]float64]{k}
	for _, set := range scans(1+2*nGroups, evidence...) {
		kernels = append(kernels, must(NewSampler(m, set)))
	}
	for i, k := range kernels {
		if err := kerneltest.Geweke(m.joint(k), kerneltest.Settings{Steps: 8, Replicates: 4000}); err != nil {
			t.Errorf("kernel %d: %v", i, err)
		}
		if err := kerneltest.SBC(m.joint(k), kerneltest.Settings{Steps: 20, Replicates: 1000}); err != nil {
			t.Errorf("kernel %d: %v", i, err)
		}
	}
}
