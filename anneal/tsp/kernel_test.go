package tsp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/anneal/annealtest"
	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// sweeps is a walker as a kernel, of all proposals or of one kind at one city.
type sweeps struct {
	temperature float64
	kind        kind // negative: all
}

func (k sweeps) Step(w *Walker, r *rand.Rand) mcmc.Info {
	if k.kind < 0 {
		w.Sweep(k.temperature, r)
	} else {
		w.propose(k.kind, 1, 2, rule{beta: 1 / k.temperature}, streams.From(r).Stream(0))
	}
	return mcmc.Info{}
}

// tours are all tours of n cities, as order has them.
func tours(n int) (all [][]int32) {
	var grow func(tour []int32)
	grow = func(tour []int32) {
		if len(tour) == n {
			if tour[1] < tour[n-1] {
				all = append(all, slices.Clone(tour))
			}
			return
		}
		for c := int32(1); c < int32(n); c++ {
			if !slices.Contains(tour, c) {
				grow(append(tour, c))
			}
		}
	}
	grow([]int32{0})
	return all
}

// small are problems whose tours are few: cities in the plane, in one place, in clusters, and matrices that are no distances.
func small(t testing.TB) map[string]*Problem {
	t.Helper()
	texts := map[string]string{
		"4 in the plane": "DIMENSION: 4\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 0\n3 1 2\n4 5 5",
		"5 in the plane": "DIMENSION: 5\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 0\n3 1 2\n4 5 5\n5 2 4",
		"5 in one place": "DIMENSION: 5\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 1 1\n2 1 1\n3 1 1\n4 1 1\n5 1 1",
		"6 of a matrix":  "DIMENSION: 6\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 -2 3 0 9 4 4 0 1 -5 7 2 2 1 3",
		"6, two twice":   "DIMENSION: 6\nEDGE_WEIGHT_TYPE: CEIL_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 0\n3 3 0\n4 0 0\n5 2 4\n6 1 1",
		"7 in clusters":  "DIMENSION: 7\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 1 0\n3 0 1\n4 1 1\n5 6 0\n6 6 1\n7 7 0",
	}
	problems := map[string]*Problem{}
	for name, text := range texts {
		p, err := Read(name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		problems[name] = p
	}
	return problems
}

// finite is the density e^{−length/T} over all tours, their lengths by Problem.Length.
func finite(t testing.TB, p *Problem, k sweeps) kerneltest.Finite[*Walker] {
	t.Helper()
	all := tours(p.n)
	f := kerneltest.Finite[*Walker]{Kernel: k}
	index := map[uint64]int{}
	for i, tour := range all {
		length, err := p.Length(problemTour(t, p, tour))
		if err != nil {
			t.Fatal(err)
		}
		f.LogWeight = append(f.LogWeight, -float64(length)/k.temperature)
		index[key(tour)] = i
	}
	f.State = func(i int) *Walker {
		w := walker(t, p)
		copy(w.tour, all[i])
		w.adopt()
		return w
	}
	f.Index = func(w *Walker) int {
		if i, ok := index[key(order(w.tour))]; ok {
			return i
		}
		return -1
	}
	f.Check = func(w *Walker) error { return sound(p, w) }
	return f
}

// key tells tours of up to 8 cities apart.
func key(tour []int32) (k uint64) {
	for _, c := range tour {
		k = k<<3 | uint64(c)
	}
	return k
}

// problemTour is a tour in the problem's numbers.
func problemTour(t testing.TB, p *Problem, tour []int32) []int {
	l, err := p.landscape()
	if err != nil {
		t.Fatal(err)
	}
	cities := make([]int, len(tour))
	for i, c := range tour {
		cities[i] = int(l.city[c])
	}
	return cities
}

func walker(t testing.TB, p *Problem) *Walker {
	t.Helper()
	w, err := p.Walker()
	if err != nil {
		t.Fatal(err)
	}
	return w.(*Walker)
}

// sound says whether a walker's lengths are those of its tours.
func sound(p *Problem, w *Walker) error {
	for i, c := range w.tour {
		if w.at[c] != int32(i) {
			return fmt.Errorf("city %d is at %d, and said to be at %d", c, i, w.at[c])
		}
	}
	if length := w.measure(w.tour); length != w.length {
		return fmt.Errorf("the length is %d, and said to be %d", length, w.length)
	}
	best, err := p.Evaluate(w.Solution(0))
	if err == nil && (best != w.Best(0) || best > w.Energy(0)) {
		err = fmt.Errorf("the best is %v, said to be %v, of a tour of %v", best, w.Best(0), w.Energy(0))
	}
	return err
}

// Each of the 5 × 6 × 2 checks fails a right kernel with probability 1e-8 at most.
func TestKernelsLeaveTheirDensityInvariant(t *testing.T) {
	set := kerneltest.Settings{Seed: 14, Replicates: 60_000, Alpha: 1e-8}
	for name, p := range small(t) {
		for _, temperature := range []float64{0.7, 3} {
			t.Run(fmt.Sprintf("%s at %v", name, temperature), func(t *testing.T) {
				t.Parallel()
				if err := kerneltest.Exact(finite(t, p, sweeps{temperature, -1}), set); err != nil {
					t.Error(err)
				}
				for _, k := range []kind{0, 4, 7} {
					if err := kerneltest.DetailedBalance(finite(t, p, sweeps{temperature, k}), set); err != nil {
						t.Errorf("kind %d: %v", k, err)
					}
				}
				if !strings.Contains(name, "one place") && temperature < 1 {
					return
				}
				long := set
				long.Steps, long.Replicates = 60, 5000
				if err := kerneltest.Reaches(finite(t, p, sweeps{temperature, -1}), 0, long); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// At an infinite temperature every tour is as probable; at 0 the length does not rise, and tours of 4 cities end at the least.
func TestExtremeTemperatures(t *testing.T) {
	set := kerneltest.Settings{Seed: 15, Replicates: 40_000}
	p := small(t)["6 of a matrix"]
	f := finite(t, p, sweeps{math.Inf(1), -1})
	if err := kerneltest.Exact(f, set); err != nil {
		t.Error(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for name, p := range small(t) {
		for i, tour := range tours(p.n) {
			w := walker(t, p)
			copy(w.tour, tour)
			w.adopt()
			for range 40 {
				was := w.length
				if w.Sweep(0, r); w.length > was {
					t.Fatalf("%s: from tour %d the length rises from %d to %d at temperature 0", name, i, was, w.length)
				}
			}
			if err := sound(p, w); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The suite of the engine, too.
func TestStationary(t *testing.T) {
	p := small(t)["7 in clusters"]
	var all [][]float64
	for _, tour := range tours(p.n) {
		one := make([]float64, p.n)
		for i, c := range tour {
			one[i] = float64(c)
		}
		all = append(all, one)
	}
	if err := annealtest.Stationary(p, all, 4, kerneltest.Settings{Seed: 16}); err != nil {
		t.Error(err)
	}
}
