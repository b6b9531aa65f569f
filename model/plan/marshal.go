package plan

import (
	"encoding"
	"encoding/binary"
)

// MarshalBinary writes the iteration and the tuning of every kernel.
func (w *Sweep) MarshalBinary() ([]byte, error) {
	out := binary.AppendUvarint(nil, w.iter)
	for _, k := range w.kernels {
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

// UnmarshalBinary restores what MarshalBinary wrote for the same plan.
func (w *Sweep) UnmarshalBinary(b []byte) error {
	it, n := binary.Uvarint(b)
	if n <= 0 {
		return errTuning
	}
	w.iter, b = it, b[n:]
	for _, k := range w.kernels {
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
