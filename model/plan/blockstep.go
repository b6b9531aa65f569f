package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// maxTauSums bounds the precisions for which the products of rows are summed
// once and for all.
const maxTauSums = 16

// prepare computes slopes that never change, and the sums over rows they allow.
func (b *block) prepare(s *model.State) {
	s.Direction()
	b.jac.Eval(s)
	b.slopes()
	if b.varying {
		return
	}
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
		_, d := b.jac.Row(g.mu)
		for e, x := range d {
			b.val[int(g.lo)+e] = -x
		}
		if g.self >= 0 {
			b.val[g.hi-1] = 1
		}
	}
	for k := range b.preds {
		p := &b.preds[k]
		_, d := b.jac.Row(p.eta)
		copy(b.val[p.lo:p.hi], d)
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
type gaussBlock struct {
	*block
	r, grad, step, z []float64
}

func newGaussBlock(b *block) *gaussBlock {
	n := len(b.cells)
	return &gaussBlock{block: b, r: make([]float64, len(b.gauss)), grad: make([]float64, n), step: make([]float64, n), z: make([]float64, n)}
}

// Step draws the members.
func (k *gaussBlock) Step(s *model.State, r *rand.Rand) mcmc.Info {
	b := k.block
	if b.varying {
		b.jac.Eval(s)
		b.slopes()
	}
	b.residuals(s, k.r)
	b.gaussPart(s, k.r, k.grad)
	if !b.q.Factor() {
		return mcmc.Info{}
	}
	b.q.Solve(k.step, k.grad)
	for i := range k.z {
		k.z[i] = dist.StdNormal(r)
	}
	b.q.Spread(k.z, k.z)
	for i, c := range b.cells {
		s.V[c] += k.step[i] + k.z[i]
	}
	s.Run(b.det)
	return mcmc.Info{Accepted: true, AcceptProb: 1, Evals: 1}
}

// glmBlock proposes all members at once from the Gaussian that matches the
// full conditional's gradient and curvature at the current point. Where that is
// accepted too rarely, single-site kernels serve.
type glmBlock struct {
	*block
	single []mcmc.Kernel[*model.State]
	adapt  []mcmc.Adapter[*model.State]

	only     float64 // 1: block and few single-site sweeps, −1: single-site alone, 0: both
	tried    float64
	accepted float64

	e, r, e1, r1     []float64
	grad, step, z    []float64
	delta, back, old []float64
}

const (
	blockRate   = 0.12 // acceptance below which a block does not pay
	singleShare = 0.05 // sweeps of single-site kernels that stay beside a block
)

func newGLMBlock(b *block) *glmBlock {
	n := len(b.cells)
	f := func(n int) []float64 { return make([]float64, n) }
	k := &glmBlock{block: b, e: f(len(b.preds)), e1: f(len(b.preds)), r: f(len(b.gauss)), r1: f(len(b.gauss)),
		grad: f(n), step: f(n), z: f(n), delta: f(n), back: f(n), old: f(n)}
	for _, row := range b.rows {
		s := singleSite(newNode(b.m, row))
		a, _ := s.(mcmc.Adapter[*model.State])
		k.single = append(k.single, s)
		k.adapt = append(k.adapt, a)
	}
	return k
}

// singleSite is the kernel a normal node gets when it is not in a block.
func singleSite(n *node) mcmc.Kernel[*model.State] {
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

// logPost is the full conditional's log density at residuals and predictors.
func (k *glmBlock) logPost(s *model.State, r, e []float64) float64 {
	sum := 0.0
	for i := range k.gauss {
		sum -= float64(0.5 * s.V[k.gauss[i].tau] * r[i] * r[i])
	}
	for i := range k.preds {
		sum += k.preds[i].value(s, e[i])
	}
	return sum
}

// expand builds the Gaussian at the given residuals and predictors and solves
// for its mean; it returns the log density found on the way.
func (k *glmBlock) expand(s *model.State, r, e []float64) (lp float64, ok bool) {
	b := k.block
	b.gaussPart(s, r, k.grad)
	for i := range b.gauss {
		lp -= float64(0.5 * s.V[b.gauss[i].tau] * r[i] * r[i])
	}
	for i := range b.preds {
		p := &b.preds[i]
		f, g, w := p.eval(s, e[i])
		lp += f
		b.along(k.grad, p.lo, p.hi, g)
		b.outer(b.q.Val, p.lo, p.hi, p.slot, w)
	}
	if math.IsNaN(lp) || !b.q.Factor() {
		return lp, false
	}
	b.q.Solve(k.step, k.grad)
	return lp, true
}

func (k *glmBlock) halfLogDet() float64 {
	sum := 0.0
	for _, d := range k.q.Pivots() {
		sum += vec.Log(d)
	}
	return 0.5 * sum
}

func (k *glmBlock) block1(s *model.State, r *rand.Rand) mcmc.Info {
	b := k.block
	if b.varying {
		b.jac.Eval(s)
		b.slopes()
	}
	b.residuals(s, k.r)
	for i := range b.preds {
		k.e[i] = s.V[b.preds[i].eta]
	}
	for i, c := range b.cells {
		k.old[i] = s.V[c]
	}
	info := mcmc.Info{Evals: 2}
	info.AcceptProb = k.propose(s, r)
	info.Accepted = r.Float64() < info.AcceptProb
	for i, c := range b.cells {
		s.V[c] = k.old[i]
		if info.Accepted {
			s.V[c] += k.delta[i]
		}
	}
	s.Run(b.det)
	return info
}

// propose fills delta and returns the acceptance probability.
func (k *glmBlock) propose(s *model.State, r *rand.Rand) float64 {
	b := k.block
	lp0, ok := k.expand(s, k.r, k.e)
	if !ok {
		return 0
	}
	zz := 0.0
	for i := range k.z {
		k.z[i] = dist.StdNormal(r)
		zz += float64(k.z[i] * k.z[i])
	}
	logQ := k.halfLogDet() - 0.5*zz
	b.q.Spread(k.delta, k.z)
	for i := range k.delta {
		k.delta[i] += k.step[i]
	}
	for i := range b.gauss {
		k.r1[i] = k.r[i] + b.dot(k.delta, b.gauss[i].lo, b.gauss[i].hi)
	}
	for i := range b.preds {
		k.e1[i] = k.e[i] + b.dot(k.delta, b.preds[i].lo, b.preds[i].hi)
	}
	lp1, ok := k.expand(s, k.r1, k.e1)
	if !ok || math.IsInf(lp1, 0) {
		return 0
	}
	for i := range k.back {
		k.back[i] = -k.delta[i] - k.step[i]
	}
	logBack := k.halfLogDet() - 0.5*b.q.Quad(k.back)
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
	if r.Float64() < singleShare {
		k.singles(s, r, nil)
	}
	return k.block1(s, r)
}

// Adapt moves the members both ways and counts what the block is worth.
func (k *glmBlock) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	late := 2*w.Iteration > w.Total
	if k.only <= 0 || r.Float64() < singleShare {
		k.singles(s, r, &w)
	}
	if k.only < 0 {
		return mcmc.Info{Accepted: true, AcceptProb: 1}
	}
	info := k.block1(s, r)
	if 4*w.Iteration > w.Total {
		k.tried++
		k.accepted += info.AcceptProb
	}
	if late && k.only == 0 && k.tried > 50 {
		k.only = 1
		if k.accepted < blockRate*k.tried {
			k.only = -1
		}
	}
	return info
}

// Freeze ends the warm-up.
func (k *glmBlock) Freeze() {
	if k.only == 0 && k.accepted < blockRate*k.tried {
		k.only = -1
	}
	for _, a := range k.adapt {
		if a != nil {
			a.Freeze()
		}
	}
}

// MarshalBinary writes the tuning.
func (k *glmBlock) MarshalBinary() ([]byte, error) {
	b := putFloats(k.only, k.tried, k.accepted)
	return appendTuning(b, k.single)
}

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *glmBlock) UnmarshalBinary(b []byte) error {
	if len(b) < 24 {
		return errTuning
	}
	if err := getFloats(b[:24], &k.only, &k.tried, &k.accepted); err != nil {
		return err
	}
	return takeTuning(b[24:], k.single)
}
