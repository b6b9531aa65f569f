package rbm

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// shared finds the test material: $ERGODIC_SHARED, or ../shared beside the
// module.
func shared(t testing.TB, path string) string {
	t.Helper()
	root := os.Getenv("ERGODIC_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	full := filepath.Join(root, "rbm", filepath.FromSlash(path))
	if _, err := os.Stat(full); err != nil {
		t.Skipf("the test material in ../shared is missing; ERGODIC_SHARED may name another place: %v", err)
	}
	return full
}

func sharedModel(t testing.TB, name string) *Model {
	t.Helper()
	m, err := ReadModel(shared(t, "models/"+name+".mat"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// random is a machine with normal weights and biases.
func random(visible, hidden int, sd float64, seed uint64) *Model {
	r := newRand(seed)
	m := New(visible, hidden)
	for _, x := range [][]float64{m.W, m.VisibleBias, m.HiddenBias} {
		for k := range x {
			x[k] = sd * r.NormFloat64()
		}
	}
	return m
}

// unitsOf writes the bits of k to u.
func unitsOf(u []uint8, k int) []uint8 {
	for i := range u {
		u[i] = uint8(k >> i & 1)
	}
	return u
}

// brute is log Z as the sum over all states of both layers.
func brute(m *Model) float64 {
	v, h := make([]uint8, m.Visible), make([]uint8, m.Hidden)
	var e []float64
	top := math.Inf(-1)
	for k := range 1 << m.Visible {
		for l := range 1 << m.Hidden {
			x := -m.Energy(unitsOf(v, k), unitsOf(h, l))
			e = append(e, x)
			top = max(top, x)
		}
	}
	s := 0.0
	for _, x := range e {
		s += math.Exp(x - top)
	}
	return top + math.Log(s)
}

func near(x, y, relative float64) bool {
	return math.Abs(x-y) <= relative*max(1, math.Abs(y))
}
