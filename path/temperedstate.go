package path

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/ladder"
)

// temperedFile is what a checkpoint of chains over a ladder holds: the phase, and each chain as it was in it.
type temperedFile struct {
	Shape, Fingerprint string
	Seed               uint64
	At                 temperedPhase
	Zeta               []float64
	Moves, Evals       int64 // of the phases before
	Chains             []chainState
}

// chainState is a chain between two moves. Without a State it has not begun.
type chainState struct {
	State, Rand  []byte
	K            int
	Leg          ladder.Leg
	Trips        int
	Done, Made   int
	First        []float64
	Sum          []float64
	Series       [3][]float64
	All          []float64
	Moves, Evals int64 // in this phase
}

func temperedKind() checksummed.Kind { return checksummed.Kind{Name: "path chains", Version: 1} }

// open goes on from the checkpoint if the chains are to.
func (w *temperedChains[S]) open() error {
	if w.set.Checkpoint == "" {
		return nil
	}
	if w.f.marshal == nil {
		return errors.New("path: the states of this family cannot be kept (see Marshal), and neither can chains over temperatures; leave Settings.Checkpoint empty")
	}
	w.store.name, w.store.kind, w.store.content = w.set.Checkpoint, temperedKind(), func() any { return &w.file }
	f := &w.file
	f.Shape = fmt.Sprint(w.ladder.hash(), " ", w.set.Rounds, w.set.Moves, w.set.Learn, w.set.Passes, w.set.Prior, w.set.FromPrior, w.set.MBAR)
	f.Fingerprint, f.Seed = w.set.Fingerprint, w.set.Seed
	f.Chains = make([]chainState, w.set.Runs)
	was := new(temperedFile)
	return w.store.resume(w.set.Settings, was, func() error {
		err := f.differs(was)
		if err == nil {
			err = was.check(len(w.ladder), &w.set)
		}
		if err == nil {
			err = w.restore(was)
		}
		return err
	})
}

// differs names the first thing in which was, of the file, is not what is asked for.
func (f *temperedFile) differs(was *temperedFile) error {
	return otherJob([]checksummed.Property{
		{Name: "seed", Was: was.Seed, Asked: f.Seed},
		{Name: "ladder or another setting of the method", Was: was.Shape, Asked: f.Shape},
		{Name: "family", Was: was.Fingerprint, Asked: f.Fingerprint},
		{Name: "number of chains", Was: len(was.Chains), Asked: len(f.Chains)},
	})
}

// check validates what was read from a file: counts within their limits, and lists of the lengths that these say.
func (f *temperedFile) check(k int, set *TemperedSettings) error {
	at := f.At
	if at.Stage < ascending || at.Stage > drawing || at.Length < 0 || at.Stage == drawing && at.Length != set.Rounds || len(f.Zeta) != k || f.Moves < 0 || f.Evals < 0 {
		return fmt.Errorf("holds a phase of %d rounds that no job has", at.Length)
	}
	for i := range f.Chains {
		if c := &f.Chains[i]; !c.whole(at, k, set) {
			return fmt.Errorf("holds chain %d in a place where none can be", i+1)
		}
	}
	return nil
}

func (c *chainState) whole(at temperedPhase, k int, set *TemperedSettings) bool {
	if c.State == nil {
		return at.Stage == ascending
	}
	most, noted, densities := at.Length, 0, 0
	switch at.Stage {
	case ascending:
		most = k - 1
	case drawing:
		if noted = c.Done; set.MBAR {
			densities = c.Done * k
		}
	}
	return c.K >= 0 && c.K < k && c.Leg >= ladder.Unstarted && c.Leg <= ladder.Down && c.Done >= 0 && c.Done <= most && c.Made >= 0 && c.Made <= set.Moves && c.Moves >= 0 && c.Evals >= 0 &&
		len(c.First) == k && len(c.Sum) == k && len(c.All) == densities &&
		!slices.ContainsFunc(c.Series[:], func(s []float64) bool { return len(s) != noted }) &&
		!slices.ContainsFunc(c.Series[2], func(label float64) bool { return !(label >= 0 && label < float64(k)) || label != math.Trunc(label) })
}

// restore puts the chains where the file has them.
func (w *temperedChains[S]) restore(f *temperedFile) error {
	for i := range f.Chains {
		from, c := &f.Chains[i], w.chains[i]
		if from.State == nil {
			continue
		}
		var err error
		if c.x, err = w.f.marshal.UnmarshalState(from.State); err != nil {
			return fmt.Errorf("holds a state of chain %d that cannot be read: %w", i+1, err)
		}
		if err = c.r.UnmarshalBinary(from.Rand); err != nil {
			return fmt.Errorf("holds random numbers of chain %d that cannot be read: %w", i+1, err)
		}
		c.begun, c.k, c.done, c.made, c.trips = true, from.K, from.Done, from.Made, tripCounter{from.Leg, from.Trips}
		c.first, c.sum = from.First, from.Sum
		c.tally = tally{moves: from.Moves, evals: from.Evals, reported: from.Moves}
	}
	w.at, w.moves, w.evals = f.At, f.Moves, f.Evals
	copy(w.zeta, f.Zeta)
	w.setBias()
	for i, c := range w.chains {
		c.makeSeries(w)
		for k := range c.series {
			c.series[k] = append(c.series[k], f.Chains[i].Series[k]...)
		}
		c.all = append(c.all, f.Chains[i].All...)
	}
	return nil
}

// state is a chain as a checkpoint has it. The series are shared with the chain, which only adds to them.
func (w *temperedChains[S]) state(i int) (chainState, error) {
	c := w.chains[i]
	if !c.begun {
		return chainState{}, nil
	}
	x, err := w.f.marshal.MarshalState(c.x)
	if err != nil {
		return chainState{}, fmt.Errorf("the state cannot be kept: %w", err)
	}
	source, err := c.r.MarshalBinary()
	return chainState{
		State: x, Rand: source, K: c.k, Leg: c.trips.leg, Trips: c.trips.count, Done: c.done, Made: c.made,
		First: slices.Clone(c.first), Sum: slices.Clone(c.sum), Series: c.series, All: c.all,
		Moves: c.tally.moves, Evals: c.tally.evals,
	}, err
}

// note takes over where all chains are, before a phase.
func (w *temperedChains[S]) note() error {
	if w.store.name == "" {
		return nil
	}
	f := &w.file
	f.At, f.Zeta, f.Moves, f.Evals = w.at, slices.Clone(w.zeta), w.moves, w.evals
	for i := range w.chains {
		c, err := w.state(i)
		if err != nil {
			return fmt.Errorf("path: chain %d: %w", i+1, err)
		}
		f.Chains[i] = c
	}
	return nil
}
