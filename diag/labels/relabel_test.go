package labels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/draws"
)

// permutations calls f with all orders of 0…k−1.
func permutations(k int, f func(order []int)) {
	order := make([]int, k)
	for i := range order {
		order[i] = i
	}
	var visit func(at int)
	visit = func(at int) {
		if at == k {
			f(order)
			return
		}
		for i := at; i < k; i++ {
			order[at], order[i] = order[i], order[at]
			visit(at + 1)
			order[at], order[i] = order[i], order[at]
		}
	}
	visit(0)
}

// The expected cost is the least over all assignments.
func TestAssignmentsCostLeast(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 500 {
		k := 1 + n%6
		cost, of := make([]float64, k*k), make([]int, k)
		for i := range cost {
			cost[i] = float64(r.IntN(8)) - 3 // with ties
			if n%2 == 0 {
				cost[i] = r.NormFloat64()
			}
		}
		newAssigner(k).assign(of, cost)
		sum := func(order []int) (s float64) {
			for i, j := range order {
				s += cost[i*k+j]
			}
			return s
		}
		least := math.Inf(1)
		permutations(k, func(order []int) { least = min(least, sum(order)) })
		if got := sum(of); math.Abs(got-least) > 1e-9 {
			t.Fatalf("%v costs %v, not %v: %v", of, got, least, cost)
		}
	}
}

// switched are draws of three components in a random order each: of means, a share, a covariance of two, transitions between them, labels of items, and
// a count that has nothing to do with them; and the same in the components' own order.
func switched(t *testing.T, chains, n int) (mixed, sorted *draws.Set) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	vars := []draws.Variable{{Name: "p", Dims: []int{3}}, {Name: "mu", Dims: []int{2, 3}}, {Name: "P", Dims: []int{3, 3}}, {Name: "z", Dims: []int{4}}, {Name: "n"}}
	var sets []*draws.Set
	for range 2 {
		s, err := draws.NewSet(vars, chains)
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, s)
	}
	for c := range chains {
		for range n {
			var p, mu, transitions, z []float64
			for k := range 3 {
				p = append(p, 0.2+0.1*float64(k)+0.01*r.Float64())
				mu = append(mu, 5*float64(k)+r.NormFloat64(), r.NormFloat64())
			}
			for j := range 3 {
				for i := range 3 {
					transitions = append(transitions, float64(i)+10*float64(j)+r.Float64())
				}
			}
			for range 4 {
				z = append(z, float64(1+r.IntN(3)))
			}
			count := float64(r.IntN(9))
			row := slices.Concat(p, mu, transitions, z, []float64{count})
			if err := sets[1].Append(c, row); err != nil {
				t.Fatal(err)
			}
			o := r.Perm(3) // element k of the draw is component o[k]
			at := 0
			for k := range 3 {
				row[k] = p[o[k]]
				row[3+2*k], row[3+2*k+1] = mu[2*o[k]], mu[2*o[k]+1]
				for i := range 3 {
					row[9+3*k+i] = transitions[3*o[k]+o[i]]
				}
			}
			for at = range 4 {
				row[18+at] = float64(slices.Index(o, int(z[at])-1) + 1)
			}
			if err := sets[0].Append(c, row); err != nil {
				t.Fatal(err)
			}
		}
	}
	return sets[0], sets[1]
}

// Components five standard deviations apart are found again, whatever they are called in a draw: each of 600 draws, to the bit.
func TestRelabelFindsComponents(t *testing.T) {
	mixed, sorted := switched(t, 2, 300)
	got, r, err := Relabel(mixed, []string{"mu", "z", "P", "p"})
	if err != nil {
		t.Fatal(err)
	}
	if r.K != 3 || r.Draws != 600 || !slices.Equal(r.Arrays, []string{"mu", "P", "p"}) || !slices.Equal(r.Indices, []string{"z"}) {
		t.Errorf("%+v", r)
	}
	if r.Moved < 400 || r.Moved > 590 { // five in six of the orders are not that of the components
		t.Errorf("%d of 600 draws are put in another order", r.Moved)
	}
	for e, name := range sorted.Names() {
		for c := range 2 {
			if !slices.Equal(got.Chain(c, e), sorted.Chain(c, e)) {
				t.Errorf("%s in chain %d is not that of its component", name, c+1)
			}
		}
	}
	before := mixed.Chain(0, 0)[0]
	if again, _ := switched(t, 2, 300); before != again.Chain(0, 0)[0] {
		t.Error("the draws given have changed")
	}
}

// The loss is the least of all orders where these can all be tried: four draws of three components, the first as it is.
func TestOrdersOfFewDraws(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	found := 0
	for range 40 {
		p := &points{k: 3, features: 1, draws: 4}
		for range 4 {
			for _, j := range r.Perm(3) {
				p.x = append(p.x, r.NormFloat64()+4*float64(j))
			}
		}
		loss := func(order []int) float64 {
			mean, variance := p.moments(order)
			sum := 0.0
			for t := range p.draws {
				for j := range 3 {
					d := p.component(t, order[3*t+j])[0] - mean[j]
					sum += d*d/(2*variance[j]) + 0.5*math.Log(variance[j])
				}
			}
			return sum
		}
		least := math.Inf(1)
		var order [12]int
		copy(order[:], []int{0, 1, 2})
		permutations(3, func(a []int) {
			copy(order[3:], a)
			permutations(3, func(b []int) {
				copy(order[6:], b)
				permutations(3, func(c []int) {
					copy(order[9:], c)
					least = min(least, loss(order[:]))
				})
			})
		})
		got := loss(p.nearest())
		if got < least-1e-9 {
			t.Fatalf("%v is below the least loss %v", got, least)
		}
		if got < least+1e-9 {
			found++
		}
	}
	if found < 30 { // turns end in a local minimum, which need not be the least
		t.Errorf("the least loss is found for %d of 40", found)
	}
}

func TestRelabelRefuses(t *testing.T) {
	mixed, _ := switched(t, 1, 3)
	square, err := draws.NewSet([]draws.Variable{{Name: "a", Dims: []int{2, 3}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := square.Append(0, make([]float64, 6)); err != nil {
		t.Fatal(err)
	}
	empty, err := draws.NewSet([]draws.Variable{{Name: "a", Dims: []int{2}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		set   *draws.Set
		names string
		want  string
	}{
		{mixed, "mu,nu", "no variable nu"},
		{mixed, "p,p", "stands twice"},
		{mixed, "p,n", "n has neither a dimension of length 3 nor whole numbers from 1 to 3"},
		{mixed, "n", "name the arrays"},
		{mixed, "", "name the arrays"},
		{square, "a", "length 2 and 3"},
		{empty, "a", "no draws"},
	} {
		var names []string
		if tc.names != "" {
			names = strings.Split(tc.names, ",")
		}
		if _, _, err := Relabel(tc.set, names); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, not %s", tc.names, err, tc.want)
		}
	}
}

// Values that are missing, infinite, large or all the same leave finite orders.
func TestRelabelOddValues(t *testing.T) {
	for _, odd := range []float64{math.NaN(), math.Inf(1), 1e300, -5e-324, 0} {
		s, err := draws.NewSet([]draws.Variable{{Name: "a", Dims: []int{2}}, {Name: "b", Dims: []int{2}}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			row := []float64{1, float64(2 + i%3), odd, odd}
			if i%2 == 0 {
				row[0], row[1] = row[1], row[0]
			}
			if err := s.Append(0, row); err != nil {
				t.Fatal(err)
			}
		}
		got, r, err := Relabel(s, []string{"a", "b"})
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(got.Chain(0, 0), func(x float64) bool { return x != 1 }) || r.Moved != 10 {
			t.Errorf("%v: %v, %d moved", odd, got.Chain(0, 0), r.Moved)
		}
	}
}

func ExampleRelabel() {
	set, err := draws.NewSet([]draws.Variable{{Name: "mu", Dims: []int{2}}, {Name: "z"}}, 1)
	if err != nil {
		panic(err)
	}
	for _, draw := range [][]float64{{1.1, 4.2, 1}, {3.9, 0.8, 2}, {1, 4, 2}, {4.1, 1.2, 1}} { // mu[1], mu[2], z
		if err := set.Append(0, draw); err != nil {
			panic(err)
		}
	}
	set, r, err := Relabel(set, []string{"mu", "z"})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Moved, "of", r.Draws, "draws exchanged")
	for e, name := range set.Names() {
		fmt.Println(name, set.Chain(0, e))
	}
	// Output:
	// 2 of 4 draws exchanged
	// mu[1] [1.1 0.8 1 1.2]
	// mu[2] [4.2 3.9 4 4.1]
	// z [1 1 2 2]
}
