package rbm

import (
	"encoding/binary"
	"errors"
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
// Inputs of units and uniform random numbers are float32, sums over units
// float64.
type Family struct {
	visible, hidden int
	down            []float32 // W, visible×hidden
	up              []float32 // its transpose
	a, b, base      []float32
	none            []float32 // zeros for the hidden layer
	tilt            []float64 // b − bᴬ
	baseBias        []float64
	logZBase        float64
}

var _ interface {
	path.Family[*Particle]
	path.Ratio[*Particle]
	path.Deriv[*Particle]
	path.Batch[*Particle]
	path.Marshal[*Particle]
} = (*Family)(nil)

// Particle is a visible layer of a Family and what follows from it.
type Particle struct {
	on     []int32   // visible units that are 1, ascending
	input  []float32 // aⱼ + Σᵢ vᵢWᵢⱼ
	tilt   float64   // Σ vᵢ(bᵢ − bᴬᵢ)
	lanes  f32.Lanes
	hidden []int32   // scratch: hidden units that are 1
	above  []float32 // scratch: Σⱼ Wᵢⱼhⱼ
	scaled []float32 // scratch of the hidden layer's size
}

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
	f := &Family{visible: m.Visible, hidden: m.Hidden, a: single(m.HiddenBias), b: single(m.VisibleBias), base: single(base),
		down: single(m.W), up: single(m.Transpose().W), none: make([]float32, m.Hidden),
		tilt: make([]float64, m.Visible), baseBias: make([]float64, m.Visible), logZBase: float64(float64(m.Hidden) * math.Ln2)}
	for i := range f.tilt {
		f.baseBias[i] = float64(f.base[i])
		f.tilt[i] = m.VisibleBias[i] - f.baseBias[i]
		f.logZBase += vec.Log1pExp(f.baseBias[i])
	}
	return f, nil
}

func single(x []float64) []float32 {
	y := make([]float32, len(x))
	for k, v := range x {
		y[k] = float32(v)
	}
	return y
}

// drawRoom is what f32.Bernoulli writes beyond the last unit.
const drawRoom = 16

// New returns a particle that Base or Copy has to fill.
func (f *Family) New() *Particle {
	return &Particle{
		on: make([]int32, 0, f.visible+drawRoom), hidden: make([]int32, 0, f.hidden+drawRoom),
		input: make([]float32, f.hidden), above: make([]float32, f.visible), scaled: make([]float32, f.hidden),
	}
}

// Copy makes dst the visible layer of src, with the generator it has.
func (f *Family) Copy(dst, src *Particle) {
	dst.on = append(dst.on[:0], src.on...)
	copy(dst.input, src.input)
	dst.tilt = src.tilt
}

// Base draws the visible units independently and seeds the particle's
// generator.
func (f *Family) Base(p *Particle, r *rand.Rand) {
	p.lanes.Seed(r)
	clear(p.above)
	f.drawVisible(p, 0)
}

// LogZBase is Σᵢ log(1 + exp bᴬᵢ) + H log 2.
func (f *Family) LogZBase() float64 { return f.logZBase }

// Move draws the hidden layer given the visible one and then the visible one
// given the hidden, both at β.
func (f *Family) Move(p *Particle, beta float64, _ *rand.Rand) {
	n := f32.BernoulliScaled(p.hidden, p.input, nil, f.none, beta, &p.lanes)
	f32.SumRows(p.above, f.up, f.visible, p.hidden[:n])
	f.drawVisible(p, beta)
}

// drawVisible draws the visible layer given p.above.
func (f *Family) drawVisible(p *Particle, beta float64) {
	n := f32.BernoulliScaled(p.on, p.above, f.base, f.b, beta, &p.lanes)
	p.on = p.on[:n]
	f.follow(p)
}

// follow renews what follows from the visible layer.
func (f *Family) follow(p *Particle) {
	copy(p.input, f.a)
	f32.AddRows(p.input, f.down, f.hidden, p.on)
	p.tilt = gather(f.tilt, p.on)
}

// gather is Σ x[k] over the indices, in two partial sums.
func gather(x []float64, at []int32) float64 {
	var s, t float64
	for len(at) >= 2 {
		s += x[at[0]]
		t += x[at[1]]
		at = at[2:]
	}
	if len(at) > 0 {
		s += x[at[0]]
	}
	return s + t
}

// LogDensity is log f_β.
func (f *Family) LogDensity(p *Particle, beta float64) float64 {
	return f.atBase(p) + float64(beta*p.tilt) + f32.SumSoftplus(p.input, beta)
}

// atBase is bᴬᵀv.
func (f *Family) atBase(p *Particle) float64 { return gather(f.baseBias, p.on) }

// LogRatio is log f_to − log f_from.
func (f *Family) LogRatio(p *Particle, from, to float64) float64 {
	return float64((to-from)*p.tilt) + f32.SumSoftplusStep(p.input, from, to)
}

// DLogDensity is (b−bᴬ)ᵀv + Σⱼ xⱼ σ(βxⱼ) with xⱼ = aⱼ + Σᵢ vᵢWᵢⱼ.
func (f *Family) DLogDensity(p *Particle, beta float64) float64 {
	for j, x := range p.input {
		p.scaled[j] = float32(beta) * x
	}
	f32.Sigmoid(p.scaled, p.scaled)
	return p.tilt + f32.Dot(p.input, p.scaled)
}

// LogDensities is LogDensity at several β.
func (f *Family) LogDensities(dst []float64, p *Particle, betas []float64) {
	base := f.atBase(p)
	for k, beta := range betas {
		dst[k] = base + float64(beta*p.tilt) + f32.SumSoftplus(p.input, beta)
	}
}

// Visible writes the particle's visible layer to v.
func (f *Family) Visible(v []uint8, p *Particle) {
	clear(v)
	for _, i := range p.on {
		v[i] = 1
	}
}

// SetVisible makes v the particle's visible layer.
func (f *Family) SetVisible(p *Particle, v []uint8) {
	p.on = p.on[:0]
	for i, on := range v {
		if on != 0 {
			p.on = append(p.on, int32(i))
		}
	}
	f.follow(p)
}

// MarshalState returns the visible layer and the generator of a particle.
func (f *Family) MarshalState(p *Particle) ([]byte, error) {
	b, err := p.lanes.MarshalBinary()
	if err != nil {
		return nil, err
	}
	for _, i := range p.on {
		b = binary.LittleEndian.AppendUint32(b, uint32(i))
	}
	return b, nil
}

// UnmarshalState returns the particle that MarshalState was given.
func (f *Family) UnmarshalState(b []byte) (*Particle, error) {
	p := f.New()
	own, err := p.lanes.MarshalBinary()
	if err != nil {
		return nil, err
	}
	if len(b) < len(own) || (len(b)-len(own))%4 != 0 {
		return nil, errors.New("these bytes are not a particle's")
	}
	if err := p.lanes.UnmarshalBinary(b[:len(own)]); err != nil {
		return nil, err
	}
	last := int64(-1)
	for b = b[len(own):]; len(b) > 0; b = b[4:] {
		i := int64(binary.LittleEndian.Uint32(b))
		if i <= last || i >= int64(f.visible) {
			return nil, fmt.Errorf("these bytes are a particle's of another machine: unit %d after %d, of %d", i+1, last+1, f.visible)
		}
		last = i
		p.on = append(p.on, int32(i))
	}
	f.follow(p)
	return p, nil
}
