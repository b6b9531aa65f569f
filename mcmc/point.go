package mcmc

import (
	"encoding/binary"
	"errors"
	"math"
)

// Target is a distribution over vectors, known up to a constant factor.
type Target interface {
	// LogDensity is −Inf where the density is zero. It must not keep x.
	LogDensity(x []float64) float64
}

// Point is the state that kernels over vectors move: a place and the log density there,
// which every kernel leaves up to date.
type Point struct {
	X    []float64
	LogP float64
}

// NewPoint copies x and evaluates the target there.
func NewPoint(t Target, x []float64) *Point {
	return &Point{X: append([]float64(nil), x...), LogP: t.LogDensity(x)}
}

// MarshalBinary writes the point bit for bit.
func (p *Point) MarshalBinary() ([]byte, error) {
	out := make([]byte, 0, 8*(len(p.X)+1))
	out = binary.LittleEndian.AppendUint64(out, math.Float64bits(p.LogP))
	for _, v := range p.X {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
	}
	return out, nil
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (p *Point) UnmarshalBinary(b []byte) error {
	if len(b) < 8 || len(b)%8 != 0 {
		return errors.New("mcmc: these bytes are not a point; pass what MarshalBinary returned")
	}
	p.LogP = math.Float64frombits(binary.LittleEndian.Uint64(b))
	p.X = make([]float64, len(b)/8-1)
	for i := range p.X {
		p.X[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*(i+1):]))
	}
	return nil
}

// TargetFunc is a log density as a [Target].
type TargetFunc func(x []float64) float64

// LogDensity calls the function.
func (f TargetFunc) LogDensity(x []float64) float64 { return f(x) }
