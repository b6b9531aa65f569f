package model

import (
	"math"
	"slices"
)

// State is one chain's point: the value of every cell that it holds (see
// [State.At]), and the memory its evaluations work in. Live logical cells always agree with their parents, but
// for those of rows that have been put off: see [State.Defer].
type State struct {
	M   *Model
	V   []float64
	Far Far
	sc  scratch

	deferred []Seg

	reg []float64 // one row's registers
	par []float64 // one row's parameters
	ptr [][]float64
	blk []float64 // registers of a block of rows
	row [2][batchRows]float64

	T    []float64 // tangents, allocated by Direction
	dreg []float64
	A    []float64 // derivatives of a function by cells: see [Gradient.At]
	areg []float64
	ablk []float64 // derivatives by blk
}

// Far counts the draws of a chain that lay where a density was about to overflow. It is kept with the state, so that
// a run that is resumed goes on counting.
type Far struct {
	Seen, Looked   int    // draws so far, and those of them that were looked at
	Draws          int    // of these, far out
	Node, Relation string // at the first of them
}

// NewState returns a state with the model's fixed values and NaN elsewhere.
func (m *Model) NewState() *State {
	s := &State{M: m, V: slices.Clone(m.Init[:m.held])}
	nreg, npar, nval := 0, 0, 0
	for _, t := range m.Templates {
		if t.Prog != nil {
			nreg = max(nreg, t.Prog.NReg)
		} else {
			npar = max(npar, t.NIn)
			nval = max(nval, t.NOut)
		}
	}
	s.reg = make([]float64, nreg)
	s.par = make([]float64, npar+nval)
	return s
}

// RunRow computes logical row i of a template.
func (s *State) RunRow(t *Template, i int) {
	p := t.Prog
	reg := s.reg[:p.NReg]
	for k, c := range t.in(i) {
		reg[k] = s.At(c)
	}
	p.run(reg, s.V, t.addr(i), &s.sc)
	for k, c := range t.out(i) {
		s.V[c] = reg[p.Out[k]]
	}
}

// Run computes runs of logical rows in order.
func (s *State) Run(segs []Seg) {
	for _, g := range segs {
		s.runSeg(g)
	}
}

func (s *State) runSeg(g Seg) {
	t := s.M.Templates[g.T]
	if g.Hi-g.Lo >= batchMin && t.Prog.batchable {
		s.runBatch(t, int(g.Lo), int(g.Hi))
		return
	}
	for i := g.Lo; i < g.Hi; i++ {
		s.RunRow(t, int(i))
	}
}

// RunAllLive brings every live logical cell up to date.
func (s *State) RunAllLive() {
	s.Run(s.M.liveSegs)
	s.deferred = nil
}

// Defer says that the cells of these logical rows may be out of date, until [State.Settle] computes them. It takes the place of what was put off before.
func (s *State) Defer(segs []Seg) { s.deferred = segs }

// Settle computes the rows that have been put off.
func (s *State) Settle() {
	s.Run(s.deferred)
	s.deferred = nil
}

// LogProb sums the log densities of runs of stochastic rows. A value outside
// a support or a parameter outside its domain makes it −Inf.
func (s *State) LogProb(segs []Seg) float64 {
	sum := 0.0
	for _, g := range segs {
		sum += s.logProbSeg(s.M.Templates[g.T], int(g.Lo), int(g.Hi))
		if sum == math.Inf(-1) {
			return sum
		}
	}
	if math.IsNaN(sum) {
		return math.Inf(-1)
	}
	return sum
}

// LogProbRow is the log density of one stochastic row, −Inf where it cannot be
// evaluated.
func (s *State) LogProbRow(t *Template, i int) float64 {
	lp := s.logProbSeg(t, i, i+1)
	if math.IsNaN(lp) {
		return math.Inf(-1)
	}
	return lp
}

// params copies a scalar row's parameters into s.par and gives its bounds.
func (s *State) params(t *Template, i int) (p []float64, lo, hi float64) {
	return t.params(i, s.V, s.par)
}

func (t *Template) params(i int, v, par []float64) (p []float64, lo, hi float64) {
	in := t.in(i)
	n := t.Stoch.NPar()
	p = par[:n]
	for k, c := range in[:n] {
		p[k] = v[c]
	}
	lo, hi = math.Inf(-1), math.Inf(1)
	k := n
	if t.Stoch.HasLo {
		lo = v[in[k]]
		k++
	}
	if t.Stoch.HasHi {
		hi = v[in[k]]
	}
	return p, lo, hi
}

// Bounds are the ends of a scalar row's support now: the distribution's own,
// cut by T(,), and whole for a discrete one.
func (s *State) Bounds(t *Template, i int) (lo, hi float64) { return t.bounds(i, s.V, s.par) }

// FixedBounds are the bounds that follow from constants and data; a parameter
// that changes counts as NaN. They cost no state.
func (m *Model) FixedBounds(t *Template, i int) (lo, hi float64) {
	return t.bounds(i, m.Init, make([]float64, t.Stoch.NPar()))
}

func (t *Template) bounds(i int, v, par []float64) (lo, hi float64) {
	p, tlo, thi := t.params(i, v, par)
	lo, hi = t.Stoch.Scalar.Support(p)
	lo, hi = max(lo, tlo), min(hi, thi)
	if t.Stoch.Scalar.Discrete {
		lo, hi = math.Ceil(lo), math.Floor(hi)
	}
	return lo, hi
}

// multiParams gives slices over the row's parameters, copied side by side.
func (s *State) multiParams(t *Template, i int) [][]float64 {
	in := t.in(i)
	st := t.Stoch
	p := s.par[:st.NPar()]
	for k, c := range in[:len(p)] {
		p[k] = s.V[c]
	}
	s.ptr = s.ptr[:0]
	for k := range st.PDims {
		s.ptr = append(s.ptr, p[st.POff[k]:st.POff[k+1]])
	}
	return s.ptr
}

// value copies a row's own cells behind the parameters.
func (s *State) value(t *Template, i int) []float64 {
	x := s.par[t.NIn : t.NIn+t.NOut]
	for k, c := range t.out(i) {
		x[k] = s.V[c]
	}
	return x
}

// ScalarParams gives the current parameters of a scalar row; the slice is valid
// until the next evaluation.
func (s *State) ScalarParams(t *Template, i int) []float64 {
	p, _, _ := s.params(t, i)
	return p
}

// MultiMean writes the mean of a multivariate row given its parents.
func (s *State) MultiMean(t *Template, i int, dst []float64) {
	t.Stoch.Multi.Mean(dst, s.multiParams(t, i), t.Stoch.PDims)
}

// Parents calls f with every changing cell that a row reads.
func (m *Model) Parents(row int32, f func(c int32)) {
	t, i := m.TemplateOf(row)
	m.eachParent(t, i, f)
}
