package main

import (
	"io"
	"os"
	"strings"

	"github.com/ergodic-mcmc/ergodic/report"

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

// writeTables writes lines of cells between tabs, a table for each run of lines that an
// empty one ends; texts are left aligned.
func writeTables(w io.Writer, text string, width int) error {
	var rows [][]string
	flush := func() error {
		if len(rows) == 0 {
			return nil
		}
		t := report.Table{Rows: rows}
		for k := range rows[0] {
			t.Text = append(t.Text, k)
		}
		rows = nil
		return t.Write(w, width)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.Trim(line, "\t") != "" {
			rows = append(rows, strings.Split(line, "\t"))
			continue
		}
		if err := flush(); err != nil {
			return err
		}
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
	}
	return flush()
}
