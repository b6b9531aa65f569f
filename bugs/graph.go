package bugs

import (
	"fmt"
	"slices"
	"strings"
)

// DOT is the graph of a program's model block in the language of Graphviz: an ellipse for a
// stochastic variable, a diamond for a computed one, a box for one that the program only
// reads, and a box around what stands in a loop, the plate. An arrow is solid into a
// stochastic variable and dashed into a computed one. Names, plates and arrows have the
// order of the text.
func (p *Program) DOT() string {
	g := &dot{shapes: map[string]string{}, arrows: map[[2]string]bool{}, seen: map[string]bool{}}
	g.b.WriteString("digraph model {\n")
	if p.Model != nil {
		g.note(p.Model.Stmts)
		g.stmts(p.Model.Stmts, nil, 1)
	}
	for _, name := range g.read {
		if g.shapes[name] == "" {
			g.shapes[name] = "box"
			fmt.Fprintf(&g.b, "  %s [shape=box];\n", quoted(name))
		}
	}
	for _, a := range g.edges {
		style := ""
		if a.computed {
			style = " [style=dashed]"
		}
		fmt.Fprintf(&g.b, "  %s -> %s%s;\n", quoted(a.from), quoted(a.to), style)
	}
	g.b.WriteString("}\n")
	return g.b.String()
}

// quoted is a name as Graphviz reads it.
func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }

type dotArrow struct {
	from, to string
	computed bool
}

type dot struct {
	b      strings.Builder
	shapes map[string]string // by name, of what has been written
	kinds  map[string]string // by name, of what the model defines
	read   []string          // names on right sides, in order
	seen   map[string]bool   // of these
	edges  []dotArrow
	arrows map[[2]string]bool
	plates int
}

// note finds out which variables are stochastic: a name with any ~ is.
func (g *dot) note(stmts []Stmt) {
	g.kinds = map[string]string{}
	eachRelation(stmts, func(r *Relation) {
		switch {
		case r.Stochastic:
			g.kinds[r.LHS.Name] = "ellipse"
		case g.kinds[r.LHS.Name] == "":
			g.kinds[r.LHS.Name] = "diamond"
		}
	})
}

func (g *dot) stmts(stmts []Stmt, counters []string, depth int) {
	indent := strings.Repeat("  ", min(depth, maxIndent))
	for _, st := range stmts {
		switch st := st.(type) {
		case *For:
			g.plates++
			fmt.Fprintf(&g.b, "%ssubgraph cluster_%d {\n%s  label=%s;\n", indent, g.plates, indent, quoted(st.Var+" in "+st.Range.String()))
			g.stmts(st.Body, append(counters[:len(counters):len(counters)], st.Var), depth+1)
			g.b.WriteString(indent + "}\n")
		case *If:
			g.stmts(st.Then, counters, depth)
			g.stmts(st.Else, counters, depth)
		case *Relation:
			g.relation(st, counters, indent)
		}
	}
}

func (g *dot) relation(r *Relation, counters []string, indent string) {
	name := r.LHS.Name
	if g.shapes[name] == "" {
		g.shapes[name] = g.kinds[name]
		fmt.Fprintf(&g.b, "%s%s [shape=%s];\n", indent, quoted(name), g.kinds[name])
	}
	var see func(e Expr)
	see = func(e Expr) {
		switch e := e.(type) {
		case *VarRef:
			if !slices.Contains(counters, e.Name) {
				g.arrow(dotArrow{e.Name, name, !r.Stochastic})
			}
			for _, x := range e.Index {
				see(x)
			}
		case *Call:
			for _, x := range e.Args {
				see(x)
			}
		case *Binary:
			see(e.L)
			see(e.R)
		case *Unary:
			see(e.X)
		}
	}
	see(r.Expr)
	if d := r.Dist; d != nil {
		for _, e := range d.Args {
			see(e)
		}
		if d.Trunc != nil {
			see(d.Trunc.Lo)
			see(d.Trunc.Hi)
		}
	}
}

func (g *dot) arrow(a dotArrow) {
	if !g.seen[a.from] {
		g.seen[a.from] = true
		g.read = append(g.read, a.from)
	}
	if key := [2]string{a.from, a.to}; !g.arrows[key] {
		g.arrows[key] = true
		g.edges = append(g.edges, a)
	}
}
