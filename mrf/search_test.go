package mrf

import (
	"bytes"
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// The mode of small models by one elimination, and by annealing, climbing and kicks alone, against enumeration.
func TestSearchFindsTheMode(t *testing.T) {
	for n := range 200 {
		m := small(stream(2000+n).Rand, float64(n%4)/3)
		want := slices.Max(enumerate(m).logs)
		got, err := Search(context.Background(), m, SearchSettings{Seed: 1, Chains: 1})
		if err != nil {
			t.Errorf("model %d: %v", n, err)
			continue
		}
		if !got.Exact || !(math.Abs(got.LogDensity-want) < 1e-9) || !(math.Abs(m.LogDensity(got.State)-want) < 1e-9) {
			t.Errorf("model %d: %+v, and the mode has log density %v", n, got, want)
		}
		f := mustField(t, m, FieldSettings{Table: -1})
		plans, err := f.cover(BlockSettings{Entries: 12})
		if err != nil {
			t.Fatal(err)
		}
		j := &searchJob{set: SearchSettings{Rounds: 400, Sweeps: 50}, f: f, w: f.target(), hot: f.tempered(kickBeta), plans: plans}
		c := &searcher{job: j, stream: stream(n)}
		if more, err := c.Turn(context.Background(), time.Now().Add(time.Hour)); more || err != nil || !(math.Abs(c.value-want) < 1e-9) {
			t.Errorf("model %d: %v, %v: log density %v, and the mode has %v", n, more, err, c.value, want)
		}
	}
}

func TestSearchThreadsAndResume(t *testing.T) {
	m := randomModel(stream(7).Rand, 120, 1200, 0.02)
	set := SearchSettings{Seed: 3, Rounds: 40, Sweeps: 40, Blocks: BlockSettings{Entries: 16}}
	want, err := Search(context.Background(), m, set)
	if err != nil || want.Exact {
		t.Fatal(want, err)
	}
	marshal := func(m *Mode) []byte {
		b, err := gobs.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	set.Threads = 3
	if again, err := Search(context.Background(), m, set); err != nil || !bytes.Equal(marshal(again), marshal(want)) {
		t.Fatalf("other results with 3 threads: %v", err)
	}
	set.Checkpoint, set.Resume, set.Every = filepath.Join(t.TempDir(), "search"), true, time.Millisecond
	interrupted := 0
	for cut := 5 * time.Millisecond; ; cut += cut / 4 {
		ctx, cancel := context.WithTimeout(context.Background(), cut)
		got, err := Search(ctx, m, set)
		cancel()
		if err == nil {
			if !bytes.Equal(marshal(got), marshal(want)) || interrupted == 0 {
				t.Errorf("other results after %d interruptions: %+v, not %+v", interrupted, got, want)
			}
			return
		}
		if interrupted++; !errors.Is(err, mcmc.ErrInterrupted) {
			t.Fatal(err)
		}
	}
}

// The .MAP files of the competition are what a solver found. bench/mrf compares all of them.
func TestSearchOnSharedModels(t *testing.T) {
	for _, name := range []string{"CSP_12", "Grids_11", "ObjectDetection_74", "Promedus_34"} {
		in := sharedInstance(t, name)
		got, err := Search(context.Background(), in.given.Model, SearchSettings{Seed: 1, Rounds: 8, Threads: 2})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		value, want := in.model.LogDensity(in.given.State(got.State)), in.model.LogDensity(in.state)
		if !(value >= want-1e-6) {
			t.Errorf("%s: log density %.5f, and that of .MAP is %.5f", name, value, want)
		}
	}
}
