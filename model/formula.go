package model

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/columns"
)

// Density is a log density as a program over the closed list of operations, with
// its adjoint by that of each operation. Its operands are the elements of the value,
// those of the parameters in order, and Const. It holds on the support; truncation
// is not in it.
type Density struct {
	Prog  *Program
	Const []float64

	reg, a []float64
	sc     scratch
}

// NewDensity writes the log density of a distribution for a value and parameters of
// these shapes: from its formula, or as the one operation that calls it.
func NewDensity(name string, xdims []int, pdims [][]int) (*Density, error) {
	fn := DistFn{Kind: 'l', Name: name, PDims: append([][]int{xdims}, pdims...)}
	params, text := []string(nil), ""
	var ok bool
	if fn.Scalar, ok = dist.Lookup(name); ok {
		params, text = fn.Scalar.Params, fn.Scalar.Formula
	} else if fn.Multi, ok = dist.LookupMulti(name); ok {
		params, text = fn.Multi.Params, fn.Multi.Formula
	} else {
		return nil, fmt.Errorf("model: there is no distribution %s", name)
	}
	if len(pdims) != len(params) {
		return nil, fmt.Errorf("model: %s has the parameters %v, not %d", name, params, len(pdims))
	}
	f := formula{names: map[string]list{}, prog: &Program{}}
	all := f.operands("x", size(xdims))
	for k, p := range params {
		all = append(all, f.operands(p, size(pdims[k]))...)
	}
	if text == "" {
		f.prog.Fns = []DistFn{fn}
		return f.density(f.gathered(OpDist, all)[0]), nil
	}
	tree, err := parser.ParseExpr(text)
	if err != nil {
		return nil, fmt.Errorf("model: the formula of %s: %w", name, err)
	}
	out, err := f.eval(tree)
	if err == nil && len(out) != 1 {
		err = fmt.Errorf("it has %d elements", len(out))
	}
	if err != nil {
		return nil, fmt.Errorf("model: the formula %q of %s: %w", text, name, err)
	}
	return f.density(out[0]), nil
}

// formula writes the program of an expression.
type formula struct {
	names map[string]list
	prog  *Program
	known []float64
	temps int32
}

// term is a register or, where reg is negative, a number.
type term struct {
	reg int32
	x   float64
}

type list []term

// firstTemp numbers temporary registers until the constants are counted.
const firstTemp = 1 << 24

func (f *formula) operands(name string, n int) list {
	l := make(list, n)
	for k := range l {
		l[k].reg = int32(f.prog.NIn + k)
	}
	f.prog.NIn += n
	f.names[name] = l
	return l
}

func (f *formula) temp() int32 { f.temps++; return firstTemp + f.temps - 1 }

// register is that of a term: a constant's is an operand behind the others.
func (f *formula) register(t term) int32 {
	if t.reg >= 0 {
		return t.reg
	}
	for k, c := range f.known {
		if c == t.x {
			return int32(f.prog.NIn + k)
		}
	}
	f.known = append(f.known, t.x)
	return int32(f.prog.NIn + len(f.known) - 1)
}

// density closes the program with its result.
func (f *formula) density(out term) *Density {
	p := f.prog
	result := f.register(out)
	p.NIn += len(f.known)
	final := func(r int32) int32 {
		if r >= firstTemp {
			return r - firstTemp + int32(p.NIn)
		}
		return r
	}
	for k := range p.Code {
		in := &p.Code[k]
		in.Dst = final(in.Dst)
		if !in.Op.Nary() {
			in.A, in.B, in.C = final(in.A), final(in.B), final(in.C)
		}
	}
	for k, r := range p.Args {
		p.Args[k] = final(r)
	}
	p.NReg, p.Out = p.NIn+int(f.temps), []int32{final(result)}
	return &Density{Prog: p, Const: f.known, reg: make([]float64, p.NReg), a: make([]float64, p.NReg)}
}

func (f *formula) eval(e ast.Expr) (list, error) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return f.eval(e.X)
	case *ast.BasicLit:
		x, err := strconv.ParseFloat(e.Value, 64)
		return number(x), err
	case *ast.Ident:
		l, ok := f.names[e.Name]
		if !ok {
			return nil, fmt.Errorf("there is no %s", e.Name)
		}
		return l, nil
	case *ast.UnaryExpr:
		a, err := f.eval(e.X)
		if err != nil || e.Op != token.SUB {
			return nil, fmt.Errorf("%v: %w", e.Op, err)
		}
		return f.elements(OpNeg, a)
	case *ast.BinaryExpr:
		op, ok := map[token.Token]Op{token.ADD: OpAdd, token.SUB: OpSub, token.MUL: OpMul, token.QUO: OpDiv, token.GTR: OpGt}[e.Op]
		if !ok {
			return nil, fmt.Errorf("there is no operator %v", e.Op)
		}
		return f.arguments(op, e.X, e.Y)
	case *ast.CallExpr:
		return f.call(e)
	}
	return nil, fmt.Errorf("a formula has no %T", e)
}

func number(x float64) list { return list{{reg: -1, x: x}} }

func (f *formula) arguments(op Op, args ...ast.Expr) (list, error) {
	all := make([]list, len(args))
	for k, a := range args {
		var err error
		if all[k], err = f.eval(a); err != nil {
			return nil, err
		}
	}
	if op.Nary() {
		return f.gathered(op, all[0]), nil
	}
	return f.elements(op, all...)
}

func (f *formula) call(e *ast.CallExpr) (list, error) {
	name, ok := e.Fun.(*ast.Ident)
	if !ok || len(e.Args) == 0 {
		return nil, fmt.Errorf("%v is no call of a function", e)
	}
	switch name.Name {
	case "sqr":
		return f.arguments(OpSqr, e.Args...)
	case "length", "upto", "outer":
		a, err := f.eval(e.Args[0])
		if err != nil {
			return nil, err
		}
		return f.shaped(name.Name, a)
	}
	for _, fn := range Functions() {
		if fn.Name == name.Name && (fn.Op.Nary() && len(e.Args) == 1 || len(e.Args) == fn.Op.Arity()) {
			return f.arguments(fn.Op, e.Args...)
		}
	}
	return nil, fmt.Errorf("there is no function %s of %d arguments", name.Name, len(e.Args))
}

// shaped are the functions that go by the shape of a list.
func (f *formula) shaped(name string, a list) (list, error) {
	var out list
	switch {
	case name == "length":
		return number(float64(len(a))), nil
	case name == "upto" && a[0].reg < 0:
		for k := range int(a[0].x) {
			out = append(out, number(float64(k+1))...)
		}
		return out, nil
	case name == "outer":
		for _, y := range a {
			row, err := f.elements(OpMul, a, list{y})
			if err != nil {
				return nil, err
			}
			out = append(out, row...)
		}
		return out, nil
	}
	return nil, fmt.Errorf("%s of what is no constant", name)
}

// elements applies a scalar operation element by element; one number goes with all.
func (f *formula) elements(op Op, args ...list) (list, error) {
	n := 1
	for _, a := range args {
		if n = max(n, len(a)); len(a) != 1 && len(a) != n {
			return nil, fmt.Errorf("%v of %d and %d elements", op, n, len(a))
		}
	}
	out := make(list, n)
	for k := range out {
		var t [3]term
		fixed := true
		for i, a := range args {
			t[i] = a[k%len(a)]
			fixed = fixed && t[i].reg < 0
		}
		if fixed {
			out[k] = term{-1, Apply(op, t[0].x, t[1].x, t[2].x)}
			continue
		}
		in := Instr{Op: op, Dst: f.temp()}
		for i, r := range []*int32{&in.A, &in.B, &in.C}[:len(args)] {
			*r = f.register(t[i])
		}
		f.prog.Code = append(f.prog.Code, in)
		out[k].reg = in.Dst
	}
	return out, nil
}

// gathered applies an operation to a list.
func (f *formula) gathered(op Op, a list) list {
	p := f.prog
	in := Instr{Op: op, Dst: f.temp(), A: int32(len(p.Args)), B: int32(len(a))}
	for _, t := range a {
		p.Args = append(p.Args, f.register(t))
	}
	out := list{{reg: in.Dst}}
	for k := 1; op.Block() && k < len(a); k++ {
		out = append(out, term{reg: f.temp()})
	}
	p.Code = append(p.Code, in)
	return out
}

// At is the log density at x and parameters, side by side.
func (d *Density) At(args []float64) float64 {
	copy(d.reg[copy(d.reg, args):], d.Const)
	d.Prog.run(d.reg, nil, nil, &d.sc)
	return d.reg[d.Prog.Out[0]]
}

// Gradient is At, and writes the derivatives by x and parameters to grad: NaN by those for which there is none.
func (d *Density) Gradient(grad, args []float64) float64 {
	y := d.At(args)
	clear(d.a)
	d.a[d.Prog.Out[0]] = 1
	for k := len(d.Prog.Code) - 1; k >= 0; k-- {
		in := &d.Prog.Code[k]
		d.Prog.adjoint(&operations[in.Op], in, d.reg, d.a, &d.sc)
	}
	copy(grad, d.a)
	if math.IsNaN(y) {
		columns.Fill(grad, math.NaN())
	}
	return y
}
