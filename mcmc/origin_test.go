package mcmc_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
	"github.com/ergodic-mcmc/ergodic/slice"
)

type still struct{}

func (*still) Step(*mcmc.Point, *rand.Rand) mcmc.Info { return mcmc.Info{} }

func pointsJob(target mcmc.Target, move func(int) (mcmc.Kernel[*mcmc.Point], error)) mcmc.Points {
	return mcmc.Points{
		Target: target, Dim: 1, Move: move,
		Init: func(_ int, r *rand.Rand, x []float64) { x[0] = r.Float64() },
	}
}

func walkOf(target mcmc.Target) func(int) (mcmc.Kernel[*mcmc.Point], error) {
	return func(int) (mcmc.Kernel[*mcmc.Point], error) { return mh.NewRandomWalk(target, []float64{1}) }
}

// A kernel that two chains share, whole or in part, and one that is not made anew, is refused before
// anything runs: by the constructor of a job, and by Run for any other job.
func TestSharedKernels(t *testing.T) {
	walk, err := mh.NewRandomWalk(half{}, []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	move, err := mh.NewWalk(1, []float64{1}, mh.WalkSettings{})
	if err != nil {
		t.Fatal(err)
	}
	var cached [4]mcmc.Kernel[*mcmc.Point]
	for c := range cached {
		cached[c], _ = walkOf(half{})(c)
	}
	fixed := new(still)
	for name, c := range map[string]struct {
		move   func(int) (mcmc.Kernel[*mcmc.Point], error)
		chains int
		want   string
	}{
		"a walk": {func(int) (mcmc.Kernel[*mcmc.Point], error) { return walk, nil }, 4, "chains 1 and 2 share a *mh.RandomWalk"},
		"a walk in a cycle": {func(int) (mcmc.Kernel[*mcmc.Point], error) {
			return mcmc.Cycle(mcmc.Repeat[*mcmc.Point](2, walk)), nil
		}, 2, "chains 1 and 2 share a *mh.RandomWalk"},
		"a move": {func(int) (mcmc.Kernel[*mcmc.Point], error) {
			k, err := mh.New[[]float64](half{}, move, mh.MetropolisHastings)
			return k, err
		}, 3, "chains 1 and 2 share a *mh.Walk"},
		"a walk for odd chains": {func(chain int) (mcmc.Kernel[*mcmc.Point], error) {
			if chain%2 == 1 {
				return walk, nil
			}
			return walkOf(half{})(chain)
		}, 4, "chains 2 and 4 share a *mh.RandomWalk"},
		"walks made before":  {func(chain int) (mcmc.Kernel[*mcmc.Point], error) { return cached[chain], nil }, 4, "gave chain 1 the same *mh.RandomWalk"},
		"one without state":  {func(int) (mcmc.Kernel[*mcmc.Point], error) { return fixed, nil }, 4, ""},
		"walks of their own": {walkOf(half{}), 4, ""},
	} {
		_, err := mcmc.NewPoints(pointsJob(half{}, c.move), mcmc.Settings{Chains: c.chains})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	one := (bananaJob{}).Kernel(0)
	job := hooked{kernel: func(int, mcmc.Kernel[*mcmc.Point]) mcmc.Kernel[*mcmc.Point] { return one }}
	set := mcmc.Settings{Chains: 2, Warmup: 10, Draws: 10}
	if _, err := mcmc.Run(bg, job, set, memory(t, job.bananaJob, set), nil); err == nil || !strings.Contains(err.Error(), "chains 1 and 2 share") {
		t.Errorf("Run: %v", err)
	}
}

// Without a fingerprint a run is known by its kernels and by where it began.
func TestResumeElsewhere(t *testing.T) {
	set := mcmc.Settings{Seed: 3, Chains: 2, Warmup: 50, Draws: 100, Dir: t.TempDir()}
	var rec *mcmc.Memory
	run := func(job mcmc.Points, set mcmc.Settings) error {
		t.Helper()
		j, err := mcmc.NewPoints(job, set)
		if err != nil {
			t.Fatal(err)
		}
		if rec == nil {
			if rec, err = mcmc.NewMemory(j.Variables(), set); err != nil {
				t.Fatal(err)
			}
		}
		_, err = mcmc.Run(bg, j, set, rec, nil)
		return err
	}
	if err := run(pointsJob(half{}, walkOf(half{})), set); err != nil {
		t.Fatal(err)
	}
	set.Resume, set.Draws = true, 200
	other := pointsJob(half{}, walkOf(half{}))
	other.Init = func(_ int, r *rand.Rand, x []float64) { x[0] = 2 * r.Float64() }
	tripled := triple{half{}}
	for want, job := range map[string]mcmc.Points{
		"the target or its start": pointsJob(tripled, walkOf(tripled)),
		"its start differs":       other,
		"the kernel differs": pointsJob(half{}, func(int) (mcmc.Kernel[*mcmc.Point], error) {
			return slice.NewCoordinates(half{}, 1, slice.Univariate{})
		}),
	} {
		if err := run(job, set); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	if err := run(pointsJob(half{}, walkOf(half{})), set); err != nil || rec.Draws().Draws() != 200 {
		t.Errorf("the same job: %v, %d draws", err, rec.Draws().Draws())
	}
}

// triple is a target cubed.
type triple struct{ of mcmc.Target }

func (c triple) LogDensity(x []float64) float64 { return 3 * c.of.LogDensity(x) }

// A recorder that does not fit the run is refused before the first step.
func TestRecorderFits(t *testing.T) {
	job, steps := bananaJob{extras: 1}, 0
	counted := hooked{bananaJob: job, kernel: func(_ int, k mcmc.Kernel[*mcmc.Point]) mcmc.Kernel[*mcmc.Point] {
		return &onStep{Adapter: k.(mcmc.Adapter[*mcmc.Point]), do: func(int) { steps++ }}
	}}
	set := mcmc.Settings{Chains: 4, Warmup: 10, Draws: 10}
	two, fewer := set, bananaJob{extras: 0}
	two.Chains = 2
	trace, err := mcmc.NewTrace(job.Variables(), two)
	if err != nil {
		t.Fatal(err)
	}
	stored := func(l draws.Layout) mcmc.Recorder {
		m, err := draws.NewMemory(l)
		if err != nil {
			t.Fatal(err)
		}
		return mcmc.RecordTo(m)
	}
	used := memory(t, job, set)
	mustRun(t, job, set, used)
	warm := set
	warm.SaveWarmup = true
	for name, c := range map[string]struct {
		rec  mcmc.Recorder
		set  mcmc.Settings
		want string
	}{
		"fewer chains in memory":  {memory(t, job, two), set, "for 2 chains, and the run has 4"},
		"fewer chains in a trace": {trace, set, "for 2 chains, and the run has 4"},
		"fewer chains in a store": {stored(draws.Layout{Chains: 2, Posterior: job.Variables()}), set, "for 2 chains, and the run has 4"},
		"other variables":         {memory(t, fewer, set), set, "keeps the variables"},
		"no warm-up":              {stored(draws.Layout{Chains: 4, Posterior: job.Variables()}), warm, "Layout.SaveWarmup"},
		"draws of another run":    {used, set, "holds 10 draws of chain 1"},
	} {
		if _, err := mcmc.Run(bg, counted, c.set, c.rec, nil); err == nil || !strings.Contains(err.Error(), c.want) || steps > 0 {
			t.Errorf("%s: %v after %d steps, want an error with %q", name, err, steps, c.want)
		}
	}
}

type hidden struct {
	At    int
	cache float64
}

var _ = hidden{cache: 1} // the field is there to be found

type deep struct{ Parts []map[string]*hidden }

type hook struct{ Do func() }

type marshalled struct{ at int }

func (s *marshalled) MarshalBinary() ([]byte, error) { return []byte{byte(s.at)}, nil }

func (s *marshalled) UnmarshalBinary(b []byte) error { s.at = int(b[0]); return nil }

func statesOf[X any](x X) error {
	_, err := mcmc.NewStates(mcmc.States[X]{
		Init:  func(int, *rand.Rand) (*mcmc.State[X], error) { return &mcmc.State[X]{X: x}, nil },
		Move:  func(int) (mcmc.Kernel[*mcmc.State[X]], error) { return nothing[X]{}, nil },
		Named: []draws.Variable{{Name: "x"}}, Write: func(X, []float64) {},
	}, mcmc.Settings{Dir: "checkpoints"})
	return err
}

type nothing[X any] struct{}

func (nothing[X]) Step(*mcmc.State[X], *rand.Rand) mcmc.Info { return mcmc.Info{} }

// A state of which a checkpoint would lose a part is refused, though gob would write the rest.
func TestStatesLost(t *testing.T) {
	for want, err := range map[string]error{
		"mcmc_test.hidden.cache is not exported":             statesOf(hidden{At: 1}),
		"mcmc_test.deep.Parts.cache is not exported":         statesOf(&deep{}),
		"mcmc_test.hook.Do is a func":                        statesOf(hook{}),
		"struct { mcmc_test.hidden }.hidden is not exported": statesOf(struct{ hidden }{}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	for _, err := range []error{statesOf(lattice{}), statesOf(marshalled{1}), statesOf(&marshalled{1}), statesOf([]struct{ A *marshalled }{{&marshalled{2}}}), statesOf(3)} {
		if err != nil {
			t.Error(err)
		}
	}
}
