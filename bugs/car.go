package bugs

import (
	"fmt"
	"slices"
)

// priorMark stands in the names of observations of the compiler's own that are factors of a
// prior: their log densities are no pointwise log likelihood.
const priorMark = hiddenMark + "prior"

// carMark stands in the names of the nodes from which those of an intrinsic
// autoregression are computed.
const carMark = hiddenMark + "car"

// given evaluates an expression in data alone, before arrays have shapes: arrays whole or by
// a range, and arrays that one relation fills with one number.
func (c *compiler) given(e Expr) ([]float64, bool) {
	switch e := e.(type) {
	case *Number:
		return []float64{e.Value}, true
	case *VarRef:
		return c.givenArray(e)
	case *Binary:
		l, ok := c.given(e.L)
		r, ok2 := c.given(e.R)
		if !ok || !ok2 || len(l) != 1 || len(r) != 1 {
			return nil, false
		}
		switch e.Op {
		case "+":
			return []float64{l[0] + r[0]}, true
		case "-":
			return []float64{l[0] - r[0]}, true
		}
	}
	return nil, false
}

func (c *compiler) givenArray(e *VarRef) ([]float64, bool) {
	v := c.values[e.Name]
	if v == nil || anyNaN(v.Data) {
		return nil, false
	}
	if len(e.Index) == 0 || len(e.Index) == 1 && e.Index[0] == nil {
		return v.Data, true
	}
	if len(e.Index) != 1 {
		return nil, false
	}
	lo, hi := e.Index[0], e.Index[0]
	if r, ok := e.Index[0].(*Binary); ok && r.Op == ":" {
		lo, hi = r.L, r.R
	}
	a, ok := c.given(lo)
	b, ok2 := c.given(hi)
	if !ok || !ok2 || len(a) != 1 || len(b) != 1 || !(a[0] >= 1 && b[0] >= a[0] && b[0] <= float64(len(v.Data))) {
		return nil, false
	}
	return v.Data[int(a[0])-1 : int(b[0])], true
}

// filled is the number that relations of the model give all elements of an array.
func (c *compiler) filled(e Expr) (x float64, ok bool) {
	v, is := e.(*VarRef)
	if !is {
		return 0, false
	}
	eachRelation(c.stmts, func(r *Relation) {
		if n, isNumber := r.Expr.(*Number); r.LHS.Name == v.Name && isNumber && r.Link == "" {
			x, ok = n.Value, true
		}
	})
	return x, ok
}

// ownName is one of the compiler's for what a place of the program needs.
func ownName(b builder, what string) string {
	return fmt.Sprintf("%s%s%d.%d", what, hiddenMark, b.pos.Line, b.pos.Col)
}

// table gives numbers a name in the program.
func (c *compiler) table(b builder, what string, x []float64) string {
	name := ownName(b, what)
	c.values[name] = &Value{Dims: []int{len(x)}, Data: x, File: c.prog.File, Pos: b.pos}
	return name
}

// arguments are those of a distribution by the names of its parameters; others has what
// stands for those that may be left out.
func (c *compiler) arguments(d *DistCall, params []string, others map[string]Expr) map[string]Expr {
	out := map[string]Expr{}
	next := 0
	for i, e := range d.Args {
		name := ""
		if d.Names != nil {
			name = d.Names[i]
		}
		if name == "" {
			for next < len(params) && out[params[next]] != nil {
				next++
			}
			if next < len(params) {
				name = params[next]
			}
		}
		if !slices.Contains(params, name) || out[name] != nil {
			c.wrongArguments(d, params)
		}
		out[name] = e
	}
	for _, p := range params {
		if out[p] == nil {
			e, may := others[p]
			if !may {
				c.wrongArguments(d, params)
			}
			out[p] = e
		}
	}
	return out
}

func (c *compiler) wrongArguments(d *DistCall, params []string) {
	text := ""
	for i, p := range params {
		if i > 0 {
			text += ", "
		}
		text += p
	}
	c.fail(d.Pos, "It is "+d.Name+"("+text+").", "%s has not the parameters of %s", d.String(), d.Name)
}
