package mrfreport

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/report"
)

const (
	mostShown  = 50 // variables that a person is shown
	mostValues = 4  // of a variable
)

// Write writes results for a person; all says where the marginals are that are not shown.
func Write(to io.Writer, all []*Result, rest string, on report.Screen) error {
	for k, r := range all {
		if k > 0 {
			if _, err := io.WriteString(to, "\n"); err != nil {
				return err
			}
		}
		if err := r.write(to, rest, on); err != nil {
			return err
		}
	}
	return nil
}

func (r *Result) write(to io.Writer, rest string, on report.Screen) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %d observed, %s.\n%s.\n", r.label(), wording.Count(r.Variables, "variable", "variables"), r.Observed, wording.Count(r.Factors, "factor", "factors"), r.how())
	if z := float64(r.Log10Z); !math.IsNaN(z) {
		fmt.Fprintf(&b, "log10 Z %s\n", r.log10Z())
	}
	if r.MAP != nil {
		fmt.Fprintf(&b, "%s: log10 of its factors' product %s%s\n", r.mapTitle(), strconv.FormatFloat(float64(r.MAPValue), 'f', 6, 64), r.mapShare())
	}
	if _, err := io.WriteString(to, b.String()); err != nil || r.Marginals == nil && r.MAP == nil {
		return err
	}
	shown := min(r.Variables, mostShown)
	if err := r.table(shown).Write(to, on); err != nil {
		return err
	}
	return r.foot(to, shown, rest)
}

// how says what was done.
func (r *Result) how() string {
	if r.Width != nil {
		return fmt.Sprintf("Exact: a junction tree of width %d with %s entries", *r.Width, thousands(*r.Entries))
	}
	if r.Chains == 0 {
		return "A search by annealing and climbing"
	}
	return fmt.Sprintf("%s: %s of %s, %.3g updates of variables a second", r.Method, wording.Count(r.Chains, "chain", "chains"), wording.Count(r.Steps/max(1, r.Chains), "step", "steps"), float64(r.UpdatesPerS))
}

// thousands writes 1234567 as 1 234 567.
func thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	for k := len(text) - 3; k > 0; k -= 3 {
		text = text[:k] + " " + text[k:]
	}
	return text
}

func (r *Result) log10Z() string {
	z, se := float64(r.Log10Z), float64(r.Log10ZSE)
	if se == 0 {
		return strconv.FormatFloat(math.Round(1e6*z)/1e6+0, 'f', 6, 64) + " (exact)" // never −0
	}
	digits := 3
	if se > 0 {
		digits = max(0, min(6, 2-int(math.Floor(math.Log10(se)))))
	}
	text := fmt.Sprintf("%.*f ± %.2g (standard error)", digits, z, se)
	if !r.Log10ZConverged {
		text += ", NOT CONVERGED"
	}
	return text
}

func (r *Result) mapTitle() string {
	if r.MAPExact {
		return "Most probable state"
	}
	return "Most probable state found"
}

// mapShare is the probability of the state, where log Z is known.
func (r *Result) mapShare() string {
	if math.IsNaN(float64(r.Log10Z)) || !r.Log10ZConverged {
		return ""
	}
	if log10 := float64(r.MAPValue - r.Log10Z); log10 < -6 {
		return fmt.Sprintf(", probability 10^%.2f", log10)
	}
	return fmt.Sprintf(", probability %.3g", math.Pow(10, float64(r.MAPValue-r.Log10Z)))
}

// table has the first variables.
func (r *Result) table(shown int) report.Table {
	head := []string{"variable"}
	if r.Marginals != nil {
		head = append(head, "marginal")
	}
	if r.MCSE != nil {
		head = append(head, "mcse", "R-hat", "ESS", "converged")
	}
	if r.MAP != nil {
		head = append(head, "map")
	}
	t := report.Table{Rows: [][]string{head}, Text: []int{1}, Least: []string{"ESS", "R-hat", "map"}}
	for i := range shown {
		row := []string{wording.Brief(r.name(i))}
		if r.Marginals != nil {
			row = append(row, r.marginal(i))
		}
		if r.MCSE != nil {
			row = append(row, r.diagnosis(i)...)
		}
		if r.MAP != nil {
			row = append(row, wording.Brief(r.value(i, r.MAP[i])))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// marginal lists the probabilities of a variable's values, of many the most probable; those that have not converged are in brackets.
func (r *Result) marginal(i int) string {
	if v := r.Given[i]; v >= 0 {
		return wording.Brief(r.value(i, v)) + " (observed)"
	}
	values := make([]int, len(r.Marginals[i]))
	for v := range values {
		values[v] = v
	}
	more := ""
	if len(values) > mostValues {
		slices.SortStableFunc(values, func(a, b int) int { return cmp.Compare(r.Marginals[i][b], r.Marginals[i][a]) })
		values, more = values[:mostValues], "  …"
	}
	var parts []string
	for _, v := range values {
		parts = append(parts, wording.Brief(r.value(i, v))+" "+probability(float64(r.Marginals[i][v])))
	}
	text := strings.Join(parts, "  ") + more
	if !r.Converged[i] {
		return "(" + text + ")"
	}
	return text
}

func probability(x float64) string {
	if x > 0 && x < 5e-4 {
		return strconv.FormatFloat(x, 'e', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 4, 64)
}

func (r *Result) diagnosis(i int) []string {
	if r.Given[i] >= 0 {
		return []string{"–", "–", "–", "–"}
	}
	converged := "yes"
	if !r.Converged[i] {
		converged = "NO"
	}
	number := func(x report.Number, format byte, digits int) string {
		if f := float64(x); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return strconv.FormatFloat(f, format, digits, 64)
		}
		return "–"
	}
	ess := number(r.ESS[i], 'f', 0)
	if r.ESS[i] > 1e6 {
		ess = ">1e6"
	}
	return []string{number(r.MCSE[i], 'f', 4), number(r.Rhat[i], 'f', 3), ess, converged}
}

// foot says what the table lacks.
func (r *Result) foot(to io.Writer, shown int, rest string) error {
	var b strings.Builder
	if left := r.Variables - shown; left > 0 {
		fmt.Fprintf(&b, "and %s%s\n", wording.Count(left, "more variable", "more variables"), rest)
	}
	if n := r.Unconverged(); n > 0 {
		fmt.Fprintf(&b, "%d of %s have NOT CONVERGED: those in brackets, and no conclusion may rest on them.\n", n, wording.Count(len(r.Converged), "marginal", "marginals"))
	}
	_, err := io.WriteString(to, b.String())
	return err
}

// WriteCSV writes all marginals of results, a line for each value.
func WriteCSV(to io.Writer, all []*Result) error {
	w := csv.NewWriter(to)
	lines := [][]string{{"sample", "variable", "value", "probability", "observed", "mcse", "rhat", "ess", "converged"}}
	for k, r := range all {
		for i, p := range r.Marginals {
			mcse, rhat, ess := "", "", ""
			if r.MCSE != nil {
				mcse, rhat, ess = csvNumber(r.MCSE[i]), csvNumber(r.Rhat[i]), csvNumber(r.ESS[i])
			}
			for v, x := range p {
				lines = append(lines, []string{strconv.Itoa(k + 1), r.name(i), r.value(i, v), csvNumber(x), strconv.FormatBool(r.Given[i] >= 0), mcse, rhat, ess, strconv.FormatBool(r.Converged[i])})
			}
		}
	}
	return w.WriteAll(lines)
}

func csvNumber(x report.Number) string {
	if f := float64(x); !math.IsNaN(f) && !math.IsInf(f, 0) {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return ""
}
