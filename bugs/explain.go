package bugs

import (
	"errors"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/model"
)

// Explain shows the line of the program behind an error of the plan or of a
// chain's start; other errors stay as they are.
func (c *Compiled) Explain(err error) error {
	var n *model.NodeError
	if !errors.As(err, &n) {
		return err
	}
	pos := Pos{n.Place.Line, n.Place.Col}
	e := c.Program.ErrorAt(pos, n.Hint, "%s", n.Msg)
	if n.Dist != "" {
		e.Node = n.Relation(c.paramNames(pos, n.Left))
	}
	return e
}

// paramNames names the parameters of the node whose relation has its left side
// at pos as the program does: numbers by their expression, and elements by
// their subscripts, for the compiler may have put one of the same value in
// their place.
func (c *Compiled) paramNames(pos Pos, node string) func(k int, own string) string {
	r := findRelation(c.Program.Model.Stmts, pos)
	if r == nil || r.Dist == nil || r.Dist.Names != nil || ownParams(canonicalName(r.Dist.Name)) == nil && spelt(r.Dist.Name) {
		return nil
	}
	args := r.Dist.Args[:len(r.Dist.Args):len(r.Dist.Args)]
	if t := r.Dist.Trunc; t != nil {
		for _, e := range []Expr{t.Lo, t.Hi} {
			if e != nil {
				args = append(args, e)
			}
		}
	}
	counters := countersOf(r.LHS, node)
	return func(k int, own string) string {
		if k >= len(args) {
			return own
		}
		if v, ok := args[k].(*VarRef); ok {
			if name, ok := elementAt(v, counters); ok {
				return name
			}
		}
		if own == "" && !literal(args[k]) {
			return args[k].String()
		}
		return own
	}
}

func literal(e Expr) bool {
	if u, ok := e.(*Unary); ok {
		e = u.X
	}
	_, ok := e.(*Number)
	return ok
}

// countersOf reads the loop counters off a node's name: i is 3 for y[3] where
// the left side is y[i].
func countersOf(left *VarRef, node string) map[string]string {
	_, index, _ := strings.Cut(strings.TrimSuffix(node, "]"), "[")
	subs := strings.Split(index, ",")
	out := map[string]string{}
	for k, e := range left.Index {
		if v, ok := e.(*VarRef); ok && !v.HasIndex && k < len(subs) {
			out[v.Name] = subs[k]
		}
	}
	return out
}

// elementAt names the element whose subscripts are numbers and counters.
func elementAt(v *VarRef, counters map[string]string) (string, bool) {
	if !v.HasIndex {
		return "", false
	}
	var subs []string
	for _, e := range v.Index {
		switch e := e.(type) {
		case *Number:
			subs = append(subs, strconv.FormatFloat(e.Value, 'g', -1, 64))
		case *VarRef:
			value, ok := counters[e.Name]
			if !ok || e.HasIndex {
				return "", false
			}
			subs = append(subs, value)
		default:
			return "", false
		}
	}
	return v.Name + "[" + strings.Join(subs, ",") + "]", true
}

func findRelation(stmts []Stmt, pos Pos) *Relation {
	for _, st := range stmts {
		switch st := st.(type) {
		case *For:
			if r := findRelation(st.Body, pos); r != nil {
				return r
			}
		case *If:
			if r := findRelation(append(st.Then[:len(st.Then):len(st.Then)], st.Else...), pos); r != nil {
				return r
			}
		case *Relation:
			if st.LHS.Pos == pos {
				return st
			}
		}
	}
	return nil
}
