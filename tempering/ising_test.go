package tempering

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
)

// On an enumerated Ising ring, a step leaves the exact distributions of the cold replica (state by state)
// and of the hot one invariant, in both orders of swaps.
func TestExactIsing(t *testing.T) {
	betas := []float64{0.1, 0.4, 0.9}
	for _, reversible := range []bool{false, true} {
		k, err := New(ising{}, flips, Settings{Betas: betas, Reversible: reversible})
		if err != nil {
			t.Fatal(err)
		}
		var draw []func(r *rand.Rand) uint
		for _, beta := range betas {
			draw = append(draw, boltzmann(beta))
		}
		for rung, beta := range betas {
			r := newRand(1)
			weights := make([]float64, 1<<ring)
			for i := range weights {
				weights[i] = ising{}.LogDensity(&spins{uint(i)}, beta)
			}
			err = kerneltest.Exact(kerneltest.Finite[*State[*spins]]{
				LogWeight: weights,
				State: func(i int) *State[*spins] {
					replicas := make([]*spins, len(betas))
					for j := range betas {
						replicas[j] = &spins{draw[j](r)}
					}
					replicas[rung].bits = uint(i)
					return NewState(replicas)
				},
				Index:  func(s *State[*spins]) int { return int(s.Replicas[rung].bits) },
				Kernel: k,
			}, kerneltest.Settings{Steps: 5, Replicates: 10_000})
			if err != nil {
				t.Errorf("reversible %v, rung %d: %v", reversible, rung, err)
			}
		}
	}
}

// capped is a wrong family, with densities different from those that the replicas are moved by above β = 0.4.
type capped struct{}

func (capped) LogDensity(s *spins, beta float64) float64 {
	return ising{}.LogDensity(s, min(beta, 0.4))
}

// The invariance test detects swaps by another density than the one replicas are moved by.
func TestWrongSwapsAreSeen(t *testing.T) {
	betas := []float64{0.1, 0.4, 0.9}
	k, _ := New[*spins](capped{}, flips, Settings{Betas: betas})
	r, hot, middle := newRand(1), boltzmann(0.1), boltzmann(0.4)
	weights := make([]float64, 1<<ring)
	for i := range weights {
		weights[i] = ising{}.LogDensity(&spins{uint(i)}, 0.9)
	}
	err := kerneltest.Exact(kerneltest.Finite[*State[*spins]]{
		LogWeight: weights,
		State: func(i int) *State[*spins] {
			return NewState([]*spins{{hot(r)}, {middle(r)}, {uint(i)}})
		},
		Index:  func(s *State[*spins]) int { return int(s.Cold().bits) },
		Kernel: k,
	}, kerneltest.Settings{Steps: 5, Replicates: 5000})
	if err == nil {
		t.Error("swaps by a wrong density pass")
	}
}

// The Ising ring's partition function by the transfer matrix, log tr Tⁿ, is what log Z
// estimates: within five of its own standard errors, which are small.
func TestIsingLogZ(t *testing.T) {
	logZ := func(beta float64) float64 {
		// T(a, b) = exp(β [a = b] + 0.15 β (a + b)).
		a, d, b := math.Exp(beta), math.Exp(1.3*beta), math.Exp(0.15*beta)
		root := math.Sqrt((a-d)*(a-d)/4 + b*b)
		return math.Log(math.Pow((a+d)/2+root, ring) + math.Pow((a+d)/2-root, ring))
	}
	k, err := New(ising{}, flips, Settings{Betas: []float64{0, 0.2, 0.5, 1, 1.5, 2}})
	if err != nil {
		t.Fatal(err)
	}
	s := NewState([]*spins{{}, {}, {}, {}, {}, {}})
	r := newRand(2)
	warm(k, s, 2000, r)
	for range 100_000 {
		k.Step(s, r)
	}
	rep := k.Report()
	want := logZ(2) - logZ(0)
	if !(rep.LogZError < 0.03) || math.Abs(rep.LogZ-want) > 5*rep.LogZError {
		t.Errorf("log Z %v ± %v, want %v", rep.LogZ, rep.LogZError, want)
	}
}

// ratios is the Ising ring as a Ratio.
type ratios struct{ ising }

func (ratios) LogRatio(s *spins, from, to float64) float64 { return (to - from) * s.energy() }

// A Ratio gives the same swaps as two densities: both log ratios agree to within rounding, and no random
// number is so near to the acceptance probability.
func TestRatio(t *testing.T) {
	run := func(f Family[*spins]) (bits []uint, evals int) {
		k, err := New(f, flips, Settings{Betas: []float64{0, 0.5, 1}})
		if err != nil {
			t.Fatal(err)
		}
		s, r := NewState([]*spins{{1}, {2}, {3}}), newRand(10)
		for range 2000 {
			evals += k.Step(s, r).Evals
			bits = append(bits, s.Cold().bits)
		}
		return bits, evals
	}
	a, evalsA := run(ising{})
	b, evalsB := run(ratios{})
	if !reflect.DeepEqual(a, b) {
		t.Error("the chains differ")
	}
	if evalsA-evalsB != 2*2000 {
		t.Errorf("%d and %d evaluations: two a swap should be saved", evalsA, evalsB)
	}
}

// Golden draws: they change only on purpose, and are the same on all processors.
func TestGoldenDraws(t *testing.T) {
	k, err := New(ising{}, flips, Settings{Betas: Even(4)})
	if err != nil {
		t.Fatal(err)
	}
	s, r := NewState([]*spins{{1}, {2}, {3}, {4}}), newRand(11)
	warm(k, s, 500, r)
	got := []uint64{math.Float64bits(k.betas[1]), math.Float64bits(k.betas[2])}
	for range 10 {
		for range 50 {
			k.Step(s, r)
		}
		got = append(got, uint64(s.Cold().bits))
	}
	got = append(got, math.Float64bits(k.Report().LogZ))
	if want := []uint64{0x3fd9acd9bb54afd3, 0x3fe7153e4e827778, 0xfb, 0xc3, 0xdf, 0x7e, 0x49, 0xdf, 0xe, 0x0, 0x1c, 0xff, 0x4019b1e21c8ad6fb}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %#x, want %#x", got, want)
	}
}
