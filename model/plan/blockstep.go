package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/tunings"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// maxTauSums bounds the precisions for which the products of rows are summed
// once and for all.
const maxTauSums = 16

// prepare computes slopes that never change, and the sums over rows they allow.
func (b *block) prepare(s *model.State) {
	if b.varying {
		b.jac.Eval(s)
		b.slopes()
		return
	}
	b.fixed.Do(func() {
		b.jac.Eval(s)
		b.slopes()
		*b.jac = model.Jacobian{} // it has served
	})
	at := map[int32]int{}
	for k := range b.gauss {
		tau := b.gauss[k].tau
		if _, ok := at[tau]; !ok {
			at[tau] = len(at)
		}
	}
	if len(at) > maxTauSums {
		return
	}
	b.sums = make([]tauSum, len(at))
	for k := range b.gauss {
		g := &b.gauss[k]
		t := &b.sums[at[g.tau]]
		if t.s == nil {
			t.tau, t.s = g.tau, make([]float64, len(b.q.Val))
		}
		b.outer(t.s, g.lo, g.hi, g.slot, 1)
	}
}

// slopes copies derivatives from the Jacobian to the rows.
func (b *block) slopes() {
	for k := range b.gauss {
		g := &b.gauss[k]
		for e, x := range b.jac.At(g.pos) {
			b.val[int(g.lo)+e] = -x
		}
		if g.self >= 0 {
			b.val[g.hi-1] = 1
		}
	}
	for k := range b.preds {
		p := &b.preds[k]
		copy(b.val[p.lo:p.hi], b.jac.At(p.pos))
	}
}

// outer adds w·d·dᵀ of a row to a matrix with q's pattern.
func (b *block) outer(to []float64, lo, hi, slot int32, w float64) {
	d := b.val[lo:hi]
	at := b.slots[slot:]
	n := 0
	for x, dx := range d {
		wx := w * dx
		for _, dy := range d[:x+1] {
			to[at[n]] += float64(wx * dy)
			n++
		}
	}
}

func (b *block) along(grad []float64, lo, hi int32, w float64) {
	idx := b.idx[lo:hi]
	for e, x := range b.val[lo:hi] {
		grad[idx[e]] += float64(w * x)
	}
}

func (b *block) dot(delta []float64, lo, hi int32) float64 {
	sum := 0.0
	idx := b.idx[lo:hi]
	for e, x := range b.val[lo:hi] {
		sum += float64(x * delta[idx[e]])
	}
	return sum
}

// residuals reads y − μ of the normal rows.
func (b *block) residuals(s *model.State, r []float64) {
	v := s.V
	for k := range b.gauss {
		g := &b.gauss[k]
		y := v[g.y]
		if g.log {
			y = vec.Log(y)
		}
		r[k] = y - v[g.mu]
	}
}

// gaussPart starts the precision and the gradient with the normal rows.
func (b *block) gaussPart(s *model.State, r, grad []float64) {
	clear(b.q.Val)
	clear(grad)
	if b.sums != nil {
		for k := range b.sums {
			t := &b.sums[k]
			w := s.V[t.tau]
			for e, x := range t.s {
				b.q.Val[e] += float64(w * x)
			}
		}
	}
	for k := range b.gauss {
		g := &b.gauss[k]
		tau := s.V[g.tau]
		b.along(grad, g.lo, g.hi, -tau*r[k])
		if b.sums == nil {
			b.outer(b.q.Val, g.lo, g.hi, g.slot, tau)
		}
	}
}

// gaussBlock draws a block with normal children only from its full conditional.
type gaussBlock struct{ *expansion }

func newGaussBlock(b *block) *gaussBlock { return &gaussBlock{newExpansion(b)} }

// Step draws the members.
func (k *gaussBlock) Step(s *model.State, r *rand.Rand) mcmc.Info {
	k.read(s)
	k.gaussPart(s, k.r, k.grad)
	if !k.q.Factor() {
		return mcmc.Info{}
	}
	k.q.Solve(k.step, k.grad)
	for i := range k.z {
		k.z[i] = dist.StdNormal(r)
	}
	k.q.Spread(k.z, k.z)
	for i, c := range k.cells {
		s.V[c] += k.step[i] + k.z[i]
	}
	s.Run(k.det)
	return mcmc.Info{Accepted: true, AcceptProb: 1, Evals: 1}
}

// glmBlock proposes all members at once from the Gaussian that approximates
// their full conditional near its mode, found from a fixed reference point, so
// that it does not depend on where the members are. Where fresh draws from it are
// accepted too rarely, moves are shorter, and single-site kernels serve beside.
type glmBlock struct {
	*expansion
	single []kernel
	adapt  []mcmc.Adapter[*model.State]

	only     float64 // 1: block and few single-site sweeps, −1: single-site alone, 0: both
	decided  float64 // 1 once warm-up has set only
	tried    float64
	accepted float64
	ref      []float64 // reference point: the members' mean in warm-up
	mean     []float64 // running mean
	seen     float64   // iterations in it

	logStep float64 // log of 1 − keep
	updates float64 // of logStep

	w   *work
	old []float64
}

// What a block is worth is its acceptance times 1 − keep: its mean squared jump as
// a share of that of independent draws.
const (
	blockTarget = 0.234 // acceptance that maximises it where acceptance falls (Roberts, Gelman and Gilks 1997)
	blockLeast  = 0.03  // worth below which a block does not pay
	blockAlone  = 0.1   // worth above which it needs no single-site sweeps beside it
	besideShare = 0.4   // sweeps of single-site kernels beside a block that needs them
	rareShare   = 0.02  // sweeps of them beside a mixture, whose proposals are accepted mostly
	singleShare = 0.15  // sweeps of single-site kernels that stay all the same, for the tails
)

func newGLMBlock(b *block) *glmBlock {
	n := len(b.cells)
	k := &glmBlock{expansion: newExpansion(b), w: newWork(b), ref: make([]float64, n), mean: make([]float64, n), old: make([]float64, n)}
	for _, row := range b.rows {
		one := newNode(b.m, row)
		s := singleSite(one)
		if _, ok := s.(*conjNormal); !ok {
			one.forms = nil // large, of no use to the others
		}
		a, _ := s.(mcmc.Adapter[*model.State])
		k.single = append(k.single, s)
		k.adapt = append(k.adapt, a)
	}
	return k
}

// singleSite is the kernel a normal node gets when it is not in a block.
func singleSite(n *node) kernel {
	if c := newConjNormal(n); c != nil {
		return c
	}
	if a := newAdaptive(n); a != nil {
		return a
	}
	return newSlice(n)
}

func (k *glmBlock) prepare(s *model.State) {
	k.block.prepare(s)
	for _, x := range k.single {
		if p, ok := x.(preparer); ok {
			p.prepare(s)
		}
	}
}

func (k *glmBlock) stepJoint(s *model.State, r *rand.Rand) mcmc.Info {
	if k.mix != nil {
		return k.stepByComponents(s, r)
	}
	k.read(s)
	for i, c := range k.cells {
		k.old[i] = s.V[c]
	}
	info := mcmc.Info{Evals: 2}
	info.AcceptProb = k.propose(s, r)
	info.Accepted = r.Float64() < info.AcceptProb
	for i, c := range k.cells {
		s.V[c] = k.old[i]
		if info.Accepted {
			s.V[c] += k.delta[i]
		}
	}
	s.Run(k.det)
	return info
}

// propose fills delta and returns the acceptance probability.
func (k *glmBlock) propose(s *model.State, r *rand.Rand) float64 {
	lp0 := k.logPost(s, k.r, k.e)
	if !k.centre(s, k.ref, k.w) {
		return 0
	}
	logBack := k.whiten()
	logQ := k.draw(r, k.keep())
	k.shift(k.w.r, k.w.e, k.delta)
	lp1 := k.logPost(s, k.w.r, k.w.e)
	a := vec.Exp(lp1 - lp0 + logBack - logQ)
	if math.IsNaN(a) {
		return 0
	}
	return min(1, a)
}

func (k *glmBlock) singles(s *model.State, r *rand.Rand, w *mcmc.Warmup) {
	for i, x := range k.single {
		if a := k.adapt[i]; w != nil && a != nil {
			a.Adapt(s, r, *w)
			continue
		}
		x.Step(s, r)
	}
}

// Step moves the members.
func (k *glmBlock) Step(s *model.State, r *rand.Rand) mcmc.Info {
	if k.only < 0 {
		k.singles(s, r, nil)
		return mcmc.Info{Accepted: true, AcceptProb: 1}
	}
	if r.Float64() < k.beside() {
		k.singles(s, r, nil)
	}
	return k.stepJoint(s, r)
}

// beside is the share of sweeps of single-site kernels beside the block.
func (k *glmBlock) beside() float64 {
	switch {
	case k.only == 0:
		return besideShare
	case k.mix != nil:
		return rareShare
	}
	return singleShare
}

// refEvery is how often warm-up moves the reference point.
const refEvery = 20

// setReference moves the reference point: to the conditional mode in the first half of
// warm-up, which also brings a distant start near, then to the members' mean.
func (k *glmBlock) setReference(s *model.State, w mcmc.Warmup) {
	if 4*w.Iteration >= w.Total {
		k.seen++
		for i, c := range k.cells {
			k.mean[i] += (s.V[c] - k.mean[i]) / k.seen
		}
	}
	if w.Iteration%refEvery != 0 || k.mix != nil && w.Iteration > 0 {
		return
	}
	if 2*w.Iteration >= w.Total && k.seen > 0 {
		copy(k.ref, k.mean)
		return
	}
	start := make([]float64, len(k.cells))
	for i, c := range k.cells {
		start[i] = s.V[c]
	}
	mix := k.mix
	k.mix = nil
	k.newtonToMode(s)
	k.mix = mix
	for i, c := range k.cells {
		k.ref[i] = s.V[c]
		if w.Iteration > 0 {
			s.V[c] = start[i]
		}
	}
	s.Run(k.det)
}

// Adapt moves the members both ways and counts what the block is worth.
func (k *glmBlock) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	k.setReference(s, w)
	if k.only <= 0 || r.Float64() < singleShare {
		k.singles(s, r, &w)
	}
	if k.only < 0 {
		return mcmc.Info{Accepted: true, AcceptProb: 1}
	}
	info := k.stepJoint(s, r)
	k.tune(info.AcceptProb, w)
	if 4*w.Iteration > 3*w.Total && k.decided == 0 && k.tried > 50 {
		k.decide()
	}
	return info
}

// keep is the share of its place that a proposal keeps, in the Gaussian's standard
// coordinates.
func (k *glmBlock) keep() float64 {
	if k.logStep > nearlyFresh || k.mix != nil {
		return 0
	}
	return 1 - vec.Exp(k.logStep)
}

// tune shortens the moves of a block whose fresh draws are accepted too rarely.
func (k *glmBlock) tune(accept float64, w mcmc.Warmup) {
	if 8*w.Iteration < w.Total {
		return // on the way to the mode
	}
	if 4*w.Iteration > w.Total {
		k.tried++
		k.accepted += float64(accept * vec.Exp(k.logStep))
	}
	if k.mix != nil {
		return
	}
	k.updates++
	k.logStep += (accept - blockTarget) * 2 / vec.Pow(k.updates, 0.6)
	k.logStep = min(max(k.logStep, leastStep), 0)
}

const (
	leastStep   = -12  // bounds logStep
	nearlyFresh = -0.1 // above it draws are fresh: logStep never quite comes to rest
)

// decide sets only by the worth so far.
func (k *glmBlock) decide() {
	k.decided = 1
	switch {
	case k.accepted >= blockAlone*k.tried:
		k.only = 1
	case k.accepted < blockLeast*k.tried:
		k.only = -1
	}
}

// Freeze ends the warm-up.
func (k *glmBlock) Freeze() {
	if k.decided == 0 {
		k.decide()
	}
	if k.seen > 0 {
		copy(k.ref, k.mean)
	}
	for _, a := range k.adapt {
		if a != nil {
			a.Freeze()
		}
	}
}

// MarshalBinary writes the tuning.
func (k *glmBlock) MarshalBinary() ([]byte, error) {
	b := putFloats(k.only, k.decided, k.tried, k.accepted, k.seen, k.logStep, k.updates)
	b = append(b, putFloats(k.ref...)...)
	b = append(b, putFloats(k.mean...)...)
	return withTunings(b, k.single)
}

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *glmBlock) UnmarshalBinary(b []byte) error {
	to := []*float64{&k.only, &k.decided, &k.tried, &k.accepted, &k.seen, &k.logStep, &k.updates}
	for i := range k.ref {
		to = append(to, &k.ref[i])
	}
	for i := range k.mean {
		to = append(to, &k.mean[i])
	}
	n := 8 * len(to)
	if len(b) < n {
		return errTuning
	}
	if err := getFloats(b[:n], to...); err != nil {
		return err
	}
	return tunings.UnmarshalAll(b[n:], k.single)
}
