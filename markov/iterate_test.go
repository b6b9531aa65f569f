package markov_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/markov"
)

// weighted is the random walk on a graph with weights: its stationary distribution is the sum of the weights at a state
// over twice all weights, exactly.
type weighted struct {
	n    int
	seen map[[2]int32]float64
	list []markov.Transition
	sum  []float64
}

func (g *weighted) add(i, j int, w float64) {
	k := [2]int32{int32(min(i, j)), int32(max(i, j))}
	if i == j || g.seen[k] > 0 {
		return
	}
	g.seen[k] = w
	g.list = append(g.list, markov.Transition{From: int32(i), To: int32(j), P: w}, markov.Transition{From: int32(j), To: int32(i), P: w})
	g.sum[i] += w
	g.sum[j] += w
}

func newWeighted(n int) *weighted {
	return &weighted{n: n, seen: map[[2]int32]float64{}, sum: make([]float64, n)}
}

func (g *weighted) chain(t testing.TB) (markov.Chain, []float64) {
	c, err := markov.NewSparseNormalised(g.n, g.list)
	if err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for _, v := range g.sum {
		total += v
	}
	pi := make([]float64, g.n)
	for i, v := range g.sum {
		pi[i] = v / total
	}
	return c, pi
}

func grid(side int, weight func() float64) *weighted {
	g := newWeighted(side * side)
	for i := range side {
		for j := range side {
			if i+1 < side {
				g.add(i*side+j, (i+1)*side+j, weight())
			}
			if j+1 < side {
				g.add(i*side+j, i*side+j+1, weight())
			}
		}
	}
	return g
}

// Chains with known answers, solved by iteration: the error is below what was asked for, and below its own estimate.
func TestMultilevel(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	const n = 4000
	cases := map[string]func() (markov.Chain, []float64){
		"grid": func() (markov.Chain, []float64) { return grid(60, func() float64 { return 1 }).chain(t) },
		"uneven grid": func() (markov.Chain, []float64) {
			return grid(60, func() float64 { return math.Exp(2 * r.NormFloat64()) }).chain(t)
		},
		"band":              func() (markov.Chain, []float64) { return band(n, r).chain(t) },
		"random graph":      func() (markov.Chain, []float64) { return blobs(n, 1, 0, r).chain(t) },
		"two parts":         func() (markov.Chain, []float64) { return blobs(n, 2, 1e-9, r).chain(t) },
		"star":              func() (markov.Chain, []float64) { return star(n, r).chain(t) },
		"permutations":      func() (markov.Chain, []float64) { return permutations(t, n, 4, r) },
		"directed ring":     func() (markov.Chain, []float64) { return permutations(t, n, 0, r) },
		"ring with drift":   func() (markov.Chain, []float64) { return drifting(t, n, 0.6, 0.1) },
		"ring with a swirl": func() (markov.Chain, []float64) { return drifting(t, n, 0.999, 0.001) },
		"birth and death":   func() (markov.Chain, []float64) { return queue(t, n, 0.3, 0.3) },
		"long queue":        func() (markov.Chain, []float64) { return queue(t, n, 0.299, 0.3) },
		"short queue":       func() (markov.Chain, []float64) { return queue(t, n, 0.1, 0.6) },
		"climb":             func() (markov.Chain, []float64) { return queue(t, n, 0.31, 0.3) },
	}
	for name, make := range cases {
		t.Run(name, func(t *testing.T) {
			c, pi := make()
			s, err := markov.Solver{Dense: -1}.Solve(c)
			if err != nil {
				t.Fatal(err)
			}
			d := markov.TotalVariation(s.Pi, pi)
			t.Logf("%d cycles, estimate %.2g, error %.2g, weak %g", s.Cycles, s.Error, d, s.Weak)
			if s.Method != "multilevel" || d > 1e-10 || d > s.Error {
				t.Errorf("%s: off by %g in total variation, estimated %g", s.Method, d, s.Error)
			}
			if weak := name == "two parts"; weak != (s.Weak > 0) {
				t.Errorf("weak below %g", s.Weak)
			}
		})
	}
}

// band connects states at distances up to 5.
func band(n int, r *rand.Rand) *weighted {
	g := newWeighted(n)
	for i := range n {
		for d := 1; d <= 5 && i+d < n; d++ {
			g.add(i, i+d, 0.5+r.Float64())
		}
	}
	return g
}

// blobs are random graphs that one edge joins in a row.
func blobs(n, parts int, joint float64, r *rand.Rand) *weighted {
	g := newWeighted(n)
	m := n / parts
	for i := range n {
		base := i / m * m
		g.add(i, base+(i+1)%m, r.Float64())
		for range 4 {
			g.add(i, base+r.IntN(m), r.Float64())
		}
	}
	for k := 1; k < parts; k++ {
		g.add(k*m-3, k*m+2, joint)
	}
	return g
}

func star(n int, r *rand.Rand) *weighted {
	g := newWeighted(n)
	for i := 1; i < n; i++ {
		g.add(0, i, r.Float64())
	}
	return g
}

// permutations is a mixture of permutations, not reversible, with a uniform stationary distribution; one is a cycle.
func permutations(t testing.TB, n, more int, r *rand.Rand) (markov.Chain, []float64) {
	p := map[[2]int32]float64{}
	for i := range n {
		p[[2]int32{int32(i), int32((i + 1) % n)}] += 1
	}
	for range more {
		for i, j := range r.Perm(n) {
			p[[2]int32{int32(i), int32(j)}] += 1
		}
	}
	return uniform(t, n, p)
}

func uniform(t testing.TB, n int, p map[[2]int32]float64) (markov.Chain, []float64) {
	var list []markov.Transition
	for k, v := range p {
		list = append(list, markov.Transition{From: k[0], To: k[1], P: v})
	}
	c, err := markov.NewSparseNormalised(n, list)
	if err != nil {
		t.Fatal(err)
	}
	pi := make([]float64, n)
	for i := range pi {
		pi[i] = 1 / float64(n)
	}
	return c, pi
}

// drifting is a biased walk on a ring.
func drifting(t testing.TB, n int, up, down float64) (markov.Chain, []float64) {
	p := map[[2]int32]float64{}
	for i := range n {
		p[[2]int32{int32(i), int32((i + 1) % n)}] += up
		p[[2]int32{int32(i), int32((i + n - 1) % n)}] += down
		if up+down < 1 {
			p[[2]int32{int32(i), int32(i)}] += 1 - up - down
		}
	}
	return uniform(t, n, p)
}

// queue has a geometric stationary distribution.
func queue(t testing.TB, n int, up, down float64) (markov.Chain, []float64) {
	var list []markov.Transition
	pi := make([]float64, n)
	total := 0.0
	for i := range int32(n) {
		stay := 1 - up - down
		if i == 0 {
			stay += down
		}
		if int(i) == n-1 {
			stay += up
		}
		list = append(list, markov.Transition{From: i, To: i, P: stay})
		if i > 0 {
			list = append(list, markov.Transition{From: i, To: i - 1, P: down})
		}
		if int(i) < n-1 {
			list = append(list, markov.Transition{From: i, To: i + 1, P: up})
		}
		if up < down {
			pi[i] = math.Exp(float64(i) * math.Log(up/down))
		} else {
			pi[i] = math.Exp(float64(n-1-int(i)) * math.Log(down/up))
		}
		total += pi[i]
	}
	for i := range pi {
		pi[i] /= total
	}
	return sparse(t, n, list), pi
}

// The estimate of the error is above the error, also on chains that converge slowly or unevenly: queues whose ends differ
// by many orders of magnitude, grids with weights over six, loose parts.
func TestMultilevelEstimate(t *testing.T) {
	for seed := range uint64(45) {
		r := rand.New(rand.NewPCG(seed, 9))
		n := 200 + r.IntN(2000)
		var c markov.Chain
		var pi []float64
		switch seed % 3 {
		case 0:
			c, pi = queue(t, n, 0.3*(1+0.01*r.NormFloat64()), 0.3)
		case 1:
			spread := 3 * r.Float64()
			c, pi = grid(20+r.IntN(20), func() float64 { return math.Exp(spread * r.NormFloat64()) }).chain(t)
		default:
			parts := 2 + r.IntN(6)
			c, pi = blobs(n/parts*parts, parts, math.Pow(10, -5*r.Float64()), r).chain(t)
		}
		s, err := markov.Solver{Dense: -1}.Solve(c)
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		// The powers that queue takes are exact to some 1e-13.
		if d := markov.TotalVariation(s.Pi, pi); d > s.Error+1e-12 || d > 1e-10 {
			t.Errorf("seed %d: off by %g in total variation, estimated %g", seed, d, s.Error)
		}
	}
}

// A chain that is not solved in the cycles allowed is an error.
func TestMultilevelGivesUp(t *testing.T) {
	c, _ := grid(60, func() float64 { return 1 }).chain(t)
	_, err := markov.Solver{Dense: -1, Cycles: 7}.Solve(c)
	if err == nil || !strings.Contains(err.Error(), "after 7 cycles") {
		t.Errorf("error %v", err)
	}
}

// Random chains, none of them reversible: iteration and reduction agree.
func TestMultilevelAgainstGTH(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 20 {
		c := random(t, r, 70+r.IntN(300), 0.01+0.05*r.Float64())
		cl := markov.Classify(c)
		for _, k := range cl.Closed() {
			a, err := markov.Solver{}.SolveClass(c, cl.List[k])
			if err != nil {
				t.Fatal(err)
			}
			b, err := markov.Solver{Dense: -1}.SolveClass(c, cl.List[k])
			if err != nil {
				t.Fatal(err)
			}
			if d := markov.TotalVariation(a.Pi, b.Pi); d > 1e-10 || d > b.Error+1e-14 {
				t.Errorf("%d states: %g apart, estimated %g", len(cl.List[k].States), d, b.Error)
			}
		}
	}
}
