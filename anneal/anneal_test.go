package anneal_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/internal/runner"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// glass is a spin glass on a ring with couplings to second neighbours: E = −Σ J s s'.
type glass struct {
	couplings [2][]float64 // of a spin with the next, and with the one after it
}

type spins struct{ S []int8 }

func newGlass(n int, seed uint64) glass {
	r := rng.New(seed, "glass")
	var g glass
	for k := range g.couplings {
		for range n {
			g.couplings[k] = append(g.couplings[k], float64(r.IntN(7)-3))
		}
	}
	return g
}

func (g glass) Size() int { return len(g.couplings[0]) }

func (g glass) Start(r *rand.Rand) *spins {
	s := &spins{make([]int8, g.Size())}
	for i := range s.S {
		s.S[i] = int8(2*r.IntN(2) - 1)
	}
	return s
}

func (g glass) Energy(s *spins) (e float64) {
	n := g.Size()
	for k, all := range g.couplings {
		for i, j := range all {
			e -= float64(j * float64(s.S[i]*s.S[(i+k+1)%n]))
		}
	}
	return e
}

func (g glass) change(s *spins, i int) (d float64) {
	n := g.Size()
	for k, all := range g.couplings {
		d += 2 * float64(s.S[i]) * (float64(all[i]*float64(s.S[(i+k+1)%n])) + float64(all[(i+n-k-1)%n]*float64(s.S[(i+n-k-1)%n])))
	}
	return d
}

func (g glass) Propose(s *spins, r *rand.Rand) (int, float64) {
	i := r.IntN(g.Size())
	return i, g.change(s, i)
}

func (g glass) Apply(s *spins, i int) { s.S[i] = -s.S[i] }
func (g glass) Copy(to, from *spins)  { copy(to.S, from.S) }

func (g glass) Changes(s *spins) iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		for i := range s.S {
			if !yield(i, g.change(s, i)) {
				return
			}
		}
	}
}

// ground is the lowest energy, by a look at all states.
func (g glass) ground() float64 {
	s := &spins{make([]int8, g.Size())}
	lowest := math.Inf(1)
	for code := range 1 << g.Size() {
		for i := range s.S {
			s.S[i] = int8(2*(code>>i&1) - 1)
		}
		lowest = min(lowest, g.Energy(s))
	}
	return lowest
}

// Each method and each schedule finds the ground state of a glass of 14 spins, and its energies are those of its states.
func TestMethodsFindTheGround(t *testing.T) {
	g := newGlass(14, 3)
	want := g.ground()
	check := func(name string, set anneal.Settings) {
		set.Seed, set.Sweeps = 1, 300
		s, res, err := anneal.Minimise(context.Background(), g, set)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if res.Best != want || g.Energy(s) != want {
			t.Errorf("%s: energy %v, of its state %v; the ground is %v", name, res.Best, g.Energy(s), want)
		}
		for _, r := range res.Reads {
			if r.Energy < want || r.Cut || r.Sweeps != 300 {
				t.Errorf("%s: read %+v", name, r)
			}
		}
	}
	for m := range anneal.Methods() {
		check(anneal.Method(m).String(), anneal.Settings{Method: anneal.Method(m)})
	}
	for k := range anneal.Kinds() {
		s := anneal.Schedule{Kind: anneal.Kind(k)}
		if s.Kind == anneal.Custom {
			s.List = []float64{5, 3, 1, 0}
		}
		check(s.Kind.String(), anneal.Settings{Schedule: s})
		check("population by "+s.Kind.String(), anneal.Settings{Schedule: s, Method: anneal.Population, Size: 20, Reads: 2})
	}
}

// The answer does not depend on the number of threads, nor on interruptions.
func TestThreadsAndInterruptionsChangeNothing(t *testing.T) {
	g := newGlass(40, 5)
	for m := range anneal.Methods() {
		for _, kind := range []anneal.Kind{anneal.Geometric, anneal.Acceptance, anneal.SpecificHeat} {
			set := anneal.Settings{Seed: 2, Sweeps: 120, Reads: 5, Method: anneal.Method(m), Schedule: anneal.Schedule{Kind: kind}, Rungs: 5, Size: 6}
			state, whole, err := anneal.Minimise(context.Background(), g, set)
			if err != nil {
				t.Fatal(err)
			}
			same := func(how string, s *spins, res *anneal.Result) {
				if !reflect.DeepEqual(s, state) || !reflect.DeepEqual(res.Reads, whole.Reads) || !reflect.DeepEqual(res.Traces, whole.Traces) || res.Moves != whole.Moves {
					t.Errorf("%v, %v, %s: another result", set.Method, kind, how)
				}
			}
			set.Threads = 3
			s, res, err := anneal.Minimise(context.Background(), g, set)
			if err != nil {
				t.Fatal(err)
			}
			same("3 threads", s, res)
			set.Checkpoint, set.Resume, set.Every = filepath.Join(t.TempDir(), "state"), true, time.Nanosecond
			interruptions := 0
			for wait := time.Microsecond; ; wait = wait*3/2 + 1 {
				ctx, cancel := context.WithTimeout(context.Background(), wait)
				if interruptions == 0 { // a busy machine may look at its timers when a short run is over
					cancel()
				}
				s, res, err = anneal.Minimise(ctx, g, set)
				cancel()
				if err == nil {
					break
				}
				if !errors.Is(err, runner.ErrInterrupted) {
					t.Fatal(err)
				}
				interruptions++
				set.Threads = 1 + interruptions%3
			}
			if interruptions == 0 {
				t.Errorf("%v: never interrupted", set.Method)
			}
			same(fmt.Sprint(interruptions, " interruptions"), s, res)
			set.Reads = 7
			if _, longer, err := anneal.Minimise(context.Background(), g, set); err != nil || len(longer.Reads) != 7 || !slices.Equal(longer.Reads[:5], whole.Reads) {
				t.Errorf("%v: extended to 7 reads: %v %v", set.Method, longer, err)
			}
			set.Fingerprint = "another problem"
			if _, _, err := anneal.Minimise(context.Background(), g, set); err == nil || !strings.Contains(err.Error(), "the model differs") {
				t.Errorf("error %v", err)
			}
		}
	}
}

// Runs end by the clock, at a target, or where nothing is gained.
func TestStops(t *testing.T) {
	g := newGlass(14, 3)
	ground := g.ground()
	began := time.Now()
	_, res, err := anneal.Minimise(context.Background(), g, anneal.Settings{Seed: 1, Time: 50 * time.Millisecond, Threads: 2})
	if took := time.Since(began); err != nil || res.Stopped != "time" || res.Best != ground || took < 50*time.Millisecond || took > 5*time.Second {
		t.Errorf("50 ms: %v, %+v, %v", took, res, err)
	}
	if len(res.Reads) < 2 { // a busy machine passes over rounds
		t.Errorf("%d reads in five rounds", len(res.Reads))
	}
	_, res, err = anneal.Minimise(context.Background(), g, anneal.Settings{Seed: 1, Time: 2 * time.Second, Reads: 6})
	if err != nil || len(res.Reads) != 6 || res.Reads[5].Sweeps == 0 {
		t.Errorf("6 reads in 2 s: %+v, %v", res.Reads, err)
	}
	_, res, err = anneal.Minimise(context.Background(), g, anneal.Settings{Seed: 1, Sweeps: 1 << 30, HasTarget: true, Target: ground})
	if err != nil || res.Stopped != "target" || res.Best != ground || !res.Reads[0].Cut {
		t.Errorf("target: %+v, %v", res, err)
	}
	// Reads of one hot sweep: the descent at their end meets the target.
	hot := anneal.Schedule{Hot: 1e6, Cold: 1e6}
	_, res, err = anneal.Minimise(context.Background(), g, anneal.Settings{Seed: 3, Sweeps: 1, Reads: 60, Schedule: hot, HasTarget: true, Target: ground})
	if err != nil || res.Stopped != "target" || res.Best != ground || len(res.Reads) == 60 || res.Reads[len(res.Reads)-1].Cut {
		t.Errorf("target of a descent: %d reads, %v, %v", len(res.Reads), res.Stopped, err)
	}
	_, res, err = anneal.Minimise(context.Background(), g, anneal.Settings{Seed: 1, Sweeps: 1 << 30, Stagnation: 50})
	if err != nil || res.Stopped != "stagnation" || res.Reads[0].Cut {
		t.Errorf("stagnation: %+v, %v", res, err)
	}
}

// What cannot be done is an error at once.
func TestSettingsAreChecked(t *testing.T) {
	g := newGlass(14, 3)
	for want, set := range map[string]anneal.Settings{
		"-1 sweeps":                       {Sweeps: -1},
		"a time of -1ns":                  {Time: -1},
		"temperatures from 1 to 2":        {Schedule: anneal.Schedule{Hot: 1, Cold: 2}},
		"temperatures from 1 to -1":       {Schedule: anneal.Schedule{Hot: 1, Cold: -1}},
		"a list of 0 temperatures":        {Schedule: anneal.Schedule{Kind: anneal.Custom}},
		"temperature 2 of the list is -1": {Schedule: anneal.Schedule{Kind: anneal.Custom, List: []float64{1, -1}}},
		"tempering at 1 temperatures":     {Method: anneal.Tempering, Rungs: 1},
		"takes no list":                   {Method: anneal.Tempering, Schedule: anneal.Schedule{Kind: anneal.Custom, List: []float64{1}}},
		"no method Method(9)":             {Method: 9},
		"no schedule Kind(9)":             {Schedule: anneal.Schedule{Kind: 9}},
		"states of this problem are not":  {Initial: []float64{1}},
	} {
		if _, _, err := anneal.Minimise(context.Background(), g, set); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if _, _, err := anneal.Minimise(context.Background(), queens(5), anneal.Settings{Method: anneal.Steepest}); err == nil || !strings.Contains(err.Error(), "steepest needs a problem that lists its changes") {
		t.Error(err)
	}
}

// The walks of each method and schedule, frozen for a seed. A change is breaking, and belongs in CHANGELOG.md.
func TestGoldenRuns(t *testing.T) {
	g := newGlass(30, 7)
	want := map[string]string{
		"annealing":     "c41e60610cacaea0",
		"threshold":     "8ad2e7a2ec714bd1",
		"tempering":     "1ad8a98160beeef9",
		"population":    "e1bb3a62a0008f90",
		"stochastic":    "bcf31c340c67c3f7",
		"steepest":      "cff205411fb2c488",
		"first":         "7d9f6c8d23e2a310",
		"geometric":     "c41e60610cacaea0",
		"linear-beta":   "d5a5a26b2b607d8c",
		"linear":        "562856ee046bbae2",
		"logarithmic":   "265d7dbb9c78fcdc",
		"acceptance":    "8c30bc46c73e47e5",
		"specific-heat": "ec4e69c12b610b3e",
		"custom":        "48e2dd778f69ef01",
	}
	run := func(name string, set anneal.Settings) {
		set.Seed, set.Sweeps, set.Reads, set.Rungs, set.Size = 4, 60, 3, 5, 10
		s, res, err := anneal.Minimise(context.Background(), g, set)
		if err != nil {
			t.Fatal(err)
		}
		hash := fnv.New64a()
		fmt.Fprint(hash, s.S, res.Hot, res.Cold, res.Moves, res.Reads, res.Traces)
		if got := fmt.Sprintf("%016x", hash.Sum64()); got != want[name] {
			t.Errorf("%q: %q,", name, got)
		}
	}
	for m := range anneal.Methods() {
		run(anneal.Method(m).String(), anneal.Settings{Method: anneal.Method(m)})
	}
	for k := range anneal.Kinds() {
		s := anneal.Schedule{Kind: anneal.Kind(k)}
		if s.Kind == anneal.Custom {
			s.List = []float64{5, 3, 1, 0}
		}
		run(s.Kind.String(), anneal.Settings{Schedule: s})
	}
}

// An interrupted run gives what it has found.
func TestInterruptedRunHasABest(t *testing.T) {
	g := newGlass(40, 5)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	state, res, err := anneal.Minimise(ctx, g, anneal.Settings{Seed: 1, Sweeps: 1 << 30, Reads: 1})
	if !errors.Is(err, runner.ErrInterrupted) || res == nil || res.Stopped != "interrupt" || len(res.Reads) != 1 || !res.Reads[0].Cut {
		t.Fatalf("%v %+v", err, res)
	}
	if e := g.Energy(state); math.Abs(e-res.Best) > 1e-9 || e >= 0 {
		t.Errorf("energy %v of the state, %v of the result", e, res.Best)
	}
}
