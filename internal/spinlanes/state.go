package spinlanes

import (
	"math"
	"math/bits"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// State is 32 replicas.
type State struct {
	Up     []uint32     // of each spin, the lanes in which it is +1
	Energy [Lanes]int64 // Σ_{i<j} J_ij s_i s_j + Σ_i h_i s_i
	graph  *Graph
	f16    []int16 // the fields, 32 of each spin
	f32    []int32
}

// NewState makes one, all spins −1. Call Refresh after changing Up.
func NewState(g *Graph) *State {
	s := &State{graph: g, Up: make([]uint32, g.Spins())}
	if g.wide {
		s.f32 = memory.Large[int32](Lanes * g.Spins())
	} else {
		s.f16 = memory.Large[int16](Lanes * g.Spins())
	}
	s.Refresh()
	return s
}

// Bytes is what a state of spins that are wide or not takes.
func Bytes(spins int, wide bool) float64 {
	if wide {
		return float64(spins) * (4 + 4*Lanes)
	}
	return float64(spins) * (4 + 2*Lanes)
}

// Refresh computes fields and energies from the spins.
func (s *State) Refresh() {
	if s.graph.wide {
		s.Energy = refresh(s.graph, s.Up, s.f32)
	} else {
		s.Energy = refresh(s.graph, s.Up, s.f16)
	}
}

func refresh[F Field](g *Graph, up []uint32, f []F) (energy [Lanes]int64) {
	scale := g.scale()
	for i, h := range g.field {
		var sum [Lanes]int32
		for r := range sum {
			sum[r] = h
		}
		for e := g.ends[2*i]; e < g.ends[2*i+2]; e++ {
			u, w := up[g.at[e]/scale], g.weight[e]
			for r := range sum {
				sum[r] += w * int32(2*(u>>r&1)-1)
			}
		}
		for r, v := range sum {
			f[Lanes*i+r] = F(v)
			energy[r] += int64(2*(int32(up[i]>>r)&1)-1) * (int64(v) + int64(h))
		}
	}
	// Each pair was seen from both sides, and each field was added to itself.
	for r := range energy {
		energy[r] /= 2
	}
	return energy
}

// Sweep proposes to change the spins from one spin on, in order and from the first again after the last, skip of the n of them not at
// all: those that it would begin with. It returns the number of changes.
func (s *State) Sweep(t *Thresholds, gen *Generator, from, skip int) (accepted int64) {
	return s.sweep(best(), t, gen, from, skip)
}

func (s *State) sweep(with set, t *Thresholds, gen *Generator, from, skip int) (accepted int64) {
	if t.bound != s.graph.bound {
		panic("spinlanes: the thresholds are for another bound")
	}
	n := len(s.Up)
	return s.run(with, t, gen, min(from+skip, n), n) + s.run(with, t, gen, max(from+skip-n, 0), from)
}

// run proposes to change the spins from from to before to.
func (s *State) run(with set, t *Thresholds, gen *Generator, from, to int) (accepted int64) {
	g := s.graph
	// Sums of changes of so many spins fit their words.
	most := math.MaxInt16
	if g.wide {
		most = math.MaxInt32
	}
	block := max(most/int(max(g.bound, 1)), 1)
	for ; from < to; from += block {
		end := min(from+block, to)
		if g.wide {
			var sum [Lanes]int32
			accepted += with.update32(s, from, end, t, gen, &sum)
			add(&s.Energy, &sum)
		} else {
			var sum [Lanes]int16
			accepted += with.update16(s, from, end, t, gen, &sum)
			add(&s.Energy, &sum)
		}
	}
	return accepted
}

func add[F Field](energy *[Lanes]int64, sum *[Lanes]F) {
	for r := range energy {
		energy[r] += 2 * int64(sum[r])
	}
}

// updateGo is the definition of all sets: it proposes to change the spins from from to before to, adds the x of each change to sum, and
// returns the number of changes.
func updateGo[F Field](g *Graph, up []uint32, f []F, from, to int, t *Thresholds, gen *Generator, sum *[Lanes]F) (accepted int64) {
	limit := F(t.limit)
	for i := from; i < to; i++ {
		var x [Lanes]F
		turn, open := uint32(0), uint32(0)
		field, u := (*[Lanes]F)(f[Lanes*i:]), up[i]
		for r := range x {
			x[r] = field[r]
			if u>>r&1 != 0 {
				x[r] = -x[r]
			}
			switch {
			case x[r] <= 0:
				turn |= 1 << r
			case x[r] <= limit:
				open |= 1 << r
			}
		}
		if open != 0 {
			turn |= trials(&x, open, t, gen)
		}
		if turn == 0 {
			continue
		}
		accepted += int64(bits.OnesCount32(turn))
		up[i] ^= turn
		var step [Lanes]F // the change of the spin
		for r := range step {
			if turn>>r&1 != 0 {
				sum[r] += x[r]
				step[r] = 2 - 4*F(u>>r&1)
			}
		}
		push(g, f, i, &step)
	}
	return accepted
}

// trials are the lanes of open whose trials succeed, those of the highest digit first.
func trials[F Field](x *[Lanes]F, open uint32, t *Thresholds, gen *Generator) uint32 {
	var u [Lanes]uint16
	for d := t.digits - 1; d >= 0 && open != 0; d-- {
		pass, tied := uint32(0), open
		for plane := 0; plane < perPlane && tied != 0; plane++ {
			gen.next(&u)
			at := t.planes[(d*perPlane+plane)*base:]
			equal := uint32(0)
			for r := range x {
				switch threshold := at[x[r]>>(shift*d)&(base-1)]; {
				case u[r] < threshold:
					pass |= tied & (1 << r)
				case u[r] == threshold:
					equal |= tied & (1 << r)
				}
			}
			tied = equal
		}
		open = pass | tied
	}
	return open
}

// push adds a change of spin i to the fields of its neighbours.
func push[F Field](g *Graph, f []F, i int, step *[Lanes]F) {
	scale := g.scale()
	for e := g.ends[2*i]; e < g.ends[2*i+2]; e++ {
		field, w := (*[Lanes]F)(f[Lanes*(g.at[e]/scale):]), F(g.weight[e])
		for r := range field {
			field[r] += w * step[r]
		}
	}
}
