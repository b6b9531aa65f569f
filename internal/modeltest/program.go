package modeltest

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// domain is what values an element can have.
type domain uint8

const (
	realLine domain = iota
	positive
	probability // in (0, 1)
	count       // 0, 1, 2, …
	binary      // 0 or 1
	index       // 1 … top
	simplexCell // an element of a vector that sums to one
	matrixCell  // an element of a positive definite matrix
	nowhere     // no variable: what stands for a factor of the density
)

// Var is a scalar or an array of the program.
type Var struct {
	Name string
	Dims []int // nil for a scalar
	dom  domain
	top  int // of an index: its largest value; of a count: a bound, 0 without
	data []float64
	base int
}

// Size is the number of elements.
func (v *Var) Size() int {
	n := 1
	for _, d := range v.Dims {
		n *= d
	}
	return n
}

// Rel is a relation of the program, in a loop over i from From to To where To is not 0.
type Rel struct {
	v        *Var
	index    []*Expr // on the left; nil for all of a dimension
	link     string
	dist     string // "" for <-
	args     []*Expr
	lo, hi   *Expr
	from, to int
	observed bool
	missing  []bool // by turn of the loop: not observed all the same
	apart    []bool // by element of a vector that is observed: not observed all the same
	// transformed: the data are raw values, and the program says v <- raw + 1 as well.
	transformed bool
}

// Program is a model with what data it has. Relations are in an order in which each reads
// what earlier ones define.
type Program struct {
	Vars  []*Var
	Rels  []*Rel
	Print []int // the order in which relations are printed; nil: as they are
	cells int

	nothing bool // there are loops that do not run
}

func (r *Rel) clone() *Rel {
	c := *r
	c.index, c.args = cloneAll(r.index), cloneAll(r.args)
	if r.lo != nil {
		c.lo = r.lo.clone()
	}
	if r.hi != nil {
		c.hi = r.hi.clone()
	}
	c.missing = slices.Clone(r.missing)
	return &c
}

// clone copies the relations; variables are shared.
func (p *Program) clone() *Program {
	c := &Program{Vars: slices.Clone(p.Vars), Print: slices.Clone(p.Print), cells: p.cells, nothing: p.nothing}
	for _, r := range p.Rels {
		c.Rels = append(c.Rels, r.clone())
	}
	return c
}

func (p *Program) add(v *Var) *Var {
	v.base = p.cells
	p.cells += v.Size()
	p.Vars = append(p.Vars, v)
	return v
}

// turns are the values of the loop's counter.
func (r *Rel) turns() (from, to int) {
	if r.to == 0 {
		return 0, 0
	}
	return r.from, r.to
}

// seen tells whether turn i has data.
func (r *Rel) seen(i int) bool {
	k := 0
	if r.to > 0 {
		k = i - r.from
	}
	return r.observed && !(k < len(r.missing) && r.missing[k])
}

// each calls f with the expressions of a relation, those on the left too.
func (r *Rel) each(f func(e *Expr)) {
	for _, e := range r.index {
		walk(e, f)
	}
	for _, e := range r.args {
		walk(e, f)
	}
	walk(r.lo, f)
	walk(r.hi, f)
}

// reads tells whether a relation's right side has the variable.
func (r *Rel) reads(v *Var) bool {
	found := false
	see := func(e *Expr) { found = found || e.v == v }
	for _, e := range r.args {
		walk(e, see)
	}
	walk(r.lo, see)
	walk(r.hi, see)
	return found
}

// String is the program in BUGS.
func (p *Program) String() string {
	var b strings.Builder
	p.writeMacros(&b)
	b.WriteString("model {\n")
	if p.nothing {
		b.WriteString("  for (i in 1:none) { u1[i] ~ dnorm(u2[i], u3); for (j in 3:2) { u2[i] <- u1[j] } }\n")
	}
	order := p.Print
	if len(order) != len(p.Rels) {
		order = make([]int, len(p.Rels))
		for i := range order {
			order[i] = i
		}
	}
	for _, k := range order {
		p.Rels[k].write(&b)
	}
	b.WriteString("}\n")
	return b.String()
}

func (r *Rel) write(b *strings.Builder) {
	b.WriteString("  ")
	if r.to > 0 {
		fmt.Fprintf(b, "for (i in %d:%d) { ", r.from, r.to)
	}
	left := r.left()
	if r.transformed {
		fmt.Fprintf(b, "%s <- raw.%s + 1; ", left, left)
	}
	args := make([]string, len(r.args))
	for k, a := range r.args {
		args[k] = bare(a)
	}
	if r.dist == "dCRP" {
		args[1] = "size = " + args[1]
	}
	switch {
	case r.dist == "target":
		fmt.Fprintf(b, "target += %s", args[0])
	case r.dist != "":
		fmt.Fprintf(b, "%s ~ %s(%s)%s", left, r.dist, strings.Join(args, ", "), r.bounds())
	case r.link != "":
		fmt.Fprintf(b, "%s(%s) <- %s", r.link, left, args[0])
	default:
		fmt.Fprintf(b, "%s <- %s", left, args[0])
	}
	if r.to > 0 {
		b.WriteString(" }")
	}
	b.WriteByte('\n')
}

// macros are functions that a program may define, and what they are.
var macros = []struct{ name, text string }{
	{"half.exp", "function half.exp(x) <- exp(0.5 * x)"},
	{"blend", "function blend(b, x, y) <- b * x + (1 - b) * y"},
	{"squared", "function squared(x) <- x * x"},
}

// writeMacros defines those that the program calls.
func (p *Program) writeMacros(b *strings.Builder) {
	for _, m := range macros {
		called := false
		for _, r := range p.Rels {
			r.each(func(e *Expr) { called = called || e.kind == call && e.fn == m.name })
		}
		if called {
			fmt.Fprintln(b, m.text)
		}
	}
}

// left is what the relation defines.
func (r *Rel) left() string {
	if len(r.v.Dims) == 0 {
		return r.v.Name
	}
	s := make([]string, len(r.v.Dims))
	for d := range r.v.Dims {
		if d >= len(r.index) || r.index[d] == nil {
			s[d] = fmt.Sprintf("1:%d", r.v.Dims[d])
			continue
		}
		s[d] = bare(r.index[d])
	}
	return r.v.Name + "[" + strings.Join(s, ",") + "]"
}

func (r *Rel) bounds() string {
	if r.lo == nil && r.hi == nil {
		return ""
	}
	end := func(e *Expr) string {
		if e == nil {
			return ""
		}
		return bare(e)
	}
	return " T(" + end(r.lo) + ", " + end(r.hi) + ")"
}

// Data is the data in R's format, given a value for each element.
func (p *Program) Data(x []float64) string {
	var b strings.Builder
	if p.nothing {
		b.WriteString("none <- 0\n")
	}
	for _, v := range p.Vars {
		if v.data != nil && p.uses(v) {
			writeValue(&b, v.Name, v.Dims, v.data)
		}
	}
	for _, v := range p.Vars {
		val, raw, any := p.given(v, x)
		if !any {
			continue
		}
		name := v.Name
		if raw {
			name = "raw." + name
			for k := range val {
				val[k]--
			}
		}
		writeValue(&b, name, v.Dims, val)
	}
	return b.String()
}

// given are a variable's observed values, NaN where it has none.
func (p *Program) given(v *Var, x []float64) (val []float64, raw, any bool) {
	val = make([]float64, v.Size())
	for k := range val {
		val[k] = math.NaN()
	}
	for _, r := range p.Rels {
		if r.v != v || r.dist == "" || r.dist == "target" {
			continue
		}
		raw = raw || r.transformed
		for i, to := r.turns(); i <= to; i++ {
			if !r.seen(i) {
				continue
			}
			any = true
			for k, c := range r.cells(i) {
				if r.apart == nil || !r.apart[k] {
					val[c-v.base] = x[c]
				}
			}
		}
	}
	return val, raw, any
}

// isRead tells whether some relation reads the variable.
func (p *Program) isRead(v *Var) bool {
	for _, r := range p.Rels {
		if r.reads(v) {
			return true
		}
	}
	return false
}

func (p *Program) uses(v *Var) bool {
	found := false
	for _, r := range p.Rels {
		r.each(func(e *Expr) { found = found || e.v == v })
	}
	return found
}

func writeValue(b *strings.Builder, name string, dims []int, x []float64) {
	s := make([]string, len(x))
	for i, v := range x {
		s[i] = number(v)
		if math.IsNaN(v) {
			s[i] = "NA"
		}
	}
	list := strings.Join(s, ", ")
	switch len(dims) {
	case 0:
		fmt.Fprintf(b, "%s <- %s\n", name, list)
	case 1:
		fmt.Fprintf(b, "%s <- c(%s)\n", name, list)
	default:
		fmt.Fprintf(b, "%s <- structure(c(%s), .Dim = c(%s))\n", name, list, strings.Trim(strings.ReplaceAll(fmt.Sprint(dims), " ", ", "), "[]"))
	}
}

// cells are the elements that turn i of a relation defines.
func (r *Rel) cells(i int) []int {
	pt := point{i: i}
	at, stride := r.v.base, 1
	out := []int{0}
	for d, n := range r.v.Dims {
		if d < len(r.index) && r.index[d] != nil {
			at += (int(pt.scalar(r.index[d])) - 1) * stride
		} else {
			next := make([]int, 0, len(out)*n)
			for k := range n {
				for _, c := range out {
					next = append(next, c+k*stride)
				}
			}
			out = next
		}
		stride *= n
	}
	for k := range out {
		out[k] += at
	}
	return out
}
