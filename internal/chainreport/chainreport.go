// Package chainreport shows what there is to know of a finite Markov chain: as JSON, and as tables.
package chainreport

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/markov"
	"github.com/ergodic-mcmc/ergodic/report"
)

// shownStates is how many states tables show: the likeliest ones.
const shownStates = 20

// Result is an analysis, with what was asked for beyond it. As JSON it is whole.
type Result struct {
	*markov.Analysis
	Generations [][]float64 `json:"generations,omitempty"`
	Distance    []float64   `json:"total_variation,omitempty"`
	Hitting     []*float64  `json:"hitting_times,omitempty"`
	Path        []string    `json:"path,omitempty"`
	Seed        *uint64     `json:"seed,omitempty"`
	Warnings    []string    `json:"warnings"`
}

// Write writes what a person wants to know first, in tables for a terminal of some width. The mixing time is to a total variation of epsilon,
// and hitting times are of the target.
func (r *Result) Write(to io.Writer, epsilon float64, target string, on report.Screen) error {
	out := bufio.NewWriter(to)
	var table strings.Builder
	w := &table
	fmt.Fprintf(w, "states\t%d, %s\n", r.States, wording.Count(r.Transitions, "transition", "transitions"))
	fmt.Fprintf(w, "classes\t%s\n", r.classes())
	fmt.Fprintf(w, "period\t%s\n", show(r, "period", r.Period, "%d"))
	reversible := r.Why["reversible"]
	if r.Reversible != nil {
		reversible = "yes"
		if !*r.Reversible {
			reversible = fmt.Sprintf("no: %.3g of all moves are not balanced by the reverse move", *r.Imbalance)
		}
	}
	fmt.Fprintf(w, "reversible\t%s\n", reversible)
	second := "%.6g in modulus"
	if r.SLEMError != nil {
		second += fmt.Sprintf(", to %.1g", *r.SLEMError)
	}
	fmt.Fprintf(w, "second eigenvalue\t%s\n", show(r, "slem", r.SLEM, second))
	fmt.Fprintf(w, "spectral gap\t%s\n", show(r, "spectral_gap", r.SpectralGap, "%.6g"))
	fmt.Fprintf(w, "mixing time\t%s\n", show(r, "mixing_time", r.MixingTime, fmt.Sprintf("%%d, to a total variation of %g", epsilon)))
	fmt.Fprintf(w, "Kemeny's constant\t%s\n", show(r, "kemeny", r.Kemeny, "%.6g"))
	r.printStationary(w)
	r.printAbsorption(w)
	r.printGenerations(w)
	r.printHitting(w, target)
	if err := report.WriteTables(out, table.String(), on); err != nil {
		return err
	}
	if len(r.Path) > 0 {
		fmt.Fprintln(out, "\npath")
		for _, s := range r.Path {
			fmt.Fprintln(out, wording.Brief(s))
		}
	}
	return out.Flush()
}

// show renders a number, or the reason there is none.
func show[T any](r *Result, key string, v *T, format string) string {
	if v == nil {
		return "none: " + r.Why[key]
	}
	return fmt.Sprintf(format, *v)
}

func (r *Result) classes() string {
	if r.Irreducible {
		return "1: irreducible"
	}
	closed := 0
	for _, c := range r.ClassList {
		if c.Closed {
			closed++
		}
	}
	s := fmt.Sprintf("%d, %d of them closed; %s transient", r.Classes, closed, wording.Count(r.Transient, "state is", "states are"))
	if n := len(r.Absorbing); n > 0 {
		s += fmt.Sprintf(", %d absorbing", n)
	}
	return s
}

func (r *Result) printStationary(w io.Writer) {
	if r.Stationary != nil {
		fmt.Fprintf(w, "\t\nstate\tstationary probability\n")
		r.printLargest(w, r.Names, r.Stationary)
		if r.Method == "multilevel" {
			fmt.Fprintf(w, "\t\nby iteration, to a total variation of some %.1g\t\n", *r.StationaryError)
		}
		return
	}
	for _, c := range r.ClassList[:min(len(r.ClassList), shownStates)] {
		if !c.Closed {
			continue
		}
		fmt.Fprintf(w, "\t\nclosed class of %s\tstationary probability, period %d\n", wording.Brief(c.First), c.Period)
		r.printLargest(w, c.States, c.Stationary)
	}
}

func (r *Result) printLargest(w io.Writer, names []string, x []float64) {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	if len(x) > shownStates {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[b], x[a]) })
		order = order[:shownStates]
	}
	for _, i := range order {
		fmt.Fprintf(w, "%s\t%.6g\n", wording.Brief(names[i]), x[i])
	}
	if left := len(x) - len(order); left > 0 {
		fmt.Fprintf(w, "and %d less likely\t\n", left)
	}
}

func (r *Result) printAbsorption(w io.Writer) {
	a := r.Absorption
	if a == nil {
		if r.Transient > 0 {
			fmt.Fprintf(w, "\t\nabsorption\tnone: %s\n", r.Why["absorption"])
		}
		return
	}
	shown := min(len(a.Classes), shownStates)
	fmt.Fprintf(w, "\t\ntransient state\tsteps to a closed class")
	for _, k := range a.Classes[:shown] {
		fmt.Fprintf(w, "\tends with %s", wording.Brief(k))
	}
	fmt.Fprintln(w)
	for i := range a.States[:min(len(a.States), shownStates)] {
		fmt.Fprintf(w, "%s\t%.6g", wording.Brief(a.States[i]), a.Steps[i])
		for _, p := range a.P[i][:shown] {
			fmt.Fprintf(w, "\t%.6g", p)
		}
		fmt.Fprintln(w)
	}
	if left := len(a.States) - shownStates; left > 0 {
		fmt.Fprintf(w, "and %d more\t\n", left)
	}
}

func (r *Result) printGenerations(w io.Writer) {
	if len(r.Generations) == 0 {
		return
	}
	shown := min(r.States, shownStates)
	fmt.Fprintf(w, "\t\ngeneration")
	for _, s := range r.Names[:shown] {
		fmt.Fprintf(w, "\t%s", wording.Brief(s))
	}
	if r.Distance != nil {
		fmt.Fprintf(w, "\ttotal variation")
	}
	fmt.Fprintln(w)
	for g, x := range r.Generations {
		fmt.Fprintf(w, "%d", g)
		for _, v := range x[:shown] {
			fmt.Fprintf(w, "\t%.3f", v)
		}
		if r.Distance != nil {
			fmt.Fprintf(w, "\t%.2g", r.Distance[g])
		}
		fmt.Fprintln(w)
	}
	if shown < r.States {
		fmt.Fprintf(w, "the first %d of %d states\t\n", shown, r.States)
	}
}

func (r *Result) printHitting(w io.Writer, target string) {
	if len(r.Hitting) == 0 {
		return
	}
	fmt.Fprintf(w, "\t\nfrom\tsteps to %s\n", wording.Brief(target))
	for i, v := range r.Hitting[:min(len(r.Hitting), shownStates)] {
		if v == nil {
			fmt.Fprintf(w, "%s\tinfinite\n", wording.Brief(r.Names[i]))
			continue
		}
		fmt.Fprintf(w, "%s\t%.6g\n", wording.Brief(r.Names[i]), *v)
	}
	if left := len(r.Hitting) - shownStates; left > 0 {
		fmt.Fprintf(w, "and %d more\t\n", left)
	}
}
