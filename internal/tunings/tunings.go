// Package tunings writes and reads the tuning of the parts that a kernel is made of: kernels, or moves.
package tunings

import (
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrOther is the error of bytes that are not the tuning of these parts.
var ErrOther = errors.New("the tuning is damaged, belongs to other parts, or was written by another version of Ergodic")

// Marshal gives the tuning of a part, nothing for one without. A part that adapts and cannot marshal would make a resumed run
// differ, which is an error before it is a bug.
func Marshal(part any) ([]byte, error) {
	if m, ok := part.(encoding.BinaryMarshaler); ok {
		return m.MarshalBinary()
	}
	if _, adapts := part.(interface{ Freeze() }); adapts {
		return nil, fmt.Errorf("%T adapts but cannot be checkpointed: it lacks MarshalBinary", part)
	}
	return nil, nil
}

// Unmarshal gives a part the tuning that Marshal returned.
func Unmarshal(part any, b []byte) error {
	if m, ok := part.(encoding.BinaryUnmarshaler); ok {
		return m.UnmarshalBinary(b)
	}
	if len(b) != 0 {
		return fmt.Errorf("%T has no tuning, but the checkpoint holds %d bytes of it", part, len(b))
	}
	return nil
}

// MarshalAll writes the number of parts, and the tuning of each behind its length.
func MarshalAll[P any](parts []P) ([]byte, error) {
	out := binary.AppendUvarint(nil, uint64(len(parts)))
	for i, p := range parts {
		b, err := Marshal(p)
		if err != nil {
			return nil, fmt.Errorf("part %d: %w", i+1, err)
		}
		out = binary.AppendUvarint(out, uint64(len(b)))
		out = append(out, b...)
	}
	return out, nil
}

// UnmarshalAll gives each part what MarshalAll wrote for it.
func UnmarshalAll[P any](b []byte, parts []P) error {
	each, err := split(b)
	if err != nil || len(each) != len(parts) {
		return ErrOther
	}
	for i, p := range parts {
		if err := Unmarshal(p, each[i]); err != nil {
			return fmt.Errorf("part %d: %w", i+1, err)
		}
	}
	return nil
}

// split takes apart what MarshalAll wrote.
func split(b []byte) (each [][]byte, err error) {
	n, b, err := uvarint(b)
	for ; n > 0 && err == nil; n-- {
		var size uint64
		if size, b, err = uvarint(b); err == nil && size > uint64(len(b)) {
			err = ErrOther
		}
		if err == nil {
			each, b = append(each, b[:size]), b[size:]
		}
	}
	if len(b) != 0 {
		err = ErrOther
	}
	return each, err
}

func uvarint(b []byte) (uint64, []byte, error) {
	v, n := binary.Uvarint(b)
	if n <= 0 {
		return 0, nil, ErrOther
	}
	return v, b[n:], nil
}
