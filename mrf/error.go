package mrf

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Error is a fault in a file.
type Error struct {
	File      string
	Line, Col int // from 1; 0 where the fault has no place; columns count characters
	Msg       string
	Err       error // the cause, if another package found the fault
}

// Error renders file:line:column: message.
func (e *Error) Error() string { return wording.At(e.File, e.Line, e.Col, e.Msg) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// source is the text of a file.
type source struct {
	name string
	text []byte
}

// fault is an error at a byte of the text.
func (s *source) fault(at int, format string, args ...any) error {
	before := s.text[:min(at, len(s.text))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return &Error{File: s.name, Line: bytes.Count(before, []byte("\n")) + 1, Col: utf8.RuneCount(before[start:]) + 1, Msg: fmt.Sprintf(format, args...)}
}
