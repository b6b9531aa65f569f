package main

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// law is the exact distribution of a number: a mixture of normals or of single points on a grid.
type law struct {
	mean, sd float64
	below    func(x float64) float64 // P(X ≤ x)
	discrete bool
}

// density is the law with a log density, up to a constant, by the trapezoid rule on a grid that rises.
func density(grid []float64, logp func(x float64) float64) law {
	w := weights(grid, logp)
	mean, square := 0.0, 0.0
	for i, x := range grid {
		mean += w[i] * x
	}
	for i, x := range grid {
		square += w[i] * (x - mean) * (x - mean)
	}
	upto := floats.CumSum(make([]float64, len(w)), w)
	return law{mean: mean, sd: math.Sqrt(square), below: func(x float64) float64 {
		// Half of a point's weight lies on each side of it.
		for i, g := range grid {
			if g > x {
				if i == 0 {
					return 0
				}
				t := (x - grid[i-1]) / (g - grid[i-1])
				lo, hi := upto[i-1]-w[i-1]/2, upto[i]-w[i]/2
				return lo + t*(hi-lo)
			}
		}
		return 1
	}}
}

// weights are the probabilities of the points of a grid.
func weights(grid []float64, logp func(x float64) float64) []float64 {
	lp := make([]float64, len(grid))
	for i, x := range grid {
		lo, hi := max(i-1, 0), min(i+1, len(grid)-1)
		lp[i] = logp(x) + math.Log((grid[hi]-grid[lo])/2)
	}
	return normalised(lp)
}

func normalised(lp []float64) []float64 {
	total := floats.LogSumExp(lp)
	w := make([]float64, len(lp))
	for i := range lp {
		w[i] = math.Exp(lp[i] - total)
	}
	return w
}

// normals is a mixture of normal distributions.
func normals(w, mean, sd []float64) law {
	l := law{below: func(x float64) float64 {
		p := 0.0
		for i := range w {
			p += w[i] * math.Erfc((mean[i]-x)/sd[i]/math.Sqrt2) / 2
		}
		return p
	}}
	square := 0.0
	for i := range w {
		l.mean += w[i] * mean[i]
		square += w[i] * (mean[i]*mean[i] + sd[i]*sd[i])
	}
	l.sd = math.Sqrt(square - l.mean*l.mean)
	return l
}

// mixed is a mixture of normals over a parameter on a grid.
func mixed(grid []float64, logp func(t float64) float64, given func(t float64) (mean, sd float64)) law {
	mean, sd := make([]float64, len(grid)), make([]float64, len(grid))
	for i, t := range grid {
		mean[i], sd[i] = given(t)
	}
	return normals(weights(grid, logp), mean, sd)
}

// bernoulli is 1 with probability p, and else 0.
func bernoulli(p float64) law { return law{mean: p, sd: math.Sqrt(p * (1 - p)), discrete: true} }

func even(lo, hi float64, n int) []float64 { return floats.Span(make([]float64, n), lo, hi) }

// wide is dense around 0 and reaches far.
func wide(most float64, n int) []float64 {
	g := even(-math.Asinh(most), math.Asinh(most), n)
	for i, u := range g {
		g[i] = math.Sinh(u)
	}
	return g
}

func square(x float64) float64 { return x * x }

// normal is the log density of N(mean, sd²) but for a constant.
func normal(x, mean, sd float64) float64 { return -square((x-mean)/sd)/2 - math.Log(sd) }
