package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// explanation is a node with its neighbours and its kernels.
type explanation struct {
	Node     string   `json:"node"`
	Role     string   `json:"role"`
	Line     int      `json:"line,omitempty"`
	Relation string   `json:"relation,omitempty"`
	Parents  []string `json:"parents"`  // the variable cells that its relation reads
	Children []string `json:"children"` // the stochastic nodes whose densities follow it
	Through  []string `json:"through"`  // what is computed between
	Kernels  []reason `json:"kernels"`
}

type reason struct {
	Kernel string   `json:"kernel"`
	With   []string `json:"with,omitempty"` // the other nodes that it moves
	Why    string   `json:"why"`
}

// explain prints all that decides how a node is moved.
func (l *loaded) explain(name string, asJSON bool) error {
	monitors, err := l.compiled.Monitors([]string{name})
	if err != nil {
		return fmt.Errorf("--explain: %s", strings.TrimPrefix(err.Error(), "Job.Monitors "))
	}
	cell := int32(-1)
	for _, m := range monitors {
		for k, c := range m.Cells {
			if _, absent := slices.BinarySearch(m.Absent, k); !absent && cell < 0 {
				cell = c
			}
		}
	}
	if cell < 0 {
		return usage("check: --explain %s: name a node", wording.Brief(name))
	}
	e := l.explanation(cell)
	if asJSON {
		return printJSON(e)
	}
	_, err = os.Stdout.WriteString(e.text())
	return err
}

func (l *loaded) explanation(cell int32) *explanation {
	m := l.compiled.Model
	e := &explanation{Node: m.CellName(cell), Role: roleOf(m, cell), Parents: []string{}, Children: []string{}, Through: []string{}, Kernels: []reason{}}
	row := m.DefRow(cell)
	if row < 0 {
		return e
	}
	t, _ := m.TemplateOf(row)
	e.Line, e.Relation = t.Place.Line, strings.TrimSpace(l.compiled.Program.Line(t.Place.Line))
	m.Parents(row, func(c int32) { e.Parents = include(e.Parents, m.CellName(c)) })
	b := m.Blanket([]int32{cell})
	e.Through = l.rowNames(b.Det, row)
	e.Children = l.rowNames(b.Stoch, row)
	for _, it := range l.plan.Items {
		if !slices.Contains(it.Rows, row) {
			continue
		}
		r := reason{Kernel: it.Kernel, Why: it.Why}
		if r.Why == "" {
			r.Why = plan.Reason(it.Kernel)
		}
		for _, other := range it.Rows {
			if ot, i := m.TemplateOf(other); other != row {
				r.With = append(r.With, m.CellName(ot.Cells(i)[0]))
			}
		}
		e.Kernels = append(e.Kernels, r)
	}
	return e
}

// rowNames are the nodes that rows define, but one.
func (l *loaded) rowNames(segs []model.Seg, but int32) []string {
	m, names := l.compiled.Model, []string{}
	for _, g := range segs {
		t := m.Templates[g.T]
		for i := g.Lo; i < g.Hi; i++ {
			if t.First+i != but {
				names = append(names, m.CellName(t.Cells(int(i))[0]))
			}
		}
	}
	return names
}

func (e *explanation) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.Node, e.Role)
	if e.Relation != "" {
		fmt.Fprintf(&b, "\nline %d: %s", e.Line, wording.Brief(e.Relation))
	}
	b.WriteByte('\n')
	for _, of := range []struct {
		what  string
		names []string
	}{{"depends on", e.Parents}, {"enters through", e.Through}, {"the densities of", e.Children}} {
		if len(of.names) > 0 {
			fmt.Fprintf(&b, "%s %s\n", of.what, few(of.names))
		}
	}
	for _, k := range e.Kernels {
		fmt.Fprintf(&b, "\n%s", k.Kernel)
		if len(k.With) > 0 {
			fmt.Fprintf(&b, ", together with %s", few(k.With))
		}
		fmt.Fprintf(&b, ": %s\n", k.Why)
	}
	if len(e.Kernels) == 0 && e.Role == roleUnreached {
		b.WriteString("\nno kernel: no data depend on it, and every iteration draws it from its distribution\n")
	}
	return b.String()
}

// few are the first names of many, and how many more there are.
func few(names []string) string {
	var apart []string // expressions have the same text in every row
	for _, n := range names {
		if len(apart) <= fewNames {
			apart = include(apart, n)
		}
	}
	if len(apart) <= fewNames && len(apart) < len(names) {
		return fmt.Sprintf("%s (%d of them)", wording.Few(apart, fewNames), len(names))
	}
	return wording.Few(names, fewNames)
}
