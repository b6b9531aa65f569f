package tempering

import (
	"errors"
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/internal/tunings"
)

// savedKernel is a kernel in a checkpoint. Fields are exported for gob.
type savedKernel struct {
	Betas   []float64
	Round   int
	Tally   tally
	Trips   trips
	Kernels []byte
}

// MarshalBinary returns the ladder, the tuning of its kernels, and the swap statistics.
func (k *Kernel[S]) MarshalBinary() ([]byte, error) {
	kernels, err := tunings.MarshalAll(k.kernels)
	if err != nil {
		return nil, fmt.Errorf("tempering: %w", err)
	}
	return gobs.Marshal(savedKernel{k.betas, k.round, k.tally, k.trips, kernels})
}

var errTuning = errors.New("tempering: these bytes are not the tuning of a ladder; pass what MarshalBinary returned")

// UnmarshalBinary restores a state from MarshalBinary, with new kernels for its ladder.
func (k *Kernel[S]) UnmarshalBinary(b []byte) error {
	var t savedKernel
	if err := gobs.Unmarshal(b, &t); err != nil {
		return errTuning
	}
	n := len(k.betas)
	if len(t.Betas) != n {
		return fmt.Errorf("tempering: the tuning is of a ladder of %d inverse temperatures, not %d", len(t.Betas), n)
	}
	if checkLadder(t.Betas) != nil || len(t.Trips.Leg) != n || !t.Tally.sound(n-1) {
		return errTuning
	}
	k.betas, k.round, k.tally, k.trips = t.Betas, t.Round, t.Tally, t.Trips
	if err := k.build(); err != nil {
		return err
	}
	if err := tunings.UnmarshalAll(t.Kernels, k.kernels); err != nil {
		return fmt.Errorf("tempering: %w", err)
	}
	return nil
}

// sound says whether a decoded tally has the right sizes.
func (t *tally) sound(pairs int) bool {
	ok := len(t.Tried) == pairs && len(t.Accept) == pairs && len(t.Up) == maxBatches && len(t.Down) == maxBatches &&
		t.Length >= 2 && t.Steps >= 0 && t.Steps < maxBatches*t.Length
	for b := 0; ok && b < maxBatches; b++ {
		ok = len(t.Up[b]) == pairs && len(t.Down[b]) == pairs
	}
	return ok
}
