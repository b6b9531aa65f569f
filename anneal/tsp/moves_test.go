package tsp

import (
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// order puts places of a tour that reads forward so that two tours may be compared: it begins with city 0 and goes on with the smaller of its neighbours.
func order(tour []int32) []int32 {
	n := len(tour)
	first := slices.Index(tour, 0)
	turned := make([]int32, n)
	step := 1
	if tour[(first+1)%n] > tour[(first+n-1)%n] {
		step = n - 1
	}
	for k := range turned {
		turned[k] = tour[(first+k*step)%n]
	}
	return turned
}

// reverse and move do in their place what slices do in copies.
func TestReverseAndMove(t *testing.T) {
	r := rng.New(1, "tsp moves")
	for range 20000 {
		n := 4 + r.IntN(9)
		w := &Walker{land: &land{n: n}, tour: make([]int32, n), at: make([]int32, n)}
		for i, c := range r.Perm(n) {
			w.tour[i], w.at[c] = int32(c), int32(i)
		}
		i, size := r.IntN(n), 1+r.IntN(min(longest, n-3))
		rolled := slices.Concat(w.tour[i:], w.tour[:i])
		held, rest := slices.Clone(rolled[:size]), rolled[size:]
		if r.IntN(2) == 0 {
			end := 1 + r.IntN(n)
			slices.Reverse(rolled[:end])
			w.reverse(int32(i), int32((i+end-1)%n))
			check(t, w, rolled)
			continue
		}
		behind := r.IntN(len(rest) - 1)
		c, c1 := rest[behind], rest[behind+1]
		p, a, z, q := rest[len(rest)-1], held[0], held[size-1], rest[0]
		if r.IntN(2) == 0 {
			p, a, z, q = q, z, a, p
		}
		if r.IntN(2) == 0 {
			c, c1 = c1, c
		}
		if (a == held[0]) != (c == rest[behind]) {
			slices.Reverse(held)
		}
		if r.IntN(2) == 0 {
			w.move(a, z, c, c1, int32(size))
		} else {
			w.insert(p, a, z, q, c, c1)
		}
		check(t, w, slices.Concat(rest[:behind+1], held, rest[behind+1:]))
	}
}

func check(t *testing.T, w *Walker, want []int32) {
	t.Helper()
	if !slices.Equal(order(w.tour), order(want)) {
		t.Fatalf("%v, not %v", w.tour, want)
	}
	for i, c := range w.tour {
		if w.at[c] != int32(i) {
			t.Fatalf("city %d of %v is said to be at %d", c, w.tour, w.at[c])
		}
	}
}
