package plan

import (
	"errors"
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/rng"
	"github.com/ergodic-mcmc/ergodic/tempering"
)

// TemperedName is the name of [Job.Tempered] among the kernels of a plan.
const TemperedName = "tempered"

// Tempered is the job run by parallel tempering, which moves between parts of the posterior that the plan's kernels do not leave: each
// chain is a ladder of replicas, of which that at β has the density of the prior times the likelihood, all data together, to the power β. At 0 it is
// drawn from the prior anew in every iteration, at 1 it is moved by the plan and recorded, and in between by kernels over densities, one a node.
//
// The first ladder comes from pilots that are annealed from the prior, with steps at which neighbours exchange places about every
// second time; warm-up adapts it. It depends on the seed alone.
func (j *Job) Tempered(run mcmc.Settings) (*tempering.Job[*model.State], error) {
	j.ready()
	if j.Plan.cuts() {
		return nil, errors.New("plan.Tempered: the model has a cut, and so no joint density of which to take powers. Run the plan alone, its chains from initial values in different parts")
	}
	rungs := newRung(j.Plan)
	if len(rungs.nodes) == 0 {
		return nil, fmt.Errorf("there is nothing to temper: no data depend on an unobserved node, and each is drawn from its prior")
	}
	betas, err := j.firstLadder(run.Seed)
	if err != nil {
		return nil, err
	}
	lik := j.Plan.Model.ObservedRows()
	move := func(_ int, beta float64) (mcmc.Kernel[*model.State], error) {
		switch beta {
		case 0:
			return newFromPrior(j.Plan), nil
		case 1:
			return j.Plan.Sweep(), nil
		}
		g := rungs.another()
		g.to(beta)
		return g, nil
	}
	return tempering.NewJob[*model.State](j, powers{j.density, lik}, move, tempering.Settings{Betas: betas}, run)
}

// powers is the family of posteriors with a power of the likelihood.
type powers struct{ density, lik []model.Seg }

// LogDensity implements tempering.Family.
func (f powers) LogDensity(s *model.State, beta float64) float64 {
	return s.LogProb(f.density) - float64((1-beta)*s.LogProb(f.lik))
}

// LogRatio implements tempering.Ratio.
func (f powers) LogRatio(s *model.State, from, to float64) float64 {
	return float64((to - from) * s.LogProb(f.lik))
}

const (
	ladderScouts = 1000
	ladderPilots = 32
	ladderSweeps = 3  // at each power
	mostRungs    = 32 // of a ladder
	rungShare    = 0.5
)

// firstLadder are powers from 0 to 1 with this effective share of pilots from each to the next.
func (j *Job) firstLadder(seed uint64) ([]float64, error) {
	prior, g := newFromPrior(j.Plan), newRung(j.Plan)
	m, lik := j.Plan.Model, j.Plan.Model.ObservedRows()
	var found []scouted
	s := m.NewState()
	for k := range ladderScouts {
		if !prior.draw(s, rng.New(seed, "ladder", uint64(k)).Rand) {
			continue
		}
		if l := s.LogProb(lik); vec.Finite(l) {
			found = append(found, scouted{index: k, lik: l})
		}
	}
	if len(found) < ladderPilots {
		return nil, fmt.Errorf("%d of %d draws from the prior allow the data: tempering, whose hottest replica is the prior, needs more; without it the plan starts where they are possible", len(found), ladderScouts)
	}
	r := rng.New(seed, "ladder").Rand
	betas := []float64{0, firstPower(found, float64(rungShare*float64(len(found))))}
	pilots := make([]*model.State, ladderPilots)
	all := make([]float64, ladderPilots)
	for i := range pilots {
		pilots[i] = m.NewState()
		prior.draw(pilots[i], rng.New(seed, "ladder", uint64(drawn(found, r.Float64()))).Rand)
	}
	for betas[len(betas)-1] < 1 {
		beta := betas[len(betas)-1]
		g.to(beta)
		for i, p := range pilots {
			for range ladderSweeps {
				g.Adapt(p, r, warm)
			}
			all[i] = p.LogProb(lik)
		}
		next := max(largestPower(all, beta, rungShare*ladderPilots), min(1, 1.02*beta))
		if len(betas) == mostRungs-1 {
			next = 1
		}
		betas = append(betas, next)
	}
	return betas, nil
}

// drawn is the index of one of the draws, by weight.
func drawn(found []scouted, u float64) int {
	total := 0.0
	for _, f := range found {
		total += f.weight
	}
	u *= total
	for _, f := range found {
		if u -= f.weight; u < 0 {
			return f.index
		}
	}
	return found[0].index
}
