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
	behind                    int // ratios below 1 of runs that converged
	verbose, measured         bool
}

// entry is one program.
type entry struct {
	against.Outcome
	name      string
	reference *against.Reference
	peer      against.Peer
	opinions  []against.Opinion
}

func printHeader() {
	fmt.Printf("%-31s %7s %6s %6s %6s %7s %-16s %9s %9s %7s %6s %6s  %s\n",
		"program", "draws", "compar", "over 4", "worst", "least", "of", "ESS per", "JAGS's", "ratio", "R-hat", "JAGS's", "verdict")
	fmt.Printf("%-31s %7s %6s %6s %6s %7s %-16s %9s\n", "", "a chain", "isons", "", "z", "ESS", "", "CPU s")
}

func (t *totals) add(e entry) {
	t.programs++
	converged := e.reference.Meta.Converged != nil && *e.reference.Meta.Converged
	if converged {
		t.converged++
	}
	if e.Err != nil {
		fmt.Printf("%-31s stops: %s\n", e.name, errorLine(e.Err))
		return
	}
	t.ran++
	over := e.Over(limit)
	z, _ := e.Worst()
	if converged {
		t.comparisons += len(e.Differences)
		t.over += over
	}
	reached := e.MaxRhat <= maxRhat && e.MinESS >= minESS
	if reached {
		t.reached++
	}
	fmt.Printf("%-31s %7d %6d %6d %6.2f %7.0f %-16s %9.1f %s %6.3f %s  %s\n", e.name, e.Summary.Run.Draws,
		len(e.Differences), over, z, e.MinESS, e.MinESSName, e.ESSPerCPU(), t.beside(e, reached), e.MaxRhat, peerRhat(e.peer), t.verdict(e.Outcome, over, converged, e.opinions))
	for _, op := range e.opinions {
		fmt.Printf("    %s\n", op)
	}
	if !t.verbose || len(e.opinions) > 0 {
		return
	}
	for _, d := range e.Differences {
		if d.Z > limit {
			fmt.Printf("    z %6.2f  %-28s ours %.7g  JAGS %.7g\n", d.Z, d.Name(), d.Ours, d.Theirs)
		}
	}
}

// beside is JAGS's figure and the ratio of ours to it, which counts where both are numbers.
func (t *totals) beside(e entry, reached bool) string {
	if e.peer.Err != nil {
		return fmt.Sprintf("%9s %7s", "stops", "")
	}
	ratio := e.ESSPerCPU() / e.peer.ESSPerCPU()
	if !math.IsInf(e.MinESS, 0) && !math.IsNaN(ratio) {
		t.ratios = append(t.ratios, ratio)
	}
	if reached && ratio < 1 {
		t.behind++
	}
	return fmt.Sprintf("%9.1f %7.2f", e.peer.ESSPerCPU(), ratio)
}

func peerRhat(p against.Peer) string {
	if p.Err != nil {
		return fmt.Sprintf("%6s", "")
	}
	return fmt.Sprintf("%6.3f", p.Rhat)
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
	fmt.Printf("%d programs reach R-hat <= %.2f and a least bulk ESS of %d. Median ratio of least ESS per CPU second to JAGS's: %.1f; of those programs, %d have one below 1.\n",
		t.reached, maxRhat, minESS, run.Median(t.ratios), t.behind)
	fmt.Printf("%d chains, %d warm-up, seed %d, extended to a least bulk ESS of %.0f or %v of CPU.\n", job.Chains, job.Warmup, job.Seed, e.ESS, e.CPU)
	if t.measured {
		fmt.Println("JAGS, with its glm module, ran beside it on the same machine: the same warm-up, and as many draws as bring the same ESS or take the same CPU time; a longer run begins anew, and only the last counts.")
		return
	}
	fmt.Println("JAGS's figures are those of its reference runs, on another machine; bench/jags measures both at once.")
}
