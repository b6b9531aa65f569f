package hmc

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// TestGeometricMean holds the mean G of P and Q⁻¹ to G Q G = P, in fewer dimensions than the loops of package columns are for, and in more.
func TestGeometricMean(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 5, long, 40} {
		in := newRanking(n)
		in.p, in.q = make([]float64, n*n), make([]float64, n*n)
		positive := func(c []float64) (whole []float64) {
			x := make([]float64, n*(n+3))
			for i := range x {
				x[i] = r.NormFloat64()
			}
			clear(c)
			addProduct(c, x, n, nil)
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

// TestLowRank holds the metrics of a low rank, in few dimensions and in many, to the matrix A = D (I + U (√Λ − I) Uᵀ).
func TestLowRank(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, dim := range []int{2, 3, 10, long - 1, long, long + 7, 65} {
		s := unitScaling(dim)
		for i := range dim {
			s.Scale[i] = 0.1 + r.Float64()
		}
		s.Stretch = []float64{3, 0.2}
		s.Vectors = make([]float64, 2*dim)
		s.Vectors[0], s.Vectors[1], s.Vectors[dim], s.Vectors[dim+1] = 0.6, 0.8, -0.8, 0.6
		product := func(v []float64, transposed bool) []float64 {
			out := make([]float64, dim)
			for i := range out {
				for j, x := range v {
					a := 0.0
					if i == j {
						a = 1
					}
					for k, stretch := range s.Stretch {
						a += s.Vectors[k*dim+i] * (stretch - 1) * s.Vectors[k*dim+j]
					}
					if transposed {
						out[i] += a * s.Scale[j] * x
					} else {
						out[i] += s.Scale[i] * a * x
					}
				}
			}
			return out
		}
		m := s.metric()
		if _, ok := m.(*small); ok != (dim < long) {
			t.Fatalf("dimension %d has the metric %T", dim, m)
		}
		p, x, momentum := newPhase(dim), make([]float64, dim), make([]float64, dim)
		for i := range dim {
			p.x[i], p.r[i], p.grad[i], p.h[i] = r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
			x[i], momentum[i] = p.x[i], p.r[i]
		}
		near := func(what string, got, want []float64) {
			t.Helper()
			for i := range want {
				if !(math.Abs(got[i]-want[i]) <= 1e-13) {
					t.Errorf("dimension %d, %s: %v, not %v", dim, what, got, want)
					return
				}
			}
		}
		add := func(to, v []float64, by float64) {
			for i := range to {
				to[i] += by * v[i]
			}
		}
		add(momentum, p.h, 0.15)
		add(x, product(momentum, false), 0.3)
		m.drift(&p, 0.3)
		near("x after drift", p.x, x)
		near("r after drift", p.r, momentum)
		h := product(p.grad, true)
		add(momentum, h, 0.15)
		near("|r|²", []float64{m.kick(&p, 0.3)}, []float64{vec.Dot(momentum, momentum)})
		near("h", p.h, h)
		near("r after kick", p.r, momentum)
		add(x, product(momentum, false), -0.7)
		m.advance(p.x, p.r, -0.7)
		near("x after advance", p.x, x)
	}
}

// TestScatter holds covariances that are added up step by step to sums over all vectors, far from zero and over more vectors than are added at once.
func TestScatter(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, dim := range []int{2, 7, long + 3} {
		var s scatter
		for range 2 { // the memory of one window serves the next
			s.forget()
			var x [][]float64
			for range 2*lowRankRows + 5 {
				v := make([]float64, dim)
				for i := range v {
					v[i] = 1e4 + float64(i)*r.NormFloat64()
					if i > 0 {
						v[i] += 0.5 * (v[i-1] - 1e4)
					}
				}
				x = append(x, v)
				s.keep(v)
			}
			by := func(i int) float64 { return 1 / float64(i+1) }
			got := s.covariance(by)
			for j := range dim {
				for i := j; i < dim; i++ {
					mi, mj, want := 0.0, 0.0, 0.0
					for _, v := range x {
						mi, mj = mi+v[i]/float64(len(x)), mj+v[j]/float64(len(x))
					}
					for _, v := range x {
						want += (v[i] - mi) * by(i) * (v[j] - mj) * by(j)
					}
					if i == j {
						want += lowRankShrink
					}
					want /= float64(len(x) + lowRankShrink)
					if !(math.Abs(got[j*dim+i]-want) <= 1e-9) { // what differences from a mean of 1e4 leave
						t.Fatalf("dimension %d: covariance of %d and %d is %v, not %v", dim, i, j, got[j*dim+i], want)
					}
				}
			}
		}
	}
}

// TestWithin holds what Cholesky factors tell of the eigenvalues of P # Q⁻¹ to these: near one they are bounded by any cut that is not too close, and never falsely.
func TestWithin(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{2, 5, long, 40} {
		in, told := newRanking(n), 0
		for trial := range 60 {
			in.p, in.q = make([]float64, n*n), make([]float64, n*n)
			x, y := make([]float64, n*4*n), make([]float64, n*4*n)
			spread := float64(trial) / 40
			for i := range x {
				x[i] = r.NormFloat64()
				scale := 1 + spread*float64(i%n)/float64(n)
				y[i] = x[i] / (scale * scale) // the gradient of a normal density, but for the sign
				if trial%2 == 1 {
					y[i] += 0.2 * r.NormFloat64()
				}
			}
			addProduct(in.p, x, n, nil)
			addProduct(in.q, y, n, nil)
			for _, cut := range []float64{1.2, 1.5, 2} {
				p, q := slices.Clone(in.p), slices.Clone(in.q)
				says := in.within(cut)
				if !slices.Equal(p, in.p) || !slices.Equal(q, in.q) {
					t.Fatal("the matrices have changed")
				}
				if !in.geometricMean() {
					t.Fatal("no mean")
				}
				low, high := in.values[0], in.values[n-1]
				in.p, in.q = p, q
				if says && !(low > 1/cut && high < cut) {
					t.Fatalf("dimension %d: eigenvalues from %v to %v are told to be within %v", n, low, high, cut)
				}
				if says {
					told++
				}
			}
		}
		if told < 20 {
			t.Errorf("dimension %d: told %d times; near the identity it should be", n, told)
		}
	}
}
