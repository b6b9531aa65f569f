package plan

import (
	"encoding"
	"encoding/binary"
	"errors"
	"math"
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

// appendTuning writes the tuning of every kernel that has one behind its length.
func appendTuning(out []byte, kernels []kernel) ([]byte, error) {
	for _, k := range kernels {
		m, ok := k.(encoding.BinaryMarshaler)
		if !ok {
			continue
		}
		b, err := m.MarshalBinary()
		if err != nil {
			return nil, err
		}
		out = binary.AppendUvarint(out, uint64(len(b)))
		out = append(out, b...)
	}
	return out, nil
}

// takeTuning gives kernels what appendTuning wrote for the same kernels.
func takeTuning(b []byte, kernels []kernel) error {
	for _, k := range kernels {
		u, ok := k.(encoding.BinaryUnmarshaler)
		if !ok {
			continue
		}
		size, n := binary.Uvarint(b)
		if n <= 0 || size > uint64(len(b)-n) {
			return errTuning
		}
		if err := u.UnmarshalBinary(b[n : n+int(size)]); err != nil {
			return err
		}
		b = b[n+int(size):]
	}
	if len(b) != 0 {
		return errTuning
	}
	return nil
}

// MarshalBinary writes the iteration and the tuning of every kernel.
func (w *Sweep) MarshalBinary() ([]byte, error) {
	return appendTuning(binary.AppendUvarint(nil, w.iter), w.kernels)
}

// UnmarshalBinary restores what MarshalBinary wrote for the same plan.
func (w *Sweep) UnmarshalBinary(b []byte) error {
	it, n := binary.Uvarint(b)
	if n <= 0 {
		return errTuning
	}
	w.iter = it
	return takeTuning(b[n:], w.kernels)
}
