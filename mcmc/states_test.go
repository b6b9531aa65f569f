package mcmc_test

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
	"github.com/ergodic-mcmc/ergodic/mh"
)

// lattice is a structured state: a place on a line and the way that led there.
type lattice struct {
	At   int
	From []int
}

type steep struct{}

func (steep) LogDensity(x lattice) float64 { return -math.Abs(float64(x.At)) / 2 }

func sideways(dst, x lattice, r *rand.Rand) lattice {
	dst.From = append(append(dst.From[:0], x.From...), x.At)
	if n := len(dst.From); n > 3 {
		dst.From = dst.From[n-3:]
	}
	dst.At = x.At - 1 + 2*r.IntN(2)
	return dst
}

func latticeJob() mcmc.States[lattice] {
	return mcmc.States[lattice]{
		Init: func(_ int, r *rand.Rand) (*mcmc.State[lattice], error) {
			return mcmc.NewState(steep{}, lattice{At: r.IntN(9)}), nil
		},
		Move: func(int) (mcmc.Kernel[*mcmc.State[lattice]], error) {
			return mh.New(steep{}, mh.Move[lattice](mh.Symmetric[lattice](sideways)), mh.MetropolisHastings)
		},
		Named: []draws.Variable{{Name: "at"}, {Name: "before"}},
		Write: func(x lattice, dst []float64) {
			dst[0], dst[1] = float64(x.At), math.NaN()
			if n := len(x.From); n > 0 {
				dst[1] = float64(x.From[n-1])
			}
		},
	}
}

// stopAfter ends a run when a chain has so many draws.
type stopAfter struct {
	mcmc.Recorder
	n    int
	stop context.CancelFunc
}

func (s *stopAfter) Append(chain int, warmup bool, draw []float64, stat mcmc.Stat) error {
	if s.n--; s.n == 0 {
		s.stop()
	}
	return s.Recorder.Append(chain, warmup, draw, stat)
}

// A run of structured states, stopped and resumed, gives the draws of one that was not.
func TestStatesResume(t *testing.T) {
	set := mcmc.Settings{Seed: 5, Chains: 1, Warmup: 50, Draws: 100_000, Dir: t.TempDir()}
	run := func(ctx context.Context, set mcmc.Settings, rec mcmc.Recorder) error {
		job, err := mcmc.NewStates(latticeJob(), set)
		if err != nil {
			t.Fatal(err)
		}
		_, err = mcmc.Run(ctx, job, set, rec, nil)
		return err
	}
	memory := func() *mcmc.Memory {
		m, err := mcmc.NewMemory(latticeJob().Named, set)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	whole, parts := memory(), memory()
	if err := run(context.Background(), set, whole); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	if err := run(ctx, set, &stopAfter{parts, 500, stop}); !errors.Is(err, mcmc.ErrInterrupted) {
		t.Fatalf("stopped: %v", err)
	}
	set.Resume = true
	if err := run(context.Background(), set, parts); err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		a, b := whole.Draws().Chain(0, i), parts.Draws().Chain(0, i)
		for j := range a {
			if math.Float64bits(a[j]) != math.Float64bits(b[j]) {
				t.Fatalf("element %d differs at draw %d: %v and %v", i, j, a[j], b[j])
			}
		}
	}
}

func TestStatesRefuses(t *testing.T) {
	good := latticeJob()
	for want, change := range map[string]func(j *mcmc.States[lattice]){
		"needs Init, Move": func(j *mcmc.States[lattice]) { j.Write = nil },
		"no kernel": func(j *mcmc.States[lattice]) {
			j.Move = func(int) (mcmc.Kernel[*mcmc.State[lattice]], error) { return nil, nil }
		},
		"kernel of chain 1: broken": func(j *mcmc.States[lattice]) {
			j.Move = func(int) (mcmc.Kernel[*mcmc.State[lattice]], error) { return nil, errors.New("broken") }
		},
	} {
		job := good
		change(&job)
		if _, err := mcmc.NewStates(job, mcmc.Settings{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	for want, init := range map[string]func(int, *rand.Rand) (*mcmc.State[lattice], error){
		"there is no state": func(int, *rand.Rand) (*mcmc.State[lattice], error) { return nil, nil },
		"has NaN": func(int, *rand.Rand) (*mcmc.State[lattice], error) {
			return &mcmc.State[lattice]{LogP: math.NaN()}, nil
		},
		"chain 1: broken": func(int, *rand.Rand) (*mcmc.State[lattice], error) { return nil, errors.New("broken") },
	} {
		job := good
		job.Init = init
		if _, err := job.Start(context.Background(), 0, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	secret := mcmc.States[*struct{ at int }]{}
	if _, err := secret.MarshalState(&mcmc.State[*struct{ at int }]{X: &struct{ at int }{1}}); err == nil || !strings.Contains(err.Error(), "BinaryMarshaler") {
		t.Errorf("a state without exported fields: %v", err)
	}
	s := &mcmc.State[lattice]{X: lattice{3, []int{1, 2}}, LogP: math.Inf(-1)}
	b, err := good.MarshalState(s)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := good.UnmarshalState(0, b); err != nil || !reflect.DeepEqual(back, s) {
		t.Errorf("%+v came back as %+v: %v", s, back, err)
	}
	if _, err := good.UnmarshalState(0, b[:len(b)/2]); err == nil {
		t.Error("half a state is accepted")
	}
}
