package model

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/dist"
)

func sumOf(reg []float64, args []int32) float64 {
	s := 0.0
	for _, a := range args {
		s += reg[a]
	}
	return s
}

func meanOf(reg []float64, args []int32) float64 { return sumOf(reg, args) / float64(len(args)) }

func prodOf(reg []float64, args []int32) float64 {
	s := 1.0
	for _, a := range args {
		s *= reg[a]
	}
	return s
}

func maxOf(reg []float64, args []int32) float64 {
	s := math.Inf(-1)
	for _, a := range args {
		s = max(s, reg[a])
	}
	return s
}

func minOf(reg []float64, args []int32) float64 {
	s := math.Inf(1)
	for _, a := range args {
		s = min(s, reg[a])
	}
	return s
}

func dotOf(reg []float64, args []int32) float64 {
	h := len(args) / 2
	s := 0.0
	for k, a := range args[:h] {
		s += float64(reg[a] * reg[args[h+k]])
	}
	return s
}

// toOne makes a row's list of a function to one number.
func toOne(f func(x []float64, sc *scratch) float64) func(out, x []float64, _ *DistFn, sc *scratch) {
	return func(out, x []float64, _ *DistFn, sc *scratch) { out[0] = f(x, sc) }
}

// toBlock makes it of a function to as many numbers as it is given.
func toBlock(f func(out, x []float64, sc *scratch)) func(out, x []float64, _ *DistFn, sc *scratch) {
	return func(out, x []float64, _ *DistFn, sc *scratch) { f(out, x, sc) }
}

func distFn(out, x []float64, fn *DistFn, sc *scratch) { out[0] = fn.eval(x, sc) }

func intervalAt(x []float64, _ *scratch) float64 { return dist.Interval(x[0], x[1:]) }
