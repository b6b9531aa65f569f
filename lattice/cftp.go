package lattice

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// CouplingFromThePast draws exactly from the distribution of a ferromagnet (Propp and Wilson 1996): two chains start 1, 2, 4, … sweeps in the past from the
// largest and the smallest state, and move by the same random numbers, which keep their order and keep those of the sweeps that both have made
// before. Where they have met at the present, so would all chains from all states since ever. Each step is an independent draw, whatever the state was.
//
// The states are sets of open bonds of the random-cluster model (Fortuin and Kasteleyn 1972), larger by inclusion, and a sweep draws each bond given the others: open
// with probability p = 1 − exp(−β J c), c as in [SwendsenWang], where open bonds connect its ends without it, and p/(p + q(1 − p)) where not. Clusters then get
// colours. That meets fast on both sides of a continuous transition, where single spins below it take a time exponential in the size. Fields are bonds to a ghost
// spin, for which they must not draw to different colours: those of Ising spins of one sign, those of Potts spins 0 or more.
// Ising spins in fields of both signs are states themselves, larger where more are up, drawn by the heat bath. All couplings must be 0 or more.
//
// A draw that takes long must not be given up for another, because draws that take long differ from others: a run that meets the limit ends.
// A kernel belongs to one chain.
type CouplingFromThePast struct {
	model *Model
	limit int
	pair  monotone
	back  int
}

// monotone is two chains that keep their order.
type monotone interface {
	setBeta(beta float64)
	// start makes one chain the smallest state and the other the largest.
	start()
	// sweep moves both by the same random numbers.
	sweep(s streams.Stream)
	// met says whether they are in the same state.
	met() bool
	// write makes spins of the state.
	write(spins []uint8, s streams.Stream)
}

// defaultPast is how many sweeps a draw goes back at most: half a minute's worth or so, since nothing interrupts a draw, and
// many times what draws at a continuous transition take.
func defaultPast(g *Graph) int {
	return min(max(1<<27/(g.Sites()+g.Bonds()), 1<<10), 1<<20)
}

// NewCouplingFromThePast is the sampler at β ≥ 0, which may be +Inf. A draw goes back at most limit sweeps, 0 for 2²⁷ over the
// number of sites and bonds, between 2¹⁰ and 2²⁰.
func NewCouplingFromThePast(m *Model, beta float64, limit int) (*CouplingFromThePast, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	if limit < 0 {
		return nil, fmt.Errorf("lattice: a limit of %d sweeps: it must be 0, for the default, or more", limit)
	}
	for b := range m.Graph.All() {
		if b.Coupling < 0 {
			return nil, fmt.Errorf("lattice: the bond of sites %d and %d has coupling %v: coupling from the past needs a ferromagnet, whose couplings are 0 or more; use another kernel",
				b.I, b.J, b.Coupling)
		}
	}
	if limit == 0 {
		limit = defaultPast(m.Graph)
	}
	k := &CouplingFromThePast{model: m, limit: limit}
	lowest, highest := 0.0, 0.0
	for _, h := range m.Field {
		lowest, highest = min(lowest, h), max(highest, h)
	}
	var err error
	switch {
	case m.Q != 0 && lowest < 0:
		return nil, fmt.Errorf("lattice: a field of %v: coupling from the past needs fields of 0 or more for a Potts model; use another kernel", lowest)
	case lowest < 0 && highest > 0:
		k.pair, err = newSpinPast(m)
	default:
		k.pair, err = newClusterPast(m, lowest < 0)
	}
	if err != nil {
		return nil, err
	}
	if err := k.SetBeta(beta); err != nil {
		return nil, err
	}
	return k, nil
}

// SetBeta changes the inverse temperature.
func (k *CouplingFromThePast) SetBeta(beta float64) error {
	if err := checkBeta(beta); err != nil {
		return err
	}
	if _, spins := k.pair.(*spinPast); spins && math.IsInf(beta, 1) {
		return errors.New("lattice: coupling from the past of spins in fields of both signs needs a temperature above 0: at 0 single spins do not come from all states to the best")
	}
	k.pair.setBeta(beta)
	return nil
}

// Back is how many sweeps the last draw went back.
func (k *CouplingFromThePast) Back() int { return k.back }

// Statistic is "sweeps_back", as Back gives them.
func (k *CouplingFromThePast) Statistic(name string) (float64, bool) {
	return float64(k.back), name == "sweeps_back"
}

// Draw makes s a draw. The error says that the limit was met; s is then as it was.
func (k *CouplingFromThePast) Draw(s *State, r *rand.Rand) error {
	name := streams.From(r)
	for k.back = 1; k.back <= k.limit; k.back *= 2 {
		k.pair.start()
		for t := k.back; t > 0; t-- {
			k.pair.sweep(name.Stream(uint64(t)))
		}
		if k.pair.met() {
			k.pair.write(s.Spins, name.Stream(0))
			return nil
		}
	}
	return fmt.Errorf("lattice: chains from %d sweeps in the past have not met: near a transition that is not continuous, or with spins in fields of both signs below the transition, they take a time exponential in the size; "+
		"allow more sweeps, or sample with a kernel that is not exact, such as that of Swendsen and Wang", k.back/2)
}

// Step draws. It panics with Draw's error as a [mcmc.Failure], which ends a run with it: to go on would bias the draws that are kept.
func (k *CouplingFromThePast) Step(s *State, r *rand.Rand) mcmc.Info {
	if err := k.Draw(s, r); err != nil {
		panic(mcmc.Failure{Err: err})
	}
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}
