package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// WriteText writes the comparison for a person, with tables as [Table.Write] fits them into a terminal.
func (c *Comparison) WriteText(w io.Writer, on Screen) error {
	head := []string{""}
	for i := range c.Runs {
		head = append(head, "mean_"+strconv.Itoa(i+1))
	}
	for i := range c.Runs {
		head = append(head, "sd_"+strconv.Itoa(i+1))
	}
	for i := range c.Runs[1:] {
		head = append(head, "z_mean_"+strconv.Itoa(i+2), "z_sd_"+strconv.Itoa(i+2))
	}
	cells := [][]string{head}
	for _, p := range c.Parameters {
		line := []string{p.Name}
		for _, x := range append(slices.Clone(p.Mean), p.SD...) {
			line = append(line, digits(float64(x), 5))
		}
		for i := range c.Runs[1:] {
			line = append(line, number(float64(p.ZMean[i+1]), 2), number(float64(p.ZSD[i+1]), 2))
		}
		cells = append(cells, line)
	}
	for i, run := range c.Runs {
		if _, err := fmt.Fprintf(w, "run %d: %s\n", i+1, run); err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	if err := (Table{Rows: cells}).Write(w, on); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%d of %s %s above 4 combined Monte Carlo standard errors (z).\n", c.Beyond4,
		wording.Count(c.Compared, "difference", "differences"), wording.Word(c.Beyond4, "is", "are"))
	for _, run := range c.Runs {
		if names := c.Missing[run]; len(names) > 0 {
			fmt.Fprintf(w, "%s lacks %s.\n", run, wording.Few(names, 5))
		}
	}
	for _, t := range []struct {
		title, bad string
		rows       []PredictiveRow
	}{
		{"PSIS-LOO, best first", "a Pareto k above the threshold: the estimate is not reliable", c.LOO},
		{"WAIC, best first", "a variance of the log likelihood above 0.4: prefer PSIS-LOO", c.WAIC},
	} {
		if err := writePredictive(w, t.title, t.bad, t.rows, on); err != nil {
			return err
		}
	}
	for _, n := range c.Notes {
		fmt.Fprintln(w, "note:", n)
	}
	return nil
}

func writePredictive(w io.Writer, title, bad string, rows []PredictiveRow, on Screen) error {
	if len(rows) == 0 {
		return nil
	}
	cells := [][]string{{title, "elpd", "se", "p", "elpd_diff", "se_diff"}}
	for _, r := range rows {
		line := []string{r.Run}
		for _, x := range []Number{r.ELPD, r.SE, r.P, r.Difference, r.DifferenceSE} {
			line = append(line, number(float64(x), 1))
		}
		cells = append(cells, line)
	}
	fmt.Fprintln(w)
	if err := (Table{Rows: cells}).Write(w, on); err != nil {
		return err
	}
	for _, r := range rows {
		if r.Unreliable > 0 {
			fmt.Fprintf(w, "%s: %s %s.\n", r.Run, wording.Count(r.Unreliable, "observation has", "observations have"), bad)
		}
	}
	return nil
}
