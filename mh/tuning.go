package mh

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// walkTuning is what a random walk learns. Its fields are exported for gob.
type walkTuning struct {
	Scale  Scale
	L      []float64 // lower triangular, column-major
	Shaped bool      // L has been learnt
	Stage  int       // of the warm-up
	Seen   moments   // points of this stage
}

func newWalkTuning(d int) walkTuning {
	return walkTuning{Scale: Scale{Log: startScale(d)}, L: make([]float64, d*d), Seen: newMoments(d)}
}

// startScale is log(2.38/√d), the best scale once L is that of a normal target
// (Gelman, Roberts and Gilks 1996).
func startScale(d int) float64 { return vec.Log(2.38 / math.Sqrt(float64(d))) }

// settled is the number of updates that a scale has behind it, for its gain, when L is
// new: the scale must follow, but no longer by orders of magnitude.
const settled = 20

func (t *walkTuning) learn(x []float64, acceptProb, target float64, w mcmc.Warmup, work []float64) {
	d := len(x)
	t.Scale.Update(acceptProb, target)
	if d == 1 { // the scale is all there is to learn
		return
	}
	if now := stage(w); now != t.Stage {
		t.Stage = now
		t.Seen.reset()
	}
	if t.Stage == 0 { // far from the target still
		return
	}
	t.Seen.add(x)
	n, every := t.Seen.N, max(10, d) // a Cholesky factor costs d steps
	if n < 5*d+10 || n%every != 0 || !t.Seen.chol(t.L, work) {
		return
	}
	if !t.Shaped {
		t.Shaped = true
		t.Scale = Scale{Log: startScale(d), N: settled}
	}
}

// stage counts the points of the warm-up, a tenth, a quarter and half, that are behind.
func stage(w mcmc.Warmup) int {
	switch {
	case w.Iteration < w.Total/10:
		return 0
	case w.Iteration < w.Total/4:
		return 1
	case w.Iteration < w.Total/2:
		return 2
	}
	return 3
}

func (t *walkTuning) marshal() ([]byte, error) { return encode(t) }

func (t *walkTuning) unmarshal(b []byte) error {
	var got walkTuning
	if err := decode(b, &got); err != nil {
		return err
	}
	if err := got.fits(len(t.Seen.Mean)); err != nil {
		return err
	}
	got.Seen.delta = t.Seen.delta
	*t = got
	return nil
}

// fits checks a tuning that was read.
func (t *walkTuning) fits(d int) error {
	if len(t.L) != d*d || len(t.Seen.Mean) != d || len(t.Seen.Sum) != d*d {
		return fmt.Errorf("mh: the tuning is of a random walk over vectors of another length than %d", d)
	}
	return nil
}

func encode(tuning any) ([]byte, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(tuning); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

var errTuning = errors.New("mh: these bytes are not the tuning of this kernel; pass what MarshalBinary returned")

func decode(b []byte, tuning any) error {
	if gob.NewDecoder(bytes.NewReader(b)).Decode(tuning) != nil {
		return errTuning
	}
	return nil
}
