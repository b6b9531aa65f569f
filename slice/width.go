package slice

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
)

// widthTuner learns the width from the moves made: jumps of a slice sampler have the
// scale of the slice whatever the width was, unless it was far too small, and then the width
// grows by the limit on stepping out each time. Later jumps weigh more.
type widthTuner struct {
	n        int
	sum, wts float64
}

const (
	tuneAfter = 8 // jumps before the first change of width
	// The mean jump on a normal density is 1.06 sd. Stepping out takes fewest evaluations
	// at a width of 4 sd (4.8 a step; 5.0 at 2.5 or 8), doubling at 8 or more (6.8; 8.0 at
	// 4), and with two modes a wide interval finds the other one.
	jumpsSteppingOut = 4
	jumpsDoubling    = 8
)

// Adapt1 is Step1 in warm-up: it learns the width from the jump it makes.
func (u *Univariate) Adapt1(r *rand.Rand, x, fx, lo, hi float64, logp func(float64) float64) (x1, fx1 float64, evals int) {
	x1, fx1, evals = u.Step1(r, x, fx, lo, hi, logp)
	if jump := math.Abs(x1 - x); !math.IsInf(jump, 0) && !math.IsNaN(jump) {
		u.learn(jump)
	}
	return x1, fx1, evals
}

// add takes a jump and returns the mean of all, once there are enough.
func (t *widthTuner) add(jump float64) (mean float64, ok bool) {
	t.n++
	w := float64(t.n)
	t.sum += float64(w * jump)
	t.wts += w
	return t.sum / t.wts, t.n >= tuneAfter
}

func (u *Univariate) learn(jump float64) {
	mean, ok := u.tune.add(jump)
	if !ok {
		return
	}
	width := float64(jumpsSteppingOut * mean)
	if u.Method == Doubling {
		width = float64(jumpsDoubling * mean)
	}
	if u.Integer {
		width = max(width, 1)
	}
	if width > 0 {
		u.Width = min(width, maxWidth)
	}
}

// MarshalBinary writes the tuned width and what is still being learnt.
func (u *Univariate) MarshalBinary() ([]byte, error) {
	return u.AppendBinary(nil)
}

// AppendBinary appends what MarshalBinary writes.
func (u *Univariate) AppendBinary(b []byte) ([]byte, error) {
	for _, v := range [...]uint64{
		math.Float64bits(u.Width), uint64(u.Exhausted), uint64(u.tune.n), math.Float64bits(u.tune.sum), math.Float64bits(u.tune.wts),
	} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b, nil
}

const univariateSize = 5 * 8

// UnmarshalBinary reads what MarshalBinary wrote; the method and limits stay.
func (u *Univariate) UnmarshalBinary(b []byte) error {
	if len(b) != univariateSize {
		return errors.New("slice: these bytes are not the tuning of a slice sampler; pass what MarshalBinary returned")
	}
	at := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	u.Width = math.Float64frombits(at(0))
	u.Exhausted = int(at(1))
	u.tune = widthTuner{n: int(at(2)), sum: math.Float64frombits(at(3)), wts: math.Float64frombits(at(4))}
	return nil
}
