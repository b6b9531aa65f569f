package lda

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The pair of a block of vectors is that of the whole decomposition, also where a negative eigenvalue is the farthest from 0.
func TestSubspacePair(t *testing.T) {
	const n = 250
	r := rand.New(rand.NewPCG(1, 1))
	for _, least := range []float64{0, -9} {
		b := mat.NewSymDense(n, nil)
		for k, value := range []float64{7, 5, 4, 3.5, 3, least} {
			v := mat.NewVecDense(n, nil)
			for i := range n {
				v.SetVec(i, r.NormFloat64())
			}
			b.SymRankOne(b, value/float64(n+k), v)
		}
		values, vectors, ok := subspacePair(b)
		if !ok {
			t.Fatalf("least %v: not found", least)
		}
		var e mat.EigenSym
		if !e.Factorize(b, true) {
			t.Fatal("gonum finds none")
		}
		var all mat.Dense
		e.VectorsTo(&all)
		for j := range 2 {
			if want := e.Values(nil)[n-1-j]; math.Abs(values[j]-want) > 1e-9*want {
				t.Errorf("least %v: eigenvalue %d = %v, want %v", least, j, values[j], want)
			}
			dot := mat.Dot(vectors.ColView(j), all.ColView(n-1-j))
			if math.Abs(math.Abs(dot)-1) > 1e-9 {
				t.Errorf("least %v: vector %d is at %v to the right one", least, j, dot)
			}
		}
	}
	// Fewer directions than vectors of a block: the pair is found, or left to the whole decomposition.
	for rank := range 3 {
		b := mat.NewSymDense(n, nil)
		for k := range rank {
			b.SetSym(k, k, float64(2-k))
		}
		values, _, ok := leadingPair(b)
		for k := range 2 {
			want := 0.0
			if k < rank {
				want = float64(2 - k)
			}
			if !ok || math.Abs(values[k]-want) > 1e-9 {
				t.Errorf("rank %d: eigenvalue %d = %v, want %v", rank, k+1, values[k], want)
			}
		}
	}
}
