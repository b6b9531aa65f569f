package hmc

import "github.com/ergodic-mcmc/ergodic/internal/columns"

// small is A of a low rank in less than [long] dimensions, as a matrix: there two products with it cost less than those with the directions.
type small struct {
	a, t []float64 // A and Aᵀ, column after column
	work []float64
}

// newSmall multiplies A = D (I + U (√Λ − I) Uᵀ) out.
func newSmall(s *scaling) *small {
	n := len(s.Scale)
	m := &small{a: make([]float64, n*n), t: make([]float64, n*n), work: make([]float64, n)}
	for j := range n {
		col := m.a[j*n : (j+1)*n]
		col[j] = 1
		for k, stretch := range s.Stretch {
			u := s.Vectors[k*n : (k+1)*n]
			c := float64((stretch - 1) * u[j])
			for i, w := range u {
				col[i] += float64(c * w)
			}
		}
		for i, d := range s.Scale {
			col[i] *= d
		}
	}
	for j := range n {
		for i := range n {
			m.t[i+j*n] = m.a[j+i*n]
		}
	}
	return m
}

func (m *small) advance(x, r []float64, eps float64) {
	for i, v := range r {
		m.work[i] = float64(eps * v)
	}
	columns.AddMatVec(x, m.a, len(x), m.work)
}

func (m *small) whiten(h, grad []float64) {
	clear(h)
	columns.AddMatVec(h, m.t, len(h), grad)
}

func (m *small) drift(p *phase, eps float64) {
	n := len(m.work)
	half, r, h, w := 0.5*eps, p.r[:n], p.h[:n], m.work
	for i := range w {
		v := r[i] + float64(half*h[i])
		r[i] = v
		w[i] = float64(eps * v)
	}
	columns.AddMatVec(p.x, m.a, n, w)
}

func (m *small) kick(p *phase, eps float64) (norm2 float64) {
	m.whiten(p.h, p.grad)
	n := len(m.work)
	half, r, h := 0.5*eps, p.r[:n], p.h[:n]
	for i, w := range h {
		v := r[i] + float64(half*w)
		r[i] = v
		norm2 += float64(v * v)
	}
	return norm2
}
