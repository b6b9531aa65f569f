// Package linereader reads texts line by line, out of gzip where they are in it, with memory asked for before long lines take it.
package linereader

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

const buffer = 1 << 18 // bytes that are read at a time

// Reader goes through a text line by line.
type Reader struct {
	Line int    // number of the line at hand, from 1
	Text []byte // the line at hand, without its end and a byte order mark; its memory is used again

	from  *bufio.Reader
	long  []byte
	ended bool
}

// Fault is what is wrong at a place of the text; Col is 0 where it is the line as a whole.
type Fault struct {
	Line, Col int
	Msg       string
	Err       error // nil where it is the text's own fault
}

// Gunzip is a reader of a stream, out of gzip where it is in it.
func Gunzip(r io.Reader) (*bufio.Reader, error) {
	b := bufio.NewReaderSize(r, buffer)
	if magic, _ := b.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(z, buffer), nil
}

// New begins to read.
func New(from *bufio.Reader) Reader { return Reader{from: from} }

// Next goes to the next line, and reports whether there is one.
func (in *Reader) Next() (more bool, fault *Fault) {
	if in.ended {
		return false, nil
	}
	text, fault := in.line()
	if fault != nil || in.ended && len(text) == 0 {
		return false, fault
	}
	in.Line++
	if in.Line == 1 {
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	in.Text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
	return true, nil
}

// line reads up to the next line feed. A line that is longer than the buffer takes memory as it comes, so that a
// gzip file of zeros ends at its first.
func (in *Reader) line() ([]byte, *Fault) {
	text, err := in.from.ReadSlice('\n')
	if zero := in.zero(text, 0); zero != nil {
		return nil, zero
	}
	if errors.Is(err, bufio.ErrBufferFull) {
		in.long = in.long[:0]
		for errors.Is(err, bufio.ErrBufferFull) {
			if in.long, err = memory.Append(in.long, text...); err != nil {
				return nil, in.broken(err)
			}
			text, err = in.from.ReadSlice('\n')
			if zero := in.zero(text, len(in.long)); zero != nil {
				return nil, zero
			}
		}
		var full error
		if in.long, full = memory.Append(in.long, text...); full != nil {
			return nil, in.broken(full)
		}
		text = in.long
	}
	if errors.Is(err, io.EOF) {
		in.ended, err = true, nil
	}
	if err != nil {
		return nil, in.broken(err)
	}
	return text, nil
}

// NoText follows the name of a place with a zero byte.
const NoText = ": this is no text, or text in UTF-16, which iconv -f utf-16 -t utf-8 turns into UTF-8"

// zero is the fault of a zero byte in the part of the next line that begins at byte from.
func (in *Reader) zero(text []byte, from int) *Fault {
	k := bytes.IndexByte(text, 0)
	if k < 0 {
		return nil
	}
	return &Fault{Line: in.Line + 1, Col: from + k + 1, Msg: "a zero byte stands here" + NoText}
}

// broken is the fault of a line that cannot be read.
func (in *Reader) broken(err error) *Fault {
	return &Fault{Line: in.Line + 1, Msg: Unreadable(err), Err: err}
}

// Unreadable says why reading failed.
func Unreadable(err error) string {
	var damaged flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the gzip file ends before its end: it is cut short; copy it again"
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &damaged):
		return fmt.Sprintf("the gzip file is damaged here (%v); copy it again", err)
	}
	return fmt.Sprintf("the file cannot be read: %v", err)
}
