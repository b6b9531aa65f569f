package model

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/dist"
)

// one is a program of one operation on as many registers as x has.
func one(o Op, n int, fn *DistFn) *Program {
	p := &Program{NIn: n, Code: []Instr{{Op: o, Dst: int32(n), A: 0, B: 1, C: 2}}}
	out := 1
	if o.Nary() {
		for k := range n {
			p.Args = append(p.Args, int32(k))
		}
		p.Code[0].B, p.Code[0].C = int32(n), 0
		if o.Block() {
			out = n
		}
	}
	if fn != nil {
		p.Fns = []DistFn{*fn}
	}
	p.NReg = n + out
	return p
}

// trial is an operation at a point at which it has a derivative, and a direction.
type trial struct {
	op   Op
	fn   *DistFn
	x, d []float64
}

func (c *trial) at(h float64) []float64 {
	p := one(c.op, len(c.x), c.fn)
	reg := make([]float64, p.NReg)
	for k := range c.x {
		reg[k] = c.x[k] + h*c.d[k]
	}
	p.run(reg, nil, nil, &scratch{})
	return reg[len(c.x):]
}

// trials are random points of every operation with a derivative.
func trials(r *rand.Rand) []trial {
	var all []trial
	put := func(o Op, fn *DistFn, x []float64) {
		c := trial{op: o, fn: fn, x: x, d: make([]float64, len(x))}
		for k := range c.d {
			c.d[k] = r.NormFloat64()
		}
		all = append(all, c)
	}
	uniform := func(n int, lo, hi float64) []float64 {
		x := make([]float64, n)
		for k := range x {
			x[k] = lo + (hi-lo)*r.Float64()
		}
		return x
	}
	for i := range operations {
		o, row := Op(i), &operations[i]
		switch {
		case o == OpGather || row.constant || o == OpDist:
		case o == OpInterp:
			put(o, nil, append([]float64{2.4, 1, 2, 3}, uniform(3, -1, 1)...))
		case row.takes == OfMatrix:
			x := []float64{2, 0.3, -0.2, 0.3, 1.5, 0.4, -0.2, 0.4, 1.1}
			put(o, nil, x)
			d := all[len(all)-1].d
			d[1], d[2], d[5] = d[3], d[6], d[7] // a symmetric direction
		case o.Nary():
			put(o, nil, uniform(6, -2, 2))
		default:
			lo, hi := 0.1, 0.9
			if math.IsNaN(Apply(o, 0.5, 0.5, 0.5)) { // acosh
				lo, hi = 1.2, 3
			}
			put(o, nil, uniform(o.Arity(), lo, hi))
		}
	}
	norm, _ := dist.Lookup("dnorm")
	mnorm, _ := dist.LookupMulti("dmnorm")
	for _, kind := range []byte("ldpq") {
		put(OpDist, &DistFn{Kind: kind, Name: "norm", Scalar: norm}, []float64{0.4, 0.1, 2})
		if kind == 'p' || kind == 'q' { // known in the first argument only
			d := all[len(all)-1].d
			d[1], d[2] = 0, 0
		}
	}
	put(OpDist, &DistFn{Kind: 'l', Name: "mnorm", Multi: mnorm, PDims: [][]int{{2}, {2}, {2, 2}}}, []float64{0.4, -0.3, 0.1, 0.2, 2, 0.5, 0.5, 1})
	d := all[len(all)-1].d
	d[5] = d[6]
	return all
}

// Tangents agree with differences of order h⁴, and adjoints are their transposes.
// A row without derivatives that does not say it is constant fails here.
func TestOperationDerivatives(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		for _, c := range trials(r) {
			checkDerivative(t, &c, r)
		}
	}
}

func checkDerivative(t *testing.T, c *trial, r *rand.Rand) {
	t.Helper()
	n, y := len(c.x), c.at(0)
	p, sc := one(c.op, n, c.fn), &scratch{}
	in, row := &p.Code[0], &operations[c.op]
	reg, d := append(append([]float64{}, c.x...), y...), make([]float64, p.NReg)
	copy(d, c.d)
	if row.tangent != nil {
		d[n] = row.tangent(reg, d, in, p.Args)
	} else {
		p.tangent(row, in, reg, d, sc)
	}
	const h = 1e-4
	a1, a2, b1, b2 := c.at(h), c.at(2*h), c.at(-h), c.at(-2*h)
	for k := range y {
		want := (8*(a1[k]-b1[k]) - (a2[k] - b2[k])) / (12 * h)
		if math.Abs(d[n+k]-want) > 1e-6*(1+math.Abs(want)) {
			t.Errorf("%v at %v along %v: %v, by differences %v", c.op, c.x, c.d, d[n+k], want)
		}
	}
	a, along := make([]float64, p.NReg), 0.0
	for k := range y {
		a[n+k] = r.NormFloat64()
		along += a[n+k] * d[n+k]
	}
	p.adjoint(row, in, reg, a, sc)
	back := 0.0
	for k := range c.x {
		back += slopeOf(c.d[k], a[k])
	}
	if math.Abs(along-back) > 1e-9*(1+math.Abs(along)) {
		t.Errorf("%v at %v: the tangent gives %v, the adjoint %v", c.op, c.x, along, back)
	}
}

// What is said to be constant is so near a point drawn at random.
func TestConstantOperations(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range operations {
		o := Op(i)
		if !operations[i].constant {
			continue
		}
		n := o.Arity()
		if o.Nary() {
			n = 5
		}
		for range 100 {
			c := trial{op: o, x: make([]float64, n), d: make([]float64, n)}
			for k := range c.x {
				c.x[k], c.d[k] = r.NormFloat64(), r.NormFloat64()
			}
			for k, y := range c.at(0) {
				if z := c.at(1e-9); z[k] != y && o != OpRoundD { // whose digits are a step too
					t.Errorf("%v at %v: %v, and %v next to it", o, c.x, y, z[k])
				}
			}
		}
	}
}

// Adjoints of a whole blanket are the transpose of its tangents.
func TestAdjointsAreTransposedTangents(t *testing.T) {
	b := NewBuilder()
	x := b.AddArray("x", []int{3})
	y := b.AddArray("y", []int{2})
	for k := range int32(3) {
		b.SetKind(x.Base+k, Unobserved)
	}
	st := b.AddTemplate(&Template{NIn: 2, NOut: 1, Stoch: NewStoch("dnorm", [][]int{{1}, {1}}, false, false)})
	for k := range int32(3) {
		b.AddRow(st, []int32{b.Const(0), b.Const(1)}, nil, []int32{x.Base + k})
	}
	for k := range int32(2) {
		b.SetKind(y.Base+k, Logical)
	}
	// y[1] = x[round(x[3]) of 1, 2] · exp(x[2]), y[2] = y[1] + x[1]²
	gather := &Program{NIn: 2, NReg: 5, NAddr: 1, Out: []int32{4}, Gathers: []Gather{{Idx: []int32{0}, Extent: []int32{2}, Stride: []int32{1}}},
		Code: []Instr{{Op: OpGather, Dst: 2}, {Op: OpExp, Dst: 3, A: 1}, {Op: OpMul, Dst: 4, A: 2, B: 3}}}
	gt := b.AddTemplate(&Template{NIn: 2, NOut: 1, Prog: gather})
	b.AddRow(gt, []int32{x.Base + 2, x.Base + 1}, []int32{x.Base}, []int32{y.Base})
	sum := &Program{NIn: 2, NReg: 4, Out: []int32{3}, Code: []Instr{{Op: OpSqr, Dst: 2, A: 1}, {Op: OpAdd, Dst: 3, A: 0, B: 2}}}
	at := b.AddTemplate(&Template{NIn: 2, NOut: 1, Prog: sum})
	b.AddRow(at, []int32{y.Base, x.Base}, nil, []int32{y.Base + 1})
	m := b.Build()
	s := m.NewState()
	copy(s.V[x.Base:], []float64{0.7, -0.4, 1})
	segs := []Seg{{T: int32(gt), Lo: 0, Hi: 1}, {T: int32(at), Lo: 0, Hi: 1}}
	s.Run(segs)
	A := s.clearAdjoints()
	A[y.Base+1] = 1
	for _, seg := range []int{1, 0} {
		s.adjointRow(m.Templates[segs[seg].T], 0)
	}
	e := math.Exp(-0.4)
	for k, want := range []float64{e + 2*0.7, 0.7 * e, 0} {
		if got := A[int(x.Base)+k]; math.Abs(got-want) > 1e-14 {
			t.Errorf("∂y[2]/∂x[%d] is %v, not %v", k+1, got, want)
		}
	}
}
