package mcmc

import (
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
)

// parts are the kernels a composed kernel is made of; tuning passes through it.
type parts[S any] []Kernel[S]

func (p parts[S]) adapt(i int, s S, r *rand.Rand, w Warmup) Info {
	if a, ok := p[i].(Adapter[S]); ok {
		return a.Adapt(s, r, w)
	}
	return p[i].Step(s, r)
}

// fitsLength asks every part: see the function of this name.
func (p parts[S]) fitsLength(dim int) error {
	for _, k := range p {
		if err := fitsLength(k, dim); err != nil {
			return err
		}
	}
	return nil
}

// Freeze freezes every part that adapts.
func (p parts[S]) Freeze() {
	for _, k := range p {
		if a, ok := k.(Adapter[S]); ok {
			a.Freeze()
		}
	}
}

// MarshalBinary writes the tuning of each part behind its length.
func (p parts[S]) MarshalBinary() ([]byte, error) {
	out := binary.AppendUvarint(nil, uint64(len(p)))
	for i, k := range p {
		b, err := marshalKernel(k)
		if err != nil {
			return nil, fmt.Errorf("kernel %d: %w", i+1, err)
		}
		out = binary.AppendUvarint(out, uint64(len(b)))
		out = append(out, b...)
	}
	return out, nil
}

var errTuning = errors.New("mcmc: the tuning of a composed kernel is damaged or belongs to another composition")

// UnmarshalBinary gives each part the tuning that MarshalBinary wrote for it.
func (p parts[S]) UnmarshalBinary(b []byte) error {
	n, b, err := uvarint(b)
	if err != nil || n != uint64(len(p)) {
		return errTuning
	}
	for i, k := range p {
		var size uint64
		if size, b, err = uvarint(b); err != nil || size > uint64(len(b)) {
			return errTuning
		}
		if err := unmarshalKernel(k, b[:size]); err != nil {
			return fmt.Errorf("kernel %d: %w", i+1, err)
		}
		b = b[size:]
	}
	if len(b) != 0 {
		return errTuning
	}
	return nil
}

func uvarint(b []byte) (uint64, []byte, error) {
	v, n := binary.Uvarint(b)
	if n <= 0 {
		return 0, nil, errTuning
	}
	return v, b[n:], nil
}

// marshalKernel gives the tuning of k, nothing for a kernel without. An adapter that
// cannot marshal would make a resumed run differ, which is an error before it is a bug.
func marshalKernel[S any](k Kernel[S]) ([]byte, error) {
	if m, ok := k.(encoding.BinaryMarshaler); ok {
		return m.MarshalBinary()
	}
	if _, ok := k.(Adapter[S]); ok {
		return nil, fmt.Errorf("mcmc: %T adapts but cannot be checkpointed: it lacks MarshalBinary", k)
	}
	return nil, nil
}

func unmarshalKernel[S any](k Kernel[S], b []byte) error {
	if m, ok := k.(encoding.BinaryUnmarshaler); ok {
		return m.UnmarshalBinary(b)
	}
	if len(b) != 0 {
		return fmt.Errorf("mcmc: %T has no tuning, but the checkpoint holds %d bytes of it", k, len(b))
	}
	return nil
}
