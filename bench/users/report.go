package main

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/bench/internal/against"
	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

// limit is the bar: 4 combined standard errors, which a right pair of engines
// exceeds once in 15 787 comparisons when the errors are normal.
const (
	limit = 4
	odds  = 15787
)

// maxRhat and minESS say when a run of ours is trusted: Vehtari, Gelman,
// Simpson, Carpenter, Bürkner (2021).
const (
	maxRhat = 1.01
	minESS  = 400
)

type totals struct {
	programs, ran             int
	converged, agreed, silent int // of those on which JAGS converged
	settled                   int // agreed by the third opinion only
	comparisons, over         int
	reached                   int
	ratios                    []float64
}

func printHeader() {
	fmt.Printf("%-31s %7s %6s %6s %6s %7s %9s %9s %7s %6s  %s\n",
		"program", "draws", "compar", "over 4", "worst", "least", "ESS per", "JAGS's", "ratio", "R-hat", "verdict")
	fmt.Printf("%-31s %7s %6s %6s %6s %7s %9s %9s\n", "", "a chain", "isons", "", "z", "ESS", "CPU s", "")
}

func (t *totals) add(name string, r *against.Reference, o against.Outcome, opinions []against.Opinion, verbose bool) {
	t.programs++
	jags := r.Meta.MinESS / r.Meta.CPU
	converged := r.Meta.Converged != nil && *r.Meta.Converged
	if converged {
		t.converged++
	}
	if o.Err != nil {
		fmt.Printf("%-31s stops: %s\n", name, errorLine(o.Err))
		return
	}
	t.ran++
	over := o.Over(limit)
	z, _ := o.Worst()
	ratio := o.ESSPerCPU() / jags
	if !math.IsInf(o.MinESS, 0) {
		t.ratios = append(t.ratios, ratio)
	}
	if o.MaxRhat <= maxRhat && o.MinESS >= minESS {
		t.reached++
	}
	if converged {
		t.comparisons += len(o.Differences)
		t.over += over
	}
	fmt.Printf("%-31s %7d %6d %6d %6.2f %7.0f %9.1f %9.1f %7.2f %6.3f  %s\n", name, o.Summary.Run.Draws,
		len(o.Differences), over, z, o.MinESS, o.ESSPerCPU(), jags, ratio, o.MaxRhat, t.verdict(o, over, converged, opinions))
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

func (t *totals) verdict(o against.Outcome, over int, converged bool, opinions []against.Opinion) string {
	warns := ""
	if n := len(o.Summary.Warnings); n > 0 {
		warns = fmt.Sprintf(", %d warnings", n)
	}
	switch {
	case len(o.Missing) > 0:
		return fmt.Sprintf("%d parameters missing, %s first%s", len(o.Missing), o.Missing[0], warns)
	case !converged:
		return "JAGS did not converge" + warns
	case over == 0:
		t.agreed++
		return "agrees" + warns
	case o.Undecided(limit) == over:
		return "undecided: the parameters that differ have tails that no run of this length measures" + warns
	case against.AllSettled(opinions, limit):
		t.agreed++
		t.settled++
		return "agrees with JAGS without glm, the reference does not" + warns
	case warns != "":
		return "differs and warns" + warns
	}
	t.silent++
	return "DIFFERS IN SILENCE"
}

func (t *totals) print(job run.Job, e against.Effort) {
	fmt.Printf("\n%d of %d programs run. JAGS converged on %d: of these %d agree (%.0f %%; %d of them not with the reference but with a run of JAGS without glm), %d differ in silence.\n",
		t.ran, t.programs, t.converged, t.agreed, 100*float64(t.agreed)/float64(max(t.converged, 1)), t.settled, t.silent)
	fmt.Printf("%d comparisons with converged references, %d beyond %d combined standard errors (expected by chance: %.2f).\n",
		t.comparisons, t.over, limit, float64(t.comparisons)/odds)
	fmt.Printf("%d programs reach R-hat <= %.2f and a least bulk ESS of %d. Median ratio of least ESS per CPU second to JAGS's: %.1f.\n",
		t.reached, maxRhat, minESS, run.Median(t.ratios))
	fmt.Printf("%d chains, %d warm-up, seed %d, extended to a least bulk ESS of %.0f or %v of CPU.\n", job.Chains, job.Warmup, job.Seed, e.ESS, e.CPU)
	fmt.Println("JAGS's figures are those of its reference runs, on another machine; bench/jags measures both at once.")
}
