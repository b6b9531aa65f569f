package model

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/dist"
)

// run evaluates the program for one row: reg holds the operands, v the values
// of all cells, addr the row's table addresses.
func (p *Program) run(reg, v []float64, addr []int32, sc *scratch) {
	for i := range p.Code {
		in := &p.Code[i]
		switch in.Op {
		case OpAdd:
			reg[in.Dst] = reg[in.A] + reg[in.B]
		case OpSub:
			reg[in.Dst] = reg[in.A] - reg[in.B]
		case OpMul:
			reg[in.Dst] = times(reg[in.A], reg[in.B])
		case OpDiv:
			reg[in.Dst] = reg[in.A] / reg[in.B]
		case OpSqr:
			reg[in.Dst] = reg[in.A] * reg[in.A]
		case OpGather:
			reg[in.Dst] = p.Gathers[in.A].load(reg, v, addr)
		default:
			p.runRow(&operations[in.Op], in, reg, sc)
		}
	}
}

// runRow evaluates what run has no case for.
func (p *Program) runRow(row *operation, in *Instr, reg []float64, sc *scratch) {
	switch {
	case row.unary != nil:
		reg[in.Dst] = row.unary(reg[in.A])
	case row.binary != nil:
		reg[in.Dst] = row.binary(reg[in.A], reg[in.B])
	case row.ternary != nil:
		reg[in.Dst] = row.ternary(reg[in.A], reg[in.B], reg[in.C])
	case row.fold != nil:
		reg[in.Dst] = row.fold(reg, p.Args[in.A:in.A+in.B])
	default:
		args := p.Args[in.A : in.A+in.B]
		x := sc.floats(len(args))
		for k, a := range args {
			x[k] = reg[a]
		}
		row.list(p.results(in, reg), x, p.fn(in), sc)
	}
}

// results are the registers an instruction writes.
func (p *Program) results(in *Instr, reg []float64) []float64 {
	n := int32(1)
	if in.Op.Block() {
		n = in.B
	}
	return reg[in.Dst : in.Dst+n]
}

// fn is the distribution's function that an instruction calls, or nil.
func (p *Program) fn(in *Instr) *DistFn {
	if in.Op != OpDist {
		return nil
	}
	return &p.Fns[in.C]
}

// cell is the address the gather reads now, or −1 when an index is out of range.
func (g *Gather) cell(reg []float64, addr []int32) int32 {
	a := addr[g.Slot]
	for k, r := range g.Idx {
		by, ok := g.offset(k, reg[r])
		if !ok {
			return -1
		}
		a += by
	}
	return a
}

// offset is what index k adds to the address, where it is a whole number in range.
func (g *Gather) offset(k int, x float64) (by int32, ok bool) {
	j := int32(x)
	if float64(j) != x || j < 1 || j > g.Extent[k] {
		return 0, false
	}
	return (j - 1) * g.Stride[k], true
}

func (g *Gather) load(reg, v []float64, addr []int32) float64 {
	if a := g.cell(reg, addr); a >= 0 {
		return v[a]
	}
	return math.NaN()
}

// Apply evaluates a scalar operation.
func Apply(op Op, a, b, c float64) float64 {
	switch row := &operations[op]; {
	case row.unary != nil:
		return row.unary(a)
	case row.binary != nil:
		return row.binary(a, b)
	default:
		return row.ternary(a, b, c)
	}
}

// scratch is the working memory of one chain's evaluations.
type scratch struct {
	x, y  []float64 // arguments, and what an operation needs beside them
	dx, g []float64
	p     [][]float64
	idx   []int
	work  dist.Work
}

func (sc *scratch) floats(n int) []float64 { return room(&sc.x, n) }
func (sc *scratch) more(n int) []float64   { return room(&sc.y, n) }

// beside and gradient are for what stands beside the arguments: their changes, and
// the derivatives by them.
func (sc *scratch) beside(n int) []float64   { return room(&sc.dx, n) }
func (sc *scratch) gradient(n int) []float64 { return room(&sc.g, n) }

func room(x *[]float64, n int) []float64 {
	if cap(*x) < n {
		*x = make([]float64, n)
	}
	return (*x)[:n]
}

// EvalOp applies an operation of the n-ary or block kind to numbers.
func EvalOp(op Op, x []float64, fn *DistFn) []float64 {
	n := int32(len(x))
	p := Program{Args: make([]int32, n), Code: []Instr{{Op: op, Dst: n, A: 0, B: n}}}
	for i := range p.Args {
		p.Args[i] = int32(i)
	}
	if fn != nil {
		p.Fns = []DistFn{*fn}
	}
	out := 1
	if op.Block() {
		out = len(x)
	}
	reg := append(append(make([]float64, 0, len(x)+out), x...), make([]float64, out)...)
	p.run(reg, nil, nil, &scratch{})
	return reg[n:]
}
