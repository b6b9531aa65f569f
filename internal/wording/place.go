package wording

import (
	"fmt"
	"strings"
)

// At is file:line:column: message, without what is not known: an empty name, a line or a column of 0, a column without a line.
func At(file string, line, col int, msg string) string {
	var b strings.Builder
	if file != "" {
		b.WriteString(file + ":")
	}
	if line > 0 {
		fmt.Fprintf(&b, "%d:", line)
	}
	if line > 0 && col > 0 {
		fmt.Fprintf(&b, "%d:", col)
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	return b.String() + msg
}
