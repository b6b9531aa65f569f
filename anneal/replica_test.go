package anneal

import (
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// hop is a walk between five hills, two of which have no lower neighbour.
type hop struct{}

var hills = []float64{0, 1.5, 0.3, 2, -0.5}

func (hop) Size() int                { return 2 }
func (hop) Start(r *rand.Rand) []int { return []int{r.IntN(5)} }
func (hop) Energy(s []int) float64   { return hills[s[0]] }
func (hop) Apply(s []int, by int)    { s[0] = (s[0] + by + 5) % 5 }
func (hop) Copy(to, from []int)      { copy(to, from) }
func (p hop) Propose(s []int, r *rand.Rand) (by int, d float64) {
	by = 2*r.IntN(2) - 1
	return by, hills[(s[0]+by+5)%5] - hills[s[0]]
}

func (p hop) Changes(s []int) iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		for _, by := range []int{-1, 1} {
			if !yield(by, hills[(s[0]+by+5)%5]-hills[s[0]]) {
				return
			}
		}
	}
}

// made is hop that makes changes to propose them.
type made struct{ hop }

func (p made) Propose(s []int, r *rand.Rand) (by int, d float64) {
	by, d = p.hop.Propose(s, r)
	p.Apply(s, by)
	return by, d
}

func (p made) Undo(s []int, by int) { p.Apply(s, -by) }

type sweep[S, M any] float64

func (t sweep[S, M]) Step(w *replica[S, M], r *rand.Rand) mcmc.Info {
	w.Sweep(float64(t), r)
	return mcmc.Info{}
}

// Sweeps at a temperature leave e^{−E/T} invariant and come to it.
func TestSweepsAreMetropolis(t *testing.T) {
	for _, p := range []Problem[[]int, int]{hop{}, made{}} {
		f := kerneltest.Finite[*replica[[]int, int]]{Kernel: sweep[[]int, int](0.8)}
		for _, e := range hills {
			f.LogWeight = append(f.LogWeight, -e/0.8)
		}
		f.State = func(i int) *replica[[]int, int] {
			w := newReplica(p)
			w.begin([]int{i})
			return w
		}
		f.Index = func(w *replica[[]int, int]) int { return w.state[0] }
		if err := kerneltest.Exact(f, kerneltest.Settings{Seed: 1}); err != nil {
			t.Error(err)
		}
		if err := kerneltest.Reaches(f, 1, kerneltest.Settings{Seed: 2, Steps: 40}); err != nil {
			t.Error(err)
		}
	}
}

// The best state is kept whatever way it is left, by sweeps and by climbs.
func TestBestIsKept(t *testing.T) {
	for _, p := range []Problem[[]int, int]{hop{}, made{}} {
		r := rng.New(3, "test").Rand
		for range 200 {
			w := newReplica(p)
			w.Start(r)
			lowest := w.energy
			for range 20 {
				if r.IntN(3) == 0 {
					w.Climb(r.IntN(2) == 0, r)
				} else {
					w.Sweep(2, r)
				}
				lowest = min(lowest, w.energy) // a sweep of two proposals may have met a lower one
				if d := w.energy - p.Energy(w.state); d > 1e-9 || d < -1e-9 {
					t.Fatalf("energy %v of %v", w.energy, w.state)
				}
				if d := w.best - p.Energy(w.lowest()); d > 1e-9 || d < -1e-9 || w.best > lowest {
					t.Fatalf("best %v of %v; %v was met", w.best, w.lowest(), lowest)
				}
			}
		}
	}
}

// A climb goes to the lowest neighbour, or to each of those below.
func TestClimbs(t *testing.T) {
	r := rng.New(4, "test").Rand
	seen := map[int]bool{}
	for range 100 {
		w := newReplica[[]int, int](hop{})
		w.begin([]int{3})
		if looked, made := w.Climb(false, r); looked != 2 || made != 1 || w.state[0] != 4 {
			t.Fatalf("the lowest neighbour of 3 is 4, not %d", w.state[0])
		}
		if _, made := w.Climb(false, r); made != 0 {
			t.Fatal("4 is the lowest of all")
		}
		w.begin([]int{3})
		w.Climb(true, r)
		seen[w.state[0]] = true
	}
	if !seen[2] || !seen[4] {
		t.Errorf("from 3 first climbs come to %v", seen)
	}
}

// Temperatures of a problem follow the scale of its energies.
func TestRangeIsMeasured(t *testing.T) {
	hot, cold := measureRange[[]int, int](hop{}, 1)
	if !(hot > 0.3 && hot < 5 && cold > 0.02 && cold < 1 && cold < hot) {
		t.Errorf("from %v to %v for steps of 0.5 to 2.5", hot, cold)
	}
}

// Schedules begin and end where they are asked to, and fall between.
func TestSchedules(t *testing.T) {
	for k := range kindNames {
		s := Schedule{Kind: Kind(k), Hot: 8, Cold: 0.5, List: []float64{8, 4, 0.5}}
		var all []float64
		for i := range 101 {
			all = append(all, s.Temperature(float64(i)/100, 101))
		}
		if all[0] != 8 || all[100] > 0.5000001 || all[100] < 0.4999999 || !slices.IsSortedFunc(all, func(a, b float64) int {
			if a < b {
				return 1
			}
			return -1
		}) && s.Kind != Custom {
			t.Errorf("%v: %v", s.Kind, all)
		}
	}
	half := map[Kind]float64{Geometric: 2, Linear: 4.25, LinearBeta: 1 / (0.5 * (1./8 + 2)), Custom: 4}
	for k, want := range half {
		s := Schedule{Kind: k, Hot: 8, Cold: 0.5, List: []float64{8, 4, 0.5}}
		if got := s.Temperature(0.5, 101); got < want*(1-1e-12) || got > want*(1+1e-12) {
			t.Errorf("%v: %v half way; %v", k, got, want)
		}
	}
}
