package bugs

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/model"
)

type nodeKind uint8

const (
	numNode nodeKind = iota
	counterNode
	varNode
	opNode    // scalar operation on one or two arguments, vectorised
	callNode  // anything in the function table
	rangeNode // a:b
	matmulNode
)

// node is an expression with its names resolved: loop counters to slots,
// variables to arrays, functions to rows of the function table.
type node struct {
	kind     nodeKind
	num      float64
	slot     int
	arr      *array
	hasIndex bool
	args     []*node // arguments, or subscripts with nil for an empty one
	op       model.Op
	fn       *function
	counters uint32 // slots of the loop counters below
	pos      Pos
	src      Expr
	written  string // src as text, once it has been asked for
}

// text is the expression as the program has it.
func (n *node) text() string {
	if n.written == "" {
		n.written = n.src.String()
	}
	return n.written
}

// array is a name of the program with what is known of its shape.
type array struct {
	name   string
	pos    Pos
	dims   []int // nil for a scalar, once known
	known  bool
	grown  []int // greatest subscript of each dimension on a left side
	base   int32
	stride []int32
	data   *Value
	rels   []*relation
	used   bool
	knot   int // number of the circle of arrays it is in; 0 for none that matters
}

func (a *array) size() int {
	n := 1
	for _, d := range a.dims {
		n *= d
	}
	return n
}

// relation is one line of the program inside its loops.
type relation struct {
	ast   *Relation
	loops []*loopVar
	lhs   *node // a varNode
	expr  *node
	args  []*node
	lo    *node
	hi    *node

	latent, given *node // see lowered
	sum           bool
	drawn         string
	value         *node // of an observable function, where it is not observed

	transformed bool // an element has another definition, by <- beside ~

	constant []float64 // its value, where it is outside loops and has been asked for
	live     bool      // its loops run
	counters []int32   // of its instances, flattened, len(loops) each
	n        int       // instances
	first    int32     // id of the first instance
	main     []entry   // templates of the relation itself
	arg      [][]entry
	part     []entry // of the node where it is observed in part
	flat     *entry  // of its elements that are not
}

type loopVar struct {
	name string
	rng  *node
	cond Expr // of if, which is a loop of one turn or none
}

type scope struct {
	names []string
}

func (s scope) slot(name string) int {
	for i := len(s.names) - 1; i >= 0; i-- {
		if s.names[i] == name {
			return i
		}
	}
	return -1
}

// maxLoops bounds the nesting of loops: counters live in one machine word.
const maxLoops = 30

func (c *compiler) collect(stmts []Stmt, loops []*loopVar, sc scope) {
	for _, st := range stmts {
		switch st := st.(type) {
		case *For:
			c.collectLoop(st, nil, loops, sc)
		case *If:
			c.collectBranch(st, true, st.Then, loops, sc)
			c.collectBranch(st, false, st.Else, loops, sc)
		case *Relation:
			if c.asking {
				st = c.rewritten(st, loops, sc)
			}
			if st.Target {
				c.collectTarget(st, loops, sc)
				continue
			}
			c.lower(st, func(l lowered, around ...*For) {
				if st.Stochastic && !l.ast.Stochastic && l.ast.LHS.Name == st.LHS.Name {
					l.drawn = st.Dist.Name
				}
				c.addWithin(l, around, loops, sc)
			})
		}
	}
}

// collectBranch takes a branch of if as a loop that runs once or not at all.
func (c *compiler) collectBranch(st *If, when bool, body []Stmt, loops []*loopVar, sc scope) {
	if len(body) == 0 {
		return
	}
	b := builder{st.Cond.Position()}
	turns := b.call("ifelse", st.Cond, b.num(1), b.num(0))
	if !when {
		turns = b.call("ifelse", st.Cond, b.num(0), b.num(1))
	}
	f := &For{Var: hiddenMark, Range: b.op(":", b.num(1), turns), Body: body, Pos: st.Pos}
	c.collectLoop(f, st.Cond, loops, sc)
}

func (c *compiler) collectLoop(f *For, cond Expr, loops []*loopVar, sc scope) {
	if len(loops) == maxLoops {
		c.fail(f.Pos, "Put two of the loops into one, with the indices in the data.", "loops are nested more than %d deep", maxLoops)
	}
	l := &loopVar{name: f.Var, rng: c.resolve(f.Range, sc), cond: cond}
	inner := scope{append(sc.names[:len(sc.names):len(sc.names)], f.Var)}
	c.collect(f.Body, append(loops[:len(loops):len(loops)], l), inner)
}

// collectTarget takes target += expression as the log density of an observation of the
// compiler's own, one for each turn of the loops around it.
func (c *compiler) collectTarget(st *Relation, loops []*loopVar, sc scope) {
	b := builder{st.Pos}
	index := []Expr{b.num(1)}
	for _, name := range sc.names {
		if !Hidden(name) {
			index = append(index, b.element(name))
		}
	}
	at := b.element(fmt.Sprintf("target%s%d.%d", hiddenMark, st.Pos.Line, st.Pos.Col), index...)
	c.addWithin(lowered{ast: b.define(at, b.num(0))}, nil, loops, sc)
	c.addWithin(lowered{ast: b.draw(at, "dloglik", st.Expr)}, nil, loops, sc)
}

// addWithin adds a relation inside more loops.
func (c *compiler) addWithin(l lowered, around []*For, loops []*loopVar, sc scope) {
	for _, f := range around {
		loops = append(loops[:len(loops):len(loops)], &loopVar{name: f.Var, rng: c.resolve(f.Range, sc)})
		sc = scope{append(sc.names[:len(sc.names):len(sc.names)], f.Var)}
	}
	if len(loops) > maxLoops {
		c.fail(l.ast.Pos, "Put two of the loops into one, with the indices in the data.", "loops are nested more than %d deep", maxLoops)
	}
	c.addRelation(l, loops, sc)
}

func (c *compiler) addRelation(l lowered, loops []*loopVar, sc scope) {
	st := l.ast
	r := &relation{ast: st, loops: loops, sum: l.sum, drawn: l.drawn}
	if l.latent != nil {
		r.latent = c.resolve(l.latent, sc)
	}
	if l.given != nil {
		r.given = c.resolve(l.given, sc)
	}
	if sc.slot(st.LHS.Name) >= 0 {
		c.fail(st.LHS.Pos, "Rename one of the two.", "%s is a loop counter and cannot be defined", st.LHS.Name)
	}
	r.lhs = c.resolve(st.LHS, sc)
	if st.Stochastic {
		if !knownDistribution(st.Dist.Name) {
			c.unknownDistribution(r)
		}
		for _, a := range st.Dist.Args {
			r.args = append(r.args, c.resolve(a, sc))
		}
		if f := observables[st.Dist.Name]; f != "" && f != "dinterval" {
			r.value = c.resolve(&Call{Func: f, Args: st.Dist.Args, Pos: st.Dist.Pos}, sc)
		}
		if t := st.Dist.Trunc; t != nil {
			if t.Lo != nil {
				r.lo = c.resolve(t.Lo, sc)
			}
			if t.Hi != nil {
				r.hi = c.resolve(t.Hi, sc)
			}
		}
		r.arg = make([][]entry, len(r.args)+2)
	} else {
		r.expr = c.resolve(st.Expr, sc)
	}
	r.lhs.arr.rels = append(r.lhs.arr.rels, r)
	c.rels = append(c.rels, r)
}

var binaryOps = map[string]model.Op{"+": model.OpAdd, "-": model.OpSub, "*": model.OpMul, "/": model.OpDiv, "^": model.OpPow,
	"==": model.OpEq, "!=": model.OpNe, "<": model.OpLt, "<=": model.OpLe, ">": model.OpGt, ">=": model.OpGe,
	"&&": model.OpAnd, "||": model.OpOr}

func (c *compiler) resolve(e Expr, sc scope) *node {
	n := &node{pos: e.Position(), src: e}
	switch e := e.(type) {
	case *Number:
		n.kind, n.num = numNode, e.Value
	case *VarRef:
		c.resolveVar(n, e, sc)
	case *Unary:
		n.kind, n.op = opNode, model.OpNeg
		if e.Op == "!" {
			n.op = model.OpNot
		}
		n.args = []*node{c.resolve(e.X, sc)}
		if n.args[0].kind == numNode && e.Op == "-" {
			n.kind, n.num, n.args = numNode, -n.args[0].num, nil
		}
	case *Binary:
		c.resolveBinary(n, e, sc)
	case *Call:
		c.resolveCall(n, e, sc)
	}
	for _, a := range n.args {
		if a != nil {
			n.counters |= a.counters
		}
	}
	return n
}

func (c *compiler) resolveVar(n *node, e *VarRef, sc scope) {
	if k := sc.slot(e.Name); k >= 0 {
		if e.HasIndex {
			c.fail(e.Pos, "Write it without subscripts, or give the counter another name.", "%s is a loop counter and has no elements", e.Name)
		}
		n.kind, n.slot, n.counters = counterNode, k, 1<<k
		return
	}
	n.kind, n.arr, n.hasIndex = varNode, c.array(e.Name, e.Pos), e.HasIndex
	for _, x := range e.Index {
		if x == nil {
			n.args = append(n.args, nil)
			continue
		}
		n.args = append(n.args, c.resolve(x, sc))
	}
}

func (c *compiler) resolveBinary(n *node, e *Binary, sc scope) {
	n.args = []*node{c.resolve(e.L, sc), c.resolve(e.R, sc)}
	switch {
	case e.Op == ":":
		n.kind = rangeNode
	case e.Op == "%*%":
		n.kind = matmulNode
	case e.Op == "^" && n.args[1].kind == numNode && n.args[1].num == 2:
		n.kind, n.op, n.args = opNode, model.OpSqr, n.args[:1]
	default:
		op, ok := binaryOps[e.Op]
		if !ok {
			c.fail(e.Pos, operatorHint(e.Op), "unknown operator %s", e.Op)
		}
		n.kind, n.op = opNode, op
	}
}

func (c *compiler) resolveCall(n *node, e *Call, sc scope) {
	n.kind = callNode
	n.fn = lookupFunction(e.Func)
	c.distributionValue(e)
	if n.fn == nil {
		c.unknownFunction(e)
	}
	if len(e.Args) < n.fn.min || (n.fn.max >= 0 && len(e.Args) > n.fn.max) {
		c.fail(e.Pos, "Correct the arguments: commas stand between them, and decimals have a point.", "%s takes %s, not %d", e.Func, n.fn.arguments(), len(e.Args))
	}
	for _, a := range e.Args {
		n.args = append(n.args, c.resolve(a, sc))
	}
	if n.fn.kind == fnScalar {
		n.kind, n.op = opNode, n.fn.op
		if n.op == model.OpPow && n.args[1].kind == numNode && n.args[1].num == 2 {
			n.op, n.args = model.OpSqr, n.args[:1]
		}
	}
}

func (c *compiler) array(name string, pos Pos) *array {
	if a, ok := c.arrays[name]; ok {
		return a
	}
	a := &array{name: name, pos: pos}
	c.arrays[name] = a
	c.order = append(c.order, a)
	return a
}

// suggest asks for the known name nearest to a misspelt one.
func suggest(name string, known []string) string {
	near := wording.Nearest(name, known)
	if near == "" {
		return ""
	}
	return "Did you mean " + near + "?"
}
