package bugs

import (
	"errors"

	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// Explain shows the line of the program behind an error of the plan or of a
// chain's start; other errors stay as they are.
func (c *Compiled) Explain(err error) error {
	var n *plan.NodeError
	if !errors.As(err, &n) {
		return err
	}
	pos := Pos{n.Place.Line, n.Place.Col}
	hint := n.Hint
	if n.Dist != "" {
		hint = n.Relation(c.paramSource(pos)) + "\n  " + hint
	}
	return c.Program.ErrorAt(pos, hint, "%s", n.Msg)
}

// paramSource gives the text of the k-th parameter, or bound, of the relation
// whose left side is at pos: "" for a literal.
func (c *Compiled) paramSource(pos Pos) func(k int) string {
	d := findDist(c.Program.Model.Stmts, pos)
	if d == nil {
		return nil
	}
	args := d.Args[:len(d.Args):len(d.Args)]
	if t := d.Trunc; t != nil {
		for _, e := range []Expr{t.Lo, t.Hi} {
			if e != nil {
				args = append(args, e)
			}
		}
	}
	return func(k int) string {
		if k >= len(args) || literal(args[k]) {
			return ""
		}
		return args[k].String()
	}
}

func literal(e Expr) bool {
	if u, ok := e.(*Unary); ok {
		e = u.X
	}
	_, ok := e.(*Number)
	return ok
}

func findDist(stmts []Stmt, pos Pos) *DistCall {
	for _, st := range stmts {
		switch st := st.(type) {
		case *For:
			if d := findDist(st.Body, pos); d != nil {
				return d
			}
		case *Relation:
			if st.Stochastic && st.LHS.Pos == pos {
				return st.Dist
			}
		}
	}
	return nil
}
