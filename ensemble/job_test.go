package ensemble

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

func testJob(t *testing.T, set mcmc.Settings, threads int) *Job {
	t.Helper()
	l := laws[2]
	job, err := NewJob(Job{
		Target: l, Dim: 3, Walkers: 8,
		Named: []draws.Variable{{Name: "theta", Dims: []int{2}}, {Name: "tau"}},
		Init:  func(_, _ int, r *rand.Rand, x []float64) { l.draw(x, r) },
		Move: func(int) (mcmc.Kernel[*State], error) {
			var kernels []mcmc.Kernel[*State]
			for _, m := range moves {
				k, err := New(l, 8, 3, m, Settings{Threads: threads})
				if err != nil {
					return nil, err
				}
				kernels = append(kernels, k)
			}
			return mcmc.Mixture([]float64{1, 1, 1, 1, 1, 1, 1}, kernels...)
		},
	}, set)
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// stopper interrupts a run when a chain has this many draws.
type stopper struct {
	*mcmc.Memory
	after int
	stop  func()
}

func (s *stopper) Append(chain int, warmup bool, draw []float64, info mcmc.Stat) error {
	if s.after--; s.after == 0 {
		s.stop()
	}
	return s.Memory.Append(chain, warmup, draw, info)
}

// A run that is interrupted and resumed, with other numbers of threads, gives the same bits.
func TestRun(t *testing.T) {
	set := mcmc.Settings{Seed: 1, Chains: 2, Warmup: 50, Draws: 20_000, Threads: 1}
	job := testJob(t, set, 0)
	want, err := mcmc.NewMemory(job.Variables(), set)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mcmc.Run(context.Background(), job, set, want, nil); err != nil {
		t.Fatal(err)
	}

	set.Dir = t.TempDir() // one thread still: the stopper counts without a lock
	rec, _ := mcmc.NewMemory(job.Variables(), set)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err = mcmc.Run(ctx, job, set, &stopper{rec, 1000, cancel}, nil)
	if !errors.Is(err, mcmc.ErrInterrupted) {
		t.Fatalf("the run was not interrupted: %v", err)
	}
	set.Resume, set.Threads = true, 2
	if _, err := mcmc.Run(context.Background(), testJob(t, set, 2), set, rec, nil); err != nil {
		t.Fatal(err)
	}
	for e, name := range want.Draws().Names() {
		if !reflect.DeepEqual(rec.Draws().Element(e), want.Draws().Element(e)) {
			t.Errorf("the draws of %s differ", name)
		}
	}
}

// Recorded are all walkers, under the names of the target's variables.
func TestRecord(t *testing.T) {
	job := testJob(t, mcmc.Settings{}, 0)
	vars := job.Variables()
	if vars[0].String() != "theta[1:2,1:8]" || vars[1].String() != "tau[1:8]" {
		t.Errorf("variables %v", vars)
	}
	s := laws[2].state(8, newRand(1))
	draw := make([]float64, 24)
	job.Record(s, nil, draw)
	set, err := draws.NewSet(vars, 2)
	if err != nil {
		t.Fatal(err)
	}
	for c := range 2 {
		if err := set.Append(c, draw); err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range []string{"theta[1]", "theta[2]", "tau"} {
		walkers, err := job.ByWalker(set, 1, name)
		if err != nil {
			t.Fatal(err)
		}
		average, err := job.Average(set, name)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for w := range 8 {
			if got := walkers[w][0]; got != s.Walker(w)[i] {
				t.Errorf("%s of walker %d is %v, want %v", name, w, got, s.Walker(w)[i])
			}
			sum += s.Walker(w)[i] / 8
		}
		if average[0][0] != sum || average[1][0] != sum {
			t.Errorf("average of %s: %v, want %v", name, average, sum)
		}
	}
	for _, err := range []error{
		second(job.ByWalker(set, 2, "tau")), second(job.ByWalker(set, 0, "tau[1]")), second(job.Average(set, "sigma")),
	} {
		if err == nil {
			t.Error("a coordinate that is not there is given")
		}
	}
}

func TestStateMarshal(t *testing.T) {
	s := laws[2].state(7, newRand(2))
	b, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	got := new(State)
	if err := got.UnmarshalBinary(b); err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("%v became %v: %v", s, got, err)
	}
	huge := append([]byte(nil), b...)
	huge[7] = 0xff
	for _, bad := range [][]byte{nil, b[:8], b[:len(b)-8], b[1:], huge, make([]byte, 64)} {
		if new(State).UnmarshalBinary(bad) == nil {
			t.Errorf("%d bytes are accepted", len(bad))
		}
	}
	job := testJob(t, mcmc.Settings{}, 0)
	if _, err := job.UnmarshalState(0, b); err == nil {
		t.Error("an ensemble of 7 is accepted by a job of 8")
	}
}

func TestRefusals(t *testing.T) {
	l := laws[1]
	nan := math.NaN()
	start := func(x ...float64) error { return second(NewState(l, 2, x)) }
	kernel := func(walkers int, m Move, set Settings) error { return second(New(l, walkers, 2, m, set)) }
	job := func(change func(*Job)) error {
		j := Job{Target: l, Dim: 2, Walkers: 8, Init: func(_, _ int, r *rand.Rand, x []float64) { l.draw(x, r) }}
		change(&j)
		return second(NewJob(j, mcmc.Settings{}))
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{second(NewState(nil, 2, nil)), "target"},
		{start(1, 2, 3), "whole walkers"},
		{start(1, 2, 3, 4, 5, 6), "4 or more"},
		{start(1, 2, 3, 4, 5, 6, 7, nan), "coordinate 2 of walker 4 is NaN"},
		{start(1, 2, 1, 4, 1, 6, 1, 7), "same coordinate 1"},
		{start(0.1, 2, 0.1, 4, 0.1, 6, 0.1, 7), "same coordinate 1"},
		{start(1, 3.1, 2, 5.1, 3, 7.1, 4, 9.1), "coordinate 2 follows"},
		{kernel(3, Stretch{}, Settings{}), "4 or more"},
		{kernel(4, Snooker{}, Settings{}), "needs a complementary ensemble of 3"},
		{kernel(6, Walk{Size: 4}, Settings{}), "needs a complementary ensemble of 4"},
		{kernel(8, Stretch{A: 1}, Settings{}), "above 1"},
		{kernel(8, Stretch{A: nan}, Settings{}), "above 1"},
		{kernel(8, Walk{Size: 1}, Settings{}), "2 or more"},
		{kernel(8, Walk{Scale: -1}, Settings{}), "scale"},
		{kernel(8, DifferentialEvolution{Gamma: nan}, Settings{}), "Gamma"},
		{kernel(8, DifferentialEvolution{Spread: -1}, Settings{}), "Spread"},
		{kernel(8, nil, Settings{}), "a move"},
		{job(func(j *Job) { j.Target = nil }), "needs Target"},
		{job(func(j *Job) { j.Walkers = 3 }), "4 or more"},
		{job(func(j *Job) { j.Named = []draws.Variable{{Name: "a"}} }), "1 elements"},
		{job(func(j *Job) { j.Move = func(int) (mcmc.Kernel[*State], error) { return nil, nil } }), "no kernel"},
		{job(func(j *Job) { j.Move = func(int) (mcmc.Kernel[*State], error) { return nil, errors.New("broken") } }), "chain 1: broken"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", c.err, c.want)
		}
	}
	if err := kernel(4, Snooker{}, Settings{Serial: true}); err != nil {
		t.Errorf("four walkers one after another have three others each: %v", err)
	}
	outside, err := NewJob(Job{Target: l, Dim: 2, Walkers: 8, Init: func(_, _ int, _ *rand.Rand, x []float64) { x[0] = -1 }}, mcmc.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := outside.Start(context.Background(), 0, newRand(1)); err == nil || !strings.Contains(err.Error(), "walker 1") {
		t.Errorf("starts outside the support: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }
