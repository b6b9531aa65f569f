package mh

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Adaptation is what a [Walk] learns in warm-up. After it nothing changes, so that the draws
// that are kept come from one kernel.
type Adaptation int

const (
	// LearnShape tunes the scale to an acceptance rate (Robbins and Monro, 1951) and sets the shape to the
	// covariance of the points visited (Andrieu and Thoms 2008, algorithm 4) in windows that grow; correlations
	// are averaged over windows. [RandomWalk] does this.
	LearnShape Adaptation = iota
	// LearnScale tunes the scale alone.
	LearnScale
	// AdaptiveMetropolis sets the shape to 2.38²/d times the covariance of all points visited
	// (Haario, Saksman and Tamminen, 2001) and does not tune the acceptance rate.
	AdaptiveMetropolis
	// RobustAdaptive changes the shape in the direction of each step, so that the acceptance rate
	// approaches Accept (Vihola, 2012). It needs no moments of the target.
	RobustAdaptive
	// LearnNothing keeps the walk as it was made.
	LearnNothing
)

// tuning is what a Walk learns. Its fields are exported for gob.
type tuning struct {
	Walk walkTuning
	N    int // updates by RobustAdaptive
}

func newTuning(l []float64, d int) tuning {
	return tuning{Walk: newWalkTuning(l, d)}
}

// haario adds a point. The factor, which costs d steps, is renewed every d-th time.
func (t *tuning) haario(x, work []float64) {
	d := len(x)
	w := &t.Walk
	w.Seen.add(x)
	if n := w.Seen.N; n < 5*d+10 || n%max(10, d) != 0 || !w.Seen.chol(w.L, work) {
		return
	}
	w.Scale.Log = startScale(d)
}

const robustExponent = -2.0 / 3 // Vihola 2012, section 5

// robust is Vihola's equation (1): with S = σL and u the last step,
// S Sᵀ ← S (I + η (α − α*) u uᵀ/|u|²) Sᵀ, η = min(1, d n^(−2/3)).
func (t *tuning) robust(z []float64, prob, target float64, work []float64) {
	d := len(z)
	t.N++
	gain := min(1, float64(d)*vec.Pow(float64(t.N), robustExponent))
	change := float64(gain * (prob - target))
	norm := math.Sqrt(vec.Dot(z, z))
	if !(norm > 0) || change == 0 {
		return
	}
	v := z // z is not needed any more
	vec.MulTriVec(v, t.Walk.L, z, d)
	by := math.Sqrt(math.Abs(change)) / norm
	for i := range v {
		v[i] *= by
	}
	copy(work, t.Walk.L)
	if rankOne(work, v, d, math.Copysign(1, change)) {
		copy(t.Walk.L, work)
	}
}

// rankOne turns the Cholesky factor of A into that of A + sign v vᵀ, and v into scratch
// (Golub and Van Loan 2013, section 6.5.4). It reports whether there is one, of a size
// that can be used.
func rankOne(l, v []float64, d int, sign float64) bool {
	const least, most = 1e-150, 1e150
	for k := range d {
		col := l[k*d+k : (k+1)*d]
		pivot := math.Sqrt(float64(col[0]*col[0]) + float64(sign*v[k]*v[k]))
		if !(pivot > least && pivot < most) {
			return false
		}
		c, s := pivot/col[0], v[k]/col[0]
		col[0] = pivot
		for i := 1; i < len(col); i++ {
			col[i] = (col[i] + float64(sign*s*v[k+i])) / c
			v[k+i] = float64(c*v[k+i]) - float64(s*col[i])
		}
	}
	return true
}
