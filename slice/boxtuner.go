package slice

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// boxTuner learns the box of a Hyperrectangle. Jumps of the whole vector tell its size, but
// not its shape: where one width is too small by far, its coordinate is cut with the
// others all the same. The shape is that of the widths which a univariate sampler of each
// coordinate learns, by moves of its own.
type boxTuner struct {
	shape *Coordinates
	size  float64 // of the box in units of its shape
	jumps widthTuner
	n     int // calls of learnShape
}

const (
	// shapeSweeps is the number of steps that also move every coordinate alone; later ones move one coordinate in turn. A width a million times too small is by
	// then too small by less than ten.
	shapeSweeps = 16
	// boxJumps is the width in units of the mean jump. On independent normal coordinates
	// 6 costs 2 to 3 evaluations a step in 1 to 50 dimensions, and effective draws an
	// evaluation, the lesser of those of a coordinate and of the radius, are within 12 % of
	// those with the best width. Eight or 5 cost up to a quarter of them, 4 more than half.
	boxJumps = 6
)

func (t *boxTuner) width(i int) float64 {
	return min(float64(t.size*t.shape.coords[i].width()), maxWidth)
}

// learnShape moves single coordinates and returns the number of evaluations.
func (t *boxTuner) learnShape(s *mcmc.Point, r *rand.Rand) int {
	t.n++
	if t.n <= shapeSweeps {
		return t.shape.sweep(s, r, (*Univariate).Adapt1).Evals
	}
	return t.shape.move(t.n%len(s.X), s, r, (*Univariate).Adapt1)
}

// learnSize takes the mean jump of the coordinates, each in units of its shape.
func (t *boxTuner) learnSize(from, to []float64) {
	sum := 0.0
	for i := range to {
		sum += math.Abs(to[i]-from[i]) / t.shape.coords[i].width()
	}
	if t.n <= shapeSweeps || math.IsInf(sum, 0) || math.IsNaN(sum) {
		return
	}
	if mean, ok := t.jumps.add(sum / float64(len(to))); ok && mean > 0 {
		t.size = float64(boxJumps * mean)
	}
}

// MarshalBinary writes the widths and what is still being learnt.
func (h *Hyperrectangle) MarshalBinary() ([]byte, error) {
	t := &h.tune
	b, err := t.shape.MarshalBinary()
	for _, v := range [...]uint64{
		uint64(h.Exhausted), math.Float64bits(t.size), uint64(t.n),
		uint64(t.jumps.n), math.Float64bits(t.jumps.sum), math.Float64bits(t.jumps.wts),
	} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b, err
}

const boxSize = 6 * 8

// UnmarshalBinary reads what MarshalBinary wrote.
func (h *Hyperrectangle) UnmarshalBinary(b []byte) error {
	shape := len(b) - boxSize
	if shape != univariateSize*len(h.lower) {
		return errors.New("slice: these bytes are not the tuning of a box of as many coordinates; pass what MarshalBinary returned")
	}
	at := func(i int) uint64 { return binary.LittleEndian.Uint64(b[shape+8*i:]) }
	h.Exhausted, h.tune.size, h.tune.n = int(at(0)), math.Float64frombits(at(1)), int(at(2))
	h.tune.jumps = widthTuner{n: int(at(3)), sum: math.Float64frombits(at(4)), wts: math.Float64frombits(at(5))}
	return h.tune.shape.UnmarshalBinary(b[:shape])
}
