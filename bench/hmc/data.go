package main

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Data are drawn from the models at parameters that are drawn or written here, by streams of seed 1.

func writeJSON(path string, data map[string]any) error {
	b, err := json.Marshal(data)
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o666)
}

// design is a matrix of standard normal numbers.
func design(r *rand.Rand, rows, columns int) [][]float64 {
	x := make([][]float64, rows)
	for i := range x {
		x[i] = make([]float64, columns)
		for k := range x[i] {
			x[i][k] = dist.StdNormal(r)
		}
	}
	return x
}

func dot(x, y []float64) (sum float64) {
	for k, v := range x {
		sum += v * y[k]
	}
	return sum
}

// logistic has coefficients with sd 1/2.
func logistic(rows, columns int) map[string]any {
	r := rng.New(1, "bench hmc logistic", uint64(rows), uint64(columns)).Rand
	x := design(r, rows, columns)
	beta := design(r, 1, columns)[0]
	for k := range beta {
		beta[k] /= 2
	}
	y := make([]int, rows)
	for i := range y {
		if r.Float64() < 1/(1+math.Exp(-dot(x[i], beta))) {
			y[i] = 1
		}
	}
	return map[string]any{"N": rows, "K": columns, "X": x, "y": y}
}

// glmmData are counts of 25 in each of 40 groups with mean exp(1/2 + Xβ + u), u with sd 0.6; negative binomial of the given size, or
// Poisson where that is 0.
func glmmData(size float64) map[string]any {
	const groups, each, columns = 40, 25, 3
	r := rng.New(1, "bench hmc glmm", uint64(size)).Rand
	x, beta, u := design(r, groups*each, columns), []float64{0.5, -0.3, 0.2}, design(r, 1, groups)[0]
	g, y := make([]int, len(x)), make([]int, len(x))
	for i := range y {
		j := i / each
		mean := math.Exp(0.5 + dot(x[i], beta) + 0.6*u[j])
		if size > 0 {
			mean *= dist.Gamma(r, size, size)
		}
		g[i], y[i] = j+1, int(dist.Poisson(r, mean))
	}
	return map[string]any{"N": len(x), "K": columns, "G": groups, "X": x, "g": g, "y": y}
}

// orderedData are 500 answers in five categories.
func orderedData() map[string]any {
	r := rng.New(1, "bench hmc ordered").Rand
	x, beta, cuts := design(r, 500, 4), []float64{0.8, -0.5, 0.3, 0}, []float64{-1.2, -0.3, 0.4, 1.5}
	y := make([]int, len(x))
	for i := range y {
		z := dot(x[i], beta) + dist.StdNormal(r)
		y[i] = 1
		for _, c := range cuts {
			if z > c {
				y[i]++
			}
		}
	}
	return map[string]any{"N": len(x), "K": len(beta), "X": x, "y": y}
}

// nonlinearData are 12 times in each of 60 groups.
func nonlinearData() map[string]any {
	const groups, each = 60, 12
	r := rng.New(1, "bench hmc nonlinear").Rand
	za, zb := design(r, 1, groups)[0], design(r, 1, groups)[0]
	var g []int
	var t, y []float64
	for i := range groups * each {
		j, at := i/each, 0.25*float64(i%each)
		a, b := math.Exp(1+0.4*za[j]), math.Exp(-0.5+0.3*zb[j])
		g, t, y = append(g, j+1), append(t, at), append(y, a*math.Exp(-b*at)+0.3*dist.StdNormal(r))
	}
	return map[string]any{"N": len(y), "G": groups, "g": g, "t": t, "y": y}
}
