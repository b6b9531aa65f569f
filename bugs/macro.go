package bugs

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// macro is function name(params) <- body.
type macro struct {
	params []string
	body   Expr
}

// maxExpanded bounds what macros of macros may grow to, in nodes of expressions, and maxExpandedDepth how deep.
const (
	maxExpanded      = 1 << 20
	maxExpandedDepth = 100
)

// function reads function name(arguments) <- expression, a macro: calls of it in what follows are the expression with the
// arguments in their places.
func (p *parser) function() error {
	p.step()
	t := p.cur()
	if err := p.name("the function's name"); err != nil {
		return err
	}
	if lookupFunction(t.text) != nil || p.macros[t.text] != nil {
		return p.failAt(t.pos, "Give it another name.", "there is a function %s already", shorten(t.text))
	}
	if err := p.need("(", "after the function's name", "A function reads: function name(x, y) <- expression"); err != nil {
		return err
	}
	m := &macro{}
	for !p.accept(")") {
		a := p.cur()
		if err := p.name("a name of an argument"); err != nil {
			return err
		}
		if slices.Contains(m.params, a.text) {
			return p.failAt(a.pos, "Give each argument a name of its own.", "%s has two arguments %s", shorten(t.text), shorten(a.text))
		}
		m.params = append(m.params, a.text)
		if !p.accept(",") && !p.isOp(")") {
			return p.expected(`"," or ")" in the arguments of `+shorten(t.text), "A function reads: function name(x, y) <- expression")
		}
	}
	if !p.accept("<-") && !p.accept("=") {
		return p.expected(`"<-" after the arguments of `+shorten(t.text), "A function is one expression: function name(x, y) <- expression")
	}
	if p.isOp("{") {
		return p.expected("an expression", "A function is one expression, without braces: function name(x, y) <- expression")
	}
	p.operators = 0
	body, err := p.expr(0)
	if err != nil {
		return err
	}
	m.body = body
	if p.macros == nil {
		p.macros = map[string]*macro{}
	}
	p.macros[t.text] = m
	for p.accept(";") {
	}
	return nil
}

// expand is a call of a macro.
func (p *parser) expand(t token, m *macro, args []Expr) (Expr, error) {
	if len(args) != len(m.params) {
		return nil, p.failAt(t.pos, "It is "+shorten(t.text)+"("+wording.Few(m.params, 8)+").", "%s takes %s, not %d", shorten(t.text), plural(len(m.params), "argument"), len(args))
	}
	x := &expansion{values: map[string]Expr{}, sizes: map[string]int{}, pos: t.pos, nodes: p.expanded}
	for i, name := range m.params {
		x.values[name], x.sizes[name] = args[i], nodesOf(args[i])
	}
	out := x.expr(m.body)
	if p.expanded = x.nodes; p.expanded > maxExpanded {
		return nil, p.failAt(t.pos, "Give parts of it names with <-.", "the functions of the program grow to more than %d terms", maxExpanded)
	}
	if x.indexed != "" {
		return nil, p.failAt(t.pos, "Give the expression a name with <- first.", "%s takes elements of its argument %s, which is no variable here", shorten(t.text), shorten(x.indexed))
	}
	if depthOf(out) > maxExpandedDepth {
		return nil, p.failAt(t.pos, "Give parts of it names with <-.", "%s is nested deeper than %d levels", shorten(t.text), maxExpandedDepth)
	}
	return out, nil
}

// expansion puts arguments into a macro's body, all at the place of the call.
type expansion struct {
	values  map[string]Expr
	sizes   map[string]int // of these
	pos     Pos
	nodes   int
	indexed string // an argument of which elements are taken though it is no variable
}

func (x *expansion) list(es []Expr) []Expr {
	out := make([]Expr, len(es))
	for i, e := range es {
		if e != nil {
			out[i] = x.expr(e)
		}
	}
	return out
}

func (x *expansion) expr(e Expr) Expr {
	if x.nodes++; x.nodes > maxExpanded {
		return e
	}
	switch e := e.(type) {
	case *Number:
		return &Number{e.Value, e.Text, x.pos}
	case *VarRef:
		return x.variable(e)
	case *Call:
		args := x.list(e.Args)
		if (e.Func == "length" || e.Func == "dim") && len(args) == 1 {
			if _, ok := args[0].(*VarRef); !ok {
				x.indexed = e.Args[0].String()
			}
		}
		return &Call{Func: e.Func, Args: args, Pos: x.pos}
	case *Binary:
		return &Binary{Op: e.Op, L: x.expr(e.L), R: x.expr(e.R), Pos: x.pos}
	case *Unary:
		return &Unary{Op: e.Op, X: x.expr(e.X), Pos: x.pos}
	}
	return e
}

func (x *expansion) variable(e *VarRef) Expr {
	v, ok := x.values[e.Name]
	if !ok {
		return &VarRef{Name: e.Name, Index: x.list(e.Index), HasIndex: e.HasIndex, Pos: x.pos}
	}
	x.nodes += x.sizes[e.Name]
	if !e.HasIndex {
		return v
	}
	if of, ok := v.(*VarRef); ok && !of.HasIndex {
		return &VarRef{Name: of.Name, Index: x.list(e.Index), HasIndex: true, Pos: x.pos}
	}
	x.indexed = e.Name
	return v
}

// nodesOf is the size of an expression.
func nodesOf(e Expr) int {
	n := 1
	for _, o := range operandsOf(e) {
		if o != nil {
			n += nodesOf(o)
		}
	}
	return n
}

func depthOf(e Expr) int {
	n := 0
	for _, o := range operandsOf(e) {
		if o != nil {
			n = max(n, depthOf(o))
		}
	}
	return n + 1
}

func operandsOf(e Expr) []Expr {
	switch e := e.(type) {
	case *VarRef:
		return e.Index
	case *Call:
		return e.Args
	case *Binary:
		return []Expr{e.L, e.R}
	case *Unary:
		return []Expr{e.X}
	}
	return nil
}
