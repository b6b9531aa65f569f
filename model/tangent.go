package model

import "slices"

// Tangents computes, for runs of logical rows, the derivative of every
// cell along the direction already in s.T, which it extends to the rows' cells.
func (s *State) Tangents(segs []Seg) {
	for _, g := range segs {
		t := s.M.Templates[g.T]
		for i := g.Lo; i < g.Hi; i++ {
			s.tangentRow(t, int(i))
		}
	}
}

// Direction readies s.T, all zero.
func (s *State) Direction() []float64 {
	if s.T == nil {
		s.T = make([]float64, len(s.V))
		s.dreg = make([]float64, len(s.reg))
	}
	return s.T
}

// ClearTangents zeroes the direction on a node's cells and on runs of rows.
func (s *State) ClearTangents(cells []int32, segs []Seg) {
	for _, c := range cells {
		s.T[c] = 0
	}
	for _, g := range segs {
		t := s.M.Templates[g.T]
		for _, c := range t.Out[int(g.Lo)*t.NOut : int(g.Hi)*t.NOut] {
			s.T[c] = 0
		}
	}
}

func (s *State) tangentRow(t *Template, i int) {
	p := t.Prog
	reg, d := s.reg[:p.NReg], s.dreg[:p.NReg]
	moved := len(p.Gathers) > 0
	for k, c := range t.in(i) {
		if int(c) < len(s.T) {
			reg[k], d[k] = s.V[c], s.T[c]
			moved = moved || d[k] != 0
			continue
		}
		reg[k], d[k] = s.M.Init[c], 0
	}
	if !moved {
		for _, c := range t.out(i) {
			s.T[c] = 0
		}
		return
	}
	if !p.plain {
		p.run(reg, s.V, t.addr(i), &s.sc)
	}
	for k := range p.Code {
		in := &p.Code[k]
		switch row := &operations[in.Op]; {
		case in.Op == OpGather:
			d[in.Dst] = 0
			if c := p.Gathers[in.A].cell(reg, t.addr(i)); c >= 0 {
				d[in.Dst] = s.T[c]
			}
		case row.tangent != nil:
			d[in.Dst] = row.tangent(reg, d, in, p.Args)
		default:
			p.tangent(row, in, reg, d, &s.sc)
		}
	}
	for k, c := range t.out(i) {
		s.T[c] = d[p.Out[k]]
	}
}

// hasPlainTangents tells whether derivatives of a program's results need no values but those of its inputs.
func (p *Program) hasPlainTangents(inputs int) bool {
	var three [3]int32
	for k := range p.Code {
		in := &p.Code[k]
		switch in.Op {
		case OpAdd, OpSub, OpNeg, OpSum:
		case OpMul, OpDot:
			if slices.ContainsFunc(p.reads(in, &three), func(r int32) bool { return int(r) >= inputs }) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// tangent follows an operation by its derivatives.
func (p *Program) tangent(row *operation, in *Instr, reg, d []float64, sc *scratch) {
	out := p.results(in, d)
	clear(out)
	if row.constant {
		return
	}
	if row.unary != nil {
		if a := d[in.A]; a != 0 {
			out[0] = slopeOf(a, row.slope(reg[in.A], reg[in.Dst]))
		}
		return
	}
	x, dx, moved := p.operands(in, reg, d, sc)
	switch {
	case !moved:
	case row.block:
		row.push(out, dx, x, p.results(in, reg), sc)
	default:
		g := sc.gradient(len(x))
		row.slopes(g, x, reg[in.Dst], p.fn(in), sc)
		for k, s := range g {
			out[0] += slopeOf(dx[k], s)
		}
	}
}

// operands gathers what an operation of several numbers reads, from registers and
// from what stands beside them; moved tells whether any of the latter is not 0.
func (p *Program) operands(in *Instr, reg, d []float64, sc *scratch) (x, dx []float64, moved bool) {
	var three [3]int32
	args := p.reads(in, &three)
	x, dx = sc.floats(len(args)), sc.beside(len(args))
	for k, r := range args {
		x[k], dx[k] = reg[r], d[r]
		moved = moved || d[r] != 0
	}
	return x, dx, moved
}

// slopeOf is a slope times a factor, 0 where the slope is 0 and the factor is infinite or not known.
func slopeOf(slope, factor float64) float64 {
	if slope == 0 {
		return 0
	}
	return float64(slope * factor)
}

func addTangent(_, d []float64, in *Instr, _ []int32) float64 { return d[in.A] + d[in.B] }
func subTangent(_, d []float64, in *Instr, _ []int32) float64 { return d[in.A] - d[in.B] }
func negTangent(_, d []float64, in *Instr, _ []int32) float64 { return -d[in.A] }

func divTangent(reg, d []float64, in *Instr, _ []int32) float64 {
	a, b := d[in.A]/reg[in.B], d[in.B]
	if b == 0 {
		return a
	}
	return a - slopeOf(b, reg[in.Dst]/reg[in.B])
}

func mulTangent(reg, d []float64, in *Instr, _ []int32) float64 {
	return slopeOf(d[in.A], reg[in.B]) + slopeOf(d[in.B], reg[in.A])
}

func chooseTangent(reg, d []float64, in *Instr, _ []int32) float64 {
	return choose(reg[in.A], d[in.B], d[in.C])
}

func sumTangent(_, d []float64, in *Instr, args []int32) float64 {
	return sumOf(d, args[in.A:in.A+in.B])
}

func meanTangent(_, d []float64, in *Instr, args []int32) float64 {
	return meanOf(d, args[in.A:in.A+in.B])
}

func dotTangent(reg, d []float64, in *Instr, args []int32) float64 {
	args = args[in.A : in.A+in.B]
	h, sum := len(args)/2, 0.0
	for k, a := range args[:h] {
		b := args[h+k]
		sum += slopeOf(d[a], reg[b]) + slopeOf(d[b], reg[a])
	}
	return sum
}
