package run

import (
	"math"
	"slices"
)

// Median is the middle of x, or the mean of the two in the middle; NaN of nothing.
func Median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(x))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
