package rbm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// TAP says how to look for fixed points of the mean-field equations of
// Thouless, Anderson and Palmer. Zero values stand for defaults.
type TAP struct {
	Order      int     // of the expansion in W: 1 naive mean field, 2, or 3; default 2
	Damping    float64 // share of the old magnetisation that is kept, in [0, 1); default 0.5, negative for none
	Starts     int     // by turns uniform noise and the end of a Gibbs chain; default 20
	Iterations int     // at most, from each start; default 1000
	Tolerance  float64 // largest change of a magnetisation that counts as none; default 1e-9
	Seed       uint64
	Threads    int // 0: all cores; the result does not depend on it
}

// FixedPoint is where the iteration ended from one start.
type FixedPoint struct {
	LogZ       float64
	Iterations int
	Change     float64 // of any magnetisation in the last iteration
	Converged  bool
}

// TAPResult is the approximations of log Z from all starts. There is no error
// bar: the method gives no estimate of its error.
type TAPResult struct {
	LogZ      float64 // the highest of the fixed points, or of all final values where Converged is 0
	Converged int     // number of starts that converged to a fixed point
	Lowest    float64 // the lowest of the same values: the spread is LogZ − Lowest
	Starts    []FixedPoint
}

func (o TAP) withDefaults() TAP {
	o.Order = cmp.Or(o.Order, 2)
	o.Starts = cmp.Or(o.Starts, 20)
	o.Iterations = cmp.Or(o.Iterations, 1000)
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	o.Damping = max(cmp.Or(o.Damping, 0.5), 0)
	o.Tolerance = cmp.Or(o.Tolerance, 1e-9)
	return o
}

func (o TAP) check() error {
	switch {
	case o.Order < 1 || o.Order > 3:
		return fmt.Errorf("TAP of order %d; orders are 1, 2 and 3", o.Order)
	case !(o.Damping < 1):
		return fmt.Errorf("TAP with damping %v; it must be below 1", o.Damping)
	case o.Starts < 1 || o.Iterations < 1 || o.Threads < 1:
		return errors.New("TAP needs a start, an iteration and a thread at least")
	case !(o.Tolerance > 0):
		return fmt.Errorf("TAP with tolerance %v; it must be above 0", o.Tolerance)
	}
	return nil
}

// TAP approximates log Z by the extended mean-field free energy of Gabrié,
// Tramel and Krzakala (2015),
//
//	S(mᵛ) + S(mʰ) + bᵀmᵛ + aᵀmʰ + Σ W mᵛmʰ + ½ Σ W² (mᵛ−mᵛ²)(mʰ−mʰ²)
//	  + ⅔ Σ W³ (mᵛ−mᵛ²)(½−mᵛ)(mʰ−mʰ²)(½−mʰ),
//
// up to the power of W that is asked for, at magnetisations m where its
// gradient is zero. These are sought by damped iteration, the layers in turn.
// There may be many, or none that is found: see TAPResult.
func (m *Model) TAP(ctx context.Context, o TAP) (*TAPResult, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	powers := powersOf(m.W, o.Order)
	ends := make([]FixedPoint, o.Starts)
	fanout.New(o.Threads, func(k int) {
		f := newField(m, powers, k, rng.New(o.Seed, "rbm tap", uint64(k)))
		ends[k] = f.iterate(ctx, o)
	}).Run(o.Starts)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return summarizeEnds(ends), nil
}

func summarizeEnds(ends []FixedPoint) *TAPResult {
	r := &TAPResult{Starts: ends, LogZ: math.Inf(-1), Lowest: math.Inf(1)}
	for _, e := range ends {
		if e.Converged {
			r.Converged++
		}
	}
	for _, e := range ends {
		if e.Converged || r.Converged == 0 {
			r.LogZ, r.Lowest = max(r.LogZ, e.LogZ), min(r.Lowest, e.LogZ)
		}
	}
	return r
}

// powersOf are W, W², … element by element.
func powersOf(w []float64, order int) [][]float64 {
	p := [][]float64{w}
	for k := 1; k < order; k++ {
		next := slices.Clone(w)
		for i, x := range p[k-1] {
			next[i] *= x
		}
		p = append(p, next)
	}
	return p
}

// field is the magnetisations of both layers on their way to a fixed point.
type field struct {
	m      *Model
	powers [][]float64
	v, h   layer
}

// layer is one layer's magnetisations and functions of them.
type layer struct {
	bias []float64
	m    []float64
	// g[k] is what the (k+1)-th power of W multiplies: m, m−m², (m−m²)(½−m).
	g [][]float64
	// sums[k] is the sum over the other layer of the power and its g.
	sums [][]float64
}

// chainStart is how many Gibbs sweeps lie before every second start: on machines
// trained on images, ends of chains lead to better fixed points than noise.
const chainStart = 500

// newField has magnetisations that are uniform noise for even starts, and for
// odd ones the end of a chain.
func newField(m *Model, powers [][]float64, start int, r *rng.Stream) *field {
	f := &field{m: m, powers: powers, v: newLayer(m.VisibleBias, len(powers)), h: newLayer(m.HiddenBias, len(powers))}
	for _, l := range []layer{f.v, f.h} {
		for i := range l.m {
			l.m[i] = r.Float64()
		}
	}
	if start%2 == 1 {
		s := m.NewState()
		bernoulli(s.V, make([]float64, m.Visible), r.Rand)
		for range chainStart {
			m.Gibbs(s, r.Rand)
		}
		copy(f.v.m, convert[float64](s.V))
		copy(f.h.m, convert[float64](s.H))
	}
	f.v.update()
	f.h.update()
	return f
}

func newLayer(bias []float64, order int) layer {
	l := layer{bias: bias, m: make([]float64, len(bias))}
	for range order {
		l.g = append(l.g, make([]float64, len(bias)))
		l.sums = append(l.sums, make([]float64, len(bias)))
	}
	return l
}

func (l *layer) update() {
	for i, m := range l.m {
		l.g[0][i] = m
		if len(l.g) > 1 {
			l.g[1][i] = m * (1 - m)
		}
		if len(l.g) > 2 {
			l.g[2][i] = m * (1 - m) * (0.5 - m)
		}
	}
}

func (f *field) iterate(ctx context.Context, o TAP) FixedPoint {
	var e FixedPoint
	for e.Iterations = 1; ctx.Err() == nil; e.Iterations++ {
		f.sumHidden()
		e.Change = f.v.step(o.Damping)
		f.sumVisible()
		e.Change = max(e.Change, f.h.step(o.Damping))
		if e.Converged = e.Change < o.Tolerance; e.Converged || e.Iterations == o.Iterations {
			break
		}
	}
	f.sumHidden()
	e.LogZ = f.logZ()
	return e
}

// sumHidden gives each visible unit its sums over the hidden layer.
func (f *field) sumHidden() {
	n := f.m.Hidden
	for k, w := range f.powers {
		for i := range f.v.sums[k] {
			f.v.sums[k][i] = vec.Dot(w[i*n:(i+1)*n], f.h.g[k])
		}
	}
}

// sumVisible gives each hidden unit its sums over the visible layer.
func (f *field) sumVisible() {
	n := f.m.Hidden
	for k, w := range f.powers {
		s := f.h.sums[k]
		clear(s)
		for i, g := range f.v.g[k] {
			for j, x := range w[i*n : (i+1)*n] {
				s[j] += float64(x * g)
			}
		}
	}
}

// step moves each magnetisation towards the root of its derivative of the
// free energy and gives the largest change.
func (l *layer) step(damping float64) float64 {
	change := 0.0
	for i, m := range l.m {
		x := l.bias[i] + l.sums[0][i]
		if len(l.sums) > 1 { // ½ d/dm (m−m²) = ½ − m
			x += float64((0.5 - m) * l.sums[1][i])
		}
		if len(l.sums) > 2 { // d/dm (m−m²)(½−m) = ½ − 3(m−m²)
			x += float64((2. / 3) * (0.5 - float64(3*m*(1-m))) * l.sums[2][i])
		}
		to := float64(damping*m) + float64((1-damping)*vec.Ilogit(x))
		change = max(change, math.Abs(to-m))
		l.m[i] = to
	}
	l.update()
	return change
}

// logZ is the free energy for sums of the hidden layer that are up to date.
func (f *field) logZ() float64 {
	total := 0.0
	for _, l := range []layer{f.v, f.h} {
		for i, m := range l.m {
			total += entropy(m) + float64(l.bias[i]*m)
		}
	}
	for k, factor := range []float64{1, 0.5, 2. / 3}[:len(f.powers)] {
		total += float64(factor * vec.Dot(f.v.g[k], f.v.sums[k]))
	}
	return total
}

func entropy(p float64) float64 { return -xlogx(p) - xlogx(1-p) }

func xlogx(p float64) float64 {
	if p == 0 {
		return 0
	}
	return p * vec.Log(p)
}
