package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

const jointAdaptiveName = "joint-adaptive"

// jointAdaptive moves scalar continuous nodes on which the same densities depend at once, beside their own kernels: an independence proposal (Tierney 1994, section 2.3.3) from the
// multivariate Student t that fits them in warm-up, on the line, logarithm or logit. Nodes that are strongly correlated move little one by one, whatever kernel moves them. It asks
// nothing of the density but its value: a step in it, where trajectories do not serve, costs rejected proposals.
type jointAdaptive struct {
	m     *model.Model
	nodes []*adaptive
	alone []lagged // of the same nodes, as their own kernels move them
	det   []model.Seg
	union []model.Seg
	fit   studentFit
	from  []float64 // nodes before a move, and there on the line
	u0, u []float64

	on    float64 // 1 where it is in use
	tried float64
	rate  float64
}

const (
	mostJoint  = 12
	slowApart  = 0.7 // lag-1 autocorrelation of the slowest node below which all of them are quick enough alone
	takenJoint = 0.1 // acceptance below which nodes that are so slow do not gain
)

// jointAdaptives adds the kernel to the nodes of adaptive that share densities, but for relations that have more of them than it takes.
func jointAdaptives(p *planner, _ []int32) {
	var rows []int32
	of := map[*model.Template]int{}
	for _, it := range p.Items {
		if it.Kernel == "adaptive" && len(it.Rows) == 1 && p.asked[it.Rows[0]] == nil {
			t, _ := p.Model.TemplateOf(it.Rows[0])
			rows = append(rows, it.Rows[0])
			of[t]++
		}
	}
	rows = slices.DeleteFunc(rows, func(r int32) bool { t, _ := p.Model.TemplateOf(r); return of[t] > mostJoint })
	if len(rows) < 2 {
		return
	}
	groups, _ := connected(p.Model, rows)
	for _, g := range groups {
		if len(g) > 1 && len(g) <= mostJoint {
			p.add(Item{Kernel: jointAdaptiveName, Rows: g, make: func([]kernel) kernel { return newJointAdaptive(p.Model, g) }})
		}
	}
}

func newJointAdaptive(m *model.Model, rows []int32) *jointAdaptive {
	d := len(rows)
	k := &jointAdaptive{m: m, alone: make([]lagged, d), fit: newStudentFit(d), from: make([]float64, d), u0: make([]float64, d), u: make([]float64, d)}
	var cells []int32
	for _, r := range rows {
		n := newNode(m, r)
		k.nodes = append(k.nodes, newAdaptive(n))
		cells = append(cells, n.cells[0])
	}
	b := m.Blanket(cells)
	k.det, k.union = b.Det, b.Stoch
	for _, r := range rows {
		if !contains(m, b.Stoch, r) {
			k.union = append(k.union, m.Seg(r))
		}
	}
	return k
}

// look takes the nodes to the line, with the log of the Jacobian.
func (k *jointAdaptive) look(s *model.State) (logJ float64) {
	for j, t := range k.nodes {
		k.from[j] = s.V[t.slice.n.cells[0]]
		k.u0[j] = t.forward(k.from[j])
		_, l := t.back(k.u0[j])
		logJ += l
	}
	return logJ
}

// place puts the nodes at u; not where that is at the end of a support.
func (k *jointAdaptive) place(s *model.State, u []float64) (logJ float64, ok bool) {
	for j, t := range k.nodes {
		x, l := t.back(u[j])
		if !(x > t.lo && x < t.hi) {
			return 0, false
		}
		s.V[t.slice.n.cells[0]] = x
		logJ += l
	}
	s.Run(k.det)
	return logJ, true
}

func (k *jointAdaptive) move(s *model.State, r *rand.Rand) float64 {
	logJ0 := k.look(s)
	lp0 := s.LogProb(k.union) + logJ0 - k.fit.logQ(k.u0)
	k.fit.draw(r, k.u)
	accept, a := r.Float64(), 0.0
	if !vec.Finite(lp0) {
		return 0
	}
	if logJ, ok := k.place(s, k.u); ok {
		if a = vec.Exp(s.LogProb(k.union) + logJ - k.fit.logQ(k.u) - lp0); math.IsNaN(a) {
			a = 0
		}
	}
	if accept >= a {
		for j, t := range k.nodes {
			s.V[t.slice.n.cells[0]] = k.from[j]
		}
		s.Run(k.det)
	}
	return min(1, a)
}

// Step moves the nodes.
func (k *jointAdaptive) Step(s *model.State, r *rand.Rand) mcmc.Info {
	if k.on == 0 {
		return idle()
	}
	a := k.move(s, r)
	return mcmc.Info{Accepted: a > 0, AcceptProb: a, Evals: 2}
}

// Adapt watches the nodes and learns where they are from the second quarter of warm-up on, and moves them in the second half where one of them is slow.
func (k *jointAdaptive) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	if 4*w.Iteration < w.Total {
		return idle()
	}
	k.look(s)
	k.fit.learn(k.u0)
	half := 2*w.Iteration >= w.Total
	if !half {
		for j := range k.alone {
			k.alone[j].add(k.u0[j])
		}
	}
	if w.Iteration%learnEvery == 0 {
		k.fit.settle()
	}
	if !half || !k.fit.settled() || !k.slow() {
		return idle()
	}
	a := k.move(s, r)
	if 4*w.Iteration >= 3*w.Total { // the fit learns from its own moves
		k.tried++
		k.rate += a
	}
	return mcmc.Info{Accepted: a > 0, AcceptProb: a, Evals: 2}
}

func (k *jointAdaptive) slow() bool {
	for j := range k.alone {
		if k.alone[j].above(slowApart) {
			return true
		}
	}
	return false
}

// Freeze ends the warm-up.
func (k *jointAdaptive) Freeze() {
	if k.tried > 0 && k.rate >= takenJoint*k.tried {
		k.on = 1
	}
}

func (k *jointAdaptive) fields() []*float64 {
	all := append(k.fit.fields(), &k.on, &k.tried, &k.rate)
	for j := range k.alone {
		all = append(all, k.alone[j].fields()...)
	}
	return all
}

// MarshalBinary writes the tuning.
func (k *jointAdaptive) MarshalBinary() (b []byte, err error) {
	for _, x := range k.fields() {
		b = append(b, putFloats(*x)...)
	}
	return b, nil
}

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *jointAdaptive) UnmarshalBinary(b []byte) error { return getFloats(b, k.fields()...) }
