package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/slice"
)

// processMove moves a Gaussian process f and the numbers u of the nodes θ that it, or its children, depend on. For each θ there is a normal density near the conditional one of f ([normalLaw]): its curvature and
// mean are found by a few Newton steps from a [reference]. u moves while f is in the standard coordinates z of that density stays, f = m(u) + T(u) z, so nearly as if f were integrated out: exactly so under a
// normal likelihood, and with what Murray and Adams (2010, "Slice sampling covariance hyperparameters of latent Gaussian models") do by surrogate data elsewhere. Proposals of u are from a Student t that warm-up fits, and slices along lines. Then f moves given θ: a draw from the normal
// density, accepted or not, and an ellipse in the same coordinates.
type processMove struct {
	*process
	x       *unbounded
	density *model.Evaluator
	from    *reference
	fit     studentFit
	single  []slice.Univariate // a number each
	line    slice.Univariate   // and in any direction of the fit

	stage       float64
	begun       float64
	tried, rate float64 // proposals from the fit, from when on points count
	slides      float64 // share of the iterations with a slice

	here, there normalLaw // at the state, and at a proposal
	known       bool      // here is of the state that the key tells
	key         []float64

	s                    *model.State // while it moves
	u0, u, along         []float64
	f, z, turned, normal []float64
	g, w, w0, work       []float64
	old, oldOthers       []float64
	at                   float64 // of the line where f was put last
	logp                 func(t float64) float64
}

func newProcessMove(f *process) *processMove {
	n, x := len(f.cells), f.x.forChain()
	v := func(n int) []float64 { return make([]float64, n) }
	k := &processMove{process: f, x: x, density: f.block.NewEvaluator(), from: newReference(n, len(f.moving)), fit: newStudentFit(x.size), single: make([]slice.Univariate, x.size), slides: 1,
		here: newNormalLaw(n, f.vcov), there: newNormalLaw(n, f.vcov), key: v(len(f.moving) + len(f.still)),
		u0: v(x.size), u: v(x.size), along: v(x.size), f: v(n), z: v(n), turned: v(n), normal: v(n), g: v(n), w: v(n), w0: v(n), work: v(n), old: v(n), oldOthers: v(len(f.moving))}
	k.logp = k.onLine
	return k
}

func (k *processMove) put(x []float64) {
	for j, c := range k.cells {
		k.s.V[c] = x[j]
	}
}

// gradient of the log likelihood at x.
func (k *processMove) gradient(g, x []float64) bool {
	k.put(x)
	if !vec.Finite(k.density.ValueGradient(k.s)) {
		return false
	}
	for j, c := range k.cells {
		g[j] = k.s.A[c]
	}
	return true
}

// bend writes minus the diagonal of the second derivatives, none less than 0, by central differences with all elements moved at once: children of several elements are taken as if they had one.
func (k *processMove) bend(w, x []float64) bool {
	ok := true
	for j, v := range x {
		k.work[j] = v + float64(curveStep*max(1, math.Abs(v)))
	}
	ok = ok && k.gradient(w, k.work)
	for j, v := range x {
		k.work[j] = v - float64(curveStep*max(1, math.Abs(v)))
	}
	ok = ok && k.gradient(k.g, k.work)
	for j, v := range x {
		w[j] = max(0, (k.g[j]-w[j])/(2*float64(curveStep*max(1, math.Abs(v)))))
	}
	return ok
}

// sameCurvature is how much of the curvature may change before it is taken anew where the first step leads.
const sameCurvature = 0.02

// around finds the normal density for θ as the state has it. It leaves f anywhere, and logical rows below f as they were.
func (k *processMove) around(l *normalLaw) bool {
	k.density.Prepare(k.s)
	x := k.normal
	k.from.place(x, k.s.V, k.moving)
	if !l.prior(k.s, k.in) || !k.bend(k.w0, x) || !l.curved(k.s, k.in, k.w0) || !k.gradient(k.g, x) {
		return false
	}
	l.towards(x, k.g, k.w0)
	if !k.bend(k.w, x) {
		return false
	}
	change, size := 0.0, 0.0
	for j, w := range k.w {
		change += math.Abs(w - k.w0[j])
		size += w
	}
	if change > float64(sameCurvature*size) {
		if !l.curved(k.s, k.in, k.w) || !k.gradient(k.g, x) {
			return false
		}
		l.towards(x, k.g, k.w)
	}
	for range chordSteps {
		if !k.gradient(k.g, x) {
			return false
		}
		l.closer(x, k.g, k.work)
	}
	return vec.Finite(columns.Sum(l.mean))
}

// enter finds where the state is, and the normal density there if it is another than that of the last step.
func (k *processMove) enter(s *model.State, r *rand.Rand) (logJacobian float64, ok bool) {
	s.Settle()
	if k.s != s {
		k.s, k.known = s, false
	}
	k.read(k.f)
	if !k.known || !k.sameKey() {
		k.known = k.around(&k.here)
		k.put(k.f)
		s.Run(k.below)
		k.takeKey()
	}
	for j, c := range k.moving {
		k.oldOthers[j] = s.V[c]
	}
	k.x.read(s, k.u0, r)
	logJacobian = k.x.place(s, k.u0)
	k.restoreOthers()
	if !k.known || !vec.Finite(logJacobian) {
		return 0, false
	}
	k.here.whiten(k.z, k.f)
	return logJacobian, true
}

func (k *processMove) read(x []float64) {
	for j, c := range k.cells {
		x[j] = k.s.V[c]
	}
}

func (k *processMove) restoreOthers() {
	for j, c := range k.moving {
		k.s.V[c] = k.oldOthers[j]
	}
	for _, t := range k.x.parts {
		if b, is := t.(*between); is {
			k.s.Run(b.segs)
		}
	}
}

func (k *processMove) sameKey() bool {
	for j, c := range k.moving {
		if k.key[j] != k.s.V[c] {
			return false
		}
	}
	for j, c := range k.still {
		if k.key[len(k.moving)+j] != k.s.V[c] {
			return false
		}
	}
	return true
}

func (k *processMove) takeKey() {
	for j, c := range k.moving {
		k.key[j] = k.s.V[c]
	}
	for j, c := range k.still {
		k.key[len(k.moving)+j] = k.s.V[c]
	}
}

// value is the log density of u and z, the state being there.
func (k *processMove) value(l *normalLaw, x []float64, logJacobian float64) float64 {
	v := k.s.LogProb(k.stoch)
	if !vec.Finite(v) {
		return math.Inf(-1)
	}
	v += l.logPrior(x, k.work) + l.logDet() + logJacobian
	if !vec.Finite(v) {
		return math.Inf(-1)
	}
	return v
}

// to moves the state to u with z as it is, and tells the log density.
func (k *processMove) to(u []float64) float64 {
	logJacobian := k.x.place(k.s, u)
	if !vec.Finite(logJacobian) {
		return math.Inf(-1)
	}
	k.s.Run(k.det)
	if !k.around(&k.there) {
		return math.Inf(-1)
	}
	k.there.spread(k.normal, k.z)
	k.put(k.normal)
	k.s.Run(k.below)
	return k.value(&k.there, k.normal, logJacobian)
}

// back moves the state to where the step began.
func (k *processMove) back() {
	k.put(k.f)
	for j, c := range k.moving {
		k.s.V[c] = k.oldOthers[j]
	}
	k.s.Run(k.det)
}

// stay takes the proposal.
func (k *processMove) stay() {
	k.here, k.there = k.there, k.here
	copy(k.f, k.normal)
	k.takeKey()
}

// leap proposes numbers from the fit.
func (k *processMove) leap(r *rand.Rand, lp float64) float64 {
	k.fit.draw(r, k.u)
	accept := r.Float64()
	a := vec.Exp(k.to(k.u) - k.fit.logQ(k.u) - lp + k.fit.logQ(k.u0))
	if accept < a {
		k.stay()
	} else {
		k.back()
	}
	return min(1, a)
}

func (k *processMove) onLine(t float64) float64 {
	for j, d := range k.along {
		k.u[j] = k.u0[j] + float64(t*d)
	}
	k.at = t
	return k.to(k.u)
}

// lineStep is a slice step, in warm-up or after it.
type lineStep func(u *slice.Univariate, r *rand.Rand, x, fx, lo, hi float64, logp func(float64) float64) (x1, fx1 float64, evals int)

// slide moves the numbers along a line: one of them, or in a direction drawn from the fit's law, where that is known.
func (k *processMove) slide(r *rand.Rand, lp float64, step lineStep) {
	u, d := &k.line, len(k.along)
	clear(k.along)
	if k.fit.settled() {
		for i := range d {
			z := dist.StdNormal(r)
			for j := i; j < d; j++ {
				k.along[j] += float64(z * k.fit.chol[j*d+i])
			}
		}
	} else {
		j := r.IntN(d)
		k.along[j], u = 1, &k.single[j]
	}
	t, _, _ := step(u, r, 0, lp, math.Inf(-1), math.Inf(1), k.logp)
	switch {
	case t == 0:
		k.back()
		return
	case t != k.at:
		k.onLine(t)
	}
	k.stay()
}

// renew moves f given θ.
func (k *processMove) renew(r *rand.Rand) {
	k.here.whiten(k.z, k.f)
	was := k.excess(k.f, k.z)
	for j := range k.turned {
		k.turned[j] = dist.StdNormal(r)
	}
	accept := r.Float64()
	k.here.spread(k.normal, k.turned)
	k.put(k.normal)
	k.s.Run(k.below)
	if now := k.excess(k.normal, k.turned); accept < vec.Exp(now-was) {
		copy(k.f, k.normal)
		copy(k.z, k.turned)
		was = now
	}
	level := was - dist.StdExp(r)
	for j := range k.g {
		k.g[j] = dist.StdNormal(r)
	}
	_, ok := slice.Turn(r, func(angle float64) bool {
		c, sn := vec.Cos(angle), vec.Sin(angle)
		for j := range k.turned {
			k.turned[j] = float64(c*k.z[j]) + float64(sn*k.g[j])
		}
		k.here.spread(k.normal, k.turned)
		k.put(k.normal)
		k.s.Run(k.below)
		return k.excess(k.normal, k.turned) > level
	})
	if !ok {
		k.put(k.f)
		k.s.Run(k.below)
	}
}

// excess is the log density of f beyond that of the normal law.
func (k *processMove) excess(x, z []float64) float64 {
	v := k.s.LogProb(k.likely)
	if v += k.here.logPrior(x, k.work) + float64(0.5*columns.Dot(z, z)); !vec.Finite(v) {
		return math.Inf(-1)
	}
	return v
}

// move proposes numbers from the fit, slides them in some of the iterations, or in all where the fit is not known, and renews f.
func (k *processMove) move(s *model.State, r *rand.Rand, step lineStep) (leapt bool, a float64) {
	logJacobian, ok := k.enter(s, r)
	if !ok {
		return false, 0
	}
	a = 1
	if leapt = k.fit.settled(); leapt {
		a = k.leap(r, k.value(&k.here, k.f, logJacobian))
	}
	if !leapt || r.Float64() < k.slides {
		if logJacobian, ok = k.enter(s, r); ok {
			k.slide(r, k.value(&k.here, k.f, logJacobian), step)
		}
	}
	k.renew(r)
	return leapt, a
}

// Step moves f and the numbers.
func (k *processMove) Step(s *model.State, r *rand.Rand) mcmc.Info {
	_, a := k.move(s, r, (*slice.Univariate).Step1)
	return mcmc.Info{Accepted: true, AcceptProb: a, Evals: 2}
}

// Adapt moves them, and learns where they are.
func (k *processMove) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	if w.Iteration == 0 {
		k.climb(s)
		k.begin(r)
	}
	leapt, a := k.move(s, r, (*slice.Univariate).Adapt1)
	if !k.known {
		copy(k.from.c, k.f)
		clear(k.from.sd)
	}
	if leapt && k.begun > 0 {
		k.tried++
		k.rate += a
	}
	k.learn(r, w)
	return mcmc.Info{Accepted: true, AcceptProb: a, Evals: 2}
}

func (k *processMove) learn(r *rand.Rand, w mcmc.Warmup) {
	if k.begun == 0 && float64(w.Iteration) >= fieldFit*float64(w.Total) {
		k.begun, k.fit = 1, newStudentFit(len(k.u))
	}
	if float64(w.Iteration) >= fieldStages()[0]*float64(w.Total) {
		k.x.read(k.s, k.u, r)
		k.fit.learn(k.u)
		if w.Iteration%learnEvery == 0 {
			k.fit.settle()
		}
	}
	if int(k.stage) == len(fieldStages()) {
		return
	}
	k.read(k.f)
	k.from.see(k.f, k.s.V, k.moving)
	if float64(w.Iteration) >= fieldStages()[int(k.stage)]*float64(w.Total) {
		if k.from.learn() {
			k.known = false
		}
		k.stage++
	}
}

// climb looks for the mode of f given the others, the first reference point.
func (k *processMove) climb(s *model.State) {
	s.Settle()
	k.s, k.known = s, false
	k.read(k.f)
	defer func() {
		k.put(k.f)
		s.Run(k.below)
	}()
	copy(k.from.c, k.f)
	l := &k.here
	k.density.Prepare(s)
	if !l.prior(s, k.in) {
		return
	}
	value := func(x []float64) float64 {
		k.put(x)
		s.Run(k.below)
		return s.LogProb(k.likely) + l.logPrior(x, k.work)
	}
	best := value(k.from.c)
	if v := value(l.mu); v > best || !vec.Finite(best) {
		best = v
		copy(k.from.c, l.mu)
	}
	x := k.normal
	for range climbSteps {
		copy(x, k.from.c)
		if !k.bend(k.w, x) || !l.curved(s, k.in, k.w) || !k.gradient(k.g, x) {
			return
		}
		l.towards(x, k.g, k.w)
		gain := 0.0
		for range 12 {
			if gain = value(x) - best; gain > 0 {
				copy(k.from.c, x)
				best += gain
				break
			}
			for j, v := range x {
				x[j] = float64(0.5 * (v + k.from.c[j]))
			}
		}
		if !(gain > climbGain) {
			return
		}
	}
}

// begin draws f from the normal density there. From far out in its tails, where the density falls less than that of a normal law, ellipses lead back in very many steps.
func (k *processMove) begin(r *rand.Rand) {
	if !k.around(&k.here) {
		k.put(k.f)
		return
	}
	for j := range k.z {
		k.z[j] = dist.StdNormal(r)
	}
	k.here.spread(k.normal, k.z)
	k.put(k.normal)
	k.s.Run(k.below)
	if v := k.s.LogProb(k.likely) + k.here.logPrior(k.normal, k.work); !vec.Finite(v) {
		k.put(k.f)
		k.s.Run(k.below)
	}
}

// Freeze ends the warm-up.
func (k *processMove) Freeze() {
	if k.rate >= float64(oftenTaken*k.tried) {
		k.slides = someSlides
	}
}

const (
	oftenTaken = 0.25 // acceptance of proposals from the fit from which on slices, which cost four of them and more, are made in some iterations
	someSlides = 0.35
)

func (k *processMove) fields() []*float64 {
	return slices.Concat(k.fit.fields(), k.from.fields(), []*float64{&k.stage, &k.begun, &k.tried, &k.rate, &k.slides})
}

func (k *processMove) parts() []*slice.Univariate {
	all := []*slice.Univariate{&k.line}
	for j := range k.single {
		all = append(all, &k.single[j])
	}
	return all
}

// MarshalBinary writes the tuning.
func (k *processMove) MarshalBinary() ([]byte, error) { return marshalWith(k.fields(), k.parts()) }

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *processMove) UnmarshalBinary(b []byte) error {
	k.known = false
	return unmarshalWith(b, k.fields(), k.parts())
}
