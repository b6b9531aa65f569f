package spinlanes

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
)

const (
	base     = 64 // of the digits of a change
	shift    = 6
	digits   = 6 // of a change below 2³¹
	perPlane = 4 // planes of 16 bits make a threshold
)

// Thresholds are the probabilities of acceptance at a rate r: e^{−rx} for a change x.
type Thresholds struct {
	rate   float64
	bound  int32
	digits int // that changes have which are not hopeless
	limit  int32
	// planes hold, of digit d and value k, the threshold t of probability (t + 1)/2⁶⁴, its first 16 bits in plane 0. The last
	// elements are read and not used.
	planes [digits*perPlane*base + 2]uint16
	p      [2][base]float64 // a workspace
}

// Limit is the largest change that may be accepted.
func (t *Thresholds) Limit() int32 { return t.limit }

// SetLimit makes thresholds that accept all changes up to a limit, and no other.
func (t *Thresholds) SetLimit(limit, bound int32) {
	t.Set(0, bound)
	t.limit = max(min(limit, bound), 0)
	t.rate = -1 // none that Set is given
}

// Set makes the rate r, from 0 to infinity, for changes up to bound. Where e^{−rx} < 2⁻⁶⁴, a change is not accepted.
func (t *Thresholds) Set(rate float64, bound int32) {
	if t.digits > 0 && t.rate == rate && t.bound == bound {
		return
	}
	t.rate, t.bound, t.limit = rate, bound, bound
	if most := 64 * math.Ln2 / rate; most < float64(bound) {
		t.limit = int32(most)
	}
	t.digits = 0
	for rest, unit := t.limit, 1.0; t.digits == 0 || rest > 0; rest, unit = rest>>shift, unit*base {
		t.digit(t.digits, int(min(rest, base-1)), rate*unit)
		t.digits++
	}
}

// digit fills the thresholds of a digit's values up to most.
func (t *Thresholds) digit(d, most int, rate float64) {
	x, p := &t.p[0], &t.p[1]
	for k := range x {
		x[k] = -float64(rate * float64(k))
	}
	x[0] = 0 // also where the rate is infinite
	columns.Exp(p[:most+1], x[:most+1])
	at := t.planes[d*perPlane*base:]
	for k := range most + 1 {
		threshold := uint64(math.MaxUint64)
		if p[k] < 1 {
			threshold = max(uint64(p[k]*0x1p64), 1) - 1
		}
		for plane := range perPlane {
			at[plane*base+k] = uint16(threshold >> (48 - 16*plane))
		}
	}
}
