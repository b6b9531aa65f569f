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

// ancillary moves a scalar node θ by slices while the standardised values z_i = (x_i − μ_i)√τ_i of its normal children stand still, so that these go with it: the
// other half of the interweaving strategy of Yu and Meng (2011, "To center or not to center: that is not the question"). By the change of variables the children's own densities
// do not count. One node at a time, a replica that has come into the neck of a funnel stays there for long, and exchanges bring it to where draws are recorded.
type ancillary struct {
	n     *node // with the power of the likelihood; its densities are those of a node's kernel, the children among them
	kids  []effect
	det   []model.Seg // logical rows below the children
	stoch []model.Seg // densities that change, those of the children aside
	data  []model.Seg

	u    slice.Univariate
	s    *model.State // while it moves
	z    []float64
	old  []float64
	logp func(x float64) float64
}

// newAncillary is for a node of a rung; nil where it is no continuous number, or has no normal children that are sampled and independent given it.
func newAncillary(n *node) *ancillary {
	if d := n.t.Stoch.Scalar; !n.scalar() || d == nil || d.Discrete {
		return nil
	}
	k := &ancillary{n: n}
	own := map[int32]bool{n.row: true}
	var cells []int32
	for c := range rowsOf(n.m, n.b.Stoch) {
		if c.t.Stoch.Name != "dnorm" || c.t.Stoch.Truncated() || n.m.Kinds[c.out[0]] != model.Unobserved {
			continue
		}
		own[c.row()] = true
		cells = append(cells, c.out[0])
		k.kids = append(k.kids, effect{c.out[0], c.in[0], c.in[1]})
	}
	if k.kids == nil {
		return nil
	}
	around := n.m.Blanket(cells)
	rows := []int32{}
	for c := range rowsOf(n.m, around.Stoch) {
		if own[c.row()] {
			return nil // a child of a child
		}
		rows = append(rows, c.row())
	}
	for c := range rowsOf(n.m, slices.Concat(n.b.Stoch, n.data)) {
		if !own[c.row()] {
			rows = append(rows, c.row())
		}
	}
	slices.Sort(rows)
	for _, r := range slices.Compact(rows) {
		seg := n.m.Seg(r)
		if t, i := n.m.TemplateOf(r); n.m.Kinds[t.Cells(i)[0]] == model.Observed {
			k.data = extend(k.data, seg)
			continue
		}
		k.stoch = extend(k.stoch, seg)
	}
	k.det = around.Det
	k.z, k.old = make([]float64, len(k.kids)), make([]float64, len(k.kids))
	k.logp = k.at
	return k
}

// at is the log density where the node is x and the children follow.
func (k *ancillary) at(x float64) float64 {
	s := k.s
	k.n.set(s, x)
	for i, e := range k.kids {
		s.V[e.cell] = s.V[e.mu] + k.z[i]/math.Sqrt(s.V[e.tau])
		if !vec.Finite(s.V[e.cell]) || !(s.V[e.tau] > 0) {
			return math.Inf(-1)
		}
	}
	s.Run(k.det)
	return k.density()
}

func (k *ancillary) density() float64 {
	lp := k.s.LogProb(k.n.self)
	if lp == math.Inf(-1) {
		return lp
	}
	lp += k.s.LogProb(k.stoch)
	if k.n.power > 0 && lp > math.Inf(-1) {
		lp += float64(k.n.power * k.s.LogProb(k.data))
	}
	if math.IsNaN(lp) {
		return math.Inf(-1)
	}
	return lp
}

// Step moves the node and its children.
func (k *ancillary) Step(s *model.State, r *rand.Rand) mcmc.Info { return k.move(s, r, k.u.Step1) }

// Adapt moves them and learns the width.
func (k *ancillary) Adapt(s *model.State, r *rand.Rand, _ mcmc.Warmup) mcmc.Info {
	return k.move(s, r, k.u.Adapt1)
}

// sliceStep is that of slice.Univariate.
type sliceStep func(r *rand.Rand, x, fx, lo, hi float64, logp func(float64) float64) (x1, fx1 float64, evals int)

func (k *ancillary) move(s *model.State, r *rand.Rand, step sliceStep) mcmc.Info {
	k.s = s
	for i, e := range k.kids {
		k.old[i] = s.V[e.cell]
		k.z[i] = (s.V[e.cell] - s.V[e.mu]) * math.Sqrt(s.V[e.tau])
		if !vec.Finite(k.z[i]) {
			return mcmc.Info{}
		}
	}
	x := s.V[k.n.cells[0]]
	lo, hi := s.Bounds(k.n.t, k.n.i)
	x1, _, evals := step(r, x, k.density(), lo, hi, k.logp)
	k.at(x1)
	if x1 == x { // as they were, without rounding
		for i, e := range k.kids {
			s.V[e.cell] = k.old[i]
		}
		s.Run(k.det)
	}
	return mcmc.Info{Accepted: x1 != x, AcceptProb: 1, Evals: evals + 2}
}

// Freeze ends adaptation: Step does not adapt.
func (k *ancillary) Freeze() {}

// MarshalBinary writes the tuning.
func (k *ancillary) MarshalBinary() ([]byte, error) { return k.u.MarshalBinary() }

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *ancillary) UnmarshalBinary(b []byte) error { return k.u.UnmarshalBinary(b) }
