package path

import (
	"math"
	"math/rand/v2"
)

// Herd is a family that moves several states faster together than one by one: while a part of a large matrix is at hand,
// all of them use it. AIS, Reverse, Sandwich and SMC ask for it.
type Herd[S any] interface {
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

// herd is the states of runs that are made together.
type herd[S any] struct {
	walk[S]
	group *group
	all   []S // of each run of the group
	// Those that still move, and whose they are: a run whose weight is zero rests.
	x     []S
	r     []*rand.Rand
	place []int
}

func newHerd[S any](f Family[S]) *herd[S] { return &herd[S]{walk: newWalk(f)} }

// begin takes up a group with draws from the base.
func (h *herd[S]) begin(g *group) {
	h.group = g
	for len(h.all) < len(g.runs) {
		h.all = append(h.all, h.New())
	}
	for i := range g.runs {
		h.group.now = i
		h.Base(h.all[i], g.r[i])
	}
}

// gather makes all runs of the group move.
func (h *herd[S]) gather() {
	h.x, h.r, h.place = append(h.x[:0], h.all[:len(h.group.runs)]...), append(h.r[:0], h.group.r...), h.place[:0]
	for i := range h.group.runs {
		h.place = append(h.place, i)
	}
}

// up anneals draws at the first temperature of the schedule to its last but one and leaves the log weights of the last in column
// c of the rows. The states have not moved at the last temperature.
func (h *herd[S]) up(s Schedule, c int) error {
	h.gather()
	last := s.Steps()
	for k := 1; k <= last && len(h.x) > 0; k++ {
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
func (h *herd[S]) down(s Schedule, c int) error {
	h.gather()
	for k := s.Steps(); k >= 1 && len(h.x) > 0; k-- {
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

// settle makes n moves of all runs at one temperature.
func (h *herd[S]) settle(beta float64, n int) error {
	h.gather()
	for range n {
		if err := h.move(beta); err != nil {
			return err
		}
	}
	return nil
}

// weigh adds the log ratios of densities to column c. No weight can come back from zero, so such a run moves no more.
func (h *herd[S]) weigh(from, to float64, c int) error {
	kept := 0
	for i, at := range h.place {
		h.group.now = at
		d := h.ratio(h.x[i], from, to)
		h.group.t[at].evals++
		if !(d < math.Inf(1)) {
			return notNumber("the ratio of densities", d, from, to)
		}
		sum := &h.group.rows[at][c]
		if *sum += d; math.IsInf(*sum, -1) {
			continue
		}
		h.x[kept], h.r[kept], h.place[kept] = h.x[i], h.r[i], at
		kept++
	}
	h.x, h.r, h.place = h.x[:kept], h.r[:kept], h.place[:kept]
	return nil
}

// move moves all that move, each once.
func (h *herd[S]) move(beta float64) error {
	h.moveAll(h.x, beta, h.r)
	stop := false
	for _, at := range h.place {
		stop = h.group.t[at].moved() || stop
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
