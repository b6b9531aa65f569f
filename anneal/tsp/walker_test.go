package tsp

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/rng"
)

var (
	_ anneal.Instance   = (*Problem)(nil)
	_ anneal.Walker     = (*Walker)(nil)
	_ anneal.Thresholds = (*Walker)(nil)
	_ anneal.Climbs     = (*Walker)(nil)
)

func testStream(seed uint64) *rand.Rand { return rng.New(seed, "tsp test").Rand }

// scattered is a problem of n cities with small integers as coordinates, many of them twice, in clusters.
func scattered(t testing.TB, n int, kind string) *Problem {
	t.Helper()
	r := testStream(uint64(n))
	text := fmt.Appendf(nil, "DIMENSION: %d\nEDGE_WEIGHT_TYPE: %s\nNODE_COORD_SECTION\n", n, kind)
	for i := range n {
		text = fmt.Appendf(text, "%d %d %d\n", i+1, 1000*r.IntN(4)+r.IntN(50), 1000*r.IntN(3)+r.IntN(200))
	}
	p, err := Read("scattered", text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// annealed lets the temperature fall geometrically.
func annealed(p *Problem, w *Walker, sweeps int, r *rand.Rand) {
	hot, cold := p.Temperatures()
	for k := range sweeps {
		w.Sweep(hot*vec.Exp(float64(k)/float64(sweeps)*vec.Log(cold/hot)), r)
	}
}

// Lists of near cities are those that all distances give.
func TestNearCities(t *testing.T) {
	for _, n := range []int{5, 17, 150, 700} {
		p := scattered(t, n, "EUC_2D")
		l, err := p.landscape()
		if err != nil {
			t.Fatal(err)
		}
		for i := range int32(n) {
			var distances []float64
			for j := range int32(n) {
				if j != i {
					dx, dy := p.x[l.city[i]]-p.x[l.city[j]], p.y[l.city[i]]-p.y[l.city[j]]
					distances = append(distances, dx*dx+dy*dy)
				}
			}
			slices.Sort(distances)
			row := l.near[int(i)*l.width : (int(i)+1)*l.width]
			seen := map[int32]bool{i: true}
			for k, f := range row {
				dx, dy := p.x[l.city[i]]-p.x[l.city[f.city]], p.y[l.city[i]]-p.y[l.city[f.city]]
				if k < l.width/2 && dx*dx+dy*dy != distances[k] {
					t.Fatalf("%d cities: number %d near %d is at a squared distance of %v, not %v", n, k, i, dx*dx+dy*dy, distances[k])
				}
				if seen[f.city] || int64(f.distance) != p.Distance(int(l.city[i]), int(l.city[f.city])) {
					t.Fatalf("%d cities: %v near %d", n, row, i)
				}
				seen[f.city] = true
			}
		}
	}
}

// Solutions and states are those that were set, begun with city 0; threshold accepting goes no higher than the threshold at a time.
func TestSetAndThresholds(t *testing.T) {
	p := small(t)["6 of a matrix"]
	w := walker(t, p)
	if err := w.Set(0, []float64{3, 1, 0, 5, 2, 4}); err != nil {
		t.Fatal(err)
	}
	if want := []float64{0, 1, 3, 4, 2, 5}; !slices.Equal(w.State(0), want) || !slices.Equal(w.Solution(0), want) {
		t.Errorf("%v and %v, not %v", w.State(0), w.Solution(0), want)
	}
	if err := w.Set(0, []float64{3, 1, 0, 5, 2, 3}); err == nil || err.Error() != "tsp: city 3 is in the tour twice" {
		t.Error(err)
	}
	r, rises := testStream(9), map[int64]int{}
	for range 2000 {
		was := w.length
		w.propose(kind(r.IntN(8)), 2, 3, rule{beta: math.Inf(1), threshold: 3}, streams.From(r).Stream(0))
		rises[w.length-was]++
	}
	most := int64(0)
	for d := range rises {
		most = max(most, d)
	}
	if most != 3 {
		t.Errorf("the length rises by %d where the threshold is 3: %v", most, rises)
	}
	if _, accepted := w.SweepThreshold(1e9, r); accepted == 0 {
		t.Error("nothing is accepted below a threshold of a billion")
	}
}

// Each climb makes the tour shorter by what it says, until no change does.
func TestClimb(t *testing.T) {
	for name, p := range small(t) {
		for _, tour := range tours(p.n) {
			for _, first := range []bool{false, true} {
				w, r := walker(t, p), testStream(10)
				copy(w.tour, tour)
				w.adopt()
				for {
					was := w.length
					looked, made := w.Climb(first, r)
					if err := sound(p, w); err != nil || looked == 0 {
						t.Fatal(name, looked, err)
					}
					if made == 0 && w.length == was {
						break
					}
					if made != 1 || w.length >= was {
						t.Fatalf("%s: %d changes made a length of %d of %d", name, made, w.length, was)
					}
				}
			}
		}
	}
	p := scattered(t, 300, "EUC_2D")
	var ends [2]int64
	for k, first := range []bool{false, true} {
		w, r := walker(t, p), testStream(11)
		w.Start(r)
		began := w.length
		for made := int64(1); made > 0; {
			_, made = w.Climb(first, r)
		}
		if err := sound(p, w); err != nil || w.length > began*95/100 {
			t.Errorf("first %v: from %d to %d: %v", first, began, w.length, err)
		}
		ends[k] = w.length
	}
	if ends[0] == ends[1] {
		t.Error("the best changes and the first ones lead to the same tour")
	}
}

// Every city whose quadrant has others is in a list with some of them: the tree's answer is that of a look at all.
func TestQuadrants(t *testing.T) {
	p := scattered(t, 300, "EUC_2D")
	tree := newKDTree(p.x, p.y)
	for of := range int32(300) {
		total := 0
		for q := range 4 {
			s := search{t: tree, of: of, quadrant: q, most: 300}
			found := s.nearest()
			total += len(found)
			for _, f := range found {
				dx, dy := p.x[f.city]-p.x[of], p.y[f.city]-p.y[of]
				if in := [4]bool{dx > 0 && dy >= 0, dx <= 0 && dy > 0, dx < 0 && dy <= 0, dx >= 0 && dy < 0}; !in[q] {
					t.Fatalf("city %d at (%v, %v) from %d is said to be in quadrant %d", f.city, dx, dy, of, q)
				}
			}
		}
		elsewhere := 0
		for i := range p.n {
			if p.x[i] != p.x[of] || p.y[i] != p.y[of] {
				elsewhere++
			}
		}
		if total != elsewhere {
			t.Fatalf("the quadrants of %d have %d cities, and %d are elsewhere", of, total, elsewhere)
		}
	}
}

// Walkers of every kind of distances keep their lengths.
func TestWalkersAreSound(t *testing.T) {
	for _, kind := range []string{"EUC_2D", "CEIL_2D", "ATT", "MAN_2D", "MAX_2D"} {
		for _, n := range []int{3, 4, 5, 9, 100, 400} {
			p := scattered(t, n, kind)
			w, r := walker(t, p), testStream(3)
			w.Start(r)
			for range 5 {
				annealed(p, w, 20, r)
				if err := sound(p, w); err != nil {
					t.Fatalf("%s, %d cities: %v", kind, n, err)
				}
			}
		}
	}
}

// A walker read back, and one that is a copy, go on as the first does.
func TestBytesAndCopies(t *testing.T) {
	p := scattered(t, 200, "EUC_2D")
	w, r := walker(t, p), testStream(4)
	w.Start(r)
	annealed(p, w, 50, r)
	b, err := w.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	read, twin := walker(t, p), walker(t, p)
	if err := read.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	twin.Copy(0, w, 0)
	hot, _ := p.Temperatures()
	for _, o := range []*Walker{w, read, twin} {
		s := testStream(5)
		for range 10 {
			o.Sweep(hot/3, s)
		}
	}
	for _, o := range []*Walker{read, twin} {
		if !slices.Equal(o.tour, w.tour) || o.length != w.length || o.Best(0) != w.Best(0) || !slices.Equal(o.Solution(0), w.Solution(0)) {
			t.Errorf("lengths %d and %d, bests %v and %v", o.length, w.length, o.Best(0), w.Best(0))
		}
	}
	for _, bad := range [][]byte{nil, b[:len(b)/2], []byte("no")} {
		if err := read.UnmarshalBinary(bad); err == nil {
			t.Errorf("%d bytes are read", len(bad))
		}
	}
	other := walker(t, scattered(t, 199, "EUC_2D"))
	if err := other.UnmarshalBinary(b); err == nil || err.Error() != "tsp: the walker's state is not a tour of this problem" {
		t.Error(err)
	}
}

func TestSweepAllocatesNothing(t *testing.T) {
	p := scattered(t, 500, "EUC_2D")
	w, r := walker(t, p), testStream(6)
	w.Start(r)
	hot, _ := p.Temperatures()
	if a := testing.AllocsPerRun(20, func() { w.Sweep(hot/2, r) }); a != 0 {
		t.Errorf("%v allocations a sweep", a)
	}
}

// Reads begin with different tours, better than random ones.
func TestStartsDiffer(t *testing.T) {
	p := scattered(t, 400, "EUC_2D")
	w, lengths := walker(t, p), map[int64]bool{}
	for seed := range uint64(20) {
		w.Start(testStream(seed))
		lengths[w.length] = true
		if err := sound(p, w); err != nil {
			t.Fatal(err)
		}
	}
	if len(lengths) < 19 {
		t.Errorf("%d lengths of 20 starts", len(lengths))
	}
}

// Short runs find the published optima of small problems of every kind of distances.
func TestOptimaOfSharedProblems(t *testing.T) {
	best := optimal(t)
	for _, name := range []string{"burma14", "ulysses16", "gr17", "gr21", "ulysses22", "gr24", "bayg29", "bays29", "att48", "berlin52", "pr76", "gr96", "kroA100"} {
		p := sharedProblem(t, name)
		w := walker(t, p)
		for seed := range uint64(10) {
			r := testStream(seed)
			w.Start(r)
			annealed(p, w, 1_000_000/p.n, r)
			length, err := p.Evaluate(w.Solution(0))
			if err != nil || int64(length) < best[name] {
				t.Fatalf("%s: a tour of %v, and the optimum is %d: %v", name, length, best[name], err)
			}
			if int64(length) == best[name] {
				break
			}
			if seed == 9 {
				t.Errorf("%s: %v, not %d", name, length, best[name])
			}
		}
	}
}

// A lattice's temperatures are near a fifth and a twentieth of its mean edge; where clusters make the mean, the first is higher and the last lower.
func TestTemperatures(t *testing.T) {
	text := "DIMENSION: 60\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n"
	even, clusters, twins := text, text, text
	for i := range 60 {
		even += fmt.Sprintf("%d %d %d\n", i+1, 10*(i%10), 10*(i/10))
		clusters += fmt.Sprintf("%d %d %d\n", i+1, i%10, 300*(i/10))
		twins += fmt.Sprintf("%d %d 0\n", i+1, 1000*(i/30))
	}
	ratio := func(text string) (hot, cold, mean float64) {
		p, err := Read("temperatures", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		w := walker(t, p)
		w.Start(rng.New(0, "tsp temperatures").Rand)
		hot, cold = p.Temperatures()
		return hot, cold, float64(w.length) / 60
	}
	if hot, cold, mean := ratio(even); hot < 0.2*mean || hot > 0.3*mean || cold != 0.05*mean { // the median is 10, the mean at most half as much again
		t.Errorf("a lattice: from %v to %v where the mean edge is %v", hot, cold, mean)
	}
	for name, text := range map[string]string{"clusters": clusters, "twins": twins} { // the median is 1, or 0
		if hot, cold, mean := ratio(text); math.Abs(hot/mean-1.2) > 1e-9 || math.Abs(cold/mean-0.1/6) > 1e-9 {
			t.Errorf("%s: from %v to %v where the mean edge is %v", name, hot, cold, mean)
		}
	}
	if hot, cold := small(t)["5 in one place"].Temperatures(); hot < cold || cold <= 0 {
		t.Errorf("one place: from %v to %v", hot, cold)
	}
}

// Tours for a seed do not change, nor depend on the machine. The values are what the kernels drew when the conformance suite had passed them.
func TestGoldenTours(t *testing.T) {
	for kind, want := range map[string]string{
		"EUC_2D 150":  "f0f0e43df7fd7124 15304",
		"EUC_2D 400":  "aeaab005e4cced87 17895",
		"CEIL_2D 400": "c851680d611bddab 19341",
		"ATT 400":     "0b1ac99adc8525f3 5949",
	} {
		var name string
		var n int
		if _, err := fmt.Sscan(kind, &name, &n); err != nil {
			t.Fatal(err)
		}
		p := scattered(t, n, name)
		w, r, hash := walker(t, p), testStream(7), fnv.New64a()
		w.Start(r)
		for range 5 {
			fmt.Fprint(hash, w.tour)
			annealed(p, w, 40, r)
		}
		if got := fmt.Sprintf("%016x %v", hash.Sum64(), w.Best(0)); got != want {
			t.Errorf("%q: %q,", kind, got)
		}
	}
}

func BenchmarkSweep(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := scattered(b, n, "EUC_2D")
			w, r := walker(b, p), testStream(8)
			w.Start(r)
			hot, cold := p.Temperatures()
			for range 100 {
				w.Sweep(cold, r)
			}
			for b.Loop() {
				w.Sweep(hot/5, r)
			}
			b.ReportMetric(float64(b.N)*float64(n)/b.Elapsed().Seconds()/1e6, "Mproposals/s")
		})
	}
}
