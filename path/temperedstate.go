package path

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/ladder"
	"github.com/ergodic-mcmc/ergodic/mcmc"
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
	Count, Sum   []float64
	Series       [3][]float64
	All          []float64
	Moves, Evals int64 // in this phase
}

func temperedKind() checksummed.Kind { return checksummed.Kind{Name: "path chains", Version: 1} }

// temperedStore is the checkpoint of chains at work.
type temperedStore struct {
	mu    sync.Mutex
	file  temperedFile
	saved time.Time
}

// open reads the checkpoint if the chains are to go on from one.
func (w *temperedChains[S]) open() error {
	if w.set.Checkpoint == "" {
		return nil
	}
	if w.f.marshal == nil {
		return errors.New("path: the states of this family cannot be kept (see Marshal), and neither can chains over temperatures; leave Settings.Checkpoint empty")
	}
	w.kept, w.save = &temperedStore{saved: time.Now()}, w.saveChain
	f := &w.kept.file
	f.Shape = fmt.Sprint(w.ladder.hash(), " ", w.set.Rounds, w.set.Moves, w.set.Learn, w.set.Passes, w.set.Prior, w.set.FromPrior, w.set.MBAR)
	f.Fingerprint, f.Seed = w.set.Fingerprint, w.set.Seed
	f.Chains = make([]chainState, w.set.Runs)
	if w.set.Resume {
		if err := w.resume(); err != nil {
			return fmt.Errorf("path: cannot resume: %w", err)
		}
	}
	return w.note()
}

// resume goes on from the file, if it is there.
func (w *temperedChains[S]) resume() error {
	was := new(temperedFile)
	there, err := temperedKind().ReadIfThere(w.set.Checkpoint, was)
	if err != nil || !there {
		return err
	}
	if err = w.kept.file.differs(was); err == nil {
		err = was.check(len(w.ladder), &w.set)
	}
	if err == nil {
		err = w.restore(was)
	}
	if err != nil {
		return fmt.Errorf("%s %w", w.set.Checkpoint, err)
	}
	return nil
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
		len(c.First) == k && len(c.Count) == k && len(c.Sum) == k && len(c.All) == densities &&
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
		c.first, c.count, c.sum = from.First, from.Count, from.Sum
		w.tallies[i] = tally{moves: from.Moves, evals: from.Evals, reported: from.Moves}
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
	t := &w.tallies[i]
	return chainState{
		State: x, Rand: source, K: c.k, Leg: c.trips.leg, Trips: c.trips.count, Done: c.done, Made: c.made,
		First: slices.Clone(c.first), Count: slices.Clone(c.count), Sum: slices.Clone(c.sum), Series: c.series, All: c.all,
		Moves: t.moves, Evals: t.evals,
	}, err
}

// saveChain notes where chain i is, and writes the checkpoint if that is due, with the others where they were noted last.
func (w *temperedChains[S]) saveChain(i int) error {
	state, err := w.state(i)
	if err != nil {
		return err
	}
	w.kept.mu.Lock()
	defer w.kept.mu.Unlock()
	w.kept.file.Chains[i] = state
	if time.Since(w.kept.saved) < w.set.Every {
		return nil
	}
	return w.kept.save(w.set.Checkpoint)
}

func (k *temperedStore) save(name string) error {
	k.saved = time.Now()
	if err := temperedKind().Write(name, &k.file); err != nil {
		return fmt.Errorf("the chains cannot be kept: %w", err)
	}
	return nil
}

// note takes over where all chains are, while none moves.
func (w *temperedChains[S]) note() error {
	f := &w.kept.file
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

// keepAll writes where all chains are, when they were interrupted, at the end, and between two phases if it is due. After
// another failure a chain may be within a move: the file stays as it is.
func (w *temperedChains[S]) keepAll(failure error) error {
	if w.kept == nil || failure != nil && !errors.Is(failure, mcmc.ErrInterrupted) {
		return failure
	}
	if failure == nil { // the phase is another
		if err := w.note(); err != nil {
			return err
		}
		if w.at.Stage != drawing && time.Since(w.kept.saved) < w.set.Every {
			return nil
		}
	}
	if err := w.kept.save(w.set.Checkpoint); err != nil {
		return errors.Join(failure, fmt.Errorf("path: %w", err))
	}
	return failure
}
