package modeltest

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Agree compares the compiled model with the syntax tree at points drawn from the prior:
// the values of all logical elements, and the log density of each stochastic row.
func (c *Case) Agree(points int) error {
	m := c.comp.Model
	r := rng.New(c.Seed, "modeltest agree").Rand
	ev := newEvaluator(c.Program)
	s := m.NewState()
	copy(ev.pt.x, c.x)
	for range points {
		if err := ev.simulate(r, false); err != nil {
			continue
		}
		for e, cell := range c.cell {
			if cell >= 0 && m.Kinds[cell] == model.Unobserved {
				s.V[cell] = ev.pt.x[e]
			}
		}
		if c.Program.isWritten() && !(ev.likelihood() > math.Inf(-1)) {
			continue // what the compiler has taken from a sum or from counts is not defined there
		}
		if err := c.agreeAt(ev, s); err != nil {
			return err
		}
	}
	return nil
}

// leastLogProb is the log density below which rows are not compared: a probability so near 1
// that its complement is rounding has no more digits there.
const leastLogProb = -30

func (c *Case) agreeAt(ev *evaluator, s *model.State) error {
	m := c.comp.Model
	for _, row := range m.Topological() {
		if t, i := m.TemplateOf(row); t.Stoch == nil {
			s.RunRow(t, i)
		}
	}
	want := 0.0
	for _, w := range ev.rows {
		if w.rel.dist != "" {
			want += ev.logProb(w)
		}
		if w.rel.dist == "target" {
			continue
		}
		for _, e := range w.cells {
			if got, want := s.V[c.cell[e]], ev.pt.x[e]; !near(got, want, 1e-9) {
				return fmt.Errorf("agree: %s is %v in the compiled model, %v in the program", c.name(e), got, want)
			}
		}
		if kind := m.Kinds[c.cell[w.cells[0]]]; w.rel.dist == "" || w.rel.isWritten() || kind == model.Logical || kind == model.Constant { // what a sum leaves
			continue
		}
		row := m.DefRow(c.cell[w.cells[0]])
		t, i := m.TemplateOf(row)
		if t.Stoch == nil {
			return fmt.Errorf("agree: %s is not stochastic in the compiled model", c.name(w.cells[0]))
		}
		if got := m.Kinds[c.cell[w.cells[0]]]; w.seen != (got == model.Observed) {
			return fmt.Errorf("agree: %s has data: %v in the program, %v in the compiled model", c.name(w.cells[0]), w.seen, !w.seen)
		}
		if got, want := s.LogProbRow(t, i), ev.logProb(w); !near(got, want, 1e-7) && want > leastLogProb && !lostDigits(w.rel.dist, got, want) {
			return fmt.Errorf("agree: the log density of %s is %v in the compiled model, %v in the program", c.name(w.cells[0]), got, want)
		}
	}
	if !c.Program.isWritten() || c.Program.has("dnormmix") || c.Program.has("dmulti") {
		return nil
	}
	got := 0.0
	for _, row := range m.Topological() {
		if t, i := m.TemplateOf(row); t.Stoch != nil {
			got += s.LogProbRow(t, i)
		}
	}
	if !near(got, want, 1e-7) && want > 3*leastLogProb {
		return fmt.Errorf("agree: the log density is %v in the compiled model, %v in the program", got, want)
	}
	return nil
}

// lostDigits tells a difference that rounding of a probability near 1 leaves in the logarithm
// of its complement, the probability of a value of a discrete node.
func lostDigits(name string, a, b float64) bool {
	d, _ := dist.Lookup(name)
	return d != nil && d.Discrete && math.Abs(a-b) <= 4*0x1p-53*math.Exp(-b)
}

func near(a, b, tol float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= tol*(1+math.Abs(a)+math.Abs(b))
}
