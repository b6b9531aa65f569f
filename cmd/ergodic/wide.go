package main

import (
	"os"

	"github.com/ergodic-mcmc/ergodic/internal/progress"
	"github.com/ergodic-mcmc/ergodic/report"
)

// wideFlag is the flag of every command that prints a table.
type wideFlag struct {
	Wide bool `help:"Tables as wide as they are; default: as wide as the terminal, whole when piped."`
}

// screen is the terminal that standard output is, without a width where it is none or
// tables may be as wide as they are.
func (f wideFlag) screen() report.Screen {
	if f.Wide {
		return report.Screen{}
	}
	return report.Screen{Width: progress.TerminalWidth(os.Stdout), Whole: "--wide"}
}
