package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
	"github.com/ergodic-mcmc/ergodic/model"
)

const labelsName = "exchange-of-labels"

// labels exchanges two components of a mixture whose weights come from a stick that is broken: parameters and allocations change their labels, the likelihood stays, and the fractions
// of the stick, which make the labels differ, are integrated out and drawn anew (Papaspiliopoulos and Roberts 2008; Hastie, Liverani and Richardson 2015). One allocation at a time, a component
// leaves its place on the stick only through places that have too few or too many. With V the fractions, which do not depend on one another given the allocations z,
//
//	p(z) = p(z | V) p(V) / p(V | z)
//
// at any V, such as the present one (Chib 1995).
type labels struct {
	*labelled
	counts  []float64 // of each component, of allocations and data
	sampled []float64 // of allocations alone
	full    []int     // components that have some
}

// labelled is what all chains share.
type labelled struct {
	m         *model.Model
	fractions []*conjBeta
	stick     *stick
	z         []int32
	parts     *model.Components
	det       []model.Seg // logical rows that depend on the fractions
}

// exchanges is how many are tried in an iteration.
const exchanges = 4

// stickLabels adds such moves, where components differ by what allocations pick and by nothing else.
func stickLabels(p *planner, _ []int32) {
	for _, k := range sticks(p) {
		if rows := k.find(p); rows != nil {
			p.add(Item{Kernel: labelsName, Rows: rows, make: func([]kernel) kernel { return k.forChain() }})
		}
	}
}

// sticks are those whose fractions have no other children than what is allocated by their weights.
func sticks(p *planner) (all []*labelled) {
	for _, r := range p.rows {
		t, _ := p.Model.TemplateOf(r)
		if t.Stoch.Name != "dbeta" || p.asked[r] != nil {
			continue
		}
		c := newConjBeta(newNode(p.Model, r))
		if c == nil || !c.breaks() || !c.holds(p.probe) {
			continue
		}
		k := slices.IndexFunc(all, func(o *labelled) bool { return slices.Equal(o.stick.weights, c.sticks[0].weights) })
		if k < 0 {
			k, all = len(all), append(all, &labelled{m: p.Model, stick: &c.sticks[0]})
		}
		all[k].fractions = append(all[k].fractions, c)
	}
	all = slices.DeleteFunc(all, func(k *labelled) bool { return !k.apart() })
	for _, k := range all {
		var cells []int32
		for _, c := range k.fractions {
			cells = append(cells, c.n.cells[0])
		}
		k.det = p.Model.Blanket(cells).Det
	}
	return all
}

// apart tells whether no fraction's prior depends on another.
func (k *labelled) apart() bool {
	return !slices.ContainsFunc(k.fractions, func(c *conjBeta) bool {
		return slices.ContainsFunc(k.fractions, func(o *conjBeta) bool { return c.n.moves(o.n.t.Operands(o.n.i)) })
	})
}

// find looks for the components, and gives the rows of all nodes that move; nil where there are none.
func (k *labelled) find(p *planner) (rows []int32) {
	var cells []int32
	for _, c := range k.fractions {
		cells = append(cells, c.n.cells[0])
	}
	for _, c := range k.stick.cats {
		if p.Model.Kinds[c] == model.Unobserved && p.asked[p.Model.DefRow(c)] == nil {
			k.z = append(k.z, c)
			rows = append(rows, p.Model.DefRow(c))
		}
	}
	if len(k.z) == 0 {
		return nil
	}
	if k.parts = p.Model.Components(k.z, len(k.stick.weights)); k.parts == nil {
		return nil
	}
	for _, c := range slices.Concat(append(k.parts.Nodes, cells)...) {
		if r := p.Model.DefRow(c); p.asked[r] != nil {
			return nil
		} else if !slices.Contains(rows, r) {
			rows = append(rows, r)
		}
	}
	return rows
}

func (k *labelled) forChain() *labels {
	n := len(k.stick.weights)
	return &labels{labelled: k, counts: make([]float64, n), sampled: make([]float64, n)}
}

// Step tries some exchanges. That of the fractions is drawn after the last: those before it would be overwritten.
func (k *labels) Step(s *model.State, r *rand.Rand) mcmc.Info {
	k.count(s)
	info, moved := mcmc.Info{}, false
	for range exchanges {
		if len(k.full) == 0 {
			break
		}
		a := k.full[r.IntN(len(k.full))]
		b := r.IntN(len(k.counts) - 1)
		if b >= a {
			b++
		}
		accepted, prob := k.exchange(s, r, a, b)
		moved = moved || accepted
		info.AcceptProb += float64(prob / exchanges)
	}
	info.Accepted = moved
	if moved {
		k.draw(s, r)
	}
	return info
}

// draw draws the fractions given the allocations that are counted.
func (k *labels) draw(s *model.State, r *rand.Rand) {
	for _, c := range k.fractions {
		yes, not := k.evidence(c)
		alpha, beta := c.prior(s.V)
		s.V[c.n.cells[0]] = dist.Beta(r, alpha+yes, beta+not)
	}
	s.Run(k.det)
}

// count finds the numbers of allocations and data.
func (k *labels) count(s *model.State) {
	clear(k.counts)
	clear(k.sampled)
	add := func(to []float64, cells []int32) {
		for _, c := range cells {
			if j := int(s.V[c]) - 1; j >= 0 && j < len(to) {
				to[j]++
			}
		}
	}
	add(k.counts, k.stick.cats)
	add(k.sampled, k.z)
	for _, out := range k.stick.counts {
		for j, c := range out {
			k.counts[j] += s.V[c]
		}
	}
	k.full = k.full[:0]
	for j, n := range k.sampled {
		if n > 0 {
			k.full = append(k.full, j)
		}
	}
}

// evidence is what the counts say of a fraction.
func (k *labels) evidence(c *conjBeta) (yes, not float64) {
	for j, n := range k.counts {
		yes += float64(n * c.sticks[0].yes[j])
		not += float64(n * c.sticks[0].not[j])
	}
	return yes, not
}

// marginal is the log probability of the counts with the fractions integrated out, up to a constant.
func (k *labels) marginal(s *model.State) float64 {
	lp := 0.0
	for j, n := range k.counts {
		if n > 0 {
			lp += float64(n * vec.Log(s.V[k.stick.weights[j]]))
		}
	}
	for _, c := range k.fractions {
		yes, not := k.evidence(c)
		alpha, beta := c.prior(s.V)
		lp -= dist.BetaLogProb(s.V[c.n.cells[0]], alpha+yes, beta+not)
	}
	return lp
}

// exchange proposes that components a and b exchange their labels.
func (k *labels) exchange(s *model.State, r *rand.Rand, a, b int) (accepted bool, prob float64) {
	before := k.marginal(s) + k.prior(s, a, b)
	k.relabel(a, b)
	k.swap(s, a, b)
	ratio := k.marginal(s) + k.prior(s, a, b) - before
	if math.IsNaN(ratio) {
		ratio = math.Inf(-1)
	}
	if accepted, prob = mh.Accept(r, ratio); !accepted {
		k.relabel(a, b)
		k.swap(s, a, b)
		return false, prob
	}
	for _, c := range k.z {
		switch s.V[c] {
		case float64(a + 1):
			s.V[c] = float64(b + 1)
		case float64(b + 1):
			s.V[c] = float64(a + 1)
		}
	}
	for j, x := range k.full {
		switch x {
		case a:
			k.full[j] = b
		case b:
			k.full[j] = a
		}
	}
	return true, prob
}

// relabel exchanges the numbers of allocations.
func (k *labels) relabel(a, b int) {
	d := k.sampled[a] - k.sampled[b]
	k.counts[a], k.counts[b] = k.counts[a]-d, k.counts[b]+d
	k.sampled[a], k.sampled[b] = k.sampled[b], k.sampled[a]
}

// swap exchanges the parameters.
func (k *labels) swap(s *model.State, a, b int) {
	for i, c := range k.parts.Nodes[a] {
		o := k.parts.Nodes[b][i]
		s.V[c], s.V[o] = s.V[o], s.V[c]
	}
	s.Run(k.parts.Logic[a])
	s.Run(k.parts.Logic[b])
}

func (k *labels) prior(s *model.State, a, b int) float64 {
	return s.LogProb(k.parts.Prior[a]) + s.LogProb(k.parts.Prior[b])
}
