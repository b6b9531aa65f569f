package hmc

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestGeometricMean holds the mean G of P and Q⁻¹ to G Q G = P, in fewer dimensions than the loops of package columns are for, and in more.
func TestGeometricMean(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 5, long, 40} {
		in := newRanking(n)
		positive := func(c []float64) (whole []float64) {
			x := make([]float64, n*(n+3))
			for i := range x {
				x[i] = r.NormFloat64()
			}
			clear(c)
			in.addProduct(c, x)
			whole = make([]float64, n*n)
			for j := range n {
				for i := j; i < n; i++ {
					whole[i+j*n], whole[j+i*n] = c[i+j*n], c[i+j*n]
				}
			}
			return whole
		}
		p, q := positive(in.p), positive(in.q)
		if !in.geometricMean() {
			t.Fatalf("dimension %d: no mean", n)
		}
		g := make([]float64, n*n)
		for k, v := range in.values {
			u := in.p[k*n : (k+1)*n]
			for j := range n {
				for i := range n {
					g[i+j*n] += v * u[i] * u[j]
				}
			}
		}
		times := func(a, b []float64) []float64 {
			c := make([]float64, n*n)
			for j := range n {
				for k := range n {
					for i := range n {
						c[i+j*n] += a[i+k*n] * b[k+j*n]
					}
				}
			}
			return c
		}
		most := 0.0
		for _, v := range p {
			most = max(most, math.Abs(v))
		}
		for i, v := range times(times(g, q), g) {
			if !(math.Abs(v-p[i]) <= 1e-9*most) { // rounding, times the condition of Q
				t.Fatalf("dimension %d: (G Q G)[%d] is %v, not %v", n, i, v, p[i])
			}
		}
	}
}

// TestSmall holds the matrix of a low rank to its directions.
func TestSmall(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, dim := range []int{2, 3, 10, long - 1} {
		s := unitScaling(dim)
		for i := range dim {
			s.Scale[i] = 0.1 + r.Float64()
		}
		s.Stretch = []float64{3, 0.2}
		s.Vectors = make([]float64, 2*dim)
		s.Vectors[0], s.Vectors[1], s.Vectors[dim], s.Vectors[dim+1] = 0.6, 0.8, -0.8, 0.6
		slow := (*lowRank)(&s)
		quick, ok := s.metric().(*small)
		if !ok {
			t.Fatalf("dimension %d has the metric %T", dim, s.metric())
		}
		a, b := newPhase(dim), newPhase(dim)
		for i := range dim {
			a.x[i], a.r[i], a.grad[i], a.h[i] = r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		}
		near := func(what string, x, y []float64) {
			t.Helper()
			for i := range x {
				if !(math.Abs(x[i]-y[i]) <= 1e-14) {
					t.Errorf("dimension %d, %s: %v and %v", dim, what, x, y)
					return
				}
			}
		}
		b.copy(&a)
		slow.drift(&a, 0.3)
		quick.drift(&b, 0.3)
		near("x after drift", a.x, b.x)
		near("r after drift", a.r, b.r)
		near("|r|²", []float64{slow.kick(&a, 0.3)}, []float64{quick.kick(&b, 0.3)})
		near("h", a.h, b.h)
		near("r after kick", a.r, b.r)
		slow.advance(a.x, a.r, -0.7)
		quick.advance(b.x, b.r, -0.7)
		near("x after advance", a.x, b.x)
	}
}
