package corpus

import (
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

// column is the place of a byte in a line.
func column(text []byte, at int) int { return utf8.RuneCount(text[:at]) + 1 }
