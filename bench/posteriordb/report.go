package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

// limit is the bar: 4 combined standard errors, which two right programs exceed once in 15 787 comparisons.
const (
	limit = 4
	odds  = 15787
	shown = 5 // differences of a run
)

// totals are of a column of the table: the default plan, and NUTS.
type totals struct {
	posteriors, said int
	plain, forced    tally
	rates            [2][]float64
}

type tally struct{ agreed, warned, silent, failed, comparisons, over int }

func (t *totals) head() {
	fmt.Printf("\n%-49s %6s | %6s %6s %8s %-8s | %6s %6s %8s %5s %-8s\n", "", "compar", "worst", "R-hat", "ESS per", "default", "worst", "R-hat", "ESS per", "diver", "NUTS")
	fmt.Printf("%-49s %6s | %6s %6s %8s %-8s | %6s %6s %8s %5s\n", "", "isons", "z", "", "CPU s", "", "z", "", "CPU s", "gent")
}

func (t *totals) unsaid(name, why string) {
	t.posteriors++
	fmt.Printf("%-49s not written: %s\n", name, why)
}

func (t *totals) add(p posterior, plain, forced outcome, verbose bool) {
	t.posteriors++
	t.said++
	a, b := t.plain.verdict(p, plain), t.forced.verdict(p, forced)
	fmt.Printf("%-49s %6d | %s %-8s | %s %5.0f %-8s\n", p.name, 2*len(p.reference.Params), cells(plain), a, cells(forced), forced.divergent, b)
	for k, o := range []outcome{plain, forced} {
		if o.err == nil {
			t.rates[k] = append(t.rates[k], rate(o))
		}
		name := []string{"default", "NUTS"}[k]
		if o.err != nil {
			fmt.Printf("    %s: %s\n", name, errLine(o.err))
		}
		if len(o.Missing) > 0 {
			fmt.Printf("    %s: no %s\n", name, strings.Join(o.Missing, ", "))
		}
		if !verbose {
			continue
		}
		for i, d := range o.Differences {
			if d.Z > limit && i < shown {
				fmt.Printf("    %s: z %.2f, %s: ours %.6g, reference %.6g\n", name, d.Z, d.Name(), d.Ours, d.Theirs)
			}
		}
		counts := map[string]int{}
		for _, w := range o.warnings {
			counts[w]++
		}
		for _, w := range slices.Sorted(maps.Keys(counts)) {
			fmt.Printf("    %s: %d of warning %s\n", name, counts[w], w)
		}
	}
}

func rate(o outcome) float64 { return o.MinESS / o.cpu.Seconds() }

func cells(o outcome) string {
	if o.err != nil {
		return fmt.Sprintf("%6s %6s %8s", "", "", "")
	}
	z, _ := o.Worst()
	return fmt.Sprintf("%6.2f %6.3f %8.1f", z, o.MaxRhat, rate(o))
}

// verdict of a run, and counted.
func (t *tally) verdict(p posterior, o outcome) string {
	if o.err != nil || len(o.Missing) > 0 {
		t.failed++
		return "fails"
	}
	if !p.usable {
		return "no reference"
	}
	over := o.Over(limit)
	t.comparisons += len(o.Differences)
	t.over += over
	switch {
	case over == 0:
		t.agreed++
		if len(o.warnings) > 0 {
			return "agrees, warns"
		}
		return "agrees"
	case len(o.warnings) > 0:
		t.warned++
		return "differs, warns"
	}
	t.silent++
	return "DIFFERS"
}

func (t *totals) print(j run.Job) {
	fmt.Printf("\n%d of %d posteriors are written in BUGS.\n", t.said, t.posteriors)
	for _, x := range []struct {
		name  string
		rates []float64
		t     tally
	}{{"default", t.rates[0], t.plain}, {"NUTS", t.rates[1], t.forced}} {
		fmt.Printf("%-8s %d agree, %d differ and warn, %d differ in silence, %d fail; %d comparisons, %d beyond %d combined standard errors (by chance: %.2f); median least ESS per CPU second %.0f\n",
			x.name+":", x.t.agreed, x.t.warned, x.t.silent, x.t.failed, x.t.comparisons, x.t.over, limit, float64(x.t.comparisons)/odds, run.Median(x.rates))
	}
	fmt.Printf("%d chains, %d warm-up, %d draws a chain, seed %d. ESS: the least bulk ESS of the reference's elements; CPU: user and system of the process.\n", j.Chains, j.Warmup, j.Draws, j.Seed)
}
