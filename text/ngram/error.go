package ngram

import "github.com/ergodic-mcmc/ergodic/internal/wording"

// Error is a fault in a file.
type Error struct {
	File string
	Line int // from 1; 0 where the fault has no place
	Col  int // in characters from 1; 0 where it is the line's
	Msg  string
	Err  error // the cause, if another package found the fault
}

// Error renders file:line:column: message.
func (e *Error) Error() string { return wording.At(wording.Brief(e.File), e.Line, e.Col, e.Msg) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
