package tempering

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// stopper interrupts a run of one thread after some iterations.
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

func bimodalJob(t *testing.T, set Settings, run mcmc.Settings) *Job[*mcmc.Point] {
	t.Helper()
	job, err := NewPointsJob(Points{
		Path: bimodal, Dim: 1,
		Init: func(_ int, r *rand.Rand, x []float64) { x[0] = away * r.NormFloat64() },
		Move: func(_ int, beta float64) (mcmc.Kernel[*mcmc.Point], error) { return walks(bimodal, 1)(beta) },
	}, set, run)
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// A run that is interrupted, in the warm-up or after it, and resumed with other numbers of
// threads gives the same draws and the same report.
func TestRun(t *testing.T) {
	run := mcmc.Settings{Seed: 1, Chains: 2, Warmup: 3000, Draws: 5000, Threads: 1, SaveWarmup: true}
	set := Settings{Betas: Even(5)}
	job := bimodalJob(t, set, run)
	want, err := mcmc.NewMemory(job.Variables(), run)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mcmc.Run(context.Background(), job, run, want, nil); err != nil {
		t.Fatal(err)
	}
	for _, after := range []int{1, 2000, 9000} {
		run := run
		run.Dir = t.TempDir()
		rec, _ := mcmc.NewMemory(job.Variables(), run)
		ctx, cancel := context.WithCancel(context.Background())
		_, err := mcmc.Run(ctx, bimodalJob(t, set, run), run, &stopper{rec, after, cancel}, nil)
		cancel()
		if !errors.Is(err, mcmc.ErrInterrupted) {
			t.Fatalf("after %d: the run was not interrupted: %v", after, err)
		}
		run.Resume, run.Threads = true, 2
		resumed := bimodalJob(t, Settings{Betas: Even(5), Threads: 3}, run)
		if _, err := mcmc.Run(context.Background(), resumed, run, rec, nil); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(rec.Draws().Element(0), want.Draws().Element(0)) {
			t.Errorf("interrupted after %d, the draws differ", after)
		}
		for c := range 2 {
			a, errA := job.Report(c)
			b, errB := resumed.Report(c)
			if errA != nil || errB != nil || !reflect.DeepEqual(a, b) {
				t.Errorf("interrupted after %d, the report of chain %d is %+v (%v), not %+v (%v)", after, c, b, errB, a, errA)
			}
		}
	}
}

// rings is a job of Ising rings: states that are not vectors.
type rings struct{}

func (rings) Start(_ context.Context, _ int, r *rand.Rand) (*spins, error) {
	return &spins{uint(r.IntN(1 << ring))}, nil
}
func (rings) Kernel(int) mcmc.Kernel[*spins]               { return flip{1} }
func (rings) Variables() []draws.Variable                  { return []draws.Variable{{Name: "energy"}} }
func (rings) Record(s *spins, _ *rand.Rand, dst []float64) { dst[0] = s.energy() }
func (rings) MarshalState(s *spins) ([]byte, error) {
	return binary.AppendUvarint(nil, uint64(s.bits)), nil
}
func (rings) UnmarshalState(_ int, b []byte) (*spins, error) {
	u, n := binary.Uvarint(b)
	if n <= 0 {
		return nil, errors.New("no spins")
	}
	return &spins{uint(u)}, nil
}

func TestAnyJob(t *testing.T) {
	run := mcmc.Settings{Seed: 2, Chains: 2, Dir: t.TempDir()}
	move := func(_ int, beta float64) (mcmc.Kernel[*spins], error) { return flips(beta) }
	job, err := NewJob[*spins](rings{}, ising{}, move, Settings{Betas: []float64{0, 0.5, 1}}, run)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := job.Report(0); err == nil {
		t.Error("a report before the run")
	}
	rec, err := mcmc.NewMemory(job.Variables(), run)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mcmc.Run(context.Background(), job, run, rec, nil); err != nil {
		t.Fatal(err)
	}
	if rep, err := job.Report(1); err != nil || rep.Steps != 1000 {
		t.Errorf("%+v, %v", rep, err)
	}
}

func TestMarshalState(t *testing.T) {
	move := func(_ int, beta float64) (mcmc.Kernel[*spins], error) { return flips(beta) }
	job, err := NewJob[*spins](rings{}, ising{}, move, Settings{Betas: Even(3)}, mcmc.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	s := &State[*spins]{Replicas: []*spins{{3}, {200}, {7}}, Label: []int{2, 0, 1}, Odd: true}
	b, err := job.MarshalState(s)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := job.UnmarshalState(0, b); err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("%+v became %+v: %v", s, got, err)
	}
	twice := &State[*spins]{Replicas: s.Replicas, Label: []int{2, 0, 2}}
	short := &State[*spins]{Replicas: s.Replicas[:2], Label: []int{1, 0}}
	for _, s := range []*State[*spins]{twice, short} {
		b, _ := job.MarshalState(s)
		if _, err := job.UnmarshalState(0, b); err == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
	if _, err := job.UnmarshalState(0, []byte("nothing")); err == nil {
		t.Error("bytes of something else are accepted")
	}
}

func TestMarshalTuning(t *testing.T) {
	make := func(rungs int) *Kernel[*mcmc.Point] {
		k, err := New(bimodal, walks(bimodal, 1), Settings{Betas: Even(rungs)})
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	k := make(4)
	b, err := k.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := make(4).UnmarshalBinary(b); err != nil {
		t.Error(err)
	}
	if make(5).UnmarshalBinary(b) == nil || k.UnmarshalBinary(b[:40]) == nil || k.UnmarshalBinary(nil) == nil {
		t.Error("tuning of another ladder is accepted")
	}
	k.tally.Up = k.tally.Up[:3]
	b, _ = k.MarshalBinary()
	if make(4).UnmarshalBinary(b) == nil {
		t.Error("a damaged account is accepted")
	}
}

func TestJobRefusals(t *testing.T) {
	good := Points{
		Path: bimodal, Dim: 1, Init: func(int, *rand.Rand, []float64) {},
		Move: func(_ int, beta float64) (mcmc.Kernel[*mcmc.Point], error) { return walks(bimodal, 1)(beta) },
	}
	for _, c := range []struct {
		change func(*Points, *Settings)
		want   string
	}{
		{func(p *Points, _ *Settings) { p.Path = nil }, "Path"},
		{func(p *Points, _ *Settings) { p.Init = nil }, "Init"},
		{func(p *Points, _ *Settings) { p.Dim = 0 }, "length 0"},
		{func(_ *Points, s *Settings) { s.Betas = []float64{1} }, "a ladder of 1"},
		{func(p *Points, _ *Settings) {
			p.Move = func(_ int, beta float64) (mcmc.Kernel[*mcmc.Point], error) {
				if beta < 1 {
					return nil, errors.New("too hot")
				}
				return walks(bimodal, 1)(beta)
			}
		}, "too hot"},
	} {
		p, set := good, Settings{Betas: Even(3)}
		c.change(&p, &set)
		if _, err := NewPointsJob(p, set, mcmc.Settings{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", err, c.want)
		}
	}
	if _, err := NewJob[*spins](nil, ising{}, nil, Settings{}, mcmc.Settings{}); err == nil {
		t.Error("no job is accepted")
	}
	if _, _, err := CombineLogZ(); err == nil {
		t.Error("no reports are combined")
	}
}

// The standard error includes the spread between chains.
func TestCombineLogZ(t *testing.T) {
	a, b := Report{LogZ: 1, LogZError: 0.1}, Report{LogZ: 3, LogZError: 0.1}
	if z, se, err := CombineLogZ(a, b); err != nil || z != 2 || se != 1 {
		t.Errorf("%v ± %v, %v", z, se, err)
	}
	if z, se, err := CombineLogZ(a); err != nil || z != 1 || se != 0.1 {
		t.Errorf("%v ± %v, %v", z, se, err)
	}
}
