package owned

import "fmt"

// Kernels finds out, for the constructor of a job, whether move can make kernels for so many chains, each with a state of its own,
// and make them again.
func Kernels[K any](move func(chain int) (K, error), chains int) error {
	var kernels []any
	for c := range chains {
		k, err := move(c)
		if err != nil {
			return fmt.Errorf("mcmc: the kernel of chain %d: %w", c+1, err)
		}
		if any(k) == nil {
			return fmt.Errorf("mcmc: Move gave chain %d no kernel", c+1)
		}
		kernels = append(kernels, k)
	}
	if err := Apart(kernels); err != nil || len(kernels) == 0 {
		return err
	}
	again, err := move(0)
	if err != nil {
		return fmt.Errorf("mcmc: the kernel of chain 1, made again: %w", err)
	}
	if _, _, kind, shared := Shared([]any{kernels[0], again}); shared {
		return fmt.Errorf("mcmc: asked twice, Move gave chain 1 the same %s: make a new one each time, so that a run begins untuned", kind)
	}
	return nil
}

// Apart finds kernels that chains share: tuned by one chain and moved by another at the same time,
// they would be wrong in silence.
func Apart(kernels []any) error {
	i, j, kind, shared := Shared(kernels)
	if !shared {
		return nil
	}
	return fmt.Errorf("mcmc: chains %d and %d share a %s: make the kernel, with all its parts, inside the function that gives a chain its own", i+1, j+1, kind)
}
