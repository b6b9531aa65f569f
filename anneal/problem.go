package anneal

import (
	"errors"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Problem is an energy over states of type S, and changes of them of type M. One value serves all threads, so its methods change no more
// than the states that they are given. Checkpoints keep states by encoding/gob.
type Problem[S, M any] interface {
	// Size is the number of variables: of the changes that a sweep proposes.
	Size() int
	// Start draws a state, which has its own memory.
	Start(r *rand.Rand) S
	// Energy computes the energy of a state anew.
	Energy(s S) float64
	// Propose draws a change and gives what it adds to the energy. A change and its reverse have the same probability, or else the chain
	// does not have the density e^{−E/T}. NaN and +Inf are never accepted.
	Propose(s S, r *rand.Rand) (m M, d float64)
	// Apply makes a change.
	Apply(s S, m M)
	// Copy makes a state another.
	Copy(to, from S)
}

// Undoer is a problem that learns what a change adds to the energy by making it: Propose makes it, Undo takes it back where it is not
// accepted, and Apply is only called with changes of [Lister].
type Undoer[S, M any] interface {
	Undo(s S, m M)
}

// Lister is a problem that can list all changes of a state and what each adds to the energy, which steepest and first descent need. The
// state stays as it is while they are listed.
type Lister[S, M any] interface {
	Changes(s S) iter.Seq2[M, float64]
}

// replica is the walker of a Problem.
type replica[S, M any] struct {
	p    Problem[S, M]
	undo Undoer[S, M]
	list Lister[S, M]

	there  bool // state and low have memory
	state  S
	energy float64
	low    S // the best state, unless state is it
	best   float64
	atBest bool // state is the best one
}

func newReplica[S, M any](p Problem[S, M]) *replica[S, M] {
	w := &replica[S, M]{p: p}
	w.undo, _ = p.(Undoer[S, M])
	w.list, _ = p.(Lister[S, M])
	return w
}

func (w *replica[S, M]) Replicas() int { return 1 }

func (w *replica[S, M]) Start(r *rand.Rand) {
	w.begin(w.p.Start(r))
}

// begin makes a state with its own memory the current and the best one.
func (w *replica[S, M]) begin(s S) {
	w.state = s
	if !w.there {
		w.low, w.there = w.fresh(), true
	}
	w.energy = w.p.Energy(s)
	w.best, w.atBest = w.energy, true
}

// fresh is memory for a state.
func (w *replica[S, M]) fresh() S { return w.p.Start(rng.New(0, "anneal memory").Rand) }

// leave keeps the state where it is the best, before it changes to one that is not.
func (w *replica[S, M]) leave() {
	if w.atBest {
		w.p.Copy(w.low, w.state)
		w.atBest = false
	}
}

// moved notes that the state has another energy.
func (w *replica[S, M]) moved(d float64) {
	if w.energy += d; w.energy < w.best {
		w.best, w.atBest = w.energy, true
	}
}

func (w *replica[S, M]) Sweep(temperature float64, r *rand.Rand) (proposed, accepted int64) {
	return w.sweep(r, func(d float64) bool {
		return d <= 0 || temperature > 0 && d < 700*temperature && r.Float64() < vec.Exp(-d/temperature)
	})
}

func (w *replica[S, M]) SweepThreshold(threshold float64, r *rand.Rand) (proposed, accepted int64) {
	return w.sweep(r, func(d float64) bool { return d <= threshold && !math.IsInf(d, 1) })
}

func (w *replica[S, M]) sweep(r *rand.Rand, accept func(d float64) bool) (proposed, accepted int64) {
	n := w.p.Size()
	for range n {
		if w.undo != nil {
			w.leave() // Propose changes the state
		}
		m, d := w.p.Propose(w.state, r)
		switch {
		case !accept(d):
			if w.undo != nil {
				w.undo.Undo(w.state, m)
			}
			continue
		case w.undo != nil:
			w.moved(d)
		default:
			w.make(m, d)
		}
		accepted++
	}
	return int64(n), accepted
}

func (w *replica[S, M]) Climb(first bool, r *rand.Rand) (looked, made int64) {
	var chosen M
	lowest, improving := 0.0, 0
	for m, d := range w.list.Changes(w.state) {
		looked++
		if !(d < 0) {
			continue
		}
		improving++
		// Each of those so far is the one kept with the same probability, as in a random order.
		if first && r.IntN(improving) == 0 || !first && d < lowest {
			chosen, lowest = m, d
		}
	}
	if improving == 0 {
		return looked, 0
	}
	w.make(chosen, lowest)
	return looked, 1
}

// make applies a change that adds d.
func (w *replica[S, M]) make(m M, d float64) {
	if d > 0 || w.energy+d >= w.best {
		w.leave()
	}
	w.p.Apply(w.state, m)
	w.moved(d)
}

func (w *replica[S, M]) Energy(int) float64     { return w.energy }
func (w *replica[S, M]) Best(int) float64       { return w.best }
func (w *replica[S, M]) Solution(int) []float64 { return nil }
func (w *replica[S, M]) State(int) []float64    { return nil }
func (w *replica[S, M]) Set(int, []float64) error {
	return errors.New("states of this problem are not numbers")
}

func (w *replica[S, M]) Copy(_ int, from Walker, _ int) {
	f := from.(*replica[S, M])
	if f == w {
		return
	}
	if !w.there {
		w.state, w.low, w.there = w.fresh(), w.fresh(), true
	}
	w.p.Copy(w.state, f.state)
	if !f.atBest {
		w.p.Copy(w.low, f.low)
	}
	w.energy, w.best, w.atBest = f.energy, f.best, f.atBest
}

// toBest makes the state the best one.
func (w *replica[S, M]) toBest() {
	if !w.atBest {
		w.p.Copy(w.state, w.low)
		w.energy, w.atBest = w.best, true
	}
}

// lowest is the best state.
func (w *replica[S, M]) lowest() S {
	if w.atBest {
		return w.state
	}
	return w.low
}

// savedReplica is a replica in a checkpoint. Fields are exported for gob.
type savedReplica[S any] struct {
	State, Low   S
	Energy, Best float64
	AtBest       bool
}

func (w *replica[S, M]) MarshalBinary() ([]byte, error) {
	return gobs.Marshal(savedReplica[S]{w.state, w.lowest(), w.energy, w.best, w.atBest})
}

func (w *replica[S, M]) UnmarshalBinary(b []byte) error {
	var s savedReplica[S]
	if err := gobs.Unmarshal(b, &s); err != nil {
		return err
	}
	w.state, w.low, w.energy, w.best, w.atBest, w.there = s.State, s.Low, s.Energy, s.Best, s.AtBest, true
	return nil
}

// measureRange finds temperatures from what proposals add to the energy: at the first, half of those from a random state that raise it by
// the mean are accepted; at the last, one in a hundred of the smallest rises from a state that a descent ended in (the fifth percentile;
// Kirkpatrick, Gelatt and Vecchi, 1983, begin where most are accepted and end where few are).
func measureRange[S, M any](p Problem[S, M], seed uint64) (hot, cold float64) {
	const walks, descents, samples = 4, 50, 2000
	stream := rng.New(seed, "anneal range")
	var random, low []float64
	for range walks {
		w := newReplica(p)
		w.Start(stream.Rand)
		random = w.rises(random, samples/walks, stream.Rand)
		for range descents {
			if _, accepted := w.Sweep(0, stream.Rand); accepted == 0 {
				break
			}
		}
		low = w.rises(low, samples/walks, stream.Rand)
	}
	if len(low) == 0 {
		low = random
	}
	if len(low) == 0 {
		return 1, 1
	}
	slices.Sort(low)
	mean := 0.0
	for _, d := range append(random, low...) {
		mean += d / float64(len(random)+len(low))
	}
	cold = low[len(low)/20] / vec.Log(100)
	return max(mean/math.Ln2, cold), cold
}

// rises adds those of so many proposals that raise the energy.
func (w *replica[S, M]) rises(all []float64, n int, r *rand.Rand) []float64 {
	for range n {
		m, d := w.p.Propose(w.state, r)
		if w.undo != nil {
			w.undo.Undo(w.state, m)
		}
		if d > 0 && !math.IsInf(d, 0) {
			all = append(all, d)
		}
	}
	return all
}
