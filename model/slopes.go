package model

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// The derivatives of operations of several numbers to one: dx[k] becomes ∂y/∂x[k].

// constantly are derivatives that never change; the last is that of all that follow.
func constantly(slopes ...float64) func(dx, x []float64, y float64, fn *DistFn, sc *scratch) {
	return func(dx, _ []float64, _ float64, _ *DistFn, _ *scratch) {
		for k := range dx {
			dx[k] = slopes[min(k, len(slopes)-1)]
		}
	}
}

func mulSlopes(dx, x []float64, _ float64, _ *DistFn, _ *scratch) { dx[0], dx[1] = x[1], x[0] }

func divSlopes(dx, x []float64, y float64, _ *DistFn, _ *scratch) { dx[0], dx[1] = 1/x[1], -y/x[1] }

func powSlopes(dx, x []float64, y float64, _ *DistFn, _ *scratch) {
	dx[0] = x[1] * power(x[0], x[1]-1)
	if x[1] == 0 {
		dx[0] = 0
	}
	dx[1] = y * vec.Log(x[0])
	if x[0] == 0 && x[1] > 0 {
		dx[1] = 0
	}
}

func chooseSlopes(dx, x []float64, _ float64, _ *DistFn, _ *scratch) {
	dx[0], dx[1] = 0, truth(x[0] != 0)
	dx[2] = 1 - dx[1]
}

func meanSlopes(dx, _ []float64, _ float64, _ *DistFn, _ *scratch) {
	columns.Fill(dx, 1/float64(len(dx)))
}

// prodSlopes are the products of all others, from the left and from the right.
func prodSlopes(dx, x []float64, _ float64, _ *DistFn, _ *scratch) {
	left, right := 1.0, 1.0
	for k := range x {
		dx[k] = left
		left *= x[k]
	}
	for k := len(x) - 1; k >= 0; k-- {
		dx[k] *= right
		right *= x[k]
	}
}

func dotSlopes(dx, x []float64, _ float64, _ *DistFn, _ *scratch) {
	h := len(x) / 2
	copy(dx, x[h:])
	copy(dx[h:], x[:h])
}

// whereEqual is 1 for the first number that is the result.
func whereEqual(dx, x []float64, y float64, _ *DistFn, _ *scratch) {
	clear(dx)
	for k := range x {
		if x[k] == y {
			dx[k] = 1
			return
		}
	}
}

func stdDevSlopes(dx, x []float64, y float64, _ *DistFn, _ *scratch) {
	n := float64(len(x))
	mean := 0.0
	for _, a := range x {
		mean += a
	}
	mean /= n
	for k, a := range x {
		dx[k] = (a - mean) / ((n - 1) * y)
	}
}

// logDetSlopes are the elements of the inverse: the change along a symmetric
// direction H is Σ A⁻¹_ij H_ij.
func logDetSlopes(dx, x []float64, _ float64, _ *DistFn, sc *scratch) { inverse(dx, x, sc) }

// interpolateSlopes are those by the abscissa and by the points on its two sides.
func interpolateSlopes(dx, x []float64, _ float64, _ *DistFn, _ *scratch) {
	clear(dx)
	h := (len(x) - 1) / 2
	e, xs, ys := x[0], x[1:1+h], x[1+h:]
	if e <= xs[0] {
		dx[1+h] = 1
		return
	}
	for k := 1; k < h; k++ {
		if e > xs[k] {
			continue
		}
		gap := xs[k] - xs[k-1]
		w, slope := (e-xs[k-1])/gap, (ys[k]-ys[k-1])/gap
		dx[0], dx[1+k-1], dx[1+k] = slope, -slope*(1-w), -slope*w
		dx[1+h+k-1], dx[1+h+k] = 1-w, w
		return
	}
	dx[2*h] = 1
}

// distSlopes are those of a distribution's function: of a density by its gradient,
// of a distribution function and a quantile by the density in their first argument.
// Their derivatives by parameters are not known, NaN.
func distSlopes(dx, x []float64, y float64, fn *DistFn, sc *scratch) {
	if fn.Multi != nil {
		fn.multiSlopes(dx, x, sc)
	} else {
		fn.scalarSlopes(dx, x, y)
	}
	if fn.Kind == 'd' {
		for k := range dx {
			dx[k] *= y
		}
	}
}

func (f *DistFn) scalarSlopes(dx, x []float64, y float64) {
	d, p := f.Scalar, x[1:]
	switch {
	case d.Check(p) != "":
		columns.Fill(dx, math.NaN())
	case f.Kind == 'l' || f.Kind == 'd':
		dx[0] = d.Grad(x[0], p, dx[1:])
	case d.Discrete:
		columns.Fill(dx, math.NaN())
	case f.Kind == 'p':
		columns.Fill(dx, math.NaN())
		dx[0] = vec.Exp(d.LogProb(x[0], p))
	default:
		columns.Fill(dx, math.NaN())
		dx[0] = vec.Exp(-d.LogProb(y, p))
	}
}

func (f *DistFn) multiSlopes(dx, x []float64, sc *scratch) {
	n := size(f.PDims[0])
	at := n
	var p, dp [][]float64
	for _, d := range f.PDims[1:] {
		p, dp = append(p, x[at:at+size(d)]), append(dp, dx[at:at+size(d)])
		at += size(d)
	}
	if f.Multi.Check(p, f.PDims[1:]) != "" {
		columns.Fill(dx, math.NaN())
		return
	}
	f.Multi.Grad(dx[:n], dp, x[:n], p, f.PDims[1:], &sc.work)
}

// normDensity is the density of N(0, 1).
func normDensity(x float64) float64 { return vec.Exp(-0.5*x*x) / math.Sqrt(2*math.Pi) }
