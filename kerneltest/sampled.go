package kerneltest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Sampled is a target with an exact sampler.
type Sampled[S any] struct {
	Draw   func(r *rand.Rand) S // an exact draw, caches in place
	Kernel mcmc.Kernel[S]       // frozen, if it adapts
	Stats  func(s S) []float64  // what is compared: coordinates, squares, products, …
	Check  func(s S) error      // optional: judges the caches of a state after the steps
}

// Invariant pushes exact draws of the target through the kernel and compares each
// statistic with that of fresh exact draws, by two-sample Kolmogorov–Smirnov tests.
func Invariant[S any](t Sampled[S], set Settings) error {
	return Converges(t, t.Draw, set)
}

// Converges starts the kernel somewhere else and compares each statistic after Steps
// steps with that of exact draws. The steps must be enough to forget the start to within
// the noise.
func Converges[S any](t Sampled[S], start func(r *rand.Rand) S, set Settings) error {
	set, err := set.complete()
	if err != nil {
		return err
	}
	r := rng.New(set.Seed, "kerneltest sampled").Rand
	var moved, exact [][]float64
	for range set.Replicates {
		s := start(r)
		for range set.Steps {
			t.Kernel.Step(s, r)
		}
		if t.Check != nil {
			if err := t.Check(s); err != nil {
				return fmt.Errorf("kerneltest: %w", err)
			}
		}
		if moved, err = gather(moved, t.Stats(s)); err != nil {
			return err
		}
		if exact, err = gather(exact, t.Stats(t.Draw(r))); err != nil {
			return err
		}
	}
	return sameLaw(moved, exact, set.Alpha)
}

// gather appends row to the columns.
func gather(columns [][]float64, row []float64) ([][]float64, error) {
	if columns == nil {
		columns = make([][]float64, len(row))
	}
	if len(columns) != len(row) {
		return nil, fmt.Errorf("kerneltest: Stats gave %d values for one state and %d for another", len(columns), len(row))
	}
	for i, v := range row {
		columns[i] = append(columns[i], v)
	}
	return columns, nil
}

// sameLaw tests column by column that a and b are samples of one law.
func sameLaw(a, b [][]float64, alpha float64) error {
	if len(a) == 0 {
		return errNothing
	}
	if len(a) != len(b) {
		return fmt.Errorf("kerneltest: Stats gave %d values after the kernel's steps and %d for an exact draw", len(a), len(b))
	}
	for i := range a {
		if slices.ContainsFunc(a[i], math.IsNaN) {
			return fmt.Errorf("kerneltest: statistic %d is NaN after the kernel's steps", i)
		}
		if slices.ContainsFunc(b[i], math.IsNaN) {
			return fmt.Errorf("kerneltest: statistic %d of an exact draw is NaN", i)
		}
		n := len(a[i])
		k := smirnov(a[i], b[i])
		if p := smirnovP(k, n); p < alpha/float64(len(a)) {
			return fmt.Errorf("kerneltest: statistic %d does not have the law of exact draws: D = %.4f with %d draws each (p = %.2g); means %.5g and %.5g",
				i, float64(k)/float64(n), n, p, mean(a[i]), mean(b[i]))
		}
	}
	return nil
}

// smirnov is n times the two-sample Kolmogorov–Smirnov statistic of samples of size n,
// taken only where all ties are behind.
func smirnov(a, b []float64) int {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	i, j, most := 0, 0, 0
	for i < len(a) && j < len(b) {
		x := min(a[i], b[j])
		for i < len(a) && a[i] == x {
			i++
		}
		for j < len(b) && b[j] == x {
			j++
		}
		most = max(most, i-j, j-i)
	}
	return most
}

func mean(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s / float64(len(x))
}
