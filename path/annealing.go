package path

import (
	"math"
	"math/rand/v2"
)

// Grouped is a family that moves several states faster together than one by one: while a part of a large matrix is in
// the cache, all of them use it. AIS, Reverse, Sandwich and SMC ask for it.
type Grouped[S any] interface {
	// Together is how many states at a time are best, 1 if one by one is.
	Together() int
	// MoveAll does to each states[i] what Move(states[i], beta, rs[i]) does, one after the other, bit for bit; results
	// do not depend on which runs are made together. A generator may be there more than once.
	MoveAll(states []S, beta float64, rs []*rand.Rand)
}

// eachAlone is MoveAll for other families.
func (w *walk[S]) eachAlone(states []S, beta float64, rs []*rand.Rand) {
	for i, s := range states {
		w.Move(s, beta, rs[i])
	}
}

// annealing is the states of a group of runs on their way between the base and the target.
type annealing[S any] struct {
	walk[S]
	group *group
	all   []S   // of each run of the group
	at    place // the phase, and the moves made in it
	from  place // where a resumed group goes on
	// The states that still move, and their runs: a run whose weight is zero moves no more.
	x   []S
	r   []*rand.Rand
	run []int
}

// place is how far a group is: phases are annealing up and down, and moves at one temperature, numbered from 1.
type place struct{ Way, Moves int }

func newAnnealing[S any](f Family[S]) *annealing[S] { return &annealing[S]{walk: newWalk(f)} }

// begin takes up a group with draws from the base, or where a checkpoint has it.
func (h *annealing[S]) begin(g *group) error {
	h.group, h.at, h.from = g, place{}, place{}
	for len(h.all) < len(g.runs) {
		h.all = append(h.all, h.New())
	}
	if g.half != nil {
		return h.restore(g.half)
	}
	for i := range g.runs {
		h.group.now = i
		h.Base(h.all[i], g.r[i])
	}
	return nil
}

// enter starts a phase for all runs of the group and returns how many moves of it are made already; gone says that all are.
func (h *annealing[S]) enter() (made int, gone bool) {
	h.at = place{h.at.Way + 1, 0}
	if h.at.Way < h.from.Way {
		return 0, true
	}
	if h.at.Way == h.from.Way {
		h.at = h.from
	}
	h.x, h.r, h.run = append(h.x[:0], h.all[:len(h.group.runs)]...), append(h.r[:0], h.group.r...), h.run[:0]
	for i := range h.group.runs {
		h.run = append(h.run, i)
	}
	return h.at.Moves, false
}

// up anneals draws at the first temperature of the schedule to its last but one and leaves the log weights of the last in column
// c of the rows. The states have not moved at the last temperature.
func (h *annealing[S]) up(s Schedule, c int) error {
	made, gone := h.enter()
	if gone {
		return nil
	}
	last := s.Steps()
	for k := 1 + made; k <= last && len(h.x) > 0; k++ {
		if err := h.weigh(s[k-1], s[k], c); err != nil {
			return err
		}
		if k == last {
			break
		}
		if err := h.move(s[k]); err != nil {
			return err
		}
	}
	return nil
}

// down is the way back: the states are draws at β = 1, and the log weights are those of the reverse, Z_0/Z_1 on average.
// Its moves are those of up in reverse order, so for kernels that are reversible it is the reverse in Crooks's sense.
func (h *annealing[S]) down(s Schedule, c int) error {
	made, gone := h.enter()
	if gone {
		return nil
	}
	for k := s.Steps() - made; k >= 1 && len(h.x) > 0; k-- {
		if err := h.weigh(s[k], s[k-1], c); err != nil {
			return err
		}
		if k == 1 {
			break
		}
		if err := h.move(s[k-1]); err != nil {
			return err
		}
	}
	return nil
}

// equilibrate makes n moves of all runs at one temperature.
func (h *annealing[S]) equilibrate(beta float64, n int) error {
	made, gone := h.enter()
	if gone {
		return nil
	}
	for range n - made {
		if err := h.move(beta); err != nil {
			return err
		}
	}
	return nil
}

// weigh adds the log ratios of densities to column c. No weight can come back from zero, so such a run moves no more.
func (h *annealing[S]) weigh(from, to float64, c int) error {
	kept := 0
	for i, at := range h.run {
		h.group.now = at
		sum := &h.group.rows[at][c]
		if math.IsInf(*sum, -1) { // it was resumed
			continue
		}
		d := h.ratio(h.x[i], from, to)
		h.group.t[at].evals++
		if !(d < math.Inf(1)) {
			return notNumber("the ratio of densities", d, from, to)
		}
		if *sum += d; math.IsInf(*sum, -1) {
			continue
		}
		h.x[kept], h.r[kept], h.run[kept] = h.x[i], h.r[i], at
		kept++
	}
	h.x, h.r, h.run = h.x[:kept], h.r[:kept], h.run[:kept]
	return nil
}

// move moves all that move, each once, and keeps where they are when that is due or the job has been stopped.
func (h *annealing[S]) move(beta float64) error {
	h.moveAll(h.x, beta, h.r)
	h.at.Moves++
	stop := false
	for _, at := range h.run {
		stop = h.group.t[at].moved() || stop
	}
	if stop || h.at.Moves%stopEvery == 0 {
		if err := h.keep(stop); err != nil {
			return err
		}
	}
	if stop {
		return errStopped
	}
	return nil
}

// movesOfAll moves each state once, as many at a time as are best.
func (w *walk[S]) movesOfAll(states []S, beta float64, rs []*rand.Rand, t *tally) error {
	for len(states) > 0 {
		n := min(w.together, len(states))
		w.moveAll(states[:n], beta, rs[:n])
		for range n {
			if t.moved() {
				return errStopped
			}
		}
		states, rs = states[n:], rs[n:]
	}
	return nil
}
