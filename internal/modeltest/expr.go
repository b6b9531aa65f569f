package modeltest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// kind says what an expression is.
type kind uint8

const (
	constant kind = iota
	loop          // the loop's counter, plus val
	element       // an element of an array
	whole         // an array, or a part of it where an index is nil
	call          // a function or an operator of args
)

// Expr is an expression of the language.
type Expr struct {
	kind  kind
	val   float64
	v     *Var
	index []*Expr // of element and whole
	fn    string
	args  []*Expr
}

func num(x float64) *Expr                  { return &Expr{kind: constant, val: x} }
func counter(shift int) *Expr              { return &Expr{kind: loop, val: float64(shift)} }
func apply(fn string, args ...*Expr) *Expr { return &Expr{kind: call, fn: fn, args: args} }
func elem(v *Var, index ...*Expr) *Expr    { return &Expr{kind: element, v: v, index: index} }
func part(v *Var, index ...*Expr) *Expr    { return &Expr{kind: whole, v: v, index: index} }
func (e *Expr) infix() bool                { return e.kind == call && strings.ContainsAny(e.fn[:1], "+-*/^<>=%") }
func (e *Expr) clone() *Expr {
	c := *e
	c.index, c.args = cloneAll(e.index), cloneAll(e.args)
	return &c
}
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func cloneAll(es []*Expr) []*Expr {
	out := slices.Clone(es)
	for i, e := range out {
		if e != nil {
			out[i] = e.clone()
		}
	}
	return out
}

func walk(e *Expr, f func(e *Expr)) {
	if e == nil {
		return
	}
	f(e)
	for _, a := range e.index {
		walk(a, f)
	}
	for _, a := range e.args {
		walk(a, f)
	}
}

// String is the expression in BUGS.
func (e *Expr) String() string {
	switch e.kind {
	case constant:
		if e.val < 0 {
			return "(" + number(e.val) + ")"
		}
		return number(e.val)
	case loop:
		if e.val == 0 {
			return "i"
		}
		return fmt.Sprintf("i%+d", int(e.val))
	case element, whole:
		return e.v.Name + subscripts(e.index)
	}
	args := make([]string, len(e.args))
	for i, a := range e.args {
		args[i] = a.String()
	}
	if e.infix() {
		if len(args) == 1 {
			return "(" + e.fn + args[0] + ")"
		}
		return "(" + args[0] + " " + e.fn + " " + args[1] + ")"
	}
	return e.fn + "(" + strings.Join(args, ", ") + ")"
}

func subscripts(index []*Expr) string {
	if len(index) == 0 {
		return ""
	}
	s := make([]string, len(index))
	for i, e := range index {
		if e != nil {
			s[i] = bare(e)
		}
	}
	return "[" + strings.Join(s, ",") + "]"
}

// bare is an expression without the parentheses around all of it.
func bare(e *Expr) string {
	s := e.String()
	if (e.infix() || e.kind == constant) && strings.HasPrefix(s, "(") {
		return s[1 : len(s)-1]
	}
	return s
}

// point is a value for each element of a program's variables, and the loop's counter.
type point struct {
	x []float64
	i int
}

// eval appends the value or values of an expression.
func (p *point) eval(dst []float64, e *Expr) []float64 {
	switch e.kind {
	case constant:
		return append(dst, e.val)
	case loop:
		return append(dst, float64(p.i)+e.val)
	case element, whole:
		return p.read(dst, e)
	}
	var buf [16]float64
	args := buf[:0]
	if e.infix() || e.fn == "exp" {
		return p.elementwise(dst, e)
	}
	var ends [8]int
	for k, a := range e.args {
		args = p.eval(args, a)
		if k < len(ends) {
			ends[k] = len(args)
		}
	}
	return evalCall(dst, e.fn, args, ends[:min(len(e.args), len(ends))])
}

// elementwise is an operator or exp of numbers, or of arrays element by element.
func (p *point) elementwise(dst []float64, e *Expr) []float64 {
	var buf [32]float64
	x := p.eval(buf[:0], e.args[0])
	n := len(x)
	if len(e.args) == 2 {
		x = p.eval(x, e.args[1])
	}
	if e.fn == "%*%" {
		return evalCall(dst, e.fn, x, []int{n, len(x)})
	}
	y := x[n:]
	x = x[:n]
	for k := range max(n, len(y)) {
		a := []float64{x[k%n], 0}[:1]
		if len(y) > 0 {
			a = append(a, y[k%len(y)])
		}
		dst = append(dst, evalScalar(e.fn, a, nil))
	}
	return dst
}

// scalar is the value of an expression that has one.
func (p *point) scalar(e *Expr) float64 {
	var buf [16]float64
	return p.eval(buf[:0], e)[0]
}

// read appends the elements that subscripts select, in column-major order; NaN for a
// subscript that leaves the array.
func (p *point) read(dst []float64, e *Expr) []float64 {
	at := e.v.base
	if len(e.index) == 0 {
		return append(dst, p.x[at:at+e.v.Size()]...)
	}
	stride := 1
	var free [3][2]int // extent and stride of the dimensions without a subscript
	n := 0
	for d, ix := range e.index {
		if ix == nil {
			free[n] = [2]int{e.v.Dims[d], stride}
			n++
		} else {
			k := p.scalar(ix)
			if !(k >= 1 && k <= float64(e.v.Dims[d])) || k != math.Trunc(k) {
				return append(dst, math.NaN())
			}
			at += (int(k) - 1) * stride
		}
		stride *= e.v.Dims[d]
	}
	switch n {
	case 0:
		return append(dst, p.x[at])
	case 1:
		for k := range free[0][0] {
			dst = append(dst, p.x[at+k*free[0][1]])
		}
		return dst
	}
	for j := range free[1][0] {
		for k := range free[0][0] {
			dst = append(dst, p.x[at+k*free[0][1]+j*free[1][1]])
		}
	}
	return dst
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// evalCall is a function of numbers; ends tells where each argument's values end.
func evalCall(dst []float64, fn string, a []float64, ends []int) []float64 {
	switch fn {
	case "c":
		return append(dst, a...)
	case "ranked":
		s := slices.Sorted(slices.Values(a[:len(a)-1]))
		return append(dst, s[int(a[len(a)-1])-1])
	case "rank": // of one element
		n := 0.0
		for _, x := range a[:len(a)-1] {
			n += truth(x <= a[int(a[len(a)-1])-1])
		}
		return append(dst, n)
	case "sort":
		s := slices.Clone(a)
		slices.Sort(s)
		return append(dst, s...)
	case "%*%": // a matrix and a vector of the same order
		n := len(a) - ends[0]
		for i := range n {
			t := 0.0
			for j := range n {
				t += a[i+j*n] * a[ends[0]+j]
			}
			dst = append(dst, t)
		}
		return dst
	case "inverse": // of order 2
		d := a[0]*a[3] - a[1]*a[2]
		return append(dst, a[3]/d, -a[1]/d, -a[2]/d, a[0]/d)
	}
	return append(dst, evalScalar(fn, a, ends))
}

func evalScalar(fn string, a []float64, ends []int) float64 {
	switch fn {
	case "+":
		return a[0] + a[1]
	case "-":
		if len(a) == 1 {
			return -a[0]
		}
		return a[0] - a[1]
	case "*":
		return a[0] * a[1]
	case "/":
		return a[0] / a[1]
	case "^", "pow":
		return math.Pow(a[0], a[1])
	case "<":
		return truth(a[0] < a[1])
	case ">=":
		return truth(a[0] >= a[1])
	case "==", "equals":
		return truth(a[0] == a[1])
	case "exp":
		return math.Exp(a[0])
	case "log":
		return math.Log(a[0])
	case "sqrt":
		return math.Sqrt(a[0])
	case "abs":
		return math.Abs(a[0])
	case "sin":
		return math.Sin(a[0])
	case "half.exp":
		return math.Exp(0.5 * a[0])
	case "blend":
		return a[0]*a[1] + (1-a[0])*a[2]
	case "squared":
		return a[0] * a[0]
	case "ilogit":
		return 1 / (1 + math.Exp(-a[0]))
	case "phi":
		return 0.5 * math.Erfc(-a[0]/math.Sqrt2)
	case "icloglog":
		return -math.Expm1(-math.Exp(a[0]))
	case "step":
		return truth(a[0] >= 0)
	case "round":
		return math.Floor(a[0] + 0.5)
	case "trunc":
		return math.Trunc(a[0])
	case "ifelse":
		if a[0] != 0 {
			return a[1]
		}
		return a[2]
	case "max":
		return slices.Max(a)
	case "min":
		return slices.Min(a)
	case "sum", "mean", "prod":
		return reduce(fn, a)
	case "inprod":
		t := 0.0
		for k := range ends[0] {
			t += a[k] * a[ends[0]+k]
		}
		return t
	case "logdet": // of order 2
		return math.Log(a[0]*a[3] - a[1]*a[2])
	}
	panic("modeltest: no function " + fn)
}

func reduce(fn string, a []float64) float64 {
	s, p := 0.0, 1.0
	for _, x := range a {
		s += x
		p *= x
	}
	switch fn {
	case "prod":
		return p
	case "mean":
		return s / float64(len(a))
	}
	return s
}
