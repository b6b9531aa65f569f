package model

import (
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Gradient is the derivative of the log density of some stochastic rows by the cells that they depend on, straight or through
// logical rows. It is not changed by its use and serves all chains.
type Gradient struct {
	m          *Model
	det, stoch []Seg
	active     [][]bool // of each run of det: the registers that a cell which changes reaches
}

// NewGradient readies the derivative of the rows stoch through the logical rows det, in the order of a [Blanket].
func (m *Model) NewGradient(det, stoch []Seg) *Gradient {
	g := &Gradient{m: m, det: det, stoch: stoch}
	for _, seg := range det {
		g.active = append(g.active, m.activity(seg))
	}
	return g
}

// activity tells of each register of a run's program whether a changing cell reaches it.
func (m *Model) activity(seg Seg) []bool {
	t := m.Templates[seg.T]
	p := t.Prog
	on := make([]bool, p.NReg)
	for i := int(seg.Lo); i < int(seg.Hi); i++ {
		for k, c := range t.in(i) {
			on[k] = on[k] || m.changes(c)
		}
	}
	var three [3]int32
	for k := range p.Code {
		in := &p.Code[k]
		row, reached := &operations[in.Op], in.Op == OpGather
		for _, r := range p.reads(in, &three) {
			reached = reached || on[r] && !row.constant
		}
		on[in.Dst] = reached
		for r := int32(1); in.Op.Block() && r < in.B; r++ {
			on[in.Dst+r] = reached
		}
	}
	return on
}

// At fills s.A: after it s.A[c] is the derivative by the value of cell c. Logical cells must be up to date. What has no derivative, or
// none that is finite, contributes none.
func (g *Gradient) At(s *State) {
	s.clearAdjoints()
	for _, seg := range g.stoch {
		s.densityAdjoints(g.m.Templates[seg.T], int(seg.Lo), int(seg.Hi))
	}
	g.Pull(s)
}

// Pull takes the derivatives in s.A by what the logical rows of g write further to what they read: a [State.Pull] of these rows, faster where they are
// many.
func (g *Gradient) Pull(s *State) {
	for k := len(g.det) - 1; k >= 0; k-- {
		seg := g.det[k]
		t := g.m.Templates[seg.T]
		if t.Prog.batchable && seg.Hi-seg.Lo >= batchMin {
			s.adjointBatch(t, int(seg.Lo), int(seg.Hi), g.active[k])
			continue
		}
		s.pullSeg(seg)
	}
}

// densityAdjoints adds the derivatives of rows' log densities by their values and operands.
func (s *State) densityAdjoints(t *Template, lo, hi int) {
	v, a := s.V, s.A
	switch t.Stoch.fast {
	case fastNorm:
		for i := lo; i < hi; i++ {
			y, mu, tau := t.Out[i], t.In[2*i], t.In[2*i+1]
			d := v[y] - v[mu]
			w := float64(v[tau] * d)
			a[y] -= w
			a[mu] += w
			a[tau] += 0.5/v[tau] - float64(0.5*d*d)
		}
	case fastBernLogit:
		for i := lo; i < hi; i++ {
			e := t.Stoch.eta[i]
			a[e] += v[t.Out[i]] - vec.Ilogit(v[e])
		}
	case fastBinLogit:
		for i := lo; i < hi; i++ {
			e := t.Stoch.eta[i]
			a[e] += v[t.Out[i]] - float64(v[t.In[2*i+1]]*vec.Ilogit(v[e]))
		}
	case fastPoisLog:
		for i := lo; i < hi; i++ {
			a[t.Stoch.eta[i]] += v[t.Out[i]] - v[t.In[i]]
		}
	case fastInterval:
	default:
		for i := lo; i < hi; i++ {
			s.rowAdjoint(t, i)
		}
	}
}

// rowAdjoint is that of one row by the derivatives of its distribution.
func (s *State) rowAdjoint(t *Template, i int) {
	st, in := t.Stoch, t.in(i)
	n := st.NPar()
	dp := s.sc.gradient(n + t.NOut)
	if st.Scalar == nil {
		s.multiAdjoint(t, i, dp)
		return
	}
	p, lo, hi := s.params(t, i)
	x := s.V[t.Out[i]]
	if st.Scalar.Check(p) != "" {
		return
	}
	dx := st.Scalar.Grad(x, p, dp[:n])
	if st.Truncated() {
		s.massAdjoint(st, in, dp[:n], p, lo, hi)
	}
	s.gain(t.Out[i:i+1], []float64{dx})
	s.gain(in[:n], dp[:n])
}

// multiAdjoint is rowAdjoint of a multivariate row; work holds the derivatives by the parameters and by the value. Of what does not change they are
// not asked for.
func (s *State) multiAdjoint(t *Template, i int, work []float64) {
	st, in, out := t.Stoch, t.in(i), t.out(i)
	p := s.multiParams(t, i)
	n := st.NPar()
	s.sc.p = s.sc.p[:0]
	for k := range st.PDims {
		from, to := st.POff[k], st.POff[k+1]
		var by []float64
		if s.anyChanges(in[from:to]) {
			by = work[from:to]
		}
		s.sc.p = append(s.sc.p, by)
	}
	var by []float64
	if s.anyChanges(out) {
		by = work[n:]
	}
	st.Multi.Grad(by, s.sc.p, s.value(t, i), p, st.PDims, &s.sc.work)
	s.gain(out[:len(by)], by)
	for k, by := range s.sc.p {
		from := st.POff[k]
		s.gain(in[from:from+len(by)], by)
	}
}

func (s *State) anyChanges(cells []int32) bool {
	for _, c := range cells {
		if s.M.changes(c) {
			return true
		}
	}
	return false
}

// gain adds finite derivatives to those of cells.
func (s *State) gain(cells []int32, by []float64) {
	for k, c := range cells {
		if vec.Finite(by[k]) {
			s.A[c] += by[k]
		}
	}
}

// massAdjoint takes the derivatives of log P(lo ≤ X ≤ hi) by the parameters from dp, and adds those of −log P(lo ≤ X ≤ hi) by the cells of the bounds. What does not
// change has none.
func (s *State) massAdjoint(st *Stoch, in []int32, dp, p []float64, lo, hi float64) {
	params, bounds := in[:len(p)], in[len(p):]
	of := uint(0)
	for k, c := range params {
		if s.M.changes(c) {
			of |= 1 << k
		}
	}
	mass := s.sc.more(len(p))
	dlo, dhi := st.Scalar.LogMassGrad(mass, p, lo, hi, of)
	for k, g := range mass {
		dp[k] -= g
	}
	if st.HasLo {
		s.gain(bounds[:1], []float64{-dlo})
		bounds = bounds[1:]
	}
	if st.HasHi {
		s.gain(bounds[:1], []float64{-dhi})
	}
}
