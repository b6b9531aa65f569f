package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

const pseudoPriorName = "indicator-with-latent"

// pseudoPrior draws a discrete node γ together with a continuous one x that some of its values leave without data, or to which they give another prior: a coefficient that an
// indicator includes, the ability of someone who may be guessing. Given x at a place where the excluded are, γ hardly ever changes, and the other way round. For each other value g the
// kernel draws x_g from q_g, a Student t that fits x in warm-up while γ = g, on the line, logarithm or logit; the present x belongs to the present value. It then draws among the values with weights
//
//	p(g, x_g, data) / q_g(x_g),
//
// the full conditional of γ where the x_g of the values that it has not have the pseudo-priors q_g (Carlin and Chib 1995, equation 6).
type pseudoPrior struct {
	n     *node // γ
	x     *adaptive
	det   []model.Seg
	union []model.Seg
	fits  []pseudoFit // by value
	u     []float64   // x on the line, by value
	logw  []float64

	switchWatch
}

// switchWatch compares the changes of a discrete node by a kernel with those by the nodes' own kernels.
type switchWatch struct {
	tried, changed float64
	last, without  float64 // the node after a move, and how often it changed between two
	rests          float64 // 1 where the kernel is not in use
}

// note counts a move in the second half of warm-up.
func (k *switchWatch) note(w mcmc.Warmup, before, after float64) {
	if 2*w.Iteration > w.Total {
		k.tried++
		if after != before {
			k.changed++
		}
		if before != k.last {
			k.without++
		}
	}
	k.last = after
}

func (k *switchWatch) decide() {
	if k.changed < max(leastChange*k.tried, ownShare*k.without) || k.without > mostWithout*k.tried {
		k.rests = 1
	}
}

func (k *switchWatch) fields() []*float64 {
	return []*float64{&k.tried, &k.changed, &k.last, &k.without, &k.rests}
}

// pseudoFit follows x on the line.
type pseudoFit struct {
	count, mean, m2 float64
	q               proposal
}

func (f *pseudoFit) learn(u float64) {
	if !vec.Finite(u) {
		return
	}
	f.count++
	d := u - f.mean
	f.mean += d / f.count
	f.m2 += float64(d * (u - f.mean))
}

func (f *pseudoFit) settle() {
	if f.count >= leastPseudo && f.m2 > 0 {
		f.q = proposal{loc: f.mean, scale: widerFit * math.Sqrt(f.m2/f.count)}
	}
}

const (
	leastPseudo = 20
	pilotPseudo = 40   // slice steps of x in a pilot at a value, of which the first quarter is left out
	leastChange = 0.01 // changes in a step below which the kernel does not pay
	mostWithout = 0.2  // changes by the nodes' own kernels above which it is not needed
	ownShare    = 0.5  // of the changes by the nodes' own kernels below which it adds too little
	mostSought  = 32   // nodes that a discrete one is tried with
)

// switched is a discrete node with the continuous ones that it includes, leaves out or gives another prior.
type switched struct {
	row     int32
	latents []int32
	betas   bool // all of them can be integrated out
}

// pseudoPriors adds a kernel for each such node: one with all latents where they can be integrated out, else one with each.
func pseudoPriors(p *planner, _ []int32) {
	paired := p.paired()
	for _, g := range p.switches() {
		if g.betas {
			p.add(Item{Kernel: pseudoPriorName, Rows: append([]int32{g.row}, g.latents...), make: func([]kernel) kernel {
				return &switchedAlone{switchedBetas: newSwitchedBetas(p.Model, g.row, g.latents)}
			}})
			continue
		}
		for _, x := range g.latents {
			if !paired(g.row, x) {
				p.add(Item{Kernel: pseudoPriorName, Rows: []int32{g.row, x}, make: func([]kernel) kernel { return newPseudoPrior(p.Model, g.row, x) }})
			}
		}
	}
}

// paired tells whether a discrete node and a normal one are drawn together.
func (p *planner) paired() func(gamma, latent int32) bool {
	var all [][]int32
	for _, it := range p.Items {
		if it.Kernel == indicatorName {
			all = append(all, it.Rows)
		}
	}
	return func(gamma, latent int32) bool {
		return slices.ContainsFunc(all, func(rows []int32) bool { return slices.Contains(rows, gamma) && slices.Contains(rows, latent) })
	}
}

// findSwitches looks among the nodes that kernels draw one by one.
func (p *planner) findSwitches() (all []switched) {
	kernels := map[int32]string{}
	for _, it := range p.Items {
		for _, r := range it.Rows {
			if kernels[r] == "" || it.Kernel == nutsName {
				kernels[r] = it.Kernel
			}
		}
	}
	left := pairRows
	for _, r := range slices.Backward(p.rows) {
		if continuous(p.Model, r) || p.asked[r] != nil || !slices.Contains([]string{"enumerate", ffbsName, indicatorName}, kernels[r]) {
			continue
		}
		n := newNode(p.Model, r)
		if size, ok := n.supportSize(); !ok || size > mostStates || size < 2 || newEnumerate(n) == nil {
			continue
		}
		g := switched{row: r}
		for _, row := range p.latentsBeside(n) {
			if kernels[row] == "" || p.asked[row] != nil {
				continue
			}
			x := newNode(p.Model, row)
			if left -= mostStates * (model.Count(x.b.Det) + model.Count(x.b.Stoch) + model.Count(n.b.Det) + model.Count(n.b.Stoch)); left < 0 {
				return all
			}
			if p.gates(n, x) {
				g.latents = append(g.latents, row)
			}
		}
		if len(g.latents) == 0 {
			g.latents = p.picked(n)
		}
		if g.betas = p.betasSwitchedBy(n, g.latents); len(g.latents) > 0 {
			all = append(all, g)
		}
	}
	return all
}

// latentsBeside are the continuous nodes that rows which read a discrete one depend on besides, and those whose prior depends on it.
func (p *planner) latentsBeside(n *node) (all []int32) {
	m := p.Model
	var beside []int32
	for _, seg := range m.Children(n.cells[0]) {
		t := m.Templates[seg.T]
		for i := int(seg.Lo); i < int(seg.Hi) && len(beside) <= mostSought*mostSought; i++ {
			beside = append(beside, t.Operands(i)...)
		}
	}
	for k := range rowsOf(m, n.b.Stoch) {
		if len(beside) > mostSought*mostSought {
			break
		}
		beside = append(beside, k.out[0])
	}
	ancestors(m, beside, func(c int32) bool {
		if r := m.DefRow(c); m.Kinds[c] == model.Unobserved && continuous(m, r) && len(all) <= mostSought {
			all = append(all, r)
		}
		return m.Kinds[c] == model.Logical
	})
	if len(all) > mostSought {
		return nil
	}
	return all
}

// picked are the probabilities of which a discrete node picks one by an index, if they have no other data; components of a mixture have.
func (p *planner) picked(n *node) (all []int32) {
	m := p.Model
	below := slices.Concat(m.Children(n.cells[0]), n.b.Det)
	if model.Count(below) > mostSought {
		return nil
	}
	for k := range rowsOf(m, below) {
		m.Parents(k.row(), func(c int32) {
			if m.Kinds[c] != model.Unobserved || len(all) > mostSought {
				return
			}
			r := m.DefRow(c)
			if t, _ := m.TemplateOf(r); (t.Stoch.Name == "dbeta" || t.Stoch.Name == "dunif") && !slices.Contains(all, r) && p.asked[r] == nil {
				all = append(all, r)
			}
		})
	}
	if len(all) > mostSought || !p.betasSwitchedBy(n, all) {
		return nil
	}
	return all
}

// gates tells whether, at a state from the prior, one value of a discrete node leaves a continuous one without influence on its children and another does not, or whether values give
// it other priors.
func (p *planner) gates(n, x *node) bool {
	t := newAdaptive(x)
	s := p.probe()
	if t == nil || s == nil {
		return false
	}
	s = p.copyOf(s)
	lo, hi := s.Bounds(n.t, n.i)
	if !(hi-lo < mostStates) {
		return false
	}
	const away = 0.7
	from := s.V[x.cells[0]]
	to, _ := t.back(t.forward(from) + away)
	some, none, another := false, false, false
	prior := math.NaN()
	for g := lo; g <= hi; g++ {
		n.set(s, g)
		x.set(s, from)
		lp, own := s.LogProb(x.b.Stoch), s.LogProb(x.self)
		x.set(s, to)
		switch d := s.LogProb(x.b.Stoch) - lp; {
		case math.IsNaN(d):
		case d == 0:
			none = true
		default:
			some = true
		}
		another = another || own != prior && !math.IsNaN(prior)
		prior = own
	}
	return some && (none || another)
}

func newPseudoPrior(m *model.Model, gamma, latent int32) *pseudoPrior {
	n, x := newNode(m, gamma), newNode(m, latent)
	size, _ := n.supportSize()
	k := &pseudoPrior{n: n, x: newAdaptive(x), fits: make([]pseudoFit, size), u: make([]float64, size), logw: make([]float64, size)}
	b := m.Blanket([]int32{n.cells[0], x.cells[0]})
	k.det, k.union = b.Det, slices.Clone(b.Stoch)
	for _, r := range []int32{gamma, latent} {
		if !contains(m, b.Stoch, r) {
			k.union = append(k.union, m.Seg(r))
		}
	}
	return k
}

// place puts both nodes; not where x is at the end of its support.
func (k *pseudoPrior) place(s *model.State, g, u float64) (logJ float64, ok bool) {
	x, logJ := k.x.back(u)
	if !(x > k.x.lo && x < k.x.hi) {
		return 0, false
	}
	s.V[k.n.cells[0]], s.V[k.x.slice.n.cells[0]] = g, x
	s.Run(k.det)
	return logJ, true
}

func (k *pseudoPrior) move(s *model.State, r *rand.Rand) mcmc.Info {
	lo, hi := s.Bounds(k.n.t, k.n.i)
	old, x := s.V[k.n.cells[0]], s.V[k.x.slice.n.cells[0]]
	own := int(old - lo)
	if !(hi >= lo) || int(hi-lo) >= len(k.fits) || own < 0 || own > int(hi-lo) || k.fits[own].q.scale == 0 {
		return idle()
	}
	logw := k.logw[:int(hi-lo)+1]
	info := mcmc.Info{AcceptProb: 1}
	for g := range logw {
		logw[g] = math.Inf(-1)
		f := &k.fits[g]
		if f.q.scale == 0 {
			continue
		}
		if k.u[g] = f.q.draw(r); g == own {
			k.u[g] = k.x.forward(x)
		}
		if logJ, ok := k.place(s, lo+float64(g), k.u[g]); ok {
			if logw[g] = s.LogProb(k.union) + logJ - f.q.logQ(k.u[g]) + vec.Log(f.q.scale); math.IsNaN(logw[g]) || logw[g] > math.MaxFloat64 {
				logw[g] = math.Inf(-1)
			}
			info.Evals++
		}
	}
	at := own
	if !math.IsInf(logw[own], -1) {
		at = dist.CategoricalLog(r, logw)
	}
	if at == own {
		s.V[k.n.cells[0]], s.V[k.x.slice.n.cells[0]] = old, x
		s.Run(k.det)
		return info
	}
	k.place(s, lo+float64(at), k.u[at])
	info.Accepted = true
	return info
}

// Step draws the two nodes.
func (k *pseudoPrior) Step(s *model.State, r *rand.Rand) mcmc.Info {
	if k.rests != 0 {
		return idle()
	}
	return k.move(s, r)
}

// Adapt learns where x is given each value: from pilots at the quarter and the half of warm-up, and from where the chain is.
func (k *pseudoPrior) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	quarter := max(1, w.Total/4)
	if w.Iteration < quarter {
		return idle()
	}
	if w.Iteration == quarter || w.Iteration == 2*quarter {
		k.pilot(s, r, w)
	}
	if g := int(s.V[k.n.cells[0]] - k.least(s)); g >= 0 && g < len(k.fits) {
		k.fits[g].learn(k.x.forward(s.V[k.x.slice.n.cells[0]]))
	}
	if w.Iteration%learnEvery == 0 {
		for g := range k.fits {
			k.fits[g].settle()
		}
	}
	before := s.V[k.n.cells[0]]
	info := k.move(s, r)
	k.note(w, before, s.V[k.n.cells[0]])
	return info
}

func (k *pseudoPrior) least(s *model.State) float64 {
	lo, _ := s.Bounds(k.n.t, k.n.i)
	return lo
}

// pilot moves x alone at each value that is possible, and goes back.
func (k *pseudoPrior) pilot(s *model.State, r *rand.Rand, w mcmc.Warmup) {
	lo, hi := s.Bounds(k.n.t, k.n.i)
	old, x := s.V[k.n.cells[0]], s.V[k.x.slice.n.cells[0]]
	for g := 0; g < len(k.fits) && lo+float64(g) <= hi; g++ {
		s.V[k.n.cells[0]], s.V[k.x.slice.n.cells[0]] = lo+float64(g), x
		s.Run(k.det)
		f := &k.fits[g]
		*f = pseudoFit{q: f.q}
		for i := range pilotPseudo {
			if math.IsInf(s.LogProb(k.union), 0) {
				break
			}
			k.x.slice.Adapt(s, r, w)
			if 4*i >= pilotPseudo {
				f.learn(k.x.forward(s.V[k.x.slice.n.cells[0]]))
			}
		}
		f.settle()
	}
	s.V[k.n.cells[0]], s.V[k.x.slice.n.cells[0]] = old, x
	s.Run(k.det)
}

// Freeze ends the warm-up.
func (k *pseudoPrior) Freeze() { k.decide() }

func (k *pseudoPrior) fields() (all []*float64) {
	for g := range k.fits {
		f := &k.fits[g]
		all = append(all, &f.count, &f.mean, &f.m2, &f.q.loc, &f.q.scale)
	}
	return append(all, k.switchWatch.fields()...)
}

// MarshalBinary writes the tuning.
func (k *pseudoPrior) MarshalBinary() ([]byte, error) {
	return marshalWith(k.fields(), []kernel{k.x.slice})
}

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *pseudoPrior) UnmarshalBinary(b []byte) error {
	return unmarshalWith(b, k.fields(), []kernel{k.x.slice})
}
