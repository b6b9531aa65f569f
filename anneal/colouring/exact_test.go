package colouring

import (
	"fmt"
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/anneal/annealtest"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/rng"
)

func graph(t testing.TB, n int, edges ...[2]int32) *Graph {
	t.Helper()
	g, err := NewGraph(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// random joins each two nodes with a probability.
func random(t testing.TB, n int, p float64, seed uint64) *Graph {
	r := rng.New(seed, "colouring graph").Rand
	var edges [][2]int32
	for u := range int32(n) {
		for v := range u {
			if r.Float64() < p {
				edges = append(edges, [2]int32{u, v})
			}
		}
	}
	return graph(t, n, edges...)
}

func problem(t testing.TB, g *Graph, k int) *Problem {
	t.Helper()
	p, err := g.Colours(k)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func walkerOf(p *Problem) *walker { return newWalker(p) }

// colourings are all of n nodes in k colours.
func colourings(n, k int) (all [][]float64) {
	if n == 0 {
		return [][]float64{{}}
	}
	for _, rest := range colourings(n-1, k) {
		for c := range k {
			all = append(all, append([]float64{float64(c)}, rest...))
		}
	}
	return all
}

// Sweeps leave e^{−E/T} invariant over all colourings, and come to it: without edges, with every edge, with one colour, and two, where chains may go back
// and forth. False alarms: 10⁻⁶ each.
func TestStationary(t *testing.T) {
	triangle := graph(t, 4, [2]int32{0, 1}, [2]int32{1, 2}, [2]int32{2, 0}, [2]int32{2, 3}, [2]int32{1, 0})
	for _, c := range []struct {
		g *Graph
		k int
	}{{triangle, 2}, {triangle, 3}, {graph(t, 2), 2}, {graph(t, 3, [2]int32{0, 2}), 1}, {random(t, 5, 1, 1), 2}, {random(t, 4, 1, 1), 4}} {
		for _, temperature := range []float64{0.4, 1.5, 1e9} {
			set := kerneltest.Settings{Seed: 1, Steps: 60, Replicates: 4000}
			if err := annealtest.Stationary(problem(t, c.g, c.k), colourings(c.g.Nodes(), c.k), temperature, set); err != nil {
				t.Errorf("%d nodes, %d colours, T = %v: %v", c.g.Nodes(), c.k, temperature, err)
			}
		}
	}
}

// A star whose centre has 80 neighbours: a change of the centre may add more conflicts than the table of probabilities has. One that adds
// 80 edges is accepted with probability e^{−80/T}.
func TestManyConflictsAtOnce(t *testing.T) {
	var edges [][2]int32
	for v := range int32(80) {
		edges = append(edges, [2]int32{80, v})
	}
	p := problem(t, graph(t, 81, edges...), 2)
	const temperature = 30.
	w, r := walkerOf(p), rng.New(2, "colouring star").Rand
	jumps, tried := 0, 0
	x := make([]float64, 81) // the leaves have one colour, the centre the other
	x[80] = 1
	for range 20000 {
		if err := w.Set(0, x); err != nil {
			t.Fatal(err)
		}
		w.cool(temperature)
		if tried++; r.Float64() < w.probability(80) {
			jumps++
		}
	}
	want := math.Exp(-80 / temperature)
	if d := float64(jumps)/float64(tried) - want; math.Abs(d) > 5*math.Sqrt(want*(1-want)/float64(tried)) { // 6·10⁻⁷
		t.Errorf("%d of %d, and %v expected", jumps, tried, want)
	}
}

func TestZeroTemperature(t *testing.T) {
	for _, k := range []int{1, 2, 5} {
		w, r := walkerOf(problem(t, random(t, 40, 0.3, 3), k)), rng.New(3, "colouring zero").Rand
		w.Start(r)
		for range 100 {
			before := w.Energy(0)
			if w.Sweep(0, r); w.Energy(0) > before || w.Best(0) != w.Energy(0) {
				t.Fatalf("from %v to %v, best %v", before, w.Energy(0), w.Best(0))
			}
		}
	}
}

func TestClimb(t *testing.T) {
	for _, first := range []bool{false, true} {
		p := problem(t, random(t, 30, 0.5, 4), 4)
		w, r := walkerOf(p), rng.New(4, "colouring climb").Rand
		w.Start(r)
		for {
			if looked, made := w.Climb(first, r); made == 0 {
				if looked != 90 {
					t.Errorf("%d changes of 90", looked)
				}
				break
			}
		}
		x := w.State(0)
		low, _ := p.Evaluate(x)
		for v, was := range x {
			for c := range 4 {
				x[v] = float64(c)
				if e, err := p.Evaluate(x); err != nil || e < low {
					t.Errorf("node %d in %d leads from %v to %v", v, c, low, e)
				}
			}
			x[v] = was
		}
	}
}

func TestBytesAndCopies(t *testing.T) {
	p := problem(t, random(t, 25, 0.5, 5), 4)
	w, r := walkerOf(p), rng.New(5, "colouring bytes").Rand
	w.Start(r)
	for range 20 {
		w.Sweep(1, r)
	}
	b, err := w.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	back, twin := walkerOf(p), walkerOf(p)
	if err := back.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	twin.Copy(0, w, 0)
	w.Copy(0, w, 0)
	was := ""
	for i, one := range []*walker{w, back, twin} {
		text, r := "", rng.New(6, "colouring on").Rand
		for range 30 {
			one.Sweep(0.5, r)
			e, err := p.Evaluate(one.Solution(0))
			if err != nil || e != one.Best(0) {
				t.Fatalf("walker %d: best %v, and its solution %v: %v", i, one.Best(0), e, err)
			}
			text += fmt.Sprint(one.Energy(0), one.Best(0), one.State(0), one.Solution(0))
		}
		if i == 0 {
			was = text
		} else if text != was {
			t.Errorf("walker %d goes on otherwise", i)
		}
	}
	other := walkerOf(problem(t, graph(t, 2), 2))
	if back.UnmarshalBinary(b[:len(b)/2]) == nil || other.UnmarshalBinary(b) == nil || other.Set(0, []float64{0, 2}) == nil {
		t.Error("half the bytes, those of another graph, or a colour too many make a walker")
	}
}

func TestSweepDoesNotAllocate(t *testing.T) {
	w, r := walkerOf(problem(t, random(t, 60, 0.5, 6), 8)), rng.New(7, "colouring allocations").Rand
	w.Start(r)
	if n := testing.AllocsPerRun(100, func() { w.Sweep(0.7, r) }); n > 0 {
		t.Errorf("%v allocations a sweep", n)
	}
}

// mycielski is the graph that needs a colour more than a given one and has no larger clique (Mycielski, 1955).
func mycielski(t testing.TB, g *Graph) *Graph {
	n := int32(g.Nodes())
	var edges [][2]int32
	for u := range n {
		for _, v := range g.of(u) {
			if v > u {
				edges = append(edges, [2]int32{u, v})
			}
			edges = append(edges, [2]int32{u, n + v})
		}
		edges = append(edges, [2]int32{n + u, 2 * n})
	}
	return graph(t, int(2*n+1), edges...)
}

// Annealing colours graphs with as many colours as they need, and finds one conflict with one fewer.
func TestChromaticNumbers(t *testing.T) {
	g := graph(t, 2, [2]int32{0, 1})
	for need := 3; need <= 6; need++ { // DIMACS's myciel2 to myciel5
		g = mycielski(t, g)
		colours, k := g.Greedy()
		if e, err := problem(t, g, k).Evaluate(colours); e != 0 || err != nil || k < need {
			t.Errorf("greedy: %d colours, %v conflicts: %v", k, e, err)
		}
		if c := g.Clique(); len(c) != 2 || !g.joined(int32(c[0]), int32(c[1])) {
			t.Errorf("a clique %v in a graph without triangles", c)
		}
		for k, least := range map[int]float64{need: 0, need - 1: 1} {
			found, err := anneal.Run(t.Context(), problem(t, g, k), anneal.Settings{Seed: 1, Target: least, HasTarget: true})
			if err != nil || found.Best != least {
				t.Errorf("%d nodes, %d colours: %v conflicts, not %v: %v", g.Nodes(), k, found.Best, least, err)
			}
		}
	}
}

// Of queens on a board of 5 × 5, each in the colour of others that it does not attack, 5 colours are enough (DIMACS's queen5_5), and a row needs them.
func TestQueens(t *testing.T) {
	var edges [][2]int32
	for u := range int32(25) {
		for v := range u {
			a, b := u/5-v/5, u%5-v%5
			if a == 0 || b == 0 || a == b || a == -b {
				edges = append(edges, [2]int32{u, v})
			}
		}
	}
	g := graph(t, 25, edges...)
	if g.Edges() != 160 || len(g.Clique()) != 5 {
		t.Errorf("%d edges, a clique of %d", g.Edges(), len(g.Clique()))
	}
	found, err := anneal.Run(t.Context(), problem(t, g, 5), anneal.Settings{Seed: 1, HasTarget: true})
	if err != nil || found.Best != 0 {
		t.Error(found, err)
	}
}

// The walks of a seed do not change, nor depend on the machine.
func TestGoldenWalks(t *testing.T) {
	text := ""
	for _, k := range []int{1, 2, 7} {
		p := problem(t, random(t, 30, 0.4, 8), k)
		w, r := walkerOf(p), rng.New(8, "colouring golden", uint64(k)).Rand
		w.Start(r)
		hot, cold := p.Temperatures()
		accepted := int64(0)
		for s := range 60 {
			_, a := w.Sweep([]float64{hot, cold, 0}[s%3], r)
			accepted += a
		}
		text += fmt.Sprintln(accepted, w.State(0), w.Energy(0), w.Best(0), hot, cold)
	}
	if text != golden {
		t.Errorf("\n%s", text)
	}
}

const golden = `0 [0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0] 167 167 4.718756898449704 0.15632499556792623
320 [1 0 1 1 1 0 0 1 0 0 1 0 1 1 0 1 1 0 0 1 1 1 1 0 1 0 0 0 0 0] 64 59 3.3366650016645862 0.15632499556792623
692 [1 4 5 1 5 1 2 6 1 6 4 3 0 2 2 3 4 6 2 6 6 0 6 2 6 0 5 3 6 3] 7 3 1.7835224643811978 0.15632499556792623
`

func BenchmarkChange(b *testing.B) {
	g := random(b, 500, 0.5, 9)
	for _, k := range []int{10, 50} {
		for _, temperature := range []float64{0.3, 1e9} {
			w, r := walkerOf(problem(b, g, k)), rng.New(9, "colouring bench").Rand
			w.Start(r)
			b.Run(fmt.Sprintf("k=%d/T=%v", k, temperature), func(b *testing.B) {
				b.ReportAllocs()
				for done := 0; done < b.N; done += 500 {
					w.Sweep(temperature, r)
				}
			})
		}
	}
}
