package mcmc

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/gobs"
)

// Codec writes states to checkpoints and reads them.
type Codec[S any] interface {
	// MarshalState writes all that a later step can depend on, bit for bit, caches included where recomputing them would not give
	// the same bits.
	MarshalState(s S) ([]byte, error)
	UnmarshalState(b []byte) (S, error)
}

// PointCodec is the codec of points of this length.
func PointCodec(dim int) Codec[*Point] { return pointCodec(dim) }

type pointCodec int

// MarshalState writes the log density and then the coordinates.
func (pointCodec) MarshalState(s *Point) ([]byte, error) {
	return binary.Append(binary.LittleEndian.AppendUint64(nil, math.Float64bits(s.LogP)), binary.LittleEndian, s.X)
}

func (dim pointCodec) UnmarshalState(b []byte) (*Point, error) {
	all := make([]float64, 1+dim)
	if n, err := binary.Decode(b, binary.LittleEndian, all); err != nil || n != len(b) {
		return nil, fmt.Errorf("mcmc: these %d bytes are not a point of %d coordinates; pass what MarshalState returned", len(b), dim)
	}
	return &Point{LogP: all[0], X: all[1:]}, nil
}

// gobCodec writes states as package encoding/gob does.
type gobCodec[X any] struct{}

func (gobCodec[X]) MarshalState(s *State[X]) ([]byte, error) {
	b, err := gobs.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("mcmc: a state of type %T cannot be written to a checkpoint; let it implement encoding.BinaryMarshaler: %w", s.X, err)
	}
	return b, nil
}

func (gobCodec[X]) UnmarshalState(b []byte) (*State[X], error) {
	s := new(State[X])
	if err := gobs.Unmarshal(b, s); err != nil {
		return nil, fmt.Errorf("mcmc: these bytes are not a state of type %T: %w", s.X, err)
	}
	return s, nil
}
