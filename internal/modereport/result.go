// Package modereport finds the mode of a model from several starts, judges it, and shows it: as JSON, as text, and as initial values.
package modereport

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/orderedjson"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/report"
)

// Result is what was found.
type Result struct {
	LogDensity  report.Number  `json:"log_density"` // of values and data together, at the mode
	Jacobian    bool           `json:"jacobian"`    // the mode is that of the unbounded numbers that stand for the values
	Converged   bool           `json:"converged"`
	Rise        report.Number  `json:"rise"` // of the log density, about as much is left
	Starts      int            `json:"starts"`
	Arrived     int            `json:"arrived"` // of the starts, at this mode
	Iterations  int            `json:"iterations"`
	Gradients   int            `json:"gradients"` // of all starts
	Mode        Elements       `json:"mode,omitempty"`
	Others      []Other        `json:"other_modes,omitempty"`
	Approximate *Approximation `json:"approximation,omitempty"`
}

// Element is a quantity at the mode, with the standard error that the curvature gives it, NaN where it gives none.
type Element struct {
	Name  string        `json:"-"`
	Value report.Number `json:"mode"`
	SE    report.Number `json:"se"`
}

// Elements are in JSON an object that keeps its order.
type Elements []Element

// MarshalJSON writes an object.
func (e Elements) MarshalJSON() ([]byte, error) {
	return orderedjson.Marshal(len(e), func(i int) (string, any) { return e[i].Name, e[i] })
}

// UnmarshalJSON reads an object.
func (e *Elements) UnmarshalJSON(b []byte) error {
	*e = nil
	return orderedjson.Unmarshal(b, func(name string, value *json.Decoder) error {
		var x Element
		err := value.Decode(&x)
		x.Name = name
		*e = append(*e, x)
		return err
	})
}

// Other is another mode that starts came to.
type Other struct {
	LogDensity report.Number `json:"log_density"`
	Arrived    int           `json:"arrived"`
	Mode       Elements      `json:"mode"`
}

// Approximation is where draws come from.
type Approximation struct {
	Method string        `json:"method"` // laplace or pathfinder
	Drawn  int           `json:"drawn"`
	Kept   int           `json:"kept"` // of these, in proportion to their weights
	Khat   report.Number `json:"khat"`
	ESS    report.Number `json:"ess"` // of the weights
	Paths  []Path        `json:"paths,omitempty"`
}

// Path is one of Pathfinder's.
type Path struct {
	ELBO       report.Number `json:"elbo"`
	Steps      int           `json:"steps"` // after which its distribution was met
	Iterations int           `json:"iterations"`
	Failed     string        `json:"failed,omitempty"`
}

// Write writes the mode in a table for a terminal of some width, and a few words.
func (r *Result) Write(to io.Writer, on report.Screen) error {
	if r.Approximate != nil { // below the draws
		if _, err := io.WriteString(to, "\n"); err != nil {
			return err
		}
	}
	if r.Mode != nil {
		t := report.Table{Rows: [][]string{{"", "mode", "se"}}}
		for _, x := range r.Mode {
			t.Rows = append(t.Rows, []string{x.Name, rounded(x.Value, x.SE), digits(float64(x.SE), 4)})
		}
		if err := t.Write(to, on); err != nil {
			return err
		}
		of := "the values"
		if r.Jacobian {
			of = "the unbounded numbers that stand for the values"
		}
		if _, err := fmt.Fprintf(to, "log density %s at the mode of %s; %d of %s came there\n", strconv.FormatFloat(float64(r.LogDensity), 'f', 4, 64), of, r.Arrived, wording.Count(r.Starts, "start", "starts")); err != nil {
			return err
		}
	}
	if a := r.Approximate; a != nil {
		_, err := fmt.Fprintf(to, "%s: %d of %s, in proportion to their weights; k-hat %s, worth %.0f independent draws\n",
			a.Method, a.Kept, wording.Count(a.Drawn, "draw", "draws"), digits(float64(a.Khat), 2), float64(a.ESS))
		return err
	}
	return nil
}

// rounded is a value to a hundredth of its standard error, or to six digits.
func rounded(x, se report.Number) string {
	v, s := float64(x), float64(se)
	if !(s > 0) || math.IsInf(s, 0) || math.Abs(v) >= 1e9 {
		return digits(v, 6)
	}
	d := 1 - int(math.Floor(math.Log10(s/5)))
	if d > 7 {
		return digits(v, 6)
	}
	return strconv.FormatFloat(v, 'f', max(d, 0), 64)
}

func digits(x float64, n int) string {
	if math.IsNaN(x) {
		return "-"
	}
	return strconv.FormatFloat(x, 'g', n, 64)
}
