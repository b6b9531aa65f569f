package model

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Rows are runs of logical rows, compiled like those of a [Block]. They are not changed by their use and serve all chains; each has a [RowsEvaluator] of its own.
type Rows struct {
	m     *Model
	parts []blockPart
}

// NewRows compiles logical rows, in the order of a [Blanket].
func (m *Model) NewRows(segs []Seg) *Rows {
	c := &blockBuilder{m: m, member: newBits(len(m.Init)), inDet: newBits(m.Rows()), gone: newBits(m.Rows()), readers: map[int32]int32{}}
	for cell, kind := range m.Kinds {
		if kind != Constant {
			setBit(c.member, int32(cell))
		}
	}
	r := &Rows{m: m}
	for _, seg := range slices.Backward(segs) {
		r.parts = append(r.parts, c.detParts(seg)...)
	}
	slices.Reverse(r.parts)
	return r
}

// RowsEvaluator computes [Rows] for one chain at a time.
type RowsEvaluator struct {
	k    *Rows
	runs []*groupRun // nil for rows that go one by one
}

// NewEvaluator returns one with memory of its own.
func (k *Rows) NewEvaluator() *RowsEvaluator {
	e := &RowsEvaluator{k: k}
	for _, p := range k.parts {
		e.runs = append(e.runs, newGroupRun(k.m, p.group))
	}
	return e
}

// Run is [State.Run] of the rows but for rounding. Where a value is not finite the interpreter decides, which takes 0·∞ for 0.
func (e *RowsEvaluator) Run(s *State) {
	if s.A == nil {
		s.clearAdjoints()
	}
	for i, r := range e.runs {
		if r != nil && r.finiteValues(s) {
			continue
		}
		s.runSeg(e.k.parts[i].rows)
	}
}

// finiteValues computes logical rows, and tells whether their values are finite.
func (r *groupRun) finiteValues(s *State) bool {
	g := r.g
	if p := g.power; p != nil {
		x := power(s.V[p.in], r.num[p.exponent])
		s.V[p.out] = x
		return vec.Finite(x)
	}
	if g.single {
		r.forwardNarrow(s)
		x := r.num[g.out]
		s.V[g.cells[0]] = x
		return vec.Finite(x)
	}
	r.values(s)
	for _, c := range g.cells {
		if !vec.Finite(s.V[c]) {
			return false
		}
	}
	return true
}

// Pull is [State.Pull] of the rows, where Run has left their values.
func (e *RowsEvaluator) Pull(s *State) {
	for i := len(e.runs) - 1; i >= 0; i-- {
		if r := e.runs[i]; r != nil {
			r.adjoints(s)
			continue
		}
		s.pullSeg(e.k.parts[i].rows)
	}
}
