package report

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"
)

// WriteTable writes the table in aligned columns. Numbers show two digits of
// their Monte Carlo standard error: what lies beyond is noise.
func WriteTable(w io.Writer, rows []Parameter) error {
	cells := [][]string{{"", "mean", "sd", "mcse_mean", "mcse_sd", "q5", "median", "q95", "ess_bulk", "ess_tail", "rhat"}}
	for _, r := range rows {
		d := decimals(float64(r.MCSEMean))
		line := []string{r.Name}
		for _, x := range []Number{r.Mean, r.SD, r.MCSEMean, r.MCSESD, r.Q5, r.Median, r.Q95} {
			line = append(line, number(float64(x), d))
		}
		line = append(line, number(float64(r.ESSBulk), 0), number(float64(r.ESSTail), 0), number(float64(r.Rhat), 3))
		cells = append(cells, line)
	}
	return writeCells(w, cells)
}

// writeCells writes lines of cells, the first column to the left and the
// others to the right.
func writeCells(w io.Writer, cells [][]string) error {
	var width []int
	for _, line := range cells {
		for k, c := range line {
			if k == len(width) {
				width = append(width, 0)
			}
			width[k] = max(width[k], utf8.RuneCountInString(c))
		}
	}
	b := bufio.NewWriter(w)
	for _, line := range cells {
		for k, c := range line {
			if k == 0 {
				fmt.Fprintf(b, "%-*s", width[k], c)
				continue
			}
			fmt.Fprintf(b, "  %*s", width[k], c)
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}

// decimals is how many digits after the point show two digits of a standard
// error; -1 where there is none.
func decimals(mcse float64) int {
	if !(mcse > 0) || math.IsInf(mcse, 0) {
		return -1
	}
	return max(1-int(math.Floor(math.Log10(mcse))), 0)
}

// number writes x with d decimals, or six digits where that would be long or
// d is negative. A number that does not exist is a dash.
func number(x float64, d int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) || d < 0 || d > 7 || math.Abs(x) >= 1e9 {
		return digits(x, 6)
	}
	return strconv.FormatFloat(x, 'f', d, 64)
}

// digits writes x with n digits. A number that does not exist is a dash.
func digits(x float64, n int) string {
	if math.IsNaN(x) {
		return "-"
	}
	return strconv.FormatFloat(x, 'g', n, 64)
}
