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
