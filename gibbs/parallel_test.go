package gibbs

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// A triangle with a tail, all of it, with an observed node, and with colours given: the
// parallel scan leaves the field invariant and reaches all of it. It is not reversible.
func TestParallelExact(t *testing.T) {
	b := must(Undirected(5, pairs([2]int{0, 1}, [2]int{1, 2}, [2]int{2, 0}, [2]int{2, 3}, [2]int{3, 4})))
	m := ising{b, 0.7}
	f := kerneltest.Finite[[]int8]{
		LogWeight: make([]float64, 1<<5),
		State: func(k int) []int8 {
			s := make([]int8, 5)
			for i := range s {
				s[i] = int8(k>>i&1)*2 - 1
			}
			return s
		},
		Index: func(s []int8) int {
			k := 0
			for i, v := range s {
				k |= int(v+1) / 2 << i
			}
			return k
		},
	}
	for _, set := range []ParallelSettings{
		{},
		{Colours: []int{0, 1, 2, 0, 4}},
		{Observed: []int{2, 4}},
		{Observed: []int{2}, Colours: []int{0, 1, 0, 0, 1}},
		{Colours: []int{0, 1, Fixed, 0, 1}},
	} {
		for k := range f.LogWeight {
			s := f.State(k)
			f.LogWeight[k] = m.logWeight(s)
			for i := range s {
				fixed := slices.Contains(set.Observed, i) || set.Colours != nil && set.Colours[i] == Fixed
				if fixed && s[i] < 0 {
					f.LogWeight[k] = math.Inf(-1)
				}
			}
		}
		set.Blankets = b
		f.Kernel = must(NewParallel(m, set))
		if err := kerneltest.Exact(f, kerneltest.Settings{}); err != nil {
			t.Errorf("%+v: %v", set, err)
		}
		if err := kerneltest.Reaches(f, 31, kerneltest.Settings{Steps: 40, Replicates: 5000}); err != nil {
			t.Errorf("%+v: %v", set, err)
		}
	}
}

// A chain of spins long enough for several blocks a colour has a law that can be drawn from:
// each spin agrees with the one before with probability 1/(1 + e^(−2 strength)).
// Two threads leave it invariant. Statistics reach across blocks and colours.
func TestParallelInvariant(t *testing.T) {
	if testing.Short() {
		t.Skip("takes most of a minute under the race detector, for which TestThreads is enough")
	}
	const n, strength = 5 * blockSize, 0.4
	b := must(Undirected(n, grid(1, n)))
	k := must(NewParallel(ising{b, strength}, ParallelSettings{Blankets: b, Threads: 2}))
	if k.Colours() != 2 || k.colours[1].blocks() < 2 {
		t.Fatalf("%d colours, %d blocks", k.Colours(), k.colours[1].blocks())
	}
	agree := 1 / (1 + math.Exp(-2*strength))
	target := kerneltest.Sampled[[]int8]{
		Draw: func(r *rand.Rand) []int8 {
			s := make([]int8, n)
			s[0] = int8(2*r.IntN(2) - 1)
			for i := 1; i < n; i++ {
				s[i] = s[i-1]
				if r.Float64() >= agree {
					s[i] = -s[i-1]
				}
			}
			return s
		},
		Kernel: k,
		Stats: func(s []int8) []float64 {
			near, far, sum := 0, 0, 0
			for i := range s {
				sum += int(s[i])
				if i > 0 {
					near += int(s[i] * s[i-1])
				}
				// A stream shared by two blocks would make their spins equal.
				if i >= 2*blockSize {
					far += int(s[i] * s[i-2*blockSize])
				}
			}
			return []float64{float64(near), float64(far), float64(sum)}
		},
	}
	if err := kerneltest.Invariant(target, kerneltest.Settings{Replicates: 2000, Steps: 3}); err != nil {
		t.Error(err)
	}
}

// sweeps makes steps on a grid of some blocks and returns a hash of the state.
func sweeps(threads, steps int, observed ...int) uint64 {
	const side = 120
	b := must(Undirected(side*side, grid(side, side)))
	k := must(NewParallel(ising{b, 0.4}, ParallelSettings{Blankets: b, Observed: observed, Threads: threads}))
	s := make([]int8, side*side)
	for i := range s {
		s[i] = 1
	}
	r, h := rand.New(rand.NewPCG(7, 7)), fnv.New64a()
	for range steps {
		k.Step(s, r)
	}
	for _, v := range s {
		h.Write([]byte{byte(v)})
	}
	return h.Sum64()
}

func TestThreads(t *testing.T) {
	want := sweeps(1, 20)
	for _, threads := range []int{0, 2, 3, 7, 1000} {
		if got := sweeps(threads, 20); got != want {
			t.Errorf("%d threads make other draws than one", threads)
		}
	}
	if sweeps(2, 21) == want || sweeps(2, 20, 17) == want {
		t.Error("the hash does not see the draws")
	}
}

// Frozen draws: block size, streams and colouring are part of what a seed means.
func TestGolden(t *testing.T) {
	if got, want := fmt.Sprintf("%x", sweeps(2, 20)), "ba00aeeb046b0adb"; got != want {
		t.Errorf("the state hashes to %s, not %s: draws have changed", got, want)
	}
}

// Streams of neighbouring blocks, and those of neighbouring steps, start unlike: their first
// numbers are uncorrelated at lags 1 to 3, within 5.3 standard errors (1e-7 each).
func TestNames(t *testing.T) {
	const n = 100_000
	for _, next := range []func(i uint64) (uint64, uint64){
		func(i uint64) (uint64, uint64) { return name(3, 4, i) },
		func(i uint64) (uint64, uint64) { return name(i, 4, 5) },
		func(i uint64) (uint64, uint64) { return name(3, i, 5) },
	} {
		u, seen := make([]float64, n), map[[2]uint64]bool{}
		for i := range u {
			a, b := next(uint64(i))
			seen[[2]uint64{a, b}] = true
			u[i] = rand.New(rand.NewPCG(a, b)).Float64() - 0.5
		}
		if len(seen) != n {
			t.Errorf("%d names for %d streams", len(seen), n)
		}
		for lag := 0; lag <= 3; lag++ {
			sum := 0.0
			for i := range n - lag {
				sum += 12 * u[i] * u[i+lag]
			}
			se := 1.0 // of a product of two uniforms of variance 1/12, in units of 1/12
			if lag == 0 {
				sum, se = sum-n, math.Sqrt(0.8) // 144 (1/80 − 1/144)
			}
			if math.Abs(sum) > 5.3*se*math.Sqrt(n) {
				t.Errorf("lag %d: correlation %v", lag, sum/n)
			}
		}
	}
}

// A panic while drawing comes out of Step, whichever goroutine met it, and leaves no goroutine
// behind; the sampler goes on after it.
func TestPanic(t *testing.T) {
	const n = 8 * blockSize
	b := must(Undirected(n, pairs()))
	before := runtime.NumGoroutine()
	for _, bad := range []int{0, n - 1} {
		broken := true
		k := must(NewParallel(Func[[]int8](func(s []int8, i int, _ *rand.Rand) {
			if i == bad && broken {
				panic("no such law")
			}
			s[i]++
		}), ParallelSettings{Blankets: b, Threads: 2}))
		s, r := make([]int8, n), rand.New(rand.NewPCG(8, 8))
		func() {
			defer func() {
				if p := fmt.Sprint(recover()); !strings.Contains(p, "no such law") || !strings.Contains(p, "parallel_test.go") {
					t.Errorf("recovered %v", p)
				}
			}()
			k.Step(s, r)
		}()
		broken = false
		clear(s)
		k.Step(s, r)
		if slices.Min(s) != 1 || slices.Max(s) != 1 {
			t.Error("after a panic not every node is drawn once")
		}
	}
	if after := runtime.NumGoroutine(); after > before+2 { // an exit may be under way
		t.Errorf("%d goroutines, %d before", after, before)
	}
}

func TestParallelRefuses(t *testing.T) {
	b := must(Undirected(3, pairs([2]int{0, 1}, [2]int{1, 2})))
	m := ising{b, 1}
	for _, bad := range []struct {
		set  ParallelSettings
		want string
	}{
		{ParallelSettings{}, "Markov blankets"},
		{ParallelSettings{Blankets: b, Threads: -1}, "threads = -1"},
		{ParallelSettings{Blankets: b, Observed: []int{7}}, "observed node 7"},
		{ParallelSettings{Blankets: b, Observed: []int{0, 1, 2}}, "all 3 nodes"},
		{ParallelSettings{Blankets: b, Colours: []int{0, 1}}, "2 colours for 3"},
		{ParallelSettings{Blankets: b, Colours: []int{}}, "0 colours for 3"},
		{ParallelSettings{Blankets: b, Colours: []int{0, 1, 1}}, "nodes 1 and 2"},
		{ParallelSettings{Blankets: b, Colours: []int{0, 1, 0}, Observed: []int{-1}}, "observed node -1"},
		{ParallelSettings{Blankets: b, Colours: []int{Fixed, 0, Fixed}, Observed: []int{1}}, "all 3 nodes"},
	} {
		if _, err := NewParallel(m, bad.set); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%+v: got %v, want an error with %q", bad.set, err, bad.want)
		}
	}
	if _, err := NewParallel[int](nil, ParallelSettings{Blankets: b}); err == nil {
		t.Error("no conditional is accepted")
	}
}

func TestParallelAllocations(t *testing.T) {
	const n = 8 * blockSize
	b := must(Undirected(n, grid(1, n)))
	for _, threads := range []int{1, 2, 4} {
		k := must(NewParallel(ising{b, 0.3}, ParallelSettings{Blankets: b, Threads: threads}))
		s, r := make([]int8, n), rand.New(rand.NewPCG(9, 9))
		if n := testing.AllocsPerRun(100, func() { k.Step(s, r) }); n != 0 {
			t.Errorf("%d threads: %v allocations a step", threads, n)
		}
		// AllocsPerRun leaves one processor; with all, goroutines come and go. The runtime
		// makes a few objects of its own, for goroutines that it has not had before.
		var before, after runtime.MemStats
		const steps = 300
		runtime.ReadMemStats(&before)
		for range steps {
			k.Step(s, r)
		}
		runtime.ReadMemStats(&after)
		if n := after.Mallocs - before.Mallocs; n > steps/10 {
			t.Errorf("%d threads: %d allocations in %d steps", threads, n, steps)
		}
		if info := k.Step(s, r); info != (mcmc.Info{Accepted: true, AcceptProb: 1}) {
			t.Errorf("%+v", info)
		}
	}
}
