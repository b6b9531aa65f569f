package tempering

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"errors"
	"fmt"
)

// tuning is the saved state of a kernel. Fields are exported for gob.
type tuning struct {
	Betas []float64
	Round int
	Tally tally
	Trips trips
	Inner [][]byte
}

// MarshalBinary returns the ladder, the tuning of its kernels, and the swap statistics.
func (k *Kernel[S]) MarshalBinary() ([]byte, error) {
	t := tuning{k.betas, k.round, k.tally, k.trips, make([][]byte, len(k.kernels))}
	for i, inner := range k.kernels {
		m, ok := inner.(encoding.BinaryMarshaler)
		if !ok {
			continue
		}
		var err error
		if t.Inner[i], err = m.MarshalBinary(); err != nil {
			return nil, fmt.Errorf("tempering: the kernel at inverse temperature %v: %w", k.betas[i], err)
		}
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(t); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

var errTuning = errors.New("tempering: these bytes are not the tuning of a ladder; pass what MarshalBinary returned")

// UnmarshalBinary restores a state from MarshalBinary, with new kernels for its ladder.
func (k *Kernel[S]) UnmarshalBinary(b []byte) error {
	var t tuning
	if err := gob.NewDecoder(bytes.NewReader(b)).Decode(&t); err != nil {
		return errTuning
	}
	n := len(k.betas)
	if len(t.Betas) != n {
		return fmt.Errorf("tempering: the tuning is of a ladder of %d inverse temperatures, not %d", len(t.Betas), n)
	}
	if checkLadder(t.Betas) != nil || len(t.Inner) != n || len(t.Trips.Leg) != n || !t.Tally.sound(n-1) {
		return errTuning
	}
	k.betas, k.round, k.tally, k.trips = t.Betas, t.Round, t.Tally, t.Trips
	if err := k.build(); err != nil {
		return err
	}
	for i, inner := range k.kernels {
		u, ok := inner.(encoding.BinaryUnmarshaler)
		if !ok {
			continue
		}
		if err := u.UnmarshalBinary(t.Inner[i]); err != nil {
			return fmt.Errorf("tempering: the kernel at inverse temperature %v: %w", k.betas[i], err)
		}
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
