// Package annealreport is what annealing found, as JSON, as text and in pictures, and the reader of best values that users keep.
package annealreport

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/report"
)

// Result is what was found. Best, best known and energies are values as users of the problem speak of them: cuts, lengths, costs.
type Result struct {
	Problem   string          `json:"problem"`
	Instance  string          `json:"instance"`
	Variables int             `json:"variables"`
	Value     string          `json:"value"` // what the values are: "cut"
	Sign      int             `json:"sign"`  // −1 where the greatest value is the best
	Best      report.Number   `json:"best"`
	BestKnown report.Number   `json:"best_known"`
	Gap       report.Number   `json:"gap"`     // of best to best known, relative; positive is worse
	Checked   report.Number   `json:"checked"` // the value of the solution, recomputed from the file
	Method    string          `json:"method"`
	Schedule  string          `json:"schedule"`
	Hot       report.Number   `json:"hot"`
	Cold      report.Number   `json:"cold"`
	Reads     int             `json:"reads"`
	AtBest    int             `json:"reads_at_best"`
	Sweeps    int             `json:"sweeps"` // of the longest read
	Energies  []report.Number `json:"energies"`
	Mean      report.Number   `json:"mean"`
	Optimal   bool            `json:"optimal"` // no better value is possible
	Stopped   string          `json:"stopped"` // by sweeps, time, target, stagnation, optimum
	Moves     int64           `json:"moves"`
	MovesPerS report.Number   `json:"moves_per_s"` // proposals a second and core, of processor time
	WallS     float64         `json:"wall_s"`
	CPUS      float64         `json:"cpu_s"`

	Tried []Attempt `json:"tried,omitempty"` // to colour with fewer and fewer colours

	At []Coordinate `json:"at,omitempty"` // the solution, where its coordinates have names

	Warnings []report.Warning `json:"-"`
	reads    []anneal.Read
}

// Attempt is a run with a number of colours, and how many conflicts its best colouring has.
type Attempt struct {
	Colours   int `json:"colours"`
	Conflicts int `json:"conflicts"`
}

// Coordinate is a variable of a solution.
type Coordinate struct {
	Name  string        `json:"name"`
	Value report.Number `json:"value"`
}

// shown is how many coordinates text has.
const shown = 20

// SetReads sets the reads with their values.
func (r *Result) SetReads(reads []anneal.Read, values []float64) {
	r.reads, r.Reads, r.Energies = reads, len(reads), []report.Number{}
	sum := 0.0
	for i, v := range values {
		r.Energies = append(r.Energies, report.Number(v))
		sum += v
		r.Sweeps = max(r.Sweeps, reads[i].Sweeps)
		if math.Abs(v-float64(r.Best)) <= 1e-9*max(1, math.Abs(v)) {
			r.AtBest++
		}
	}
	r.Mean = report.Number(sum / float64(len(values)))
	known := float64(r.BestKnown)
	r.Gap = report.Number(float64(r.sign()) * (float64(r.Best) - known) / math.Abs(known))
	if r.Best == r.BestKnown {
		r.Gap = 0
	}
}

func (r *Result) sign() int {
	if r.Sign < 0 {
		return -1
	}
	return 1
}

// Title is what pictures are headed with.
func (r *Result) Title() string { return r.Problem + " " + r.Instance }

// Value writes a value in full where it is whole, and in six digits otherwise.
func Value(x float64) string {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "–"
	case x == math.Trunc(x) && math.Abs(x) < 1e15:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case math.Abs(x) >= 1e6 && math.Abs(x) < 1e15:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'g', 7, 64)
}

// WriteReads writes the reads as CSV.
func (r *Result) WriteReads(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "read,%s,sweeps,cut_short\n", r.Value)
	for i, x := range r.reads {
		fmt.Fprintf(b, "%d,%s,%d,%v\n", i+1, strconv.FormatFloat(float64(r.Energies[i]), 'g', -1, 64), x.Sweeps, x.Cut)
	}
	return b.Flush()
}

// Write writes the result as text: what was done, the best, and the values of the reads.
func (r *Result) Write(w io.Writer, on report.Screen) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s %s: %s; %s\n", r.Problem, r.Instance, wording.Count(r.Variables, "variable", "variables"), r.how())
	line := fmt.Sprintf("best %s %s", r.Value, Value(float64(r.Best)))
	if known := float64(r.BestKnown); !math.IsNaN(known) {
		line += fmt.Sprintf(", best known %s", Value(known))
		switch gap := float64(r.Gap); {
		case gap == 0:
			line += ", as good"
		case gap < 0:
			line += ", better than that"
		case known == 0:
			line += ", worse"
		default:
			line += fmt.Sprintf(", %.3g %% off", 100*gap)
		}
	}
	fmt.Fprintf(b, "%s\ncheck: the solution has %s %s by %s", line, r.Value, Value(float64(r.Checked)), r.Instance)
	if r.Optimal {
		fmt.Fprint(b, "; no better one is possible")
	}
	fmt.Fprintln(b)
	if n := len(r.Tried); n > 0 && r.Tried[n-1].Conflicts > 0 {
		last := r.Tried[n-1]
		fmt.Fprintf(b, "with %s, the best has %s\n", wording.Count(last.Colours, "colour", "colours"), wording.Count(last.Conflicts, "conflict", "conflicts"))
	}
	for _, c := range r.At[:min(len(r.At), shown)] {
		fmt.Fprintf(b, "  %s = %.8g\n", c.Name, float64(c.Value))
	}
	if more := len(r.At) - shown; more > 0 {
		fmt.Fprintf(b, "  and %s\n", wording.Count(more, "more coordinate", "more coordinates"))
	}
	fmt.Fprintf(b, "%.3g moves a second and core, %.1f s\n\n", float64(r.MovesPerS), r.WallS)
	if err := b.Flush(); err != nil {
		return err
	}
	return report.WriteTables(w, r.table(), on)
}

// how says what the reads were.
func (r *Result) how() string {
	course := ""
	switch hot, cold := float64(r.Hot), float64(r.Cold); {
	case r.Method == "stochastic" || r.Method == "steepest" || r.Method == "first":
		course = " climbing"
	case r.Method == "tempering":
		course = fmt.Sprintf(", T from %.3g to %.3g", hot, cold)
	case r.Schedule == "custom":
		course = ", a list of temperatures"
	default:
		course = fmt.Sprintf(", %s, T from %.3g to %.3g", r.Schedule, hot, cold)
	}
	stopped := ""
	if r.Stopped != "sweeps" {
		stopped = ", ended by " + r.Stopped
	}
	return fmt.Sprintf("%s%s; %s of up to %s%s", r.Method, course, wording.Count(r.Reads, "read", "reads"), wording.Count(r.Sweeps, "sweep", "sweeps"), stopped)
}

// table has the quantiles of the reads, the best first, and how many are at the best.
func (r *Result) table() string {
	all := make([]float64, len(r.Energies))
	for i, e := range r.Energies {
		all[i] = float64(r.sign()) * float64(e)
	}
	slices.Sort(all)
	at := func(p float64) string {
		return Value(float64(r.sign()) * all[min(int(p*float64(len(all))), len(all)-1)])
	}
	head := "reads\tat best\tbest\t10 %\t25 %\tmedian\t75 %\tworst\tmean\n"
	if len(all) == 0 {
		return head
	}
	return head + fmt.Sprintf("%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Reads, r.AtBest, at(0), at(0.1), at(0.25), at(0.5), at(0.75), at(1), Value(float64(r.Mean)))
}
