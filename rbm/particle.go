package rbm

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/f32"
)

// Particle is a visible layer of a Family with the hidden units' input.
type Particle struct {
	on     []int32   // visible units that are 1, ascending
	input  []float32 // aⱼ + Σᵢ vᵢWᵢⱼ
	lanes  f32.Lanes
	hidden []int32   // scratch: hidden units that are 1
	above  []float32 // scratch: Σⱼ Wᵢⱼhⱼ
	line   []float32 // scratch: the visible bias, see f32.Line
	scaled []float32 // scratch of the hidden layer's size
	work   f32.Workspace
}

// drawHidden draws the hidden layer given p.input.
func (p *Particle) drawHidden(beta float64) {
	p.hidden = p.hidden[:f32.Bernoulli(p.hidden, p.input, beta, &p.lanes)]
}

// drawVisible draws the visible layer given p.above and the visible bias line; p.input must be updated after it.
func (p *Particle) drawVisible(beta float64, line []float32) {
	p.on = p.on[:f32.BernoulliAlong(p.on, p.above, beta, line, &p.lanes)]
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
	p.on = indices(p.on[:0], v)
	f.updateInput(p)
}

// MarshalState returns the visible layer and the generator of a particle.
func (f *Family) MarshalState(p *Particle) ([]byte, error) {
	b, err := p.lanes.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return binary.Append(b, binary.LittleEndian, p.on)
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
	f.updateInput(p)
	return p, nil
}
