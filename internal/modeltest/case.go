package modeltest

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Case is a program with data, compiled.
type Case struct {
	Program *Program
	Seed    uint64
	Text    string
	Data    string

	x      []float64 // the point that the data come from
	comp   *bugs.Compiled
	cell   []int32 // of the compiled model, for each element; −1 where it has none
	judged []string
	few    bool // the likelihood leaves too few of the prior's draws to compare with
}

// errUnusable marks a program that has no draws to judge, such as one that overflows.
var errUnusable = errors.New("modeltest: the program has no draws to judge")

// Refused is a program that the compiler refuses.
type Refused struct{ Err error }

func (e *Refused) Error() string { return e.Err.Error() }
func (e *Refused) Unwrap() error { return e.Err }

// trials is the number of draws from the prior that must be finite for a program to be
// used, and huge the size beyond which they need not be.
const (
	trials = 200
	huge   = 1e6
)

// NewCase simulates data for a program and compiles it. The error is errUnusable, wrapped,
// for a program without usable draws, and a [Refused] from the compiler.
func NewCase(p *Program, seed uint64) (*Case, error) {
	r := rng.New(seed, "modeltest data").Rand
	ev := newEvaluator(p)
	if err := usable(ev, r); err != nil {
		return nil, err
	}
	c := &Case{Program: p, Seed: seed, x: append([]float64(nil), ev.pt.x...)}
	return c, c.compile()
}

func usable(ev *evaluator, r *rand.Rand) error {
	if len(ev.rows) == 0 {
		return errUnusable
	}
	for range trials {
		if err := ev.simulate(r, true); err != nil {
			return fmt.Errorf("%w: %w", errUnusable, err)
		}
		for _, w := range ev.rows {
			for _, c := range w.cells {
				if x := ev.pt.x[c]; !(math.Abs(x) < huge) || edge(w.rel, x) {
					return fmt.Errorf("%w: %s is %v", errUnusable, w.rel.left(), ev.pt.x[c])
				}
			}
			if w.rel.dist == "" {
				continue
			}
			if lp := ev.logProb(w); math.IsNaN(lp) || math.IsInf(lp, 0) {
				return fmt.Errorf("%w: the log density of %s is %v", errUnusable, w.rel.left(), lp)
			}
		}
	}
	return nil
}

// edge tells a value so near the end of its support that rounding makes it an atom: its
// law is no longer the distribution's.
func edge(r *Rel, x float64) bool {
	const tiny = 1e-9
	switch {
	case r.dist == "":
		return false
	case r.v.dom == probability:
		return x < tiny || x > 1-tiny
	case r.v.dom == positive:
		return x < tiny
	case r.v.dom == simplexCell: // kernels that work with densities do not go there, and say so (plan.Edges)
		return x == 0x1p-1022
	}
	return false
}

func (c *Case) compile() error {
	c.Text, c.Data = c.Program.String(), c.Program.Data(c.x)
	prog, err := bugs.Parse("program.bug", c.Text)
	if err != nil {
		return &Refused{err}
	}
	d, err := bugs.ReadData("data.R", []byte(c.Data))
	if err != nil {
		return fmt.Errorf("modeltest: its own data: %w", err)
	}
	c.comp, err = bugs.Compile(prog, d, rng.New(c.Seed, "modeltest compile").Rand)
	if err != nil {
		return &Refused{err}
	}
	return c.locate()
}

// locate finds the cell of each element in the compiled model. Programs that [Shrink] has cut may
// leave an array smaller than it was.
func (c *Case) locate() error {
	c.cell = make([]int32, c.Program.cells)
	for i := range c.cell {
		c.cell[i] = -1
	}
	for _, v := range c.Program.Vars {
		a, ok := c.comp.Model.Array(v.Name)
		if !ok {
			continue
		}
		if a.Size != v.Size() {
			return errUnusable
		}
		for k := range a.Size {
			c.cell[v.base+k] = a.Base + int32(k)
		}
	}
	return nil
}

// name is what BUGS calls an element.
func (c *Case) name(e int) string { return c.comp.Model.CellName(c.cell[e]) }

// dataAreRead tells whether some node reads data of another: such data cannot be drawn
// anew, because the compiler may use them as constants; nor can those with densities that are only factors.
func (c *Case) dataAreRead() bool {
	for _, r := range c.Program.Rels {
		if r.hasFactor() {
			return true
		}
		if r.dist == "" || !r.observed {
			continue
		}
		for _, q := range c.Program.Rels {
			if q.reads(r.v) {
				return true
			}
		}
	}
	return false
}

// isWritten tells a program with relations that the compiler writes in others.
func (p *Program) isWritten() bool { return slices.ContainsFunc(p.Rels, (*Rel).isWritten) }

// has tells whether a program has a distribution.
func (p *Program) has(dist string) bool {
	return slices.ContainsFunc(p.Rels, func(r *Rel) bool { return r.dist == dist })
}

// plan makes the default plan, or one with kernels forced on nodes.
func (c *Case) plan(force map[string]string) (*plan.Plan, error) {
	var over []*plan.Override
	for _, name := range slices.Sorted(maps.Keys(force)) {
		kernel := force[name]
		over = append(over, &plan.Override{Pattern: name, Kernel: kernel, Match: func(s string) bool { return s == name }})
	}
	p, err := plan.New(c.comp.Model, over)
	if err != nil {
		return nil, &Refused{err}
	}
	return p, nil
}

// force picks a general kernel for every node that takes part.
func (c *Case) force(pick func(n int) int) map[string]string {
	force := map[string]string{}
	c.takingPart(func(name string, list []string) { force[name] = list[pick(len(list))] })
	return force
}

// takingPart calls f with every node that takes part and the kernels that move it.
func (c *Case) takingPart(f func(name string, servants []string)) {
	m := c.comp.Model
	for _, row := range m.Topological() {
		t, i := m.TemplateOf(row)
		if t.Stoch == nil || m.Kinds[t.Cells(i)[0]] != model.Unobserved || !m.Informed(row) {
			continue
		}
		f(m.CellName(t.Cells(i)[0]), servants(t.Stoch))
	}
}

// servants are kernels that move any node of a distribution, whatever its children.
func servants(st *model.Stoch) []string {
	switch {
	case st.Scalar != nil && st.Scalar.Discrete:
		switch st.Name {
		case "dcat", "dbern":
			return []string{"enumerate", "prior"}
		}
		return []string{"slice", "prior"}
	case st.Name == "dflat":
		return []string{"slice", "metropolis", "slice-doubling", "nuts"}
	case st.Scalar != nil:
		return []string{"slice", "metropolis", "prior", "slice-doubling", "nuts"}
	case st.Name == "dmnorm":
		return []string{"elliptical-slice", "prior", "nuts"}
	case st.Name == "ddirch":
		return []string{"simplex-slice", "prior", "nuts"}
	case st.Name == "dmulti":
		return []string{"exchange", "prior"}
	case st.Name == "dwish", st.Name == "dmt", st.Name == "dmnorm.vcov":
		return []string{"prior", "nuts"}
	}
	return []string{"prior"}
}

// String shows the program, its data and the seed that makes it.
func (c *Case) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d\n%s%s", c.Seed, c.Text, c.Data)
	if c.comp == nil {
		return b.String()
	}
	if p, err := c.plan(nil); err == nil {
		for _, it := range p.Items {
			t, i := c.comp.Model.TemplateOf(it.Rows[0])
			fmt.Fprintf(&b, "# %s: %s\n", c.comp.Model.CellName(t.Cells(i)[0]), it.Kernel)
		}
	}
	return b.String()
}
