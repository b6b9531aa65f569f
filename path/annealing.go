package path

import (
	"context"
	"math"
	"math/rand/v2"
)

// Grouped is a family that moves a batch of states faster than one state after the other, for instance because a part of a
// large matrix in the cache serves all of them. AIS, Reverse, Sandwich and SMC use it.
type Grouped[S any] interface {
	// GroupSize is the number of states that are moved fastest at a time; 1 where a batch is no faster.
	GroupSize() int
	// MoveAll has the effect of Move(states[i], beta, rs[i]) for each i in turn, bit for bit, so that results do not
	// depend on how runs are grouped. A generator may occur more than once in rs.
	MoveAll(states []S, beta float64, rs []*rand.Rand)
}

// moveEach is MoveAll for families that are not Grouped.
func (f *resolved[S]) moveEach(states []S, beta float64, rs []*rand.Rand) {
	for i, s := range states {
		f.Move(s, beta, rs[i])
	}
}

// annealing is the states of a group of runs that are annealed between the base and the target.
type annealing[S any] struct {
	resolved[S]
	group *group
	all   []S        // of each run of the group
	at    phasePoint // the phase, and the moves made in it
	from  phasePoint // where a group goes on after a pause
	// The states that still move, and their runs: a run whose weight is zero is not moved any more.
	x   []S
	r   []*rand.Rand
	run []int
}

// phasePoint is the progress of a group: the phase, numbered from 1, and the moves made in it. Phases are annealing up,
// annealing down, and moves at one temperature.
type phasePoint struct{ Way, Moves int }

func newAnnealing[S any](f Family[S]) *annealing[S] { return &annealing[S]{resolved: resolve(f)} }

// anneal makes the runs of a job in groups that start from draws of the base; phases takes them on from there, or from where they
// paused.
func anneal[S any](ctx context.Context, f Family[S], set Settings, b job, phases func(a *annealing[S], fresh bool) error) (*outcome, error) {
	b.groupSize = resolve(f).groupSize
	b.grouped = func() groupFunc {
		a := newAnnealing(f)
		return func(g *group) error {
			fresh, err := a.begin(g)
			if err != nil {
				return err
			}
			return phases(a, fresh)
		}
	}
	return b.do(ctx, set)
}

// begin starts a group with draws from the base, restores it from a checkpoint, or goes on with it after a pause; fresh is
// true for the first.
func (a *annealing[S]) begin(g *group) (fresh bool, err error) {
	if a.group == g {
		a.at, a.from = phasePoint{}, a.at
		return false, nil
	}
	a.group, a.at, a.from = g, phasePoint{}, phasePoint{}
	if a.marshal != nil && g.job.store.name != "" {
		g.state = a.state
	}
	for len(a.all) < len(g.runs) {
		a.all = append(a.all, a.New())
	}
	if g.partial != nil {
		return false, a.restore(g.partial)
	}
	for i := range g.runs {
		a.group.now = i
		a.Base(a.all[i], g.r[i])
	}
	return true, nil
}

// enterPhase starts the next phase for all runs of the group and returns how many of its moves were made before the
// pause; done says that the whole phase was.
func (a *annealing[S]) enterPhase() (made int, done bool) {
	a.at = phasePoint{a.at.Way + 1, 0}
	if a.at.Way < a.from.Way {
		return 0, true
	}
	if a.at.Way == a.from.Way {
		a.at = a.from
	}
	a.x, a.r, a.run = append(a.x[:0], a.all[:len(a.group.runs)]...), append(a.r[:0], a.group.r...), a.run[:0]
	for i := range a.group.runs {
		a.run = append(a.run, i)
	}
	return a.at.Moves, false
}

// up anneals draws at the first temperature of the schedule to its last but one and adds their log weights for the last
// temperature to column c of the rows. The states are not moved at the last temperature.
func (a *annealing[S]) up(s Schedule, c int) error {
	return a.along(func(k int) float64 { return s[k] }, s.Steps(), c)
}

// down is reverse annealing: the states are draws at β = 1, and the weights are Z_0/Z_1 on average. Its moves are those of up
// in reverse order, so for reversible kernels it is the time reversal of up (Crooks 2000).
func (a *annealing[S]) down(s Schedule, c int) error {
	return a.along(func(k int) float64 { return s[s.Steps()-k] }, s.Steps(), c)
}

func (a *annealing[S]) along(beta func(k int) float64, steps, c int) error {
	made, done := a.enterPhase()
	if done {
		return nil
	}
	for k := 1 + made; k <= steps && len(a.x) > 0; k++ {
		if err := a.weigh(beta(k-1), beta(k), c); err != nil {
			return err
		}
		if k == steps {
			break
		}
		if err := a.move(beta(k)); err != nil {
			return err
		}
	}
	return nil
}

// equilibrate makes n moves of all runs at one temperature.
func (a *annealing[S]) equilibrate(beta float64, n int) error {
	made, done := a.enterPhase()
	if done {
		return nil
	}
	for range n - made {
		if err := a.move(beta); err != nil {
			return err
		}
	}
	return nil
}

// weigh adds the log ratios of densities to column c. A weight of zero stays zero, so such a run is not moved any more.
func (a *annealing[S]) weigh(from, to float64, c int) error {
	kept := 0
	for i, at := range a.run {
		a.group.now = at
		sum := &a.group.rows[at][c]
		if math.IsInf(*sum, -1) { // of a resumed run
			continue
		}
		d, err := a.logRatio(a.x[i], from, to, a.group.t[at])
		if err != nil {
			return err
		}
		if *sum += d; math.IsInf(*sum, -1) {
			continue
		}
		a.x[kept], a.r[kept], a.run[kept] = a.x[i], a.r[i], at
		kept++
	}
	a.x, a.r, a.run = a.x[:kept], a.r[:kept], a.run[:kept]
	return nil
}

// move makes one move of each state.
func (a *annealing[S]) move(beta float64) error {
	a.moveAll(a.x, beta, a.r)
	a.at.Moves++
	stop := false
	for _, at := range a.run {
		stop = a.group.t[at].moved() || stop
	}
	if stop {
		return errStopped
	}
	return nil
}

// moveInGroups makes one move of each state, in groups of the best size.
func (f *resolved[S]) moveInGroups(states []S, beta float64, rs []*rand.Rand, t *tally) error {
	for len(states) > 0 {
		n := min(f.groupSize, len(states))
		f.moveAll(states[:n], beta, rs[:n])
		for range n {
			if t.moved() {
				return errStopped
			}
		}
		states, rs = states[n:], rs[n:]
	}
	return nil
}
