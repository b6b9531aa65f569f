package model

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

const (
	batchMin  = 4  // fewer rows are quicker one by one
	batchRows = 64 // rows of a block; its registers stay in the first-level cache
)

// mayBatch tells whether rows of the program may be evaluated operation by
// operation: those with block operations are rare and stay scalar.
func (p *Program) mayBatch() bool {
	for _, in := range p.Code {
		if in.Op.Nary() && in.Op > OpDot {
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
	ins := t.In[lo*t.NIn : (lo+n)*t.NIn]
	for k := range t.NIn {
		r := s.blk[k*batchRows : k*batchRows+n]
		at := k
		for j := range r {
			r[j] = v[ins[at]]
			at += t.NIn
		}
	}
	for i := range p.Code {
		s.blockOp(t, &p.Code[i], lo, n)
	}
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

func (s *State) column(reg int32, n int) []float64 {
	return s.blk[int(reg)*batchRows : int(reg)*batchRows+n]
}

func (s *State) blockOp(t *Template, in *Instr, lo, n int) {
	d := s.column(in.Dst, n)
	if in.Op == OpGather {
		s.blockGather(t, in, lo, n)
		return
	}
	if in.Op.Nary() {
		s.blockNary(t.Prog, in, n)
		return
	}
	a := s.column(in.A, n)
	if in.Op.Arity() == 1 {
		blockUnary(in.Op, d, a)
		return
	}
	b := s.column(in.B, n)
	switch in.Op {
	case OpAdd:
		for j := range d {
			d[j] = a[j] + b[j]
		}
	case OpSub:
		for j := range d {
			d[j] = a[j] - b[j]
		}
	case OpMul:
		for j := range d {
			d[j] = times(a[j], b[j])
		}
	case OpDiv:
		for j := range d {
			d[j] = a[j] / b[j]
		}
	case OpIfElse:
		c := s.column(in.C, n)
		for j := range d {
			if a[j] != 0 {
				d[j] = b[j]
			} else {
				d[j] = c[j]
			}
		}
	default:
		for j := range d {
			d[j] = Apply(in.Op, a[j], b[j], 0)
		}
	}
}

func blockUnary(op Op, d, a []float64) {
	switch op {
	case OpSqr:
		for j := range d {
			d[j] = a[j] * a[j]
		}
	case OpNeg:
		for j := range d {
			d[j] = -a[j]
		}
	case OpExp:
		vec.ExpSlice(d, a)
	case OpLog:
		vec.LogSlice(d, a)
	case OpSqrt:
		for j := range d {
			d[j] = math.Sqrt(a[j])
		}
	case OpIlogit:
		for j := range d {
			d[j] = vec.Ilogit(a[j])
		}
	case OpStep:
		for j := range d {
			d[j] = truth(a[j] >= 0)
		}
	default:
		for j := range d {
			d[j] = Apply(op, a[j], 0, 0)
		}
	}
}

func (s *State) blockGather(t *Template, in *Instr, lo, n int) {
	g := &t.Prog.Gathers[in.A]
	d := s.column(in.Dst, n)
	for j := range d {
		a := t.Addr[(lo+j)*t.Prog.NAddr+int(g.Slot)]
		for k, r := range g.Idx {
			x := s.blk[int(r)*batchRows+j]
			i := int32(x)
			if float64(i) != x || i < 1 || i > g.Extent[k] {
				a = -1
				break
			}
			a += (i - 1) * g.Stride[k]
		}
		if a >= 0 {
			d[j] = s.V[a]
		} else {
			d[j] = math.NaN()
		}
	}
}

func (s *State) blockNary(p *Program, in *Instr, n int) {
	d := s.column(in.Dst, n)
	args := p.Args[in.A : in.A+in.B]
	switch in.Op {
	case OpSum, OpMean:
		clear(d)
		for _, r := range args {
			for j, x := range s.column(r, n) {
				d[j] += x
			}
		}
		if in.Op == OpMean {
			for j := range d {
				d[j] /= float64(len(args))
			}
		}
	case OpProd:
		fill(d, 1)
		for _, r := range args {
			for j, x := range s.column(r, n) {
				d[j] *= x
			}
		}
	case OpMax:
		fill(d, math.Inf(-1))
		for _, r := range args {
			for j, x := range s.column(r, n) {
				d[j] = max(d[j], x)
			}
		}
	case OpMin:
		fill(d, math.Inf(1))
		for _, r := range args {
			for j, x := range s.column(r, n) {
				d[j] = min(d[j], x)
			}
		}
	case OpDot:
		clear(d)
		h := len(args) / 2
		for k, r := range args[:h] {
			a, b := s.column(r, n), s.column(args[h+k], n)
			for j := range d {
				d[j] += float64(a[j] * b[j])
			}
		}
	}
}

func fill(d []float64, x float64) {
	for j := range d {
		d[j] = x
	}
}
