package best

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// What is kept is the beginning of the list in order.
func TestKeep(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 12 {
		var all []Scored
		list := make([]Scored, 0, n)
		for i := range 40 {
			x := Scored{i, float64(r.IntN(9))}
			all = append(all, x)
			list = Keep(list, x)
		}
		slices.SortStableFunc(all, func(a, b Scored) int { return cmp.Compare(b.Score, a.Score) })
		if !slices.Equal(list, all[:n]) {
			t.Errorf("%v, not %v", list, all[:n])
		}
	}
}
