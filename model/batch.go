package model

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
)

const (
	batchMin  = 4  // fewer rows are quicker one by one
	batchRows = 64 // rows of a block; its registers stay in the first-level cache
)

// mayBatch tells whether rows of the program may be evaluated operation by
// operation: those with operations on gathered lists are rare and stay scalar.
func (p *Program) mayBatch() bool {
	for _, in := range p.Code {
		if operations[in.Op].list != nil {
			return false
		}
	}
	return true
}

// runBatch computes rows lo…hi−1, an operation at a time over blocks of rows:
// the cost of the interpreter's dispatch is shared, and results are those of
// RunRow to the bit. Rows of one run never depend on one another.
func (s *State) runBatch(t *Template, lo, hi int) {
	if need := t.Prog.NReg * batchRows; len(s.blk) < need {
		s.blk = make([]float64, need)
	}
	for ; lo < hi; lo += batchRows {
		s.runBlock(t, lo, min(lo+batchRows, hi)-lo)
	}
}

func (s *State) runBlock(t *Template, lo, n int) {
	p, v := t.Prog, s.V
	s.runColumns(t, lo, n)
	outs := t.Out[lo*t.NOut : (lo+n)*t.NOut]
	for k, reg := range p.Out {
		r := s.blk[int(reg)*batchRows : int(reg)*batchRows+n]
		at := k
		for j := range r {
			v[outs[at]] = r[j]
			at += t.NOut
		}
	}
}

// runColumns leaves what the rows compute in the columns of their registers.
func (s *State) runColumns(t *Template, lo, n int) {
	p := t.Prog
	ins := t.In[lo*t.NIn : (lo+n)*t.NIn]
	for k := range t.NIn {
		r, v := s.blk[k*batchRows:k*batchRows+n], s.V
		if int(ins[k]) >= len(v) { // then so are those of the other rows
			v = s.M.Init
		}
		switch t.steps[k] {
		case 0:
			columns.Fill(r, v[ins[k]])
		case 1:
			copy(r, v[ins[k]:])
		default:
			at := k
			for j := range r {
				r[j] = v[ins[at]]
				at += t.NIn
			}
		}
	}
	for i := range p.Code {
		s.blockOp(t, &p.Code[i], lo, n)
	}
}

func (s *State) column(reg int32, n int) []float64 {
	return s.blk[int(reg)*batchRows : int(reg)*batchRows+n]
}

func (s *State) blockOp(t *Template, in *Instr, lo, n int) {
	if in.Op == OpGather {
		s.blockGather(t, in, lo, n)
		return
	}
	d, row := s.column(in.Dst, n), &operations[in.Op]
	switch {
	case row.columns != nil:
		row.columns(d, t.Prog.Args[in.A:in.A+in.B], s.blk)
	case row.column1 != nil:
		row.column1(d, s.column(in.A, n))
	case row.column2 != nil:
		row.column2(d, s.column(in.A, n), s.column(in.B, n))
	case row.unary != nil:
		for j, a := range s.column(in.A, n) {
			d[j] = row.unary(a)
		}
	case row.binary != nil:
		a, b := s.column(in.A, n), s.column(in.B, n)
		for j := range d {
			d[j] = row.binary(a[j], b[j])
		}
	default:
		a, b, c := s.column(in.A, n), s.column(in.B, n), s.column(in.C, n)
		for j := range d {
			d[j] = row.ternary(a[j], b[j], c[j])
		}
	}
}

func (s *State) blockGather(t *Template, in *Instr, lo, n int) {
	g := &t.Prog.Gathers[in.A]
	d := s.column(in.Dst, n)
	if len(g.Idx) == 1 {
		s.pickColumn(t, g, d, lo)
		return
	}
	for j := range d {
		if a := t.gathered(g, lo+j, j, s.blk); a >= 0 {
			d[j] = s.V[a]
		} else {
			d[j] = math.NaN()
		}
	}
}

// pickColumn gathers by one index.
func (s *State) pickColumn(t *Template, g *Gather, d []float64, lo int) {
	v, step := s.V, t.Prog.NAddr
	at := t.Addr[lo*step+int(g.Slot):]
	extent, stride := g.Extent[0], g.Stride[0]
	for j, x := range s.column(g.Idx[0], len(d)) {
		k := int32(x)
		if float64(k) != x || k < 1 || k > extent {
			d[j] = math.NaN()
			continue
		}
		d[j] = v[at[j*step]+(k-1)*stride]
	}
}

// gathered is the cell that a row gathers, whose registers are in lane j of the columns; −1 when an index is out of range.
func (t *Template) gathered(g *Gather, i, j int, blk []float64) int32 {
	a := t.Addr[i*t.Prog.NAddr+int(g.Slot)]
	for k, r := range g.Idx {
		by, ok := g.offset(k, blk[int(r)*batchRows+j])
		if !ok {
			return -1
		}
		a += by
	}
	return a
}

// uneven marks an operand whose cells do not follow one another.
const uneven = math.MinInt32

// step finds the operands that are one cell for all rows, such as a coefficient, and those whose cells follow one another, such as data: they are
// read without their indices.
func (t *Template) step() {
	t.steps = make([]int32, t.NIn)
	for k := range t.steps {
		t.steps[k] = t.In[t.NIn+k] - t.In[k]
	}
	even := make([]int, t.NIn)
	for k := range even {
		even[k] = k
	}
	for i := 2; i < t.Rows && len(even) > 0; i++ {
		row, before := t.in(i), t.in(i-1)
		kept := even[:0]
		for _, k := range even {
			if row[k]-before[k] == t.steps[k] {
				kept = append(kept, k)
			} else {
				t.steps[k] = uneven
			}
		}
		even = kept
	}
}
