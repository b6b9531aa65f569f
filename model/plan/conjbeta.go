package plan

import (
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// conjBeta draws a beta or uniform(0,1) node whose children have it, or one
// minus it, as probability of success, perhaps only under some values of other
// nodes (a mixture index, an indicator that multiplies it). The children's
// probabilities at node = 0 and at node = 1 tell which case holds: (0,1), (1,0),
// or two equal numbers, and then the child says nothing. Categories whose weights are
// proportional to the node, to one minus it, or free of it, such as those of sticks that are
// broken (Sethuraman 1994), count for it, against it, or not at all. Anything else is left
// to the fallback.
type conjBeta struct {
	n        *node
	kids     []betaChild
	sticks   []stick
	shares   map[int32]model.Shares
	cut      []child
	direct   bool
	fallback *sliceNode
	p0       []float64
	misses   int
	held     betaEvidence
	par      [2]float64 // parameters on their way to a truncated draw
}

// betaEvidence are successes and failures; not ok where the algebra fails.
type betaEvidence struct {
	a, b float64
	ok   bool
}

type betaChild struct {
	y, p, size int32 // size −1: Bernoulli; negative binomial keeps its own
	negbin     bool
}

// stick are categorical or multinomial children with the same weights, of which some depend on the node.
type stick struct {
	weights  []int32
	yes, not []float64 // 1 at the categories that count for the node, and against it
	cats     []int32   // cells of categorical children
	counts   [][]int32 // and of multinomial ones
}

func newConjBeta(n *node) *conjBeta {
	switch {
	case n.dist() == "dbeta":
	case n.dist() == "dunif" && n.fixedPrior(0, 1):
	default:
		return nil
	}
	n.analyse()
	c := &conjBeta{n: n, direct: true}
	for k := range n.kids() {
		if n.isInterval(&k) {
			c.cut = append(c.cut, k)
			continue
		}
		h := betaChild{y: k.out[0], p: k.in[0], size: -1}
		switch k.t.Stoch.Name {
		case "dbern":
		case "dbin":
			h.size = k.in[1]
		case "dnegbin":
			h.size, h.negbin = k.in[1], true
		case "dcat", "dmulti":
			if !c.adoptStick(&k) {
				return nil
			}
			c.direct = false
			continue
		default:
			return nil
		}
		f := n.form(h.p)
		if k.t.Stoch.Truncated() || !n.only(&k, 0, 1) || f.Kind != model.Affine {
			return nil
		}
		if h.p != n.cells[0] {
			c.direct = false
		}
		c.kids = append(c.kids, h)
	}
	c.p0 = make([]float64, len(c.kids))
	if !c.direct {
		c.fallback = newSlice(n)
		c.n = n.guarded()
	}
	return c
}

// adoptStick adds a child to those of the same weights.
func (c *conjBeta) adoptStick(k *child) bool {
	n, d := c.n, k.t.Stoch.POff[1]
	if k.t.Stoch.Truncated() || !n.only(k, 0, d) {
		return false
	}
	weights := k.in[:d]
	at := slices.IndexFunc(c.sticks, func(s stick) bool { return slices.Equal(s.weights, weights) })
	if at < 0 {
		if c.shares == nil {
			c.shares = n.m.Shares(&n.b)
		}
		s := stick{weights: weights, yes: make([]float64, d), not: make([]float64, d)}
		for j, w := range weights {
			h := c.shares[w]
			if !h.Powers() || h.A < 0 || h.B < 0 || h.A+h.B > 1 {
				return false
			}
			s.yes[j], s.not[j] = float64(h.A), float64(h.B)
		}
		at = len(c.sticks)
		c.sticks = append(c.sticks, s)
	}
	s := &c.sticks[at]
	if k.t.Stoch.Name == "dcat" {
		s.cats = append(s.cats, k.out[0])
	} else {
		s.counts = append(s.counts, k.out)
	}
	return true
}

// breaks tells of a fraction of one stick that has no other children.
func (c *conjBeta) breaks() bool {
	return len(c.sticks) == 1 && len(c.kids)+len(c.cut) == 0 && !c.n.t.Stoch.Truncated() && c.n.dist() == "dbeta"
}

// count adds what the children say; ok is false where the sum of the weights depends on the node, by which they are divided.
func (k *stick) count(s *model.State, shares map[int32]model.Shares, x float64) (a, b float64, ok bool) {
	if !s.KeepsSum(k.weights, shares, x) {
		return 0, 0, false
	}
	a, b = k.tally(s)
	return a, b, true
}

// tally adds what the children say where the sum of the weights does not depend on the node.
func (k *stick) tally(s *model.State) (a, b float64) {
	for _, c := range k.cats {
		if j := int(s.V[c]) - 1; j >= 0 && j < len(k.yes) {
			a, b = a+k.yes[j], b+k.not[j]
		}
	}
	for _, out := range k.counts {
		for j, c := range out {
			a += float64(s.V[c] * k.yes[j])
			b += float64(s.V[c] * k.not[j])
		}
	}
	return a, b
}

// holds tells whether the algebra holds at the probe: a multiplier that is not an indicator breaks it.
func (c *conjBeta) holds(probe func() *model.State) bool {
	if c.direct {
		return true
	}
	s := probe()
	if s == nil {
		return true
	}
	x := s.V[c.n.cells[0]]
	_, _, ok := c.evidence(s)
	c.n.set(s, x)
	return ok
}

// fixedPrior tells whether the node's parameters are the given constants.
func (n *node) fixedPrior(p ...float64) bool {
	in := n.t.Operands(n.i)
	for k, x := range p {
		if n.m.Kinds[in[k]] != model.Constant || n.m.Init[in[k]] != x {
			return false
		}
	}
	return true
}

func (c *conjBeta) prior(v []float64) (a, b float64) {
	if c.n.dist() == "dunif" {
		return 1, 1
	}
	in := c.n.t.Operands(c.n.i)
	return v[in[0]], v[in[1]]
}

// giveUp is the number of times in warm-up that the algebra may fail before the
// fallback serves alone.
const giveUp = 20

// Adapt draws the node and counts how often the algebra fails.
func (c *conjBeta) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	if c.misses > giveUp {
		return c.fallback.Adapt(s, r, w)
	}
	info, ok := c.conjugate(s, r)
	if ok {
		return info
	}
	c.misses++
	return c.fallback.Adapt(s, r, w)
}

// Freeze ends the warm-up.
func (c *conjBeta) Freeze() {
	if c.fallback != nil {
		c.fallback.Freeze()
	}
}

// Step draws the node.
func (c *conjBeta) Step(s *model.State, r *rand.Rand) mcmc.Info {
	if c.misses <= giveUp {
		if info, ok := c.conjugate(s, r); ok {
			return info
		}
	}
	return c.fallback.Step(s, r)
}

func (c *conjBeta) conjugate(s *model.State, r *rand.Rand) (mcmc.Info, bool) {
	a, b := c.prior(s.V)
	x := s.V[c.n.cells[0]]
	da, db, ok := c.evidence(s)
	if !ok {
		c.n.set(s, x)
		return mcmc.Info{}, false
	}
	nx := c.draw(s, r, a+da, b+db)
	if !(nx >= 0 && nx <= 1) {
		c.n.set(s, x)
		return mcmc.Info{}, true
	}
	c.n.set(s, nx)
	for k := range c.sticks {
		if !s.SumsUp(c.sticks[k].weights) { // a ratio of numbers that have become 0
			c.n.set(s, x)
			return mcmc.Info{}, true
		}
	}
	return mcmc.Info{Accepted: true, AcceptProb: 1}, true
}

// MarshalBinary writes the count of failures and the fallback's tuning.
func (c *conjBeta) MarshalBinary() ([]byte, error) {
	if c.fallback == nil {
		return nil, nil
	}
	b, err := c.fallback.MarshalBinary()
	return append([]byte{byte(min(c.misses, giveUp+1))}, b...), err
}

// UnmarshalBinary is the inverse of MarshalBinary.
func (c *conjBeta) UnmarshalBinary(b []byte) error {
	if c.fallback == nil {
		return nil
	}
	if len(b) == 0 {
		return errTuning
	}
	c.misses = int(b[0])
	return c.fallback.UnmarshalBinary(b[1:])
}

// evidence counts successes and failures. With indirect children it leaves the
// blanket evaluated at 1.
func (c *conjBeta) evidence(s *model.State) (a, b float64, ok bool) {
	if !c.direct {
		c.n.begin(s)
	}
	for k := range c.sticks {
		da, db, same := c.sticks[k].count(s, c.shares, s.V[c.n.cells[0]])
		if a, b = a+da, b+db; !same {
			return 0, 0, false
		}
	}
	if !c.direct && len(c.kids) > 0 {
		c.n.set(s, 0)
		for k := range c.kids {
			c.p0[k] = s.V[c.kids[k].p]
		}
		c.n.set(s, 1)
	}
	v := s.V
	for k := range c.kids {
		h := &c.kids[k]
		y, n := v[h.y], 1.0
		if h.size >= 0 {
			n = v[h.size]
		}
		fail := n - y
		if h.negbin { // y failures before n successes
			y, fail = n, y
		}
		if c.direct {
			a, b = a+y, b+fail
			continue
		}
		switch p1 := v[h.p]; {
		case c.p0[k] == 0 && p1 == 1:
			a, b = a+y, b+fail
		case c.p0[k] == 1 && p1 == 0:
			a, b = a+fail, b+y
		case c.p0[k] != p1:
			return 0, 0, false
		}
	}
	return a, b, true
}

func (c *conjBeta) draw(s *model.State, r *rand.Rand, a, b float64) float64 {
	if !c.n.t.Stoch.Truncated() && len(c.cut) == 0 {
		return dist.Beta(r, a, b)
	}
	lo, hi := ownBounds(s, c.n)
	l, h := interval(s, c.cut)
	d, _ := dist.Lookup("dbeta")
	c.par = [2]float64{a, b}
	return d.SampleT(r, c.par[:], max(lo, l), min(hi, h))
}
