package corpus

import (
	"encoding/binary"
	"io"
)

// In a packed file numbers are little-endian, and a string is its length as a varint and its bytes.

const chunk = 1 << 13 // numbers that are written at a time

func writeStarts(w io.Writer, starts []int64) error {
	b := make([]byte, 0, 8*min(len(starts), chunk))
	for len(starts) > 0 {
		n := min(len(starts), chunk)
		b = b[:0]
		for _, s := range starts[:n] {
			b = binary.LittleEndian.AppendUint64(b, uint64(s))
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		starts = starts[n:]
	}
	return nil
}

// tokenWriter writes the words of tokens; its memory is used again.
type tokenWriter struct {
	io.Writer
	b []byte
}

func (w *tokenWriter) write(tokens []int32) error {
	for len(tokens) > 0 {
		n := min(len(tokens), chunk)
		w.b = w.b[:0]
		for _, t := range tokens[:n] {
			w.b = binary.LittleEndian.AppendUint32(w.b, uint32(t))
		}
		if _, err := w.Write(w.b); err != nil {
			return err
		}
		tokens = tokens[n:]
	}
	return nil
}

func writeStrings(w io.Writer, list ...string) error {
	var b []byte
	for _, s := range list {
		b = append(binary.AppendUvarint(b[:0], uint64(len(s))), s...)
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}
