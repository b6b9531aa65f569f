package report

import (
	"io"
	"strings"
)

// WriteTables writes lines of cells between tabs, a table for each run of lines that an
// empty one ends; texts are left aligned.
func WriteTables(w io.Writer, text string, on Screen) error {
	var rows [][]string
	flush := func() error {
		if len(rows) == 0 {
			return nil
		}
		t := Table{Rows: rows}
		for k := range rows[0] {
			t.Text = append(t.Text, k)
		}
		rows = nil
		return t.Write(w, on)
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
