package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/against"
	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

// limit is the bar: 4 combined standard errors, which a right pair of engines
// exceeds once in 15 787 comparisons when the errors are normal.
const (
	limit = 4
	odds  = 15787
)

type totals struct {
	models, ran, agreed, comparisons, over int
	settled                                int // agreed by the third opinion only
	worst                                  float64
	worstName                              string
}

func printHeader() {
	fmt.Printf("%-16s %7s %6s %6s %-34s %8s %9s %7s %7s  %s\n",
		"model", "draws", "compar", "over 4", "worst z", "least", "ESS per", "CPU s", "R-hat", "verdict")
	fmt.Printf("%-16s %7s %6s %6s %-34s %8s %9s %7s %7s\n", "", "a chain", "isons", "", "", "ESS", "CPU s", "", "")
}

func (t *totals) add(name string, r *against.Reference, o against.Outcome, opinions []against.Opinion, verbose bool) {
	t.models++
	if o.Err != nil {
		fmt.Printf("%-16s %s\n", name, indent(o.Err.Error()))
		return
	}
	t.ran++
	over := o.Over(limit)
	z, where := o.Worst()
	t.comparisons += len(o.Differences)
	t.over += over
	if z > t.worst {
		t.worst, t.worstName = z, name+": "+where
	}
	verdict := verdict(name, o, over, opinions)
	if strings.HasPrefix(verdict, "agrees") {
		t.agreed++
		if over > 0 {
			t.settled++
		}
	}
	fmt.Printf("%-16s %7d %6d %6d %6.2f %-27s %8.0f %9.0f %7.2f %7.3f  %s\n", name, o.Summary.Run.Draws,
		len(o.Differences), over, z, where, finite(o.MinESS), finite(o.ESSPerCPU()), o.CPU.Seconds(), o.MaxRhat, verdict)
	for _, op := range opinions {
		fmt.Printf("    %s\n", op)
	}
	if !verbose || len(opinions) > 0 {
		return
	}
	for _, d := range o.Differences {
		if d.Z > limit {
			fmt.Printf("    z %6.2f  %-28s ours %.7g  JAGS %.7g\n", d.Z, d.Name(), d.Ours, d.Theirs)
		}
	}
}

func verdict(name string, o against.Outcome, over int, opinions []against.Opinion) string {
	var parts []string
	switch {
	case len(o.Missing) > 0:
		parts = append(parts, fmt.Sprintf("%d parameters missing: %s", len(o.Missing), o.Missing[0]))
	case over == 0:
		parts = append(parts, "agrees")
	case o.Undecided(limit) == over:
		parts = append(parts, "undecided: "+heavy(o))
	case against.AllSettled(opinions, limit):
		parts = append(parts, "agrees with JAGS without glm, the reference does not")
	case len(o.Summary.Warnings) > 0:
		parts = append(parts, "differs and warns")
	default:
		parts = append(parts, "DIFFERS IN SILENCE")
	}
	if hard[name] {
		parts = append(parts, "(slow mixing allowed)")
	}
	if n := len(o.Summary.Warnings); n > 0 {
		parts = append(parts, fmt.Sprintf("%d warnings", n))
	}
	return strings.Join(parts, ", ")
}

// heavy describes the worst difference that heavy tails explain.
func heavy(o against.Outcome) string {
	for _, d := range o.Differences {
		if d.HeavyTails() {
			return fmt.Sprintf("%s has tails (Pareto k %.1f) that no run of this length measures", d.Parameter, d.TailK)
		}
	}
	return ""
}

func (t *totals) print(job run.Job, e against.Effort) {
	fmt.Printf("\n%d of %d models run, %d agree (%d of them not with the reference but with a run of JAGS without glm). %d comparisons, %d beyond %d combined standard errors (expected by chance: %.2f).\n",
		t.ran, t.models, t.agreed, t.settled, t.comparisons, t.over, limit, float64(t.comparisons)/odds)
	fmt.Printf("Worst: z = %.2f, %s.\n", t.worst, t.worstName)
	fmt.Printf("%d chains, %d warm-up, seed %d, extended to a least bulk ESS of %.0f or %v of CPU. CPU s: user and system of all processes.\n",
		job.Chains, job.Warmup, job.Seed, e.ESS, e.CPU)
}

// finite prints models without any varying parameter as 0.
func finite(x float64) float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return 0
	}
	return x
}

func indent(s string) string { return strings.ReplaceAll(s, "\n", "\n    ") }
