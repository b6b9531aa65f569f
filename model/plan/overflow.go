package plan

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/model"
)

// farOut is a value from which a square or two overflow. Data in no unit come
// near it: where sampling does, it is kept from going on by overflow alone.
const farOut = 1e150

// Overflow finds a node whose parents, or if it is sampled whose value, lie so far out in a state that its density is about to
// overflow. It returns its name and its relation with values, "" where there is none.
func (p *Plan) Overflow(s *model.State) (node, relation string) {
	for _, t := range p.Model.Templates {
		if t.Stoch == nil {
			continue
		}
		for i := range t.Rows {
			cells := t.Cells(i)
			observed := p.Model.Kinds[cells[0]] == model.Observed
			if !observed && !p.Model.Informed(t.First+int32(i)) {
				continue
			}
			if changingAndFar(s, t.Operands(i)) || changingAndFar(s, cells) {
				e := nodeError(s, t, i)
				return e.Left, e.Relation(nil)
			}
		}
	}
	return "", ""
}

// changingAndFar looks for a cell that is not given and far out.
func changingAndFar(s *model.State, cells []int32) bool {
	for _, c := range cells {
		if !(math.Abs(s.V[c]) < farOut) && !given(s.M, c) {
			return true
		}
	}
	return false
}

// Movable names the monitored elements that cannot have one value in all draws: continuous nodes that are sampled.
func (j *Job) Movable() map[string]bool {
	m := j.Plan.Model
	names := map[string]bool{}
	for _, mon := range j.Monitors {
		for k, c := range mon.Cells {
			if c < 0 || m.Kinds[c] != model.Unobserved || !m.Informed(m.DefRow(c)) {
				continue
			}
			t, _ := m.TemplateOf(m.DefRow(c))
			if d := t.Stoch.Scalar; d != nil && !d.Discrete || t.Stoch.Name == "dmnorm" || t.Stoch.Name == "dmt" {
				names[mon.ElementName(k)] = true
			}
		}
	}
	return names
}
