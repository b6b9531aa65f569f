package corpus

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error is a fault in a file.
type Error struct {
	File      string
	Line, Col int // from 1; 0 where the fault has no place; columns count characters
	Msg       string
	Err       error // the cause, if another package found the fault
}

// Error renders file:line:column: message.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File + ":")
	}
	if e.Line > 0 {
		fmt.Fprintf(&b, "%d:", e.Line)
	}
	if e.Col > 0 {
		fmt.Fprintf(&b, "%d:", e.Col)
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.WriteString(e.Msg)
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// column is the place of a byte in a line.
func column(text []byte, at int) int { return utf8.RuneCount(text[:at]) + 1 }
