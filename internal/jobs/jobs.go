// Package jobs is what the jobs for mcmc.Run of several packages have in common.
package jobs

import (
	"context"
	"fmt"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

const startTries = 100

// Start asks try for a start, up to 100 times, until its log density is finite. what starts, as in "chain 3", and x is
// where, for errors.
func Start(ctx context.Context, what string, try func() (x any, logp float64, err error)) error {
	var x any
	var f float64
	for range startTries {
		err := ctx.Err()
		if err == nil {
			x, f, err = try()
		}
		if err != nil {
			return err
		}
		if vec.Finite(f) {
			return nil
		}
	}
	return fmt.Errorf("none of %d starts of %s has a finite log density; the last, %v, has %v: let Init stay inside the support", startTries, what, x, f)
}

// Kernel is what move, which has made kernels before, makes for a chain.
func Kernel[K any](move func(chain int) (K, error), chain int) K {
	k, err := move(chain)
	if err != nil {
		panic(fmt.Sprintf("Move made the kernel of chain %d before, and now fails: %v", chain+1, err))
	}
	return k
}

// Vector is the variables that n numbers make up: those named, or x.
func Vector(named []draws.Variable, n int) ([]draws.Variable, error) {
	if named == nil {
		return []draws.Variable{{Name: "x", Dims: []int{n}}}, nil
	}
	if width := draws.Width(named); width != n {
		return nil, fmt.Errorf("the variables have %d elements, the vectors %d; Named must cover each coordinate once", width, n)
	}
	return named, nil
}
