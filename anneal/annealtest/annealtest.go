// Package annealtest judges the walkers of package anneal, for the tests of those who write them.
package annealtest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// at is a replica of a walker.
type at struct {
	anneal.Walker
	replica int
}

// sweep is Sweep at a temperature as a kernel.
type sweep float64

func (t sweep) Step(s at, r *rand.Rand) mcmc.Info {
	proposed, accepted := s.Sweep(float64(t), r)
	return mcmc.Info{Accepted: accepted > 0, Evals: int(proposed)}
}

// Stationary checks that sweeps at a temperature leave the density e^{−E/T} invariant over all solutions of a small problem, and from the
// first of them come to it ([kerneltest.Exact] and [kerneltest.Reaches]), at every replica in turn; and after each that the energy of the state is the
// one that the problem evaluates, and the best no higher. Steps are what the chain needs to forget where it began; 0: 50.
func Stationary(in anneal.Instance, solutions [][]float64, temperature float64, set kerneltest.Settings) error {
	w, err := in.Walker()
	if err != nil {
		return err
	}
	w.Start(rand.New(rand.NewPCG(1, 2)))
	f := kerneltest.Finite[at]{Kernel: sweep(temperature)}
	for _, x := range solutions {
		e, err := in.Evaluate(x)
		if err != nil {
			return fmt.Errorf("solution %v: %w", x, err)
		}
		f.LogWeight = append(f.LogWeight, -e/temperature)
	}
	turn := 0
	f.State = func(i int) at {
		turn++
		s := at{w, turn % w.Replicas()}
		if e := w.Set(s.replica, solutions[i]); e != nil && err == nil {
			err = e
		}
		return s
	}
	f.Index = func(s at) int {
		x := s.State(s.replica)
		return slices.IndexFunc(solutions, func(y []float64) bool { return slices.Equal(x, y) })
	}
	f.Check = func(s at) error { return consistent(in, s) }
	steps := set.Steps
	set.Steps = max(1, min(steps, 3))
	exact := kerneltest.Exact(f, set)
	if set.Steps = steps; steps == 0 {
		set.Steps = 50
	}
	return errors.Join(err, exact, kerneltest.Reaches(f, 0, set))
}

// consistent compares energies with those of the states that they belong to.
func consistent(in anneal.Instance, s at) error {
	for _, one := range []struct {
		what  string
		state []float64
		says  float64
	}{{"state", s.State(s.replica), s.Energy(s.replica)}, {"best state", s.Solution(s.replica), s.Best(s.replica)}} {
		e, err := in.Evaluate(one.state)
		if err != nil {
			return fmt.Errorf("the %s %v: %w", one.what, one.state, err)
		}
		if math.Abs(e-one.says) > 1e-9*max(1, math.Abs(e)) {
			return fmt.Errorf("the energy of the %s %v is %v, and the walker says %v", one.what, one.state, e, one.says)
		}
	}
	if s.Best(s.replica) > s.Energy(s.replica) {
		return fmt.Errorf("the best energy is %v, and that of the state %v", s.Best(s.replica), s.Energy(s.replica))
	}
	return nil
}
