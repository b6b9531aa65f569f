package lattice

import (
	"math"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
)

// sector leaves of a target the states that have as many spins of each value as state k.
func sector(f kerneltest.Finite[*State], k int) kerneltest.Finite[*State] {
	want := slices.Sorted(slices.Values(f.State(k).Spins))
	f.LogWeight = slices.Clone(f.LogWeight)
	for i := range f.LogWeight {
		if !slices.Equal(slices.Sorted(slices.Values(f.State(i).Spins)), want) {
			f.LogWeight[i] = math.Inf(-1)
		}
	}
	return f
}

// On each small model exchanges leave the distribution invariant, balance in detail, and from a state with spins of several values come to
// the other states of the same numbers where bonds join all the sites.
func TestKawasaki(t *testing.T) {
	for _, m := range smallModels() {
		k := must(NewKawasaki(m.model, m.beta))
		f := finite(m.model, m.beta, k)
		if err := kerneltest.Exact(f, kerneltest.Settings{}); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
		from := len(f.LogWeight) / 3
		if !math.IsInf(m.beta, 1) && len(f.LogWeight) <= 1000 {
			if err := kerneltest.DetailedBalance(sector(f, from), kerneltest.Settings{}); err != nil {
				t.Errorf("%s: %v", m.name, err)
			}
		}
		if m.beta < 2 && connected(m.model.Graph) {
			if err := kerneltest.Reaches(sector(f, from), from, kerneltest.Settings{Steps: 80, Replicates: 1500}); err != nil {
				t.Errorf("%s: %v", m.name, err)
			}
		}
		noAllocation(t, m.model, k)
	}
}

func connected(g *Graph) bool {
	seen, todo := make([]bool, g.Sites()), []int32{0}
	for n := 0; len(todo) > 0; {
		i := todo[0]
		todo = todo[1:]
		if seen[i] {
			continue
		}
		seen[i] = true
		if n++; n == g.Sites() {
			return true
		}
		todo = append(todo, g.Of(int(i))...)
	}
	return false
}
