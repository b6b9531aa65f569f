package model

import "github.com/ergodic-mcmc/ergodic/internal/columns"

// adjointBatch is adjointRow over blocks of rows, an operation at a time. Sums over rows are taken in another order.
func (s *State) adjointBatch(t *Template, lo, hi int, active []bool) {
	if need := t.Prog.NReg * batchRows; len(s.blk) < need {
		s.blk = make([]float64, need)
	}
	if len(s.ablk) < len(s.blk) {
		s.ablk = make([]float64, len(s.blk))
	}
	for ; lo < hi; lo += batchRows {
		s.adjointBlock(t, lo, min(lo+batchRows, hi)-lo, active)
	}
}

func (s *State) adjointBlock(t *Template, lo, n int, active []bool) {
	p, c := t.Prog, rowColumns{s.blk, s.ablk, n, active}
	if !s.seed(t, lo, c) {
		return
	}
	s.runColumns(t, lo, n)
	for k := len(p.Code) - 1; k >= 0; k-- {
		in := &p.Code[k]
		if !active[in.Dst] {
			continue
		}
		if in.Op == OpGather {
			s.gatherAdjoint(t, in, lo, c)
			continue
		}
		p.adjointColumns(in, c, &s.sc)
	}
	ins := t.In[lo*t.NIn : (lo+n)*t.NIn]
	for k := range t.NIn {
		switch {
		case !active[k]:
		case t.steps[k] == 0:
			sum := 0.0
			for _, d := range c.by(int32(k)) {
				sum += d
			}
			s.A[ins[k]] += sum
		default:
			at := k
			for _, d := range c.by(int32(k)) {
				s.A[ins[at]] += d
				at += t.NIn
			}
		}
	}
}

// seed puts the derivatives by what the rows write into their registers, and is false where all are 0.
func (s *State) seed(t *Template, lo int, c rowColumns) (any bool) {
	clear(c.a[:t.Prog.NReg*batchRows])
	outs := t.Out[lo*t.NOut : (lo+c.n)*t.NOut]
	for k, reg := range t.Prog.Out {
		d, at := c.by(reg), k
		for j := range d {
			d[j] += s.A[outs[at]]
			any = any || d[j] != 0
			at += t.NOut
		}
	}
	return any
}

// rowColumns are the registers of a block of rows, and derivatives by them.
type rowColumns struct {
	v, a   []float64
	n      int
	active []bool
}

func (c rowColumns) of(reg int32) []float64 { return c.v[int(reg)*batchRows : int(reg)*batchRows+c.n] }
func (c rowColumns) by(reg int32) []float64 { return c.a[int(reg)*batchRows : int(reg)*batchRows+c.n] }

// adjointColumns is adjoint over the rows of a block.
func (p *Program) adjointColumns(in *Instr, c rowColumns, sc *scratch) {
	row, d := &operations[in.Op], c.by(in.Dst)
	switch {
	case row.constant:
	case row.adjoints != nil:
		row.adjoints(in, p.Args, c)
	case row.unary != nil:
		x, y, g := c.of(in.A), c.of(in.Dst), c.by(in.A)
		for j, w := range d {
			if w != 0 {
				g[j] += slopeOf(w, row.slope(x[j], y[j]))
			}
		}
	default:
		p.adjointLanes(in, c, sc)
	}
}

// adjointLanes goes from row to row.
func (p *Program) adjointLanes(in *Instr, c rowColumns, sc *scratch) {
	var three [3]int32
	args := p.reads(in, &three)
	x, g := sc.floats(len(args)), sc.gradient(len(args))
	row, d, y := &operations[in.Op], c.by(in.Dst), c.of(in.Dst)
	for j, w := range d {
		if w == 0 {
			continue
		}
		for k, r := range args {
			x[k] = c.v[int(r)*batchRows+j]
		}
		row.slopes(g, x, y[j], p.fn(in), sc)
		for k, r := range args {
			c.a[int(r)*batchRows+j] += slopeOf(w, g[k])
		}
	}
}

// gatherAdjoint adds the derivatives by what was gathered to the cells.
func (s *State) gatherAdjoint(t *Template, in *Instr, lo int, c rowColumns) {
	g := &t.Prog.Gathers[in.A]
	for j, w := range c.by(in.Dst) {
		if a := t.gathered(g, lo+j, j, c.v); w != 0 && a >= 0 {
			s.A[a] += w
		}
	}
}

func addAdjoints(in *Instr, _ []int32, c rowColumns) {
	d := c.by(in.Dst)
	for _, r := range [2]int32{in.A, in.B} {
		if c.active[r] {
			columns.Add(c.by(r), c.by(r), d)
		}
	}
}

func subAdjoints(in *Instr, _ []int32, c rowColumns) {
	d := c.by(in.Dst)
	if c.active[in.A] {
		columns.Add(c.by(in.A), c.by(in.A), d)
	}
	if c.active[in.B] {
		columns.Sub(c.by(in.B), c.by(in.B), d)
	}
}

func mulAdjoints(in *Instr, _ []int32, c rowColumns) {
	if c.active[in.A] {
		along(c.by(in.A), c.by(in.Dst), c.of(in.B))
	}
	if c.active[in.B] {
		along(c.by(in.B), c.by(in.Dst), c.of(in.A))
	}
}

func negAdjoints(in *Instr, _ []int32, c rowColumns) {
	columns.Sub(c.by(in.A), c.by(in.A), c.by(in.Dst))
}

func sqrAdjoints(in *Instr, _ []int32, c rowColumns) {
	g, x := c.by(in.A), c.of(in.A)
	for j, w := range c.by(in.Dst) {
		g[j] += slopeOf(float64(2*w), x[j])
	}
}

func expAdjoints(in *Instr, _ []int32, c rowColumns) { along(c.by(in.A), c.by(in.Dst), c.of(in.Dst)) }

func sumAdjoints(in *Instr, args []int32, c rowColumns) {
	d := c.by(in.Dst)
	for _, r := range args[in.A : in.A+in.B] {
		if c.active[r] {
			columns.Add(c.by(r), c.by(r), d)
		}
	}
}

func dotAdjoints(in *Instr, args []int32, c rowColumns) {
	d, h := c.by(in.Dst), int(in.B/2)
	x, y := args[in.A:int(in.A)+h], args[int(in.A)+h:in.A+in.B]
	for k := range x {
		if c.active[x[k]] {
			along(c.by(x[k]), d, c.of(y[k]))
		}
		if c.active[y[k]] {
			along(c.by(y[k]), d, c.of(x[k]))
		}
	}
}

// along adds slopes times x.
func along(g, d, x []float64) {
	g, x = g[:len(d)], x[:len(d)]
	for j, w := range d {
		g[j] += slopeOf(w, x[j])
	}
}
