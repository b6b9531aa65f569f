package main

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

// quick are posteriors that take less than a second: regressions with strongly correlated coefficients, recursions, hierarchies, a
// nonlinear curve, a hidden Markov chain.
var quick = []string{"arK-arK", "arma-arma11", "dugongs_data-dugongs_model", "eight_schools-eight_schools_noncentered", "hmm_example-hmm_example",
	"kidiq-kidscore_interaction", "mesquite-logmesquite_logvas", "rats_data-rats_model", "sblrc-blr", "surgical_data-surgical_model"}

// TestAgreesWithReferenceDraws holds means and standard deviations to those of posteriordb, by the default plan and by NUTS. Of two right
// programs a number in 5·10⁸ differs by more than 6 standard errors; there are 640 of them, so that a change of draws fails by chance once in 800 000 times.
func TestAgreesWithReferenceDraws(t *testing.T) {
	if _, err := run.Shared("posteriordb"); err != nil {
		t.Skip(err)
	}
	const most = 6
	dir := t.TempDir()
	program, err := run.Build(dir)
	if err != nil {
		t.Fatal(err)
	}
	all, err := posteriors()
	if err != nil {
		t.Fatal(err)
	}
	j := run.Job{Seed: 1, Chains: 4, Warmup: 1000, Draws: 1000, Out: filepath.Join(dir, "run")}
	compared := 0
	for _, p := range all {
		if !slices.Contains(quick, p.name) {
			continue
		}
		forced, err := p.withNUTS()
		if err != nil {
			t.Fatal(err)
		}
		if len(forced) == 0 {
			t.Errorf("%s: nuts takes none of its nodes", p.name)
		}
		for _, overrides := range [][]string{nil, forced} {
			o := p.sample(t.Context(), program, j, overrides, 5*time.Minute)
			if o.err != nil || len(o.Missing) > 0 {
				t.Errorf("%s %v: %v, without %v", p.name, overrides, o.err, o.Missing)
				continue
			}
			compared += len(o.Differences)
			for _, d := range o.Differences {
				if !(d.Z <= most) {
					t.Errorf("%s %v: %s is %v, in the reference %v: %.1f standard errors", p.name, overrides, d.Name(), d.Ours, d.Theirs, d.Z)
				}
			}
			if o.MaxRhat > 1.05 && (overrides == nil || len(o.warnings) == 0) {
				t.Errorf("%s %v: R-hat %v, %d warnings", p.name, overrides, o.MaxRhat, len(o.warnings))
			}
		}
	}
	if compared < 500 {
		t.Errorf("only %d numbers were compared", compared)
	}
}

// Every posterior of the test material is written, or said not to be.
func TestAllAreWritten(t *testing.T) {
	all, err := posteriors()
	if err != nil {
		t.Skip(err)
	}
	if len(all) < 46 {
		t.Errorf("only %d posteriors", len(all))
	}
	for _, p := range all {
		if _, err := p.withNUTS(); (err == nil) == (unsaid[p.name] != "") {
			t.Errorf("%s: %v, said to be left out: %q", p.name, err, unsaid[p.name])
		}
	}
}
