package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// expansion is the Gaussian that matches a block's full conditional at a point:
// gradient and precision there, hence a mean one Newton step away. With normal
// children only it is the full conditional itself, wherever it is taken.
type expansion struct {
	*block
	r, e       []float64 // residuals of the normal rows, values of the predictors
	grad, step []float64
	z, delta   []float64
	mix        *mixture
	df         float64 // degrees of freedom of proposals; 0: Gaussian
}

// leastDF is the fewest degrees of freedom of a proposal. A Gaussian's tails
// would leave a chain stuck where the full conditional's are heavier; in many
// dimensions a t with few degrees of freedom would be accepted too rarely, so
// they grow with the dimension.
const leastDF = 5

func newExpansion(b *block) *expansion {
	n := len(b.cells)
	f := func(n int) []float64 { return make([]float64, n) }
	df, mix := 0.0, (*mixture)(nil)
	switch {
	case b.squares != nil:
		mix = newMixture(b, b.squares)
	case len(b.preds) > 0:
		df = max(leastDF, float64(n))
	}
	return &expansion{block: b, mix: mix, df: df, r: f(len(b.gauss)), e: f(len(b.preds)), grad: f(n), step: f(n), z: f(n), delta: f(n)}
}

// read takes residuals, predictors and, where they move, slopes from the state.
func (x *expansion) read(s *model.State) {
	if x.varying {
		x.jac.Eval(s)
		x.slopes()
	}
	x.residuals(s, x.r)
	for i := range x.preds {
		x.e[i] = s.V[x.preds[i].eta]
	}
	if x.mix != nil {
		x.mix.read(s)
	}
}

// expand builds the Gaussian at residuals r and predictors e and solves for
// the step to its mean. It returns the log density of the rows there, up to
// what does not change with the members.
func (x *expansion) expand(s *model.State, r, e []float64) (lp float64, ok bool) {
	b := x.block
	b.gaussPart(s, r, x.grad)
	for i := range b.gauss {
		lp -= float64(0.5 * s.V[b.gauss[i].tau] * r[i] * r[i])
	}
	for i := range b.preds {
		p := &b.preds[i]
		f, g, w := x.curve(s, i, e[i])
		lp += f
		b.along(x.grad, p.lo, p.hi, g)
		b.outer(b.q.Val, p.lo, p.hi, p.slot, w)
	}
	if math.IsNaN(lp) || !b.q.Factor() {
		return lp, false
	}
	b.q.Solve(x.step, x.grad)
	return lp, true
}

// curve is the log density of a predictor's children, its derivative and minus the second; given components, the first up to a constant of any size.
func (x *expansion) curve(s *model.State, i int, e float64) (f, g, w float64) {
	if x.mix == nil {
		return x.preds[i].eval(s, e)
	}
	g, w = x.mix.slope(i, e)
	return 0, g, w
}

// whiten puts the members, which are −step from the Gaussian's mean, into its
// standard coordinates: z, for draw. It returns the Gaussian's log density there.
func (x *expansion) whiten() float64 {
	for i, d := range x.step {
		x.delta[i] = -d
	}
	x.q.Whiten(x.z, x.delta)
	return x.halfLogDet() + x.radial(square(x.z))
}

// draw fills delta with a move to a point of the Gaussian, or where children are
// not normal of the Student t around it, and returns its log density there up to a
// constant. With keep = 0 the point is a fresh draw. Otherwise it is autoregressive,
// z' = keep·z + √(1 − keep²) ξ/√λ, from the z that whiten left; λ is the t's own
// scale, given z, so that moves are reversible with respect to the t. (For a Gaussian
// this is the Crank–Nicolson proposal of Neal 1998 and Cotter and others 2013, here
// around the mode.)
func (x *expansion) draw(r *rand.Rand, keep float64) float64 {
	n := float64(len(x.z))
	shape, rate := 0.5*x.df, 0.5*x.df
	if keep > 0 {
		shape, rate = 0.5*(x.df+n), 0.5*(x.df+square(x.z))
	}
	fresh := math.Sqrt(1 - float64(keep*keep))
	if x.df > 0 {
		fresh /= math.Sqrt(dist.Gamma(r, shape, rate))
	}
	for i, z := range x.z {
		x.z[i] = float64(keep*z) + float64(fresh*dist.StdNormal(r))
	}
	logQ := x.halfLogDet() + x.radial(square(x.z))
	x.q.Spread(x.delta, x.z)
	for i := range x.delta {
		x.delta[i] += x.step[i]
	}
	return logQ
}

func square(z []float64) float64 {
	sum := 0.0
	for _, v := range z {
		sum += float64(v * v)
	}
	return sum
}

// radial is the log density, up to a constant, at squared distance q.
func (x *expansion) radial(q float64) float64 {
	if x.df == 0 {
		return -0.5 * q
	}
	return -0.5 * (x.df + float64(len(x.cells))) * vec.Log1p(q/x.df)
}

func (x *expansion) halfLogDet() float64 {
	p := vec.NewLogProduct()
	for _, d := range x.q.Pivots() {
		p.Times(d)
	}
	return 0.5 * p.Log()
}

// centre makes the Gaussian that proposals come from: a few Newton steps from the
// reference point ref, so that it depends on everything but the members
// themselves. It leaves the way from the members' current values to the
// Gaussian's mean in step. With normal children only, or given components, no reference is needed:
// one step from anywhere ends at the mean.
func (x *expansion) centre(s *model.State, ref []float64, w *work) bool {
	x.read(s)
	if len(x.preds) == 0 || x.mix != nil {
		_, ok := x.expand(s, x.r, x.e)
		return ok
	}
	for i, c := range x.cells {
		w.way[i] = ref[i] - s.V[c]
	}
	for range centreSteps {
		x.shift(w.r, w.e, w.way)
		if _, ok := x.expand(s, w.r, w.e); !ok {
			x.restore(s)
			return false
		}
		decrement := 0.0
		for i := range w.way {
			w.way[i] += x.step[i]
			decrement += float64(x.step[i] * x.grad[i])
		}
		if decrement < nearMode {
			break
		}
	}
	copy(x.step, w.way)
	x.restore(s)
	return true
}

// restore puts predictors back that were moved to take differences.
func (x *expansion) restore(s *model.State) {
	for i := range x.preds {
		if p := &x.preds[i]; p.family == general {
			s.V[p.eta] = x.e[i]
			s.Run(p.path)
		}
	}
}

// Newton steps from the reference point end when the squared Newton decrement,
// twice the log density still to be gained, is small; mostly that takes two.
const (
	centreSteps = 10
	nearMode    = 0.05
)

// work is memory for residuals, predictors and members of a second point.
type work struct{ r, e, way []float64 }

func newWork(b *block) *work {
	return &work{r: make([]float64, len(b.gauss)), e: make([]float64, len(b.preds)), way: make([]float64, len(b.cells))}
}

// newtonSteps bounds the way from a start to the conditional mode.
const newtonSteps = 30

// newtonToMode moves the members to the mode of their full conditional by Newton steps,
// halved while the density falls. It is for the start of a chain only.
func (x *expansion) newtonToMode(s *model.State) {
	x.read(s)
	r1, e1 := make([]float64, len(x.r)), make([]float64, len(x.e))
	lp, ok := x.expand(s, x.r, x.e)
	for range newtonSteps {
		if !ok || math.IsInf(lp, 0) {
			return
		}
		best, f := false, 1.0
		for range 12 {
			for i := range x.delta {
				x.delta[i] = f * x.step[i]
			}
			x.shift(r1, e1, x.delta)
			if l := x.logPost(s, r1, e1); l > lp {
				best = l-lp > 1e-6
				x.apply(s, x.delta)
				copy(x.r, r1)
				copy(x.e, e1)
				break
			}
			f /= 2
		}
		if !best {
			s.Run(x.det)
			return
		}
		lp, ok = x.expand(s, x.r, x.e)
	}
}

// shift gives residuals and predictors after a move.
func (x *expansion) shift(r1, e1, delta []float64) {
	for i := range x.gauss {
		r1[i] = x.r[i] + x.dot(delta, x.gauss[i].lo, x.gauss[i].hi)
	}
	for i := range x.preds {
		e1[i] = x.e[i] + x.dot(delta, x.preds[i].lo, x.preds[i].hi)
	}
}

func (x *expansion) apply(s *model.State, delta []float64) {
	for i, c := range x.cells {
		s.V[c] += delta[i]
	}
	s.Run(x.det)
}

// logPost is the log density of the rows at residuals and predictors.
func (x *expansion) logPost(s *model.State, r, e []float64) float64 {
	sum := 0.0
	for i := range x.gauss {
		sum -= float64(0.5 * s.V[x.gauss[i].tau] * r[i] * r[i])
	}
	for i := range x.preds {
		sum += x.preds[i].value(s, e[i])
	}
	return sum
}
