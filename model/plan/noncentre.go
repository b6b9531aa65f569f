package plan

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// hierarchical are normal nodes x ~ dnorm(μ, τ) whose precision the block moves too. They are functions of μ, τ and
//
//	u = (x − c − w (μ − c)) √(τ + I), with w = τ/(τ + I),
//
// where I is the data's information on x and c is near μ. For normal data u has the variance 1 whatever τ is. With I = 0 it is a standard normal number, the non-centred form; where I
// is large, x but for location and scale, the centred one, which is taken where data say so much; in between it is the form of Papaspiliopoulos, Roberts and Sköld (2003, "Non-centered
// parameterisations for hierarchical models and data augmentation") at every τ and not at a typical one alone: where τ is so large that data say next to nothing, a form that is
// centred in part leaves a neck in which trajectories stay. The mean of τ + I, minus the second derivative of the log density by x, is that of the first derivative's
// square, from which a part of the warm-up estimates I for each node.
type hierarchical struct {
	nodes  []effect
	groups []siblings
	k      []float64 // w of each node at the precision typical of its group, or 1 for a node with a precision of its own of which I is known
	info   []float64 // I
	stats  []information
	points float64 // that stats are of

	// At u, between place and pull:
	v     []float64 // 1/(τ + I)
	slope []float64 // its root: dx/du
	work  []float64
	score []float64 // and after pull: derivative by x
}

// effect is a node with the cells of its mean and precision.
type effect struct{ cell, mu, tau int32 }

// information counts the steps of a part of the warm-up, and sums the square of a node's derivative over its precision.
type information struct{ prior, all float64 }

// siblings are nodes lo to hi, which share a mean and a precision. Their cells follow one another from cell on, or cell is −1.
type siblings struct {
	lo, hi        int
	cell, mu, tau int32
	centred       bool    // all have k = 0
	alike         bool    // all have one k
	mean, inverse float64 // sums of μ and 1/τ over the points of stats
	c             float64
	v, slope      float64 // 1/(τ + I) and its root, where all are alike
}

func newHierarchical(nodes []effect) *hierarchical {
	n := len(nodes)
	nodes = siblingsTogether(nodes)
	t := &hierarchical{nodes: nodes, k: make([]float64, n), info: make([]float64, n), stats: make([]information, n), v: make([]float64, n), work: make([]float64, n), slope: make([]float64, n), score: make([]float64, n)}
	for j, e := range nodes {
		last := len(t.groups) - 1
		if last < 0 || t.groups[last].mu != e.mu || t.groups[last].tau != e.tau {
			t.groups = append(t.groups, siblings{lo: j, hi: j + 1, cell: e.cell, mu: e.mu, tau: e.tau})
			continue
		}
		g := &t.groups[last]
		if g.hi++; nodes[j-1].cell+1 != e.cell {
			g.cell = -1
		}
	}
	t.formed()
	return t
}

// siblingsTogether puts nodes that share a mean and a precision next to one another, in the order of their cells, and groups in that of the first of each.
func siblingsTogether(nodes []effect) []effect {
	order, all := map[[2]int32]int{}, [][]effect{}
	for _, e := range nodes {
		of := [2]int32{e.mu, e.tau}
		k, ok := order[of]
		if !ok {
			k = len(all)
			order[of], all = k, append(all, nil)
		}
		all[k] = append(all[k], e)
	}
	for _, list := range all {
		slices.SortFunc(list, func(x, y effect) int { return cmp.Compare(x.cell, y.cell) })
	}
	return slices.Concat(all...)
}

// leastPrior is the k of a node among others of which nothing is known, or that data tell all of.
const leastPrior = 1e-6

// formed is called when k has changed.
func (t *hierarchical) formed() {
	for i := range t.groups {
		g := &t.groups[i]
		k := t.k[g.lo:g.hi]
		g.centred = !slices.ContainsFunc(k, func(k float64) bool { return k > 0 })
		g.alike = !slices.ContainsFunc(k, func(other float64) bool { return other != k[0] })
		typical := 1.0
		g.c = 0
		if t.points > 0 && vec.Finite(g.mean) && vec.Finite(g.inverse) {
			typical, g.c = t.points/g.inverse, g.mean/t.points
		}
		for j, x := range k {
			t.info[g.lo+j] = typical * (1/max(x, leastPrior) - 1)
		}
		if v := t.stats[g.lo]; len(k) == 1 && v.prior > 0 && !g.centred {
			t.info[g.lo] = v.all
		}
	}
}

func (t *hierarchical) size() int           { return len(t.nodes) }
func (t *hierarchical) owner(j int) int32   { return t.nodes[j].cell }
func (t *hierarchical) forChain() bijection { return newHierarchical(t.nodes) }

func (t *hierarchical) read(s *model.State, u []float64, _ *rand.Rand) {
	for _, g := range t.groups {
		mu, tau := s.V[g.mu], s.V[g.tau]
		for j := g.lo; j < g.hi; j++ {
			if u[j] = s.V[t.nodes[j].cell]; !g.centred {
				all := tau + t.info[j]
				u[j] = float64((u[j] - g.c - float64(tau/all*(mu-g.c))) * math.Sqrt(all))
			}
		}
	}
}

func (t *hierarchical) place(s *model.State, u []float64) (logJacobian float64) {
	for i := range t.groups {
		g := &t.groups[i]
		u := u[g.lo:g.hi]
		x := t.score[g.lo:g.hi] // which pull fills
		if g.cell >= 0 {
			x = s.V[g.cell : int(g.cell)+len(u)]
		}
		switch {
		case g.centred:
			copy(x, u)
		case g.alike:
			logJacobian += t.scaleAlike(s, g, u, x)
		default:
			logJacobian += t.scale(s, g, u, x)
		}
		if g.cell < 0 {
			for j, v := range x {
				s.V[t.nodes[g.lo+j].cell] = v
			}
		}
	}
	return logJacobian
}

// scale writes the values of siblings to x, and returns the sum of the logarithms of dx/du.
func (t *hierarchical) scale(s *model.State, g *siblings, u, x []float64) float64 {
	v, slope, work := t.v[g.lo:g.hi], t.slope[g.lo:g.hi], t.work[g.lo:g.hi]
	tau := s.V[g.tau]
	columns.AddScalar(v, t.info[g.lo:g.hi], tau)
	columns.Log(work, v)
	columns.DivInto(v, 1, v)
	columns.Sqrt(slope, v)
	columns.MulScalar(x, v, tau*(s.V[g.mu]-g.c))
	columns.AddMul(x, u, slope)
	columns.AddScalar(x, x, g.c)
	return -float64(0.5 * columns.Sum(work))
}

// scaleAlike is scale for siblings with one k.
func (t *hierarchical) scaleAlike(s *model.State, g *siblings, u, x []float64) float64 {
	tau := s.V[g.tau]
	all := tau + t.info[g.lo]
	g.v = 1 / all
	g.slope = math.Sqrt(g.v)
	columns.Affine(x, u, g.slope, g.c+float64(float64(tau*g.v)*(s.V[g.mu]-g.c)))
	return -float64(0.5 * float64(float64(len(x))*vec.Log(all)))
}

func (t *hierarchical) pull(s *model.State, u, grad []float64) {
	for i := range t.groups {
		g := &t.groups[i]
		u, grad, score := u[g.lo:g.hi], grad[g.lo:g.hi], t.score[g.lo:g.hi]
		if g.cell >= 0 {
			score = s.A[g.cell : int(g.cell)+len(u)]
		} else {
			for j := range score {
				score[j] = s.A[t.nodes[g.lo+j].cell]
			}
		}
		if g.centred {
			copy(t.score[g.lo:g.hi], score) // which learn reads
			copy(grad, score)
			continue
		}
		mu, tau := t.pullScaled(s, g, u, grad, score)
		if tau != 0 || mu != 0 {
			s.A[g.mu] += mu
			s.A[g.tau] += tau
		}
	}
}

// pullScaled writes the derivatives by u, and returns those by μ and τ.
func (t *hierarchical) pullScaled(s *model.State, g *siblings, u, grad, score []float64) (mu, tau float64) {
	precision, from := s.V[g.tau], s.V[g.mu]-g.c
	if g.alike {
		sum, dot := columns.MulScalarDot(grad, score, g.slope, u)
		w := float64(precision * g.v)
		return float64(w * sum), g.v * (float64(from*float64((1-w)*sum)) - float64(0.5*(dot+float64(len(u)))))
	}
	v, work := t.v[g.lo:g.hi], t.work[g.lo:g.hi]
	columns.Mul(work, score, v)
	once, twice := columns.Sum(work), columns.Dot(work, v)
	columns.Mul(grad, score, t.slope[g.lo:g.hi])
	columns.Mul(work, grad, u)
	return float64(precision * once), float64(from*(once-float64(precision*twice))) - float64(0.5*(columns.Dot(work, v)+columns.Sum(v)))
}

// learn takes a point into account where nodes are centred and their derivatives are known.
func (t *hierarchical) learn(s *model.State) {
	t.points++
	for i := range t.groups {
		g := &t.groups[i]
		g.mean += s.V[g.mu]
		g.inverse += 1 / s.V[g.tau]
		if g.hi-g.lo == 1 {
			t.stats[g.lo].follow(float64(t.score[g.lo]*t.score[g.lo]), s.V[g.tau])
			continue
		}
		for j := g.lo; j < g.hi; j++ {
			if all := float64(t.score[j]*t.score[j]) / s.V[g.tau]; vec.Finite(all) {
				t.stats[j].prior++
				t.stats[j].all += all
			}
		}
	}
}

// follow seeks, for a node with a precision of its own, the I at which square/(τ + I) is 1 in the mean (Robbins and Monro 1951). Under a scale with heavy tails, as in a horseshoe, no typical τ stands for all. It keeps I
// in all and the number of steps in prior.
func (v *information) follow(square, tau float64) {
	if !vec.Finite(square) || !vec.Finite(tau) || square == 0 {
		return
	}
	if v.prior++; v.prior == 1 {
		v.all = square
		return
	}
	gain := 2 / math.Sqrt(v.prior) * math.Sqrt(v.all/(tau+v.all)) // where the prior holds the node, steps say little of I
	v.all *= vec.Exp(gain * (min(square/(tau+v.all), mostSquare) - meanSquare))
}

// A χ² variable with one degree of freedom is cut at mostSquare; meanSquare is its mean then, P(χ²₃ < 4) + 4 P(χ²₁ > 4).
const mostSquare, meanSquare = 4, 0.9205

const (
	leastNonCentred = 0.1 // k below which the centred form is as good
	mostSpread      = 0.3 // standard deviation of log k among siblings that take one k: the estimates have 0.1 to 0.2 by chance, and so wrong a k is as good
)

// settle takes the k that have shown, and tells whether one has changed.
func (t *hierarchical) settle() (changed bool) {
	for _, g := range t.groups {
		if g.hi-g.lo == 1 {
			k := 0.0
			if t.stats[g.lo].prior > 0 {
				k = 1
			}
			changed = changed || k != t.k[g.lo]
			t.k[g.lo] = k
			continue
		}
		stats := t.stats[g.lo:g.hi]
		pooled, alike := shared(stats)
		for j, v := range stats {
			k := min(v.prior/v.all, 1)
			if alike {
				k = pooled
			}
			if !(k >= leastNonCentred) { // nor where nothing is known
				k = 0
			}
			changed = changed || k != t.k[g.lo+j]
			t.k[g.lo+j] = k
		}
	}
	t.formed()
	return changed
}

// shared is the k of siblings that the data tell as much of, and whether they are such.
func shared(stats []information) (k float64, alike bool) {
	var all information
	mean, square := 0.0, 0.0
	for j, v := range stats {
		all.prior += v.prior
		all.all += v.all
		x := vec.Log(v.all / v.prior)
		d := x - mean
		mean += d / float64(j+1)
		square += float64(d * (x - mean))
	}
	return min(all.prior/all.all, 1), square <= float64(mostSpread*mostSpread)*float64(len(stats)) // not where one is NaN
}

// The part of the warm-up in which the forms are learnt: after the way to where the posterior is. Then the metric is learnt anew.
const (
	formsFrom = 0.05
	formsTo   = 0.2
)

// forms are what the transforms of a block learn.
type forms struct {
	parts []*hierarchical
	from  int // iteration that the present forms are used from
}

// learning tells whether a step is in the part of the warm-up for forms.
func (f *forms) learning(w mcmc.Warmup) bool {
	return len(f.parts) > 0 && f.from == 0 && w.Iteration >= int(formsFrom*float64(w.Total)) && w.Iteration <= lastOfForms(w)
}

func lastOfForms(w mcmc.Warmup) int { return int(formsTo * float64(w.Total)) }

// learn is called where all derivatives are known.
func (f *forms) learn(s *model.State) {
	for _, t := range f.parts {
		t.learn(s)
	}
}

// settle ends learning, and tells whether the numbers that stand for a state are others from now on.
func (f *forms) settle(w mcmc.Warmup) (changed bool) {
	if !f.learning(w) || w.Iteration < lastOfForms(w) {
		return false
	}
	for _, t := range f.parts {
		changed = t.settle() || changed
	}
	if changed {
		f.from = w.Iteration + 1
	}
	return changed
}

func (f *forms) numbers(from *float64) (all []*float64) {
	all = append(all, from)
	for _, t := range f.parts {
		for j := range t.k {
			all = append(all, &t.k[j], &t.stats[j].prior, &t.stats[j].all)
		}
		for i := range t.groups {
			all = append(all, &t.groups[i].mean, &t.groups[i].inverse)
		}
		all = append(all, &t.points)
	}
	return all
}

func (f *forms) marshal() []byte {
	from := float64(f.from)
	return putFields(f.numbers(&from))
}

// unmarshal is the inverse of marshal, and gives what follows.
func (f *forms) unmarshal(b []byte) (rest []byte, err error) {
	var from float64
	to := f.numbers(&from)
	n := 8 * len(to)
	if len(b) < n {
		return nil, errTuning
	}
	err = getFloats(b[:n], to...)
	for _, t := range f.parts {
		t.formed()
	}
	f.from = int(from)
	return b[n:], err
}

// priors finds the nodes that are functions of their mean and precision. A chain of nodes of one relation, such as a random walk, is none: they could be
// placed only one after the other.
func (w *bounder) priors(n *bounded, t *model.Template, i int) {
	in := t.Operands(i)
	if t.Stoch.Name != "dnorm" || !n.fixed() || n.low.isFinite() || n.high.isFinite() || len(w.from(in[1])) == 0 {
		return
	}
	same := func(k int32) bool { o, _ := w.m.TemplateOf(w.m.DefRow(w.nodes[k].cell)); return o == t }
	if slices.ContainsFunc(w.from(in[0]), same) || slices.ContainsFunc(w.from(in[1]), same) {
		return
	}
	if w.follow(n, in[0], in[1]) {
		n.effect = &effect{n.cell, in[0], in[1]}
	}
}
