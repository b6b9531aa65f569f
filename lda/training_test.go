package lda

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/lda/corpus"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

func trainingOf(t *testing.T, dir string) *Training {
	t.Helper()
	c := &corpus.Corpus{Words: 6, Starts: []int64{0}}
	for d := range 40 {
		for i := range 8 {
			c.Tokens = append(c.Tokens, int32((d%2)*3+i%3))
		}
		c.Starts = append(c.Starts, int64(len(c.Tokens)))
	}
	m, err := New(c, Settings{Alpha: Symmetric(1, 2), Beta: 0.1, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	return &Training{Model: m, Phases: []Phase{{"warp", 12}, {"sparse", 10}}, Every: 5, Optimise: Optimisation{Interval: 4, BurnIn: 3}, Average: Average{From: 9, Every: 3},
		File: filepath.Join(dir, "training"), Interval: time.Nanosecond, Fingerprint: "corpus"}
}

// A training that is interrupted after each sweep ends with the topics and the likelihoods of an undisturbed one.
func TestTrainingResumes(t *testing.T) {
	whole := trainingOf(t, t.TempDir())
	if err := whole.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	var sweeps []int
	for _, s := range whole.Trace() {
		sweeps = append(sweeps, s.Sweep)
	}
	if want := []int{5, 10, 12, 15, 20, 22}; !slices.Equal(sweeps, want) {
		t.Errorf("evaluated after %v, not %v", sweeps, want)
	}
	dir := t.TempDir()
	for n := 0; ; n++ {
		cut := trainingOf(t, dir)
		if err := cut.Resume(); err != nil {
			t.Fatal(err)
		}
		if cut.Model.Sweeps() != n {
			t.Fatalf("%d sweeps after %d", cut.Model.Sweeps(), n)
		}
		ctx, stop := context.WithCancel(context.Background())
		cut.Progress = stop
		err := cut.Run(ctx)
		if errors.Is(err, mcmc.ErrInterrupted) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(cut.Model.Topics(), whole.Model.Topics()) {
			t.Error("other topics")
		}
		if !slices.Equal(cut.Model.Alpha(), whole.Model.Alpha()) || cut.Model.Beta() != whole.Model.Beta() || cut.Model.Beta() == 0.1 {
			t.Errorf("priors %v and %v, not %v and %v", cut.Model.Alpha(), cut.Model.Beta(), whole.Model.Alpha(), whole.Model.Beta())
		}
		if f := cut.Fitted(); f.Samples != 4 || !reflect.DeepEqual(f, whole.Fitted()) { // after 12, 15, 18 and 21 sweeps
			t.Errorf("mean of %d states, or another one", f.Samples)
		}
		for k, s := range cut.Trace() {
			if w := whole.Trace()[k]; s.Sweep != w.Sweep || s.LogLikelihood != w.LogLikelihood {
				t.Errorf("evaluation %+v, not %+v", s, w)
			}
		}
		return
	}
}

func TestTrainingRefuses(t *testing.T) {
	dir := t.TempDir()
	one := trainingOf(t, dir)
	if err := one.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	other := trainingOf(t, dir)
	other.Fingerprint = "another corpus"
	if err := other.Resume(); err == nil || !strings.Contains(err.Error(), "another training") {
		t.Errorf("%v", err)
	}
	other = trainingOf(t, t.TempDir())
	other.Phases = []Phase{{"none", 1}}
	if err := other.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "there is no sampler") {
		t.Errorf("%v", err)
	}
}

// Chains give what each gives alone, on one thread and on two.
func TestRunChains(t *testing.T) {
	alone := trainingOf(t, t.TempDir())
	if err := alone.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 2} {
		chains := []*Training{trainingOf(t, t.TempDir()), trainingOf(t, t.TempDir())}
		if err := RunChains(context.Background(), chains, threads); err != nil {
			t.Fatal(err)
		}
		for _, c := range chains {
			if !slices.Equal(c.Model.Topics(), alone.Model.Topics()) || len(c.Trace()) != len(alone.Trace()) {
				t.Errorf("%d threads: other topics than alone", threads)
			}
		}
	}
	chains := []*Training{trainingOf(t, t.TempDir()), trainingOf(t, t.TempDir())}
	chains[1].Phases = []Phase{{"none", 1}}
	if err := RunChains(context.Background(), chains, 1); err == nil || !strings.Contains(err.Error(), "chain 2: ") {
		t.Errorf("%v", err)
	}
}

// Chains over one corpus that are looked at, fitted and saved as they go are those that run one after the other: under the race
// detector, which .ci/run has, that they write to nothing in common.
func TestChainsAtATime(t *testing.T) {
	c := bars(5, 60, 20)
	run := func(method string, threads int) (topics [][]uint16) {
		var chains []*Training
		dir := t.TempDir()
		for i := range 3 {
			m, err := New(c, Settings{Alpha: Symmetric(2, 10), Beta: 0.05, Seed: uint64(i)})
			if err != nil {
				t.Fatal(err)
			}
			one := &Training{Model: m, Phases: []Phase{{method, 12}, {"sparse", 2}}, Options: Options{Threads: 2}, Every: 2, Optimise: Optimisation{Interval: 3},
				Average: Average{Every: 4}, File: filepath.Join(dir, string(rune('a'+i))), Interval: time.Nanosecond}
			one.Progress = func() {
				m.Describe(3)
				if m.Sweeps()%5 == 0 {
					m.Topics()
				}
			}
			chains = append(chains, one)
		}
		if err := RunChains(t.Context(), chains, threads); err != nil {
			t.Fatal(err)
		}
		for _, one := range chains {
			topics = append(topics, one.Model.Topics())
		}
		return topics
	}
	for _, method := range []string{"light", "warp"} {
		if !reflect.DeepEqual(run(method, 3), run(method, 1)) {
			t.Errorf("%s: other topics at a time than one after the other", method)
		}
	}
}
