package plan

import (
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// seat moves a customer of a Chinese restaurant process (dCRP): a label of 1 … n. Of the labels that others have each is weighed by how many
// have it, of those that are left only some, the customer's own among them where nobody shares it, the others picked at random: algorithm 8
// of Neal (2000), whose parameters of new clusters are here those of the labels that are left. The customer's likelihood is evaluated for
// so few labels, and of the process nothing but counts.
type seat struct {
	n      *node       // without the process among its children
	after  []model.Seg // the process's row
	labels []int32     // cells of all customers
	alpha  int32       // of the concentration

	fresh int       // labels that nobody else has, of those that are weighed, at most
	count []int     // by label, of the other customers
	free  []int     // labels that none of them has
	cand  []int     // labels to be weighed
	logw  []float64 // and their weights
}

const (
	seatName = "restaurant"
	newSeats = 10
)

func newSeat(n *node) *seat {
	if !n.scalar() || n.dist() != "dcat" || n.data != nil {
		return nil
	}
	for r := range rowsOf(n.m, n.b.Det) {
		labels, alpha, more, ok := r.t.Restaurant(r.i)
		if !ok || len(labels) != n.t.Stoch.NPar() || !onceIn(labels, n.cells[0]) || alpha == n.cells[0] || more >= 0 && n.m.Kinds[more] != model.Constant {
			continue
		}
		own := *n
		if own.b.Det, own.b.Stoch, ok = beside(n, r); !ok {
			continue
		}
		if n.analyse(); n.form(alpha).Kind != model.Free {
			continue
		}
		d := len(labels)
		return &seat{n: &own, after: []model.Seg{n.m.Seg(r.row())}, labels: labels, alpha: alpha, fresh: newSeats, count: make([]int, d+1)}
	}
	return nil
}

func onceIn(cells []int32, c int32) bool {
	k := slices.Index(cells, c)
	return k >= 0 && !slices.Contains(cells[k+1:], c)
}

// beside is a node's blanket without a logical row that nothing but a likelihood of one's own reads.
func beside(n *node, r child) (det, stoch []model.Seg, ok bool) {
	out := r.out[0]
	for o := range rowsOf(n.m, n.b.Det) {
		if o.row() == r.row() {
			continue
		}
		if slices.Contains(o.in, out) {
			return nil, nil, false
		}
		det = extend(det, n.m.Seg(o.row()))
	}
	likelihoods := 0
	for k := range rowsOf(n.m, n.b.Stoch) {
		if !slices.Contains(k.in, out) {
			stoch = extend(stoch, n.m.Seg(k.row()))
			continue
		}
		if k.t.Stoch.Name != "dloglik" {
			return nil, nil, false
		}
		likelihoods++
	}
	return det, stoch, likelihoods == 1
}

// Step draws the label.
func (k *seat) Step(s *model.State, r *rand.Rand) mcmc.Info {
	own := s.V[k.n.cells[0]]
	k.look(s, int(own), r)
	k.logw = k.logw[:0]
	fresh := 0
	for _, label := range k.cand {
		if k.count[label] == 0 {
			fresh++
		}
	}
	for _, label := range k.cand {
		// Of a label that is left the probability is alpha over their number, times that number over how many of them are weighed.
		w := s.V[k.alpha] / float64(max(fresh, 1))
		if c := k.count[label]; c > 0 {
			w = float64(c)
		}
		k.logw = append(k.logw, vec.Log(w)+k.n.at(s, float64(label)))
	}
	evals := len(k.cand)
	at := dist.CategoricalLog(r, k.logw)
	if at < 0 {
		k.n.set(s, own)
		return mcmc.Info{Evals: evals}
	}
	x := float64(k.cand[at])
	k.n.set(s, x)
	if x != own {
		s.Run(k.after)
	}
	return mcmc.Info{Accepted: x != own, AcceptProb: 1, Evals: evals}
}

// look counts the other customers and picks the labels to be weighed.
func (k *seat) look(s *model.State, own int, r *rand.Rand) {
	clear(k.count)
	for _, c := range k.labels {
		k.count[int(s.V[c])]++
	}
	k.count[own]--
	k.cand, k.free = k.cand[:0], k.free[:0]
	for label := 1; label < len(k.count); label++ {
		switch {
		case k.count[label] > 0:
			k.cand = append(k.cand, label)
		case label == own:
			k.cand = append(k.cand, label)
		default:
			k.free = append(k.free, label)
		}
	}
	more := k.fresh
	if k.count[own] == 0 {
		more--
	}
	for i := range min(more, len(k.free)) {
		j := i + r.IntN(len(k.free)-i)
		k.free[i], k.free[j] = k.free[j], k.free[i]
		k.cand = append(k.cand, k.free[i])
	}
}
