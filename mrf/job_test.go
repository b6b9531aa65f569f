package mrf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// few are settings for small models, with a base of single variables and small blocks, so that there are rungs.
func few(method Method) SampleSettings {
	return SampleSettings{Seed: 1, Method: method, Chains: 3, Steps: 1 << 14, Path: PathSettings{Entries: 5, Blocks: BlockSettings{Entries: 12}}}
}

// 300 random models with many zeros against enumeration, by tempering: what has converged has an error below the tolerance, five
// standard errors. In 900 marginals of some three values the chance that a normal error is larger than that is below 2e-3 by
// Bonferroni's inequality if all are at the limit; they are not, and the seeds are fixed: a failure is to be looked at. None of
// them is to be missed by more than twice the tolerance: ten standard errors.
func TestSampleRandomModels(t *testing.T) {
	models := 300
	if testing.Short() {
		models = 100
	}
	all, converged, logZ := 0, 0, 0
	for n := range models {
		m := small(stream(1000+n).Rand, float64(n%4)/3)
		set := few(Tempered)
		set.Seed = uint64(n)
		s, err := SampleMarginals(context.Background(), m, set)
		if err != nil {
			t.Errorf("model %d: %v", n, err)
			continue
		}
		e := enumerate(m)
		for i, want := range e.marginals() {
			all++
			if !s.Marginals[i].Converged {
				continue
			}
			converged++
			for v, p := range want {
				if got := s.Marginals[i].Values[v].P; !(math.Abs(got-p) <= 0.02) {
					t.Errorf("model %d: P(x%d = %d) is %v, not %v", n, i, v, got, p)
				}
			}
		}
		if s.LogZConverged {
			logZ++
			if !(math.Abs(s.LogZ-e.logZ()) <= 0.115) {
				t.Errorf("model %d: log Z is %v, not %v", n, s.LogZ, e.logZ())
			}
		}
	}
	if converged < all*95/100 || logZ < models*9/10 {
		t.Errorf("%d of %d marginals and %d of %d log Z have converged", converged, all, logZ, models)
	}
}

// Where zeros part the states and single variables are drawn, chains that start apart are told.
func TestSingleSiteIsFlagged(t *testing.T) {
	m := &Model{Cards: []int{2, 2, 2}, Factors: []Factor{{[]int{0, 1}, []float64{1, 0, 0, 1}}, {[]int{2}, []float64{1, 2}}}}
	set := few(SingleSite)
	set.Chains = 8
	s, err := SampleMarginals(context.Background(), m, set)
	if err != nil {
		t.Fatal(err)
	}
	if s.Marginals[0].Converged || s.Marginals[1].Converged {
		t.Errorf("%+v", s.Marginals)
	}
	for _, method := range []Method{Tempered, BlockGibbs} {
		s, err := SampleMarginals(context.Background(), m, few(method))
		if err != nil {
			t.Fatal(err)
		}
		if p := s.Marginals[0]; !p.Converged || !(math.Abs(p.Values[0].P-0.5) < 0.02) || len(s.Warnings) == 0 {
			t.Errorf("%v: %+v, %q", method, p, s.Warnings)
		}
	}
}

func bytesOf(t *testing.T, s *Sample) []byte {
	t.Helper()
	if s == nil {
		t.Fatal("no result")
	}
	c := *s
	c.CPU = 0
	b, err := gobs.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSampleThreadsAndResume(t *testing.T) {
	m := randomModel(stream(5).Rand, 30, 60, 0.3)
	for _, method := range []Method{Tempered, SingleSite, BlockGibbs} {
		set := few(method)
		set.Steps, set.Tolerance = 1500, 1e-9
		want, err := SampleMarginals(context.Background(), m, set)
		if err != nil {
			t.Fatal(err)
		}
		set.Threads = 3
		again, err := SampleMarginals(context.Background(), m, set)
		if err != nil || !bytes.Equal(bytesOf(t, again), bytesOf(t, want)) {
			t.Fatalf("%v: other results with 3 threads, %v", method, err)
		}
		set.Checkpoint, set.Resume, set.Every = filepath.Join(t.TempDir(), "chains"), true, time.Millisecond
		var got *Sample
		interrupted := 0
		for cut := time.Millisecond; ; cut += cut/4 + 1 { // longer each time, so that a slow build gets past what it does before the first turn
			ctx, cancel := context.WithTimeout(context.Background(), cut)
			got, err = SampleMarginals(ctx, m, set)
			cancel()
			if err == nil {
				break
			}
			if !errors.Is(err, mcmc.ErrInterrupted) {
				t.Fatal(err)
			}
			interrupted++
		}
		if interrupted == 0 || !bytes.Equal(bytesOf(t, got), bytesOf(t, want)) {
			t.Errorf("%v: other results after %d interruptions\n%v\n%v", method, interrupted, firsts(got), firsts(want))
		}
		for change, other := range map[string]func(s *SampleSettings){"seed": func(s *SampleSettings) { s.Seed++ }, "model": func(s *SampleSettings) { s.Fingerprint = "x" }, "chains": func(s *SampleSettings) { s.Chains++ }} {
			set := set
			other(&set)
			if _, err := SampleMarginals(context.Background(), m, set); err == nil {
				t.Errorf("%v: resumed with another %s", method, change)
			}
		}
		b, err := os.ReadFile(set.Checkpoint)
		if err != nil {
			t.Fatal(err)
		}
		b[len(b)/2]++
		if err := os.WriteFile(set.Checkpoint, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := SampleMarginals(context.Background(), m, set); err == nil {
			t.Errorf("%v: resumed from a damaged file", method)
		}
	}
}

func firsts(s *Sample) []float64 {
	var all []float64
	for _, m := range s.Marginals {
		all = append(all, m.Values[0].P)
	}
	return all
}

func TestSampleBadInput(t *testing.T) {
	m := &Model{Cards: []int{2, 2}, Factors: []Factor{{[]int{0, 1}, []float64{1, 0, 0, 1}}, {[]int{0, 1}, []float64{0, 1, 1, 0}}}}
	var impossible *ImpossibleError
	if _, err := SampleMarginals(context.Background(), m, SampleSettings{}); !errors.As(err, &impossible) {
		t.Errorf("%v", err)
	}
	for _, set := range []SampleSettings{{Chains: -1}, {Steps: -1}, {Tolerance: -1}, {Path: PathSettings{Blocks: BlockSettings{Entries: 1}, Entries: 2}}} {
		m := &Model{Cards: []int{2, 2, 2}, Factors: []Factor{{[]int{0, 1}, []float64{1, 2, 3, 1}}, {[]int{1, 2}, []float64{1, 2, 3, 1}}}}
		if _, err := SampleMarginals(context.Background(), m, set); err == nil {
			t.Errorf("%+v: no error", set)
		}
	}
}

func TestStepsAllocateNothing(t *testing.T) {
	m := randomModel(stream(5).Rand, 30, 60, 0.3)
	f := mustField(t, m, FieldSettings{Table: 8})
	p, err := NewPath(f, PathSettings{Entries: 8, Blocks: BlockSettings{Entries: 16}})
	if err != nil {
		t.Fatal(err)
	}
	for _, beta := range []float64{0, 0.5, 1} {
		k, err := p.Kernel(beta)
		if err != nil {
			t.Fatal(err)
		}
		s, r := mustState(t, f, nil), stream(1)
		if n := testing.AllocsPerRun(50, func() { k.Step(s, r.Rand) }); n > 0 {
			t.Errorf("β = %v: %v allocations a step", beta, n)
		}
	}
}

func ExampleSampleMarginals() {
	// Two coins that fell the same way, and a third one that is loaded.
	m := &Model{Cards: []int{2, 2, 2}, Factors: []Factor{{Scope: []int{0, 1}, Table: []float64{1, 0, 0, 1}}, {Scope: []int{2}, Table: []float64{1, 3}}}}
	s, err := SampleMarginals(context.Background(), m, SampleSettings{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, p := range s.Marginals {
		fmt.Printf("P(x%d = 1) = %.2f, converged: %v\n", i, p.Values[1].P, p.Converged)
	}
	fmt.Println(s.Exact, s.Warnings)
	// Output:
	// P(x0 = 1) = 0.50, converged: true
	// P(x1 = 1) = 0.50, converged: true
	// P(x2 = 1) = 0.75, converged: true
	// true [zeros keep single changes from moving 2 of 3 variables, such as 0: all variables are drawn jointly]
}
