package mode

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/hmc"
	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Curvature is −∇² log π at a place, by central differences of the gradient, and where it is positive definite its inverse, the covariance of the
// normal density that fits there.
type Curvature struct {
	// Flat are directions, of length 1 in the coordinates as the density itself scales them, in which it curves less than a millionth as much as along
	// the coordinates, or upwards: the place is not a mode, or not an isolated one. Where there are some there is no covariance.
	Flat []Direction

	at    []float64
	scale []float64 // of each coordinate, 1/√curvature
	lower []float64 // Cholesky factor of the curvature in units of scale
}

// Direction is a direction in which a density does not fall.
type Direction struct {
	Curvature   float64 // in units of that along its coordinates; negative where the density rises on both sides
	Coordinates []int   // of which it is made, the largest part first
}

const (
	flat      = 1e-6
	curveStep = 2e-4 // of the scale of a coordinate
	curveTry  = 8
)

// Curve finds the curvature at x. It takes two gradients or more for each coordinate, and memory for three matrices.
func Curve(t hmc.Target, x []float64) (*Curvature, error) {
	n := len(x)
	if err := memory.Room(24 * float64(n) * float64(n)); err != nil {
		return nil, fmt.Errorf("mode: %w", err)
	}
	c := &Curvature{at: slices.Clone(x), scale: make([]float64, n), lower: make([]float64, n*n)}
	d := differences{t, slices.Clone(x), make([]float64, n), make([]float64, n)}
	for j := range x {
		if err := d.column(c, j); err != nil {
			return nil, err
		}
	}
	m := c.lower // in units of the scales, the lower triangle
	for j := range n {
		for i := j; i < n; i++ {
			m[i+j*n] = float64(float64(0.5*(m[i+j*n]+m[j+i*n]))*c.scale[i]) * c.scale[j]
		}
	}
	l := slices.Clone(m)
	if vec.Chol(l, m, n) && least(l, n) > 10*flat {
		c.lower = l
		return c, nil
	}
	c.findFlat(m)
	if len(c.Flat) > 0 || !vec.Chol(m, m, n) {
		c.lower = nil
	}
	return c, nil
}

// least is about the least eigenvalue of L Lᵀ, by inverse iteration from a vector of no direction in particular; a little above it at most, for what it is compared with.
func least(l []float64, n int) (value float64) {
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(8 + i%7)
	}
	for range 30 {
		scale := 1 / math.Sqrt(vec.Dot(v, v))
		for i := range v {
			v[i] *= scale
		}
		vec.CholSolve(v, l, v, n)
		value = 1 / math.Sqrt(vec.Dot(v, v))
	}
	return value
}

// findFlat finds directions of little curvature among the eigenvectors of the scaled matrix.
func (c *Curvature) findFlat(m []float64) {
	n := len(c.at)
	values, vectors := make([]float64, n), slices.Clone(m)
	if !columns.Eigen(values, vectors, make([]float64, n), n) {
		return
	}
	for k, v := range values {
		if v > flat {
			break
		}
		u := vectors[k*n : (k+1)*n]
		most := 0.0
		for _, w := range u {
			most = max(most, math.Abs(w))
		}
		one := Direction{Curvature: v}
		for i, w := range u {
			if math.Abs(w) > 0.3*most {
				one.Coordinates = append(one.Coordinates, i)
			}
		}
		slices.SortStableFunc(one.Coordinates, func(i, j int) int {
			switch a, b := math.Abs(u[i]), math.Abs(u[j]); {
			case a > b:
				return -1
			case a < b:
				return 1
			}
			return 0
		})
		c.Flat = append(c.Flat, one)
	}
}

// differences of gradients around x.
type differences struct {
	t        hmc.Target
	x        []float64
	up, down []float64
}

// column finds −∂∇ log π/∂x_j, with steps that are short beside what the curvature along x_j says of its scale.
func (d *differences) column(c *Curvature, j int) error {
	n := len(d.x)
	h := float64(curveStep * max(math.Abs(d.x[j])*1e-3, 1))
	found := false
	for range curveTry {
		if !d.at(j, h) {
			h /= 30
			continue
		}
		found = true
		c.scale[j] = h / curveStep
		for i := range n {
			c.lower[i+j*n] = (d.down[i] - d.up[i]) / float64(2*h)
		}
		k := c.lower[j+j*n]
		if !(k > 0) {
			break
		}
		s := 1 / math.Sqrt(k)
		ratio := h / float64(curveStep*s)
		c.scale[j] = s
		if ratio > 0.1 && ratio < 10 {
			return nil
		}
		least := float64(0x1p-40 * math.Abs(d.x[j]))
		next := float64(curveStep * s)
		if next = max(min(next, 1e3*h), 1e-3*h, least); next == h {
			return nil
		}
		h = next
	}
	if !found {
		return errors.New("mode: there are no second derivatives: the density ends, or its gradient is not finite, right beside the place")
	}
	return nil
}

// at finds the gradients at both sides, and says whether they are finite.
func (d *differences) at(j int, h float64) bool {
	was := d.x[j]
	d.x[j] = was + h
	up := gradient(d.t, d.x, d.up)
	d.x[j] = was - h
	down := gradient(d.t, d.x, d.down)
	d.x[j] = was
	return vec.Finite(up) && vec.Finite(down)
}

// Definite tells whether there is a covariance.
func (c *Curvature) Definite() bool { return c.lower != nil }

// LogMass is the logarithm of the integral of the density whose logarithm is f at the place and falls as the curvature says: Laplace's approximation (Tierney and
// Kadane, 1986). It panics where there is no covariance.
func (c *Curvature) LogMass(f float64) float64 {
	n := len(c.at)
	f += float64(0.5 * (float64(float64(n)*log2Pi) - vec.CholLogDet(c.lower, n)))
	for _, s := range c.scale {
		f += vec.Log(s)
	}
	return f
}

// SD is the standard deviation of Σ a_i x_i. It panics where there is no covariance.
func (c *Curvature) SD(a []float64) float64 {
	w := c.solve(a)
	return math.Sqrt(vec.Dot(w, w))
}

// SDs are those of all x_j.
func (c *Curvature) SDs() []float64 {
	unit, sds := make([]float64, len(c.at)), make([]float64, len(c.at))
	for j := range sds {
		unit[j] = 1
		sds[j] = c.SD(unit)
		unit[j] = 0
	}
	return sds
}

// solve is L⁻¹ S a.
func (c *Curvature) solve(a []float64) []float64 {
	w := make([]float64, len(a))
	for i, v := range a {
		w[i] = float64(c.scale[i] * v)
	}
	vec.TriSolveLower(w, c.lower, w, len(w))
	return w
}

// step makes of L⁻¹ S a the product S L⁻ᵀ L⁻¹ S a of the covariance and a.
func (c *Curvature) step(w []float64) {
	vec.TriSolveLowerT(w, c.lower, w, len(w))
	for i := range w {
		w[i] *= c.scale[i]
	}
}

// Ridge is the step from the place to where x_j is one standard deviation up and the normal density is highest: its logarithm is lower by ½ there.
func (c *Curvature) Ridge(j int) []float64 {
	unit := make([]float64, len(c.at))
	unit[j] = 1
	w := c.solve(unit)
	sd := math.Sqrt(vec.Dot(w, w))
	c.step(w)
	for i := range w {
		w[i] /= sd
	}
	return w
}

// Newton is the step to the top of the parabola of this curvature and gradient, and how much higher that is.
func (c *Curvature) Newton(grad []float64) (step []float64, rise float64) {
	w := c.solve(grad)
	rise = 0.5 * vec.Dot(w, w)
	c.step(w)
	return w, rise
}

// Ascend makes the step of Newton from the place of the curvature, where that leads up, and again with the same curvature, until less than a rise is left: it ends
// a climb to the digits that there are. It writes the place to the top.
func (c *Curvature) Ascend(t hmc.Target, top *Top, rise float64) {
	x, g := make([]float64, len(top.X)), make([]float64, len(top.X))
	for range 20 {
		step, left := c.Newton(top.Gradient)
		top.Rise = left
		if left <= rise {
			top.End = Converged
			return
		}
		for i, v := range top.X {
			x[i] = v + step[i]
		}
		f := gradient(t, x, g)
		top.Evals++
		if !vec.Finite(f) {
			return
		}
		if _, then := c.Newton(g); !(then < left) || f < top.LogDensity-float64(1e-12*math.Abs(f)) {
			return
		}
		copy(top.X, x)
		copy(top.Gradient, g)
		top.LogDensity = f
	}
}
