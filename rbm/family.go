package rbm

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/f32"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/path"
)

// Family is the path from a base without weights to a machine, for the
// estimators of package path:
//
//	log f_β(v) = (1−β) bᴬᵀv + β bᵀv + Σⱼ log(1 + exp(β(aⱼ + Σᵢ vᵢWᵢⱼ))),
//
// with the base's visible biases bᴬ and one hidden layer for both (Salakhutdinov
// and Murray, 2008, whose base has hidden units of its own). At β = 0 the
// visible units are independent and the hidden ones count 2 each, so that
// log Z = Σᵢ log(1 + exp bᴬᵢ) + H log 2. A move is a sweep of block Gibbs
// sampling; as a transition of v alone it is reversible.
//
// [Family.MomentAveraged] replaces the first two terms by c(β)ᵀv, where c is
// piecewise linear between bᴬ and b.
//
// Inputs of units and uniform random numbers are float32, sums over units
// float64.
type Family struct {
	visible, hidden int
	down            []float32 // W, visible×hidden, its rows f32.Stride apart
	up              []float32 // its transpose, likewise
	many            *bothWays // nil for small machines
	a               []float32
	knots           []knot // of the visible bias, at equal distances from β = 0 to 1
	logZBase        float64
}

// knot is the visible bias at one β and its change to the next knot.
type knot struct {
	bias, next     []float32
	exact, towards []float64 // the bias, and next − bias, in float64 for densities
}

var _ interface {
	path.Family[*Particle]
	path.Ratio[*Particle]
	path.Deriv[*Particle]
	path.Marshal[*Particle]
} = (*Family)(nil)

// maxBias keeps probabilities of the base, and with them draws in float32,
// away from 0 and 1.
const maxBias = 80

// NewFamily is the path from independent visible units with the biases base,
// nil for zeros, to m.
func NewFamily(m *Model, base []float64) (*Family, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	if base == nil {
		base = make([]float64, m.Visible)
	}
	if len(base) != m.Visible {
		return nil, fmt.Errorf("the base has %d biases; there are %d visible units", len(base), m.Visible)
	}
	for i, x := range base {
		if !within(x, -maxBias, maxBias) {
			return nil, fmt.Errorf("the base's bias %d is %v; it must be from %d to %d", i+1, x, -maxBias, maxBias)
		}
	}
	f := &Family{visible: m.Visible, hidden: m.Hidden, a: spaced(m.HiddenBias, m.Hidden)[:m.Hidden], down: spaced(m.W, m.Hidden), up: spaced(m.Transpose().W, m.Visible),
		logZBase: float64(float64(m.Hidden) * math.Ln2)}
	f.many = f.panels(m)
	// Draws are in float32, so log Z is that of the rounded base.
	rounded := convert[float64](single(base))
	for _, b := range rounded {
		f.logZBase += vec.Log1pExp(b)
	}
	f.knots = knotsAt([][]float64{rounded, m.VisibleBias})
	return f, nil
}

// knotsAt makes the knots with these biases.
func knotsAt(bias [][]float64) []knot {
	all := make([]knot, len(bias)-1)
	for k := range all {
		b, next := bias[k], bias[k+1]
		d := make([]float64, len(b))
		for i := range d {
			d[i] = next[i] - b[i]
		}
		all[k] = knot{bias: single(b), next: single(next), exact: b, towards: d}
	}
	return all
}

func convert[T, F float32 | float64 | uint8](x []F) []T {
	y := make([]T, len(x))
	for k, v := range x {
		y[k] = T(v)
	}
	return y
}

func single(x []float64) []float32 { return convert[float32](x) }

// spaced is a matrix of so many columns with its rows f32.Stride apart.
func spaced(w []float64, columns int) []float32 {
	stride := f32.Stride(columns)
	y := make([]float32, len(w)/columns*stride)
	for at := 0; len(w) > 0; at += stride {
		copy(y[at:], single(w[:columns]))
		w = w[columns:]
	}
	return y
}

// drawRoom is how far draws of f32 may write beyond the last unit.
const drawRoom = 16

// New returns a particle that Base or Copy has to fill.
func (f *Family) New() *Particle {
	return &Particle{
		on: make([]int32, 0, f.visible+drawRoom), hidden: make([]int32, 0, f.hidden+drawRoom),
		input: make([]float32, f.hidden, f32.Stride(f.hidden)), above: make([]float32, f.visible, f32.Stride(f.visible)), line: make([]float32, f.visible), scaled: make([]float32, f.hidden),
	}
}

// Copy sets dst to the visible layer of src; dst keeps its generator.
func (f *Family) Copy(dst, src *Particle) {
	dst.on = append(dst.on[:0], src.on...)
	copy(dst.input, src.input)
}

// Base draws the visible units independently and seeds the particle's
// generator.
func (f *Family) Base(p *Particle, r *rand.Rand) {
	p.lanes.Seed(r)
	clear(p.above)
	p.drawVisible(0, f.line(p, 0))
	f.updateInput(p)
}

// LogZBase is Σᵢ log(1 + exp bᴬᵢ) + H log 2.
func (f *Family) LogZBase() float64 { return f.logZBase }

// Move draws the hidden layer given the visible one and then the visible one
// given the hidden, both at β.
func (f *Family) Move(p *Particle, beta float64, _ *rand.Rand) {
	p.drawHidden(beta)
	f32.SumRows(p.above, f.up, f32.Stride(f.visible), p.hidden)
	p.drawVisible(beta, f.line(p, beta))
	f.updateInput(p)
}

// line is the visible bias at β in float32, in p's scratch.
func (f *Family) line(p *Particle, beta float64) []float32 {
	k, t := f.at(beta)
	f32.Line(p.line, 1-t, k.bias, t, k.next)
	return p.line
}

// at is the knot below β and the position of β, from 0 to 1, between it and
// the next.
func (f *Family) at(beta float64) (*knot, float64) {
	x := float64(beta * float64(len(f.knots)))
	k := min(int(x), len(f.knots)-1)
	return &f.knots[k], x - float64(k)
}

// biasOf is c(β)ᵀv.
func (f *Family) biasOf(p *Particle, beta float64) float64 {
	k, t := f.at(beta)
	return gather(k.exact, p.on) + float64(t*gather(k.towards, p.on))
}

// updateInput computes the hidden units' input from the visible layer.
func (f *Family) updateInput(p *Particle) {
	copy(p.input, f.a)
	f32.AddRows(p.input, f.down, f32.Stride(f.hidden), p.on)
}

// gather is Σ x[k] over the indices, in four partial sums.
func gather(x []float64, at []int32) float64 {
	var s, t, u, v float64
	for len(at) >= 4 {
		s += x[at[0]]
		t += x[at[1]]
		u += x[at[2]]
		v += x[at[3]]
		at = at[4:]
	}
	for _, i := range at {
		s += x[i]
	}
	return (s + t) + (u + v)
}

// LogDensity is log f_β.
func (f *Family) LogDensity(p *Particle, beta float64) float64 {
	return f.biasOf(p, beta) + f32.SumSoftplus(p.input, beta)
}

// LogRatio is log f_to − log f_from.
func (f *Family) LogRatio(p *Particle, from, to float64) float64 {
	k, t := f.at(from)
	l, u := f.at(to)
	bias := 0.0
	if k == l {
		bias = (u - t) * gather(k.towards, p.on)
	} else {
		bias = f.biasOf(p, to) - f.biasOf(p, from)
	}
	return bias + f32.SumSoftplusStep(p.input, from, to)
}

// DLogDensity is d/dβ log f_β = c'(β)ᵀv + Σⱼ xⱼ σ(βxⱼ) with xⱼ = aⱼ + Σᵢ vᵢWᵢⱼ;
// at a knot, the slope of c is the mean of those on both sides, as trapezoidal
// rules want it.
func (f *Family) DLogDensity(p *Particle, beta float64) float64 {
	for j, x := range p.input {
		p.scaled[j] = float32(beta) * x
	}
	f32.Sigmoid(p.scaled, p.scaled)
	k, _ := f.at(beta)
	rise := gather(k.towards, p.on)
	x := float64(beta * float64(len(f.knots)))
	if n := int(math.Round(x)); math.Abs(x-float64(n)) < 1e-9 && n > 0 && n < len(f.knots) {
		rise = 0.5 * (gather(f.knots[n-1].towards, p.on) + gather(f.knots[n].towards, p.on))
	}
	return float64(float64(len(f.knots))*rise) + f32.Dot(p.input, p.scaled)
}
