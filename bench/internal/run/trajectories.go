package run

import (
	"math"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/draws"
)

// Trajectories counts the gradients that the trajectories in a run's folder took, in its warm-up too where that was saved, and the
// divergent transitions after warm-up. They are NaN of runs that have none.
func Trajectories(dir string) (gradients, divergent float64, err error) {
	r, err := draws.Open(filepath.Join(dir, "draws.zarr"))
	if err != nil {
		return 0, 0, err
	}
	for _, group := range []string{draws.WarmupSampleStats, draws.SampleStats} {
		if !r.Has(group) {
			continue
		}
		s, err := r.ReadGroup(group)
		if err != nil {
			return 0, 0, err
		}
		gradients += total(s, "n_steps")
		if group == draws.SampleStats {
			divergent = total(s, "diverging")
		}
	}
	return gradients, divergent, nil
}

func total(s *draws.Set, name string) (sum float64) {
	e, ok := s.Lookup(name)
	if !ok {
		return math.NaN()
	}
	for _, chain := range s.Element(e) {
		for _, x := range chain {
			sum += x
		}
	}
	return sum
}
