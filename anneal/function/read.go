package function

import (
	"errors"
	"math"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// goals are the names of the relation that is the function, and the sign that makes it an energy.
var goals = map[string]float64{"minimise": 1, "minimize": 1, "maximise": -1, "maximize": -1}

// observed is the name of a datum that hangs on the function, so that the model computes what leads to it. Files cannot name it.
const observed = ".value"

// opening stands before relations that are not in a block.
const opening = "model {"

// Read reads a function. The name is for errors, which are of type [*bugs.Error].
func Read(name string, text []byte) (*Problem, error) {
	src, wrapped := string(text), false
	if !hasBlock(src) {
		src, wrapped = opening+src+"\n}", true
	}
	p, err := compile(name, src)
	if e := (*bugs.Error)(nil); wrapped && errors.As(err, &e) && e.Pos.Line == 1 {
		moved := *e
		moved.Pos.Col = max(1, e.Pos.Col-len(opening))
		moved.Source = strings.TrimPrefix(e.Source, opening)
		return nil, &moved
	}
	return p, err
}

// hasBlock tells whether the first word after blanks and comments is that of a block.
func hasBlock(src string) bool {
	for {
		src = strings.TrimLeft(src, " \t\r\n\ufeff")
		if end := "\n"; strings.HasPrefix(src, "#") {
			_, src, _ = strings.Cut(src, end)
			continue
		}
		if strings.HasPrefix(src, "/*") {
			_, src, _ = strings.Cut(src, "*/")
			continue
		}
		for _, word := range []string{"var", "data", "model"} {
			if rest, ok := strings.CutPrefix(src, word); ok && (rest == "" || strings.ContainsRune(" \t\r\n{#/", rune(rest[0]))) {
				return true
			}
		}
		return false
	}
}

func compile(name, src string) (*Problem, error) {
	prog, err := bugs.Parse(name, src)
	if err != nil {
		return nil, err
	}
	if prog.Model == nil {
		return nil, prog.ErrorAt(bugs.Pos{Line: 1, Col: 1}, "", "there is no function: a line minimise <- … gives it")
	}
	found := map[string]*bugs.Relation{}
	defined(prog.Model.Stmts, found)
	if prog.Data != nil {
		defined(prog.Data.Stmts, found)
	}
	var goal *bugs.Relation
	for _, word := range []string{"minimise", "minimize", "maximise", "maximize"} {
		switch r := found[word]; {
		case r == nil:
		case goal != nil:
			return nil, prog.ErrorAt(r.Pos, "Leave one of them.", "a second function, after that of %s", goal.LHS.Name)
		case r.Stochastic || r.LHS.HasIndex || r.Link != "":
			return nil, prog.ErrorAt(r.Pos, "", "%s must be one number: %s <- an expression", word, word)
		default:
			goal = r
		}
	}
	if goal == nil {
		return nil, prog.ErrorAt(prog.Model.Pos, "Write minimise <- or maximise <- and the expression.", "there is no function")
	}
	ref := func(name string) *bugs.VarRef { return &bugs.VarRef{Name: name, Pos: goal.Pos} }
	prog.Model.Stmts = append(prog.Model.Stmts, &bugs.Relation{LHS: ref(observed), Stochastic: true, Pos: goal.Pos,
		Dist: &bugs.DistCall{Name: "dnorm", Args: []bugs.Expr{ref(goal.LHS.Name), &bugs.Number{Value: 1, Text: "1", Pos: goal.Pos}}, Pos: goal.Pos}})
	data := &bugs.Data{Values: map[string]*bugs.Value{observed: {Data: []float64{0}, File: name, Pos: goal.Pos}}}
	if found["pi"] == nil {
		data.Values["pi"] = &bugs.Value{Data: []float64{math.Pi}, File: name, Pos: goal.Pos}
	}
	compiled, err := bugs.Compile(prog, data, rng.New(0, "function data").Rand)
	if err != nil {
		return nil, err
	}
	return newProblem(prog, compiled.Model, goal)
}

// defined collects the relations by the names that they define.
func defined(stmts []bugs.Stmt, to map[string]*bugs.Relation) {
	for _, s := range stmts {
		switch s := s.(type) {
		case *bugs.For:
			defined(s.Body, to)
		case *bugs.Relation:
			to[s.LHS.Name] = s
		}
	}
}

// newProblem finds the variables and their bounds.
func newProblem(prog *bugs.Program, m *model.Model, goal *bugs.Relation) (*Problem, error) {
	a, ok := m.Array(goal.LHS.Name)
	if !ok || m.Kinds[a.Base] != model.Logical {
		return nil, prog.ErrorAt(goal.Pos, "Variables are written as x ~ dunif(LOW, HIGH).", "the function does not depend on any variable")
	}
	p := &Problem{m: m, value: a.Base, sign: goals[goal.LHS.Name]}
	for _, t := range m.Templates {
		if t.Stoch == nil {
			continue
		}
		for i := range t.Rows {
			cell := t.Cells(i)[0]
			if m.CellName(cell) == observed {
				continue
			}
			at := bugs.Pos{Line: t.Place.Line, Col: t.Place.Col}
			if t.Stoch.Name != "dunif" || m.Kinds[cell] != model.Unobserved {
				return nil, prog.ErrorAt(at, "Variables are written as x ~ dunif(LOW, HIGH).", "%s has the distribution %s, where bounds are given by dunif", m.CellName(cell), t.Stoch.Name)
			}
			lo, hi := m.FixedBounds(t, i)
			if !(lo < hi) || math.IsInf(hi-lo, 0) {
				return nil, prog.ErrorAt(at, "Give two numbers, the lower one first.", "the bounds of %s are %v and %v", m.CellName(cell), lo, hi)
			}
			p.cells, p.low, p.high = append(p.cells, cell), append(p.low, lo), append(p.high, hi)
		}
	}
	if err := p.link(); err != nil {
		return nil, prog.ErrorAt(goal.Pos, "", "the function of %d variables: %v", len(p.cells), err)
	}
	return p, nil
}
