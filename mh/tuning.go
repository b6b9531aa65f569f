package mh

import (
	"errors"
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// walkTuning is what a random walk learns. Its fields are exported for gob.
type walkTuning struct {
	Scale  Scale
	L      []float64 // lower triangular, column-major
	Window window    // of the warm-up
	Seen   moments   // points of this window
	Corr   []float64 // correlations learnt in the windows before, as L is laid out
}

// newWalkTuning takes the first factor.
func newWalkTuning(l []float64, d int) walkTuning {
	t := walkTuning{L: l, Seen: newMoments(d), Corr: make([]float64, d*d)}
	for j := range d {
		for i := j; i < d; i++ {
			t.Corr[j*d+i] = rows(l, i, j, d) / math.Sqrt(float64(rows(l, i, i, d)*rows(l, j, j, d)))
		}
	}
	return t
}

// rows is the inner product of two rows of a factor: an element of the matrix.
func rows(l []float64, i, j, d int) float64 {
	sum := 0.0
	for k := range min(i, j) + 1 {
		sum += float64(l[k*d+i] * l[k*d+j])
	}
	return sum
}

// startScale is log(2.38/√d), the best scale once L is that of a normal target
// (Gelman, Roberts and Gilks 1996).
func startScale(d int) float64 { return vec.Log(2.38 / math.Sqrt(float64(d))) }

// newShapeUpdates is the number of updates that a scale counts as having had, for its gain, when L is
// new: the scale must follow, but no longer by orders of magnitude.
const newShapeUpdates = 20

// learn learns the scale from each step and the shape from the points of windows. Early ones are short: each
// corrects the standard deviations by a factor, which is enough for coordinates of very different scales and
// for a start far from the target. Correlations need many points: those of a window are averaged with those
// learnt before, so that a few points do not determine them.
func (t *walkTuning) learn(x []float64, acceptProb, target float64, w mcmc.Warmup, work []float64) {
	d := len(x)
	t.Scale.Update(acceptProb, target)
	if d == 1 { // the scale is all there is to learn
		return
	}
	t.Window.begin(d)
	t.Seen.add(x)
	n := t.Seen.N
	if w.Iteration+1 < t.Window.End {
		if t.Window.Long && n >= 5*d+10 && n%max(10, d) == 0 { // a Cholesky factor costs d steps
			t.shape(work, false)
		}
		return
	}
	if t.shape(work, true) && !t.Window.Long {
		t.Scale = Scale{Log: startScale(d), N: newShapeUpdates}
	}
	t.Seen.reset()
	t.Window.next(w.Total)
}

// priorPoints times d² is the number of points that the correlations learnt before count for; fewer in a
// window of more points than that, which needs less shrinkage.
const priorPoints = 3

// shape sets L by the standard deviations of the points seen and the correlations of these and of those
// before, which it keeps at the end of a window. It does nothing if a coordinate has not moved.
func (t *walkTuning) shape(work []float64, keep bool) bool {
	d, seen := len(t.Seen.Mean), t.Seen.Sum
	for i := range d {
		if v := seen[i*d+i]; !(v > 0 && vec.Finite(v)) {
			return false
		}
	}
	n, before := float64(t.Seen.N), float64(priorPoints*d*d)
	before = float64(before * min(1, before/n))
	for j := range d {
		for i := j; i < d; i++ {
			r := seen[j*d+i] / (math.Sqrt(seen[i*d+i]) * math.Sqrt(seen[j*d+j]))
			work[j*d+i] = (float64(n*r) + float64(before*t.Corr[j*d+i])) / (n + before)
		}
	}
	if keep {
		copy(t.Corr, work)
	}
	for i := range d {
		work[i*d+i] *= 1 + ridge
	}
	if !vec.Chol(work, work, d) {
		return false
	}
	for i := range d {
		sd := math.Sqrt(seen[i*d+i] / (n - 1))
		for j := range i + 1 {
			t.L[j*d+i] = float64(sd * work[j*d+i])
		}
	}
	return true
}

// window is a stretch of the warm-up. Windows grow up to 3/10 of it; then come two long ones, of a third and
// two thirds of what is left, which renew the shape as they go.
type window struct {
	End    int
	Length float64
	Long   bool
}

const (
	shortest    = 20 // points of the first window, or 2d
	growth      = 1.3
	earlyShare  = 0.3
	secondShare = 0.35
)

func (w *window) begin(d int) {
	if w.End == 0 {
		w.End = max(shortest, 2*d)
		w.Length = float64(w.End)
	}
}

func (w *window) next(total int) {
	w.Length *= growth
	switch at := w.End + int(w.Length); {
	case w.Long:
		w.End = total
	case float64(at) > float64(earlyShare*float64(total)):
		w.Long = true
		w.End = max(at, w.End+int(secondShare*float64(total-w.End)))
	default:
		w.End = at
	}
}

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
	if len(t.L) != d*d || len(t.Corr) != d*d || len(t.Seen.Mean) != d || len(t.Seen.Sum) != d*d {
		return fmt.Errorf("mh: the tuning is of a random walk over vectors of another length than %d", d)
	}
	return nil
}

var errTuning = errors.New("mh: these bytes are not the tuning of this kernel; pass what MarshalBinary returned")

func decode(b []byte, tuning any) error {
	if gobs.Unmarshal(b, tuning) != nil {
		return errTuning
	}
	return nil
}
