package plan

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/tunings"
)

var errTuning = errors.New("the tuning of a sampler is damaged or belongs to another model")

func putFloats(x ...float64) []byte {
	b := make([]byte, 0, 8*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

func getFloats(b []byte, x ...*float64) error {
	if len(b) != 8*len(x) {
		return errTuning
	}
	for i, p := range x {
		*p = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return nil
}

// putFields writes numbers where they are.
func putFields(fields []*float64) []byte {
	b := make([]byte, 0, 8*len(fields))
	for _, x := range fields {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(*x))
	}
	return b
}

// marshalWith writes a kernel's numbers, and the tuning of its parts behind them.
func marshalWith[P any](fields []*float64, parts []P) ([]byte, error) {
	b, err := tunings.MarshalAll(parts)
	return append(putFields(fields), b...), err
}

// unmarshalWith is the inverse of marshalWith.
func unmarshalWith[P any](b []byte, fields []*float64, parts []P) error {
	own := 8 * len(fields)
	if len(b) < own {
		return errTuning
	}
	if err := getFloats(b[:own], fields...); err != nil {
		return err
	}
	return tunings.UnmarshalAll(b[own:], parts)
}

// withTunings writes those of some kernels behind what a kernel has of its own.
func withTunings(own []byte, kernels []kernel) ([]byte, error) {
	b, err := tunings.MarshalAll(kernels)
	return append(own, b...), err
}

// MarshalBinary writes the iteration and the tuning of every kernel.
func (w *Sweep) MarshalBinary() ([]byte, error) {
	return withTunings(binary.AppendUvarint(nil, w.iter), w.kernels)
}

// UnmarshalBinary restores what MarshalBinary wrote for the same plan.
func (w *Sweep) UnmarshalBinary(b []byte) error {
	it, n := binary.Uvarint(b)
	if n <= 0 {
		return errTuning
	}
	w.iter = it
	return tunings.UnmarshalAll(b[n:], w.kernels)
}
