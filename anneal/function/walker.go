package function

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// maxJoint is the most coordinates that are moved together: their covariance is factorised after each sweep that tunes.
const maxJoint = 100

// tuned is how many sweeps at one temperature tune the steps.
const tuned = 256

// walker is one point.
type walker struct {
	p *Problem
	s *model.State
	saved
	old   []float64 // what is put back after a rejection
	point []float64
	chol  []float64 // of Covariance
	z     []float64
}

// saved is a walker as bytes. Lengths of steps are parts of the widths between bounds.
type saved struct {
	X, Lowest   []float64 // now, and when the energy was best
	Value, Best float64   // the energies
	Step        []float64 // standard deviations of Gaussian steps of each coordinate
	Joint       float64   // that of steps of all, before Covariance
	Covariance  []float64 // of trace n; nil beyond maxJoint
	Temperature float64   // of the last sweep
	Sweeps      int       // in a row at it
}

func newWalker(p *Problem) *walker {
	n := len(p.cells)
	w := &walker{p: p, s: p.m.NewState(), old: make([]float64, max(p.most, len(p.m.Init))), point: make([]float64, n), z: make([]float64, n)}
	w.saved = saved{X: make([]float64, n), Lowest: make([]float64, n), Step: make([]float64, n)}
	if n > 1 && n <= maxJoint {
		w.Covariance, w.chol = make([]float64, n*n), make([]float64, n*n)
	}
	for i := range w.X {
		w.X[i] = p.low[i] + float64(0.5*(p.high[i]-p.low[i]))
	}
	w.untune()
	w.fill()
	w.keep()
	return w
}

// untune forgets what was learnt of steps.
func (w *walker) untune() {
	n := len(w.X)
	for i := range w.Step {
		w.Step[i] = 0.2
	}
	w.Joint = 0.2 / math.Sqrt(float64(n))
	clear(w.Covariance)
	clear(w.chol)
	if w.Covariance != nil {
		for i := range n {
			w.Covariance[i*n+i], w.chol[i*n+i] = 1, 1
		}
	}
	w.Temperature, w.Sweeps = math.Inf(-1), 0
}

// fill computes all that follows from the coordinates.
func (w *walker) fill() {
	for i, c := range w.p.cells {
		w.s.V[c] = w.X[i]
	}
	w.s.RunAllLive()
	w.Value = w.p.energy(w.s)
}

func (w *walker) keep() {
	w.saved.Best = w.Value
	copy(w.Lowest, w.X)
}

func (w *walker) Replicas() int { return 1 }

// Start draws a point uniformly, again while the value is not finite, but no more than a thousand times; from there, all that is not finite is accepted until something
// finite is met.
func (w *walker) Start(r *rand.Rand) {
	w.untune()
	for range 1000 {
		if w.scatter(r); !math.IsInf(w.Value, 1) {
			break
		}
	}
	w.keep()
}

// scatter draws a point uniformly.
func (w *walker) scatter(r *rand.Rand) {
	for i := range w.X {
		w.X[i] = w.within(i, w.p.low[i]+float64(r.Float64()*(w.p.high[i]-w.p.low[i])))
	}
	w.fill()
}

// within mends what rounding did.
func (w *walker) within(i int, x float64) float64 { return min(max(x, w.p.low[i]), w.p.high[i]) }

// rule is how a change is judged: at a temperature, or by a threshold.
type rule struct {
	temperature float64
	threshold   bool
}

func (a rule) accept(to, from float64, r *rand.Rand) bool {
	d := to - from
	switch {
	case math.IsInf(from, 1):
		return true
	case math.IsInf(to, 1):
		return false
	case a.threshold:
		return d <= a.temperature
	}
	return d <= 0 || d < 40*a.temperature && r.Float64() < vec.Exp(-d/a.temperature)
}

// Sweep proposes a step of each coordinate in turn, and as many of all together.
func (w *walker) Sweep(temperature float64, r *rand.Rand) (proposed, accepted int64) {
	return w.sweep(rule{temperature, false}, r)
}

// SweepThreshold proposes as many, and accepts what adds no more than the threshold.
func (w *walker) SweepThreshold(threshold float64, r *rand.Rand) (proposed, accepted int64) {
	return w.sweep(rule{threshold, true}, r)
}

func (w *walker) sweep(a rule, r *rand.Rand) (proposed, accepted int64) {
	if a.temperature != w.Temperature {
		w.Temperature, w.Sweeps = a.temperature, 0
	}
	tune := w.Sweeps < tuned
	w.Sweeps++
	for i := range w.X {
		proposed++
		if w.stepOne(i, a, tune, r) {
			accepted++
		}
	}
	if w.Covariance == nil {
		return proposed, accepted
	}
	for range w.X {
		proposed++
		if w.stepAll(a, tune, r) {
			accepted++
		}
	}
	if tune {
		w.factorise()
	}
	return proposed, accepted
}

// stepOne moves a coordinate by a Gaussian step, every second time of a length from the tuned one to all of the width, uniform in the
// logarithm, so that other wells stay within reach.
func (w *walker) stepOne(i int, a rule, tune bool, r *rand.Rand) bool {
	near := r.Uint64()>>63 == 0
	step := w.Step[i]
	if !near {
		step = vec.Exp(r.Float64() * vec.Log(step))
	}
	width := w.p.high[i] - w.p.low[i]
	from, at := w.X[i], w.p.cells[i]
	x := w.within(i, w.p.low[i]+fold(from-w.p.low[i]+float64(float64(dist.StdNormal(r)*step)*width), width))
	outs := w.p.outs[i]
	for k, c := range outs {
		w.old[k] = w.s.V[c]
	}
	w.s.V[at] = x
	w.s.Run(w.p.after[i])
	e := w.p.energy(w.s)
	ok := a.accept(e, w.Value, r)
	if ok {
		w.X[i] = x
		w.moved(e)
	} else {
		w.s.V[at] = from
		for k, c := range outs {
			w.s.V[c] = w.old[k]
		}
	}
	if tune && near {
		w.Step[i] = tunedStep(w.Step[i], ok, 0.44, 0.4)
	}
	return ok
}

// fold reflects a place at 0 and at width.
func fold(x, width float64) float64 {
	x = math.Mod(math.Abs(x), 2*width)
	if x > width {
		return 2*width - x
	}
	return x
}

// tunedStep is longer after an acceptance and shorter after a rejection, so that the given share is accepted.
func tunedStep(step float64, accepted bool, share, gain float64) float64 {
	by := -share
	if accepted {
		by = 1 - share
	}
	return min(max(step*vec.Exp(gain*by), 1e-14), 1)
}

// stepAll moves all coordinates. A reflection would make a step whose coordinates depend on one another unlike its reverse, so that those across a
// bound are rejected.
func (w *walker) stepAll(a rule, tune bool, r *rand.Rand) bool {
	inside := w.propose(r)
	ok := false
	if inside {
		copy(w.old, w.s.V)
		for i, c := range w.p.cells {
			w.s.V[c] = w.point[i]
		}
		w.s.RunAllLive()
		e := w.p.energy(w.s)
		if ok = a.accept(e, w.Value, r); ok {
			copy(w.X, w.point)
			w.moved(e)
		} else {
			copy(w.s.V, w.old)
		}
	}
	if tune {
		w.Joint = tunedStep(w.Joint, ok, 0.25, 0.2)
		if ok {
			w.learn()
		}
	}
	return ok
}

// propose draws a Gaussian point about the state, with z the step before Joint and widths; false: it is beyond a bound.
func (w *walker) propose(r *rand.Rand) (inside bool) {
	n := len(w.X)
	for i := range w.z {
		w.z[i] = dist.StdNormal(r)
	}
	inside = true
	for i := n - 1; i >= 0; i-- {
		y := 0.0
		for j := range i + 1 {
			y += float64(w.chol[i+j*n] * w.z[j])
		}
		w.z[i] = y
		w.point[i] = w.X[i] + float64(float64(w.Joint*y)*(w.p.high[i]-w.p.low[i]))
		inside = inside && w.point[i] >= w.p.low[i] && w.point[i] <= w.p.high[i]
	}
	return inside
}

// learn lets the covariance be a little more like that of the step that was accepted.
func (w *walker) learn() {
	n := len(w.X)
	rate := 2 / (float64(n*n) + 6)
	for i, a := range w.z {
		for j, b := range w.z[:i+1] {
			c := float64((1-rate)*w.Covariance[i*n+j]) + float64(rate*float64(a*b))
			w.Covariance[i*n+j], w.Covariance[j*n+i] = c, c
		}
	}
}

// factorise scales the covariance to a trace of n, so that Joint alone is the length of steps; where rounding has made it indefinite, it is forgotten.
func (w *walker) factorise() {
	n := len(w.X)
	trace := 0.0
	for i := range n {
		trace += w.Covariance[i*n+i]
	}
	for k := range w.Covariance {
		w.Covariance[k] *= float64(n) / trace
	}
	if trace > 0 && vec.Chol(w.chol, w.Covariance, n) {
		return
	}
	clear(w.Covariance)
	clear(w.chol)
	for i := range n {
		w.Covariance[i*n+i], w.chol[i*n+i] = 1, 1
	}
}

func (w *walker) moved(e float64) {
	if w.Value = e; e < w.saved.Best {
		w.keep()
	}
}

func (w *walker) Energy(int) float64     { return w.Value }
func (w *walker) Best(int) float64       { return w.saved.Best }
func (w *walker) Solution(int) []float64 { return append([]float64(nil), w.Lowest...) }
func (w *walker) State(int) []float64    { return append([]float64(nil), w.X...) }

func (w *walker) Set(_ int, solution []float64) error {
	if err := w.p.check(solution); err != nil {
		return err
	}
	copy(w.X, solution)
	w.fill()
	w.keep()
	return nil
}

// Copy leaves steps as they are: they belong to the temperature that the walker is at.
func (w *walker) Copy(_ int, from anneal.Walker, _ int) {
	f := from.(*walker)
	copy(w.X, f.X)
	copy(w.Lowest, f.Lowest)
	copy(w.s.V, f.s.V)
	w.Value, w.saved.Best = f.Value, f.saved.Best
}

func (w *walker) MarshalBinary() ([]byte, error) { return gobs.Marshal(w.saved) }

func (w *walker) UnmarshalBinary(b []byte) error {
	var s saved
	if err := gobs.Unmarshal(b, &s); err != nil {
		return err
	}
	n := len(w.X)
	if w.p.check(s.X) != nil || w.p.check(s.Lowest) != nil || len(s.Step) != n || len(s.Covariance) != len(w.Covariance) {
		return errors.New("function: these bytes are not a point of this function")
	}
	w.saved = s
	w.fill()
	if w.Covariance != nil && !vec.Chol(w.chol, w.Covariance, n) {
		return errors.New("function: these bytes have a covariance that is none")
	}
	return nil
}
