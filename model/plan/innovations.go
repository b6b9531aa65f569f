package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/slice"
)

const innovationsName = "with-innovations"

// innovations moves numbers u of nuts on which the priors of a field depend, such as precisions and autocorrelations, one after the other by slices, while the innovations
//
//	e_i = (x_i − μ_i) √τ_i
//
// of its nodes stand still, so that the field goes with them. Beside the moves of [withField], which hold what data leave of the field, it is the other half of the interweaving strategy of Yu and Meng (2011, "To center or not to
// center: that is not the question"): where data say little of each node, as zeros and ones do that lie far from the middle, the conditional density of the field is no normal one, and it is this half that mixes.
type innovations struct {
	b       *nuts
	f       *field
	numbers []int   // of u
	node    []int32 // of each row of the path, or −1

	slices []slice.Univariate
	alone  []lagged // the numbers without the move
	share  float64  // of the iterations in which it is made

	s         *model.State // while it moves
	number    int
	all, u, e []float64 // all of u; those of the nodes that are not in the field; innovations
	old       []float64
	logp      func(x float64) float64
}

func newInnovations(m *model.Model, b *nuts, numbers []int) *innovations {
	f := b.field
	at := map[int32]int32{}
	for j, n := range f.nodes {
		at[m.DefRow(n.cell)] = int32(j)
	}
	k := &innovations{b: b, f: f, numbers: numbers, node: make([]int32, len(f.path)), slices: make([]slice.Univariate, len(numbers)), alone: make([]lagged, len(numbers)), share: 1,
		all: make([]float64, b.x.size), e: make([]float64, len(f.nodes)), old: make([]float64, len(b.cells))}
	k.u = k.all[:b.x.size-len(f.nodes)]
	for i, row := range f.path {
		k.node[i] = -1
		if j, ok := at[row]; ok {
			k.node[i] = j
		}
	}
	k.logp = k.at
	return k
}

// priorNumbers are those numbers of u, the field's aside, on which means or precisions of its nodes depend, with the rows of the nodes that they are of.
func (b *nuts) priorNumbers(m *model.Model) (numbers []int, rows []int32) {
	var cells []int32
	for _, n := range b.x.field.nodes {
		cells = append(cells, n.mu, n.tau)
	}
	above := map[int32]bool{}
	ancestors(m, cells, func(c int32) bool {
		above[c] = true
		return m.Kinds[c] == model.Logical
	})
	k := 0
	for _, t := range b.x.parts[:len(b.x.parts)-1] {
		for j := range t.size() {
			if above[t.owner(j)] {
				numbers, rows = append(numbers, k), append(rows, m.DefRow(t.owner(j)))
			}
			k++
		}
	}
	return numbers, rows
}

// at is the log density of the numbers and the innovations where the number at hand is x.
func (k *innovations) at(x float64) float64 {
	s := k.s
	k.u[k.number] = x
	lp := k.b.x.placeOthers(s, k.u)
	if !vec.Finite(lp) {
		return math.Inf(-1)
	}
	scale := vec.NewLogProduct() // of the precisions
	for i, row := range k.f.path {
		j := k.node[i]
		if j < 0 {
			t, r := s.M.TemplateOf(row)
			s.RunRow(t, r)
			continue
		}
		n := &k.f.nodes[j]
		tau := s.V[n.tau]
		if !(tau > 0) {
			return math.Inf(-1)
		}
		s.V[n.cell] = s.V[n.mu] + k.e[j]/math.Sqrt(tau)
		if !vec.Finite(s.V[n.cell]) {
			return math.Inf(-1)
		}
		scale.Times(tau)
	}
	s.Run(k.b.det)
	lp += s.LogProb(k.b.stoch) - float64(0.5*scale.Log())
	if !vec.Finite(lp) {
		return math.Inf(-1)
	}
	return lp
}

func (k *innovations) move(s *model.State, r *rand.Rand, step lineStep) mcmc.Info {
	k.s = s
	s.Settle()
	k.b.x.read(s, k.all, r)
	evals := 0
	for i, number := range k.numbers {
		k.b.at.gather(k.old, s.V)
		for j, n := range k.f.nodes {
			k.e[j] = (s.V[n.cell] - s.V[n.mu]) * math.Sqrt(s.V[n.tau])
		}
		k.number = number
		x := k.u[number]
		x1, _, n := step(&k.slices[i], r, x, k.at(x), math.Inf(-1), math.Inf(1), k.logp)
		if k.at(x1); x1 == x { // as they were, without rounding
			k.b.at.scatter(s.V, k.old)
			s.Run(k.b.det)
		}
		evals += n + 2
	}
	return mcmc.Info{Accepted: true, AcceptProb: 1, Evals: evals}
}

// Step moves the numbers and the field.
func (k *innovations) Step(s *model.State, r *rand.Rand) mcmc.Info {
	if r.Float64() >= k.share {
		return idle()
	}
	return k.move(s, r, (*slice.Univariate).Step1)
}

// Adapt moves them in the first quarter of warm-up, watches the numbers without the move in the second, and then moves them as often as that helps.
func (k *innovations) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	switch quarter := 4 * w.Iteration / max(1, w.Total); {
	case quarter == 1:
		s.Settle()
		k.b.x.read(s, k.all, r)
		for i, number := range k.numbers {
			k.alone[i].add(k.u[number])
		}
		return idle()
	case quarter == 2:
		k.share = k.need()
	}
	if r.Float64() >= k.share {
		return idle()
	}
	return k.move(s, r, (*slice.Univariate).Adapt1)
}

// need is the share of the iterations in which the move helps.
func (k *innovations) need() float64 {
	switch {
	case slices.ContainsFunc(k.alone, func(l lagged) bool { return l.above(slowLag) }):
		return 1
	case slices.ContainsFunc(k.alone, func(l lagged) bool { return l.above(brisk) }):
		return 0.05
	}
	return 0.02
}

// Freeze ends adaptation.
func (k *innovations) Freeze() {}

func (k *innovations) fields() []*float64 {
	all := []*float64{&k.share}
	for i := range k.alone {
		all = append(all, k.alone[i].fields()...)
	}
	return all
}

func (k *innovations) parts() (all []*slice.Univariate) {
	for i := range k.slices {
		all = append(all, &k.slices[i])
	}
	return all
}

// MarshalBinary writes the tuning.
func (k *innovations) MarshalBinary() ([]byte, error) { return marshalWith(k.fields(), k.parts()) }

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *innovations) UnmarshalBinary(b []byte) error { return unmarshalWith(b, k.fields(), k.parts()) }
