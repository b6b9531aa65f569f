package report

import (
	"io"
	"math"
	"strconv"
)

// WriteTable writes the table in aligned columns. Numbers show two digits of
// their Monte Carlo standard error: what lies beyond is noise. In a terminal
// that is narrower, columns are left out, and said to be; width 0 is as wide
// as the table is.
func WriteTable(w io.Writer, rows []Parameter, on Screen) error {
	t := Table{Rows: [][]string{{"", "mean", "sd", "mcse_mean", "mcse_sd", "q5", "median", "q95", "ess_bulk", "ess_tail", "rhat"}},
		Least: []string{"mcse_sd", "ess_tail", "median", "mcse_mean", "ess_bulk"}}
	for _, r := range rows {
		d := decimals(float64(r.MCSEMean))
		line := []string{r.Name, number(float64(r.Mean), d)}
		for _, x := range []Number{r.SD, r.MCSEMean, r.MCSESD, r.Q5, r.Median, r.Q95} {
			line = append(line, visible(float64(x), d))
		}
		line = append(line, number(float64(r.ESSBulk), 0), number(float64(r.ESSTail), 0), number(float64(r.Rhat), 3))
		t.Rows = append(t.Rows, line)
	}
	return t.Write(w, on)
}

// decimals is how many digits after the point show two digits of a standard
// error; -1 where there is none.
func decimals(mcse float64) int {
	if !(mcse > 0) || math.IsInf(mcse, 0) {
		return -1
	}
	return max(1-int(math.Floor(math.Log10(mcse))), 0)
}

// maxDecimals is how many digits after the point are read with ease.
const maxDecimals = 7

// number writes x with d decimals; where that would be long, with an exponent and the same last digit; and with six
// digits where d is negative. A number that does not exist is a dash.
func number(x float64, d int) string {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0) || d < 0 || math.Abs(x) >= 1e9 || x == 0 && d > maxDecimals:
		return digits(x, 6)
	case d > maxDecimals:
		return strconv.FormatFloat(x, 'e', min(max(int(math.Floor(math.Log10(math.Abs(x))))+d, 0), 5), 64)
	}
	return strconv.FormatFloat(x, 'f', d, 64)
}

// visible is number for what is not known to the same digits as a mean, such as a quantile in a short tail: it is not
// rounded to 0.
func visible(x float64, d int) string {
	if d >= 0 && d <= maxDecimals && x != 0 && math.Abs(x) < 0.5*math.Pow10(-d) {
		return digits(x, 2)
	}
	return number(x, d)
}

// digits writes x with n digits. A number that does not exist is a dash.
func digits(x float64, n int) string {
	if math.IsNaN(x) {
		return "-"
	}
	return strconv.FormatFloat(x, 'g', n, 64)
}
