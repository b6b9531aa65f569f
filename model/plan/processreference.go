package plan

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
)

// reference is the point from which the normal density of a process is looked for: the mean of f given the numbers, by a regression over the draws of a part of warm-up. The mean of all draws
// alone is far from where f is when a number such as an intercept is far out, and a Newton step from where a Poisson mean is far too low leads farther still.
type reference struct {
	c      []float64 // mean of f
	at, sd []float64 // of the numbers
	slopes []float64 // a row each

	count float64
	from  []float64 // numbers at the beginning, which sums are less
	f, v  []float64 // sums of f, of the numbers, and of their products
	vv    []float64
	vf    []float64
}

const (
	farthestSlope = 4  // standard deviations to which the regression is followed
	leastForSlope = 20 // draws that it takes, and five more for each number
)

func newReference(n, d int) *reference {
	v := func(n int) []float64 { return make([]float64, n) }
	return &reference{c: v(n), at: v(d), sd: v(d), slopes: v(d * n), from: v(d), f: v(n), v: v(d), vv: v(d * d), vf: v(d * n)}
}

// place writes the point for numbers, in cells of a state.
func (p *reference) place(x, values []float64, cells []int32) {
	copy(x, p.c)
	n := len(x)
	for j, c := range cells {
		if sd := p.sd[j]; sd > 0 {
			t := max(-farthestSlope, min(farthestSlope, (values[c]-p.at[j])/sd))
			columns.AddScaled(x, p.slopes[j*n:(j+1)*n], float64(t*sd))
		}
	}
}

// see counts a draw.
func (p *reference) see(f, values []float64, cells []int32) {
	n, d := len(f), len(cells)
	if p.count == 0 {
		for j, c := range cells {
			p.from[j] = values[c]
		}
	}
	p.count++
	columns.Add(p.f, p.f, f)
	for j, c := range cells {
		x := values[c] - p.from[j]
		p.v[j] += x
		for i, b := range cells[:j+1] {
			p.vv[j*d+i] += float64(x * (values[b] - p.from[i]))
		}
		row := p.vf[j*n : (j+1)*n]
		columns.AddScaled(row, f, x)
	}
}

// learn fits the regression, and begins anew; false where it has seen too little.
func (p *reference) learn() bool {
	m, n, d := p.count, len(p.c), len(p.at)
	known := m >= leastSeen
	if known {
		columns.MulScalar(p.c, p.f, 1/m)
		clear(p.sd)
		if m >= float64(leastForSlope+5*d) {
			p.regress(m, n, d)
		}
	}
	p.count = 0
	for _, x := range [][]float64{p.f, p.v, p.vv, p.vf} {
		clear(x)
	}
	return known
}

// regress solves the normal equations by Cholesky's factor, which takes the place of the sums of squares; a number that did not move has no slope.
func (p *reference) regress(m float64, n, d int) {
	for j := range d {
		mean := p.v[j] / m
		p.at[j] = p.from[j] + mean
		for i := range j + 1 {
			p.vv[j*d+i] = p.vv[j*d+i]/m - float64(mean*(p.v[i]/m))
		}
		row := p.vf[j*n : (j+1)*n]
		columns.MulScalar(row, row, 1/m)
		columns.AddScaled(row, p.c, -mean)
	}
	for j := range d {
		own := p.vv[j*d+j]
		v := float64(own * (1 + 1/m))
		for i := range j {
			x := p.vv[j*d+i]
			for h := range i {
				x -= float64(p.vv[j*d+h] * p.vv[i*d+h])
			}
			x /= p.vv[i*d+i]
			p.vv[j*d+i] = x
			v -= float64(x * x)
		}
		if !(own > 0) || !(v > float64(leastPivot*own)) {
			clear(p.sd)
			return
		}
		p.vv[j*d+j], p.sd[j] = math.Sqrt(v), math.Sqrt(own)
	}
	row := func(x []float64, j int) []float64 { return x[j*n : (j+1)*n] }
	copy(p.slopes, p.vf)
	for j := range d {
		for i := range j {
			columns.AddScaled(row(p.slopes, j), row(p.slopes, i), -p.vv[j*d+i])
		}
		columns.MulScalar(row(p.slopes, j), row(p.slopes, j), 1/p.vv[j*d+j])
	}
	for j := d - 1; j >= 0; j-- {
		for i := j + 1; i < d; i++ {
			columns.AddScaled(row(p.slopes, j), row(p.slopes, i), -p.vv[i*d+j])
		}
		columns.MulScalar(row(p.slopes, j), row(p.slopes, j), 1/p.vv[j*d+j])
	}
}

func (p *reference) fields() []*float64 {
	all := []*float64{&p.count}
	for _, x := range [][]float64{p.c, p.at, p.sd, p.slopes, p.from, p.f, p.v, p.vv, p.vf} {
		for j := range x {
			all = append(all, &x[j])
		}
	}
	return all
}
