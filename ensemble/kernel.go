package ensemble

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
)

// Settings say in what order walkers move. The zero value works.
type Settings struct {
	// Serial moves one walker after another, each with all others as its complementary ensemble (Goodman
	// and Weare 2010). Otherwise the ensemble is split at random, and the walkers of each half in turn
	// move at once, with the other half as their complementary ensemble (Foreman-Mackey, Hogg, Lang and
	// Goodman 2013).
	Serial bool
	// Threads evaluate the density at the proposals of a half; 0: one. Draws do not depend
	// on it. The target must then be safe for concurrent use. It pays where an
	// evaluation takes microseconds, and chains are fewer than processors.
	Threads int
}

// Kernel moves every walker of an ensemble once a step with one kind of move. It has
// nothing to tune.
type Kernel struct {
	target mcmc.Target
	move   Move
	serial bool

	order      []int // walkers: those that move, then their complementary ensemble
	complement Complement
	proposals  []float64 // rows, in the order of the walkers that move
	factor     []float64
	logp       []float64
	team       *fanout.Team
}

// New returns a kernel for ensembles of this many walkers, 2 dim at least.
func New(target mcmc.Target, walkers, dim int, move Move, set Settings) (*Kernel, error) {
	if target == nil || move == nil || dim < 1 {
		return nil, errors.New("ensemble: a kernel needs a target, a move and a dimension of 1 or more")
	}
	if err := checkSize(walkers, dim); err != nil {
		return nil, err
	}
	if err := move.Check(); err != nil {
		return nil, err
	}
	moving, complement := walkers-walkers/2, walkers/2
	if set.Serial {
		moving, complement = 1, walkers-1
	}
	if least := move.Least(); complement < least {
		return nil, fmt.Errorf("ensemble: a %T needs a complementary ensemble of %d walkers, and with %d walkers moved in this order it has %d; take more walkers",
			move, least, walkers, complement)
	}
	k := &Kernel{
		target: target, move: move, serial: set.Serial,
		order:      make([]int, walkers),
		complement: Complement{spare: make([]float64, dim)},
		proposals:  make([]float64, moving*dim),
		factor:     make([]float64, moving),
		logp:       make([]float64, moving),
	}
	k.team = fanout.New(set.Threads, k.evaluate)
	return k, nil
}

// Step moves each walker once. The info's acceptance probability is the mean over walkers.
func (k *Kernel) Step(s *State, r *rand.Rand) mcmc.Info {
	if s.Walkers() != len(k.order) || s.Dim != len(k.complement.spare) {
		panic(fmt.Sprintf("ensemble: a kernel for %d walkers in %d dimensions was given %d in %d",
			len(k.order), len(k.complement.spare), s.Walkers(), s.Dim))
	}
	k.complement.of = s
	for i := range k.order {
		k.order[i] = i
	}
	info := mcmc.Info{Evals: len(k.order)}
	if k.serial {
		k.stepSerial(s, r, &info)
	} else {
		k.stepHalves(s, r, &info)
	}
	info.AcceptProb /= float64(len(k.order))
	k.complement.of = nil
	return info
}

func (k *Kernel) stepSerial(s *State, r *rand.Rand, info *mcmc.Info) {
	complement := k.order[1:]
	for w := range s.LogP {
		k.update(s, k.order[:1], complement, r, info)
		if w < len(complement) { // walker w joins the complementary ensemble, w+1 leaves it
			k.order[0], complement[w] = complement[w], k.order[0]
		}
	}
}

func (k *Kernel) stepHalves(s *State, r *rand.Rand, info *mcmc.Info) {
	half := len(k.order) / 2
	for i := range half { // the first half of a shuffle
		j := i + r.IntN(len(k.order)-i)
		k.order[i], k.order[j] = k.order[j], k.order[i]
	}
	k.update(s, k.order[:half], k.order[half:], r, info)
	k.update(s, k.order[half:], k.order[:half], r, info)
}

// update proposes for all walkers that move, then evaluates, then decides: only the
// evaluations, which draw nothing, run on several threads.
func (k *Kernel) update(s *State, moving, complement []int, r *rand.Rand, info *mcmc.Info) {
	k.complement.index = complement
	for i, w := range moving {
		k.factor[i] = k.move.Propose(k.proposal(i), s.Walker(w), &k.complement, r)
	}
	k.team.Run(len(moving))
	for i, w := range moving {
		accepted, prob := mh.Accept(r, logRatio(k.logp[i], s.LogP[w], k.factor[i]))
		info.AcceptProb += prob
		if !accepted {
			continue
		}
		info.Accepted = true
		copy(s.Walker(w), k.proposal(i))
		s.LogP[w] = k.logp[i]
	}
}

func (k *Kernel) proposal(i int) []float64 {
	d := len(k.complement.spare)
	return k.proposals[i*d : (i+1)*d : (i+1)*d]
}

func (k *Kernel) evaluate(i int) { k.logp[i] = k.target.LogDensity(k.proposal(i)) }

// logRatio is that of a proposal whose move has a factor.
func logRatio(proposed, current, factor float64) float64 {
	if !vec.Finite(factor) {
		return math.Inf(-1)
	}
	return mh.LogRatio(proposed, current) + factor
}
