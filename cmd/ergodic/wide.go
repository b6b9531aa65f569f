package main

import (
	"os"

	"github.com/ergodic-mcmc/ergodic/internal/progress"
)

// wideFlag is the flag of every command that prints a table.
type wideFlag struct {
	Wide bool `help:"Tables as wide as they are; default: as wide as the terminal, whole when piped."`
}

// width is that of the terminal that standard output is, 0 where it is none or
// tables may be as wide as they are.
func (f wideFlag) width() int {
	if f.Wide {
		return 0
	}
	return progress.TerminalWidth(os.Stdout)
}
