package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

const withNormalsName = "joint-with-normals"

// withNormals moves a scalar node on its density with normal nodes near it integrated out, then draws these from their full conditionals (Liu 1994): the curve
// of a banana is followed in its whole length, and the scale of a funnel moves freely of what it scales. With x_j the normal nodes,
// independent of one another given the node θ and the rest, and at any values of them,
//
//	p(θ | rest) ∝ p(θ, x | rest) / Π p(x_j | θ, rest).
//
// Evaluations cost as much as draws of all x_j, so warm-up decides. From a tenth to three tenths of it the node is watched without the move; where its autocorrelation ρ at lag 1
// is above [sluggish] the move is made in every iteration, and so after warm-up if that at least halves (1 + ρ)/(1 − ρ), the steps for an effective draw. Otherwise it is made
// [seldom], for the rare places where the node alone would stick.
type withNormals struct {
	theta   *adaptive
	normals []marginal
	phase   float64 // one of those below
	from    float64 // iteration of the warm-up in which the moves began
	without autocorrelations
	with    autocorrelations
}

// Phases of a warm-up.
const (
	watched = iota // without the move
	tried
	kept
	rare
)

// seldom is the share of the iterations in which a move is made that does not pay in all.
const seldom = 0.05

// sluggish is an autocorrelation at lag 1 with which one draw in three is effective.
const sluggish = 0.5

// autocorrelations follows a node and its distance from its mean: a node that jumps between two ends of a curve moves slowly along it.
type autocorrelations struct{ at, off lagged }

func (w *autocorrelations) add(u float64) {
	w.at.add(u)
	w.off.add(math.Abs(u - w.at.mean))
}

// rho is the greater autocorrelation of both.
func (w *autocorrelations) rho() float64 { return max(w.at.rho(), w.off.rho()) }

func (w *autocorrelations) fields() []*float64 {
	return append(w.at.fields(), w.off.fields()...)
}

// normalMoves finds nodes for which there are such normal nodes. A normal node goes with a node that its prior depends on, or that moves the mean of a child
// that they have in common; with one that is normal itself, and in no block with it because the mean is no sum of theirs, for the latter alone.
func normalMoves(p *planner, _ []int32) {
	f := normalFinder{planner: p, kernel: map[int32]string{}}
	for _, it := range p.Items {
		if len(it.Rows) == 1 && f.kernel[it.Rows[0]] == "" {
			f.kernel[it.Rows[0]] = it.Kernel
		}
	}
	if f.findNear(); len(f.densities) == 0 {
		return
	}
	for _, row := range p.rows {
		if n, normals := f.find(row); normals != nil {
			p.add(Item{Kernel: withNormalsName, Rows: []int32{row}, make: func([]kernel) kernel { return newWithNormals(n, normals) }})
		}
	}
}

func newWithNormals(n *node, normals []*node) *withNormals {
	own := *n
	k := &withNormals{}
	for _, x := range normals {
		k.normals = append(k.normals, newConjNormal(x))
	}
	own.marg = k.normals
	k.theta = newAdaptive(&own)
	return k
}

func (k *withNormals) prepare(s *model.State) {
	for _, x := range k.normals {
		x.(preparer).prepare(s)
	}
}

// Step moves the node and draws the others.
func (k *withNormals) Step(s *model.State, r *rand.Rand) mcmc.Info {
	if k.rests(r) {
		return idle()
	}
	return k.redraw(s, r, k.theta.Step(s, r))
}

// rests tells whether no move is made in this iteration.
func (k *withNormals) rests(r *rand.Rand) bool {
	return k.phase == watched || k.phase == rare && r.Float64() >= seldom
}

func (k *withNormals) redraw(s *model.State, r *rand.Rand, info mcmc.Info) mcmc.Info {
	for _, x := range k.normals {
		x.Step(s, r)
	}
	return info
}

// Adapt watches the node, or moves it and the others and tunes.
func (k *withNormals) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	k.watch(k.theta.forward(s.V[k.theta.slice.n.cells[0]]), w)
	if k.rests(r) {
		return idle()
	}
	since := mcmc.Warmup{Iteration: w.Iteration - int(k.from), Total: w.Total - int(k.from)}
	return k.redraw(s, r, k.theta.Adapt(s, r, since))
}

// watch follows the node and decides.
func (k *withNormals) watch(u float64, w mcmc.Warmup) {
	tenth := 10 * w.Iteration / max(1, w.Total)
	switch {
	case k.phase == watched && tenth >= 3:
		k.phase, k.from = rare, float64(w.Iteration)
		if k.without.rho() > sluggish {
			k.phase = tried
		}
	case k.phase == watched && tenth >= 1:
		k.without.add(u)
	case k.phase == tried && tenth >= 6:
		k.phase = rare
		if was, is := k.without.rho(), k.with.rho(); 2*float64((1+is)*(1-was)) <= float64((1+was)*(1-is)) {
			k.phase = kept
		}
	case k.phase == tried && tenth >= 4:
		k.with.add(u)
	}
}

// Freeze ends the warm-up.
func (k *withNormals) Freeze() { k.theta.Freeze() }

// MarshalBinary writes the tuning.
func (k *withNormals) MarshalBinary() ([]byte, error) {
	return marshalWith(k.fields(), []kernel{k.theta})
}

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *withNormals) UnmarshalBinary(b []byte) error {
	return unmarshalWith(b, k.fields(), []kernel{k.theta})
}

func (k *withNormals) fields() []*float64 {
	return slices.Concat([]*float64{&k.phase, &k.from}, k.without.fields(), k.with.fields())
}

func (c *conjNormal) node() *node { return c.n }

// evidenceAt leaves out the constant log √2π of the conditional.
func (c *conjNormal) evidenceAt(s *model.State) float64 {
	mean, prec := c.conditional(s)
	d := s.V[c.n.cells[0]] - mean
	return s.LogProbRow(c.n.t, c.n.i) - float64(0.5*vec.Log(prec)) + float64(0.5*float64(prec*d)*d)
}
