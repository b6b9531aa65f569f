package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// principalWalk are random walks along the principal directions of points that it is shown, each with a width that is tuned to an acceptance.
type principalWalk struct {
	count   float64
	mean    []float64
	m2      []float64 // Σ (u − mean)(u − mean)ᵀ, by rows
	along   []float64 // rows: directions, as long as the standard deviation along them
	log     []float64 // of the widths, in these
	tries   []float64
	settled float64 // points when the directions were found
	least   float64 // points that are needed
	accept  float64 // acceptance that widths are tuned to
	z       []float64
}

const (
	walkAccepted  = 0.35 // acceptance that widths are tuned to
	noisyAccepted = 0.2  // and where densities are estimated
	widestWalk    = 0.9  // log of the largest width
	firstWalk     = 0    // and of the first
	leastWalked   = 100  // points that are needed
	leastEarly    = 20   // and in the first quarter of warm-up
	walkRelearn   = 1.5  // times as many points, and directions are found anew
	leastVariance = 1e-8
)

func newPrincipalWalk(d int) principalWalk {
	f := func(n int) []float64 { return make([]float64, n) }
	w := principalWalk{least: leastWalked, accept: walkAccepted, mean: f(d), m2: f(d * d), along: f(d * d), log: f(d), tries: f(d), z: f(d)}
	for j := range d {
		w.along[j*d+j], w.log[j] = 1, firstWalk
	}
	return w
}

// step is a proposal from u0 along direction j.
func (w *principalWalk) step(r *rand.Rand, j int, u0, u []float64) {
	d := len(u)
	by := float64(vec.Exp(w.log[j]) * dist.StdNormal(r))
	for i, a := range w.along[j*d : j*d+d] {
		u[i] = u0[i] + float64(by*a)
	}
}

// tune changes a width after a proposal that was accepted with probability a (Robbins and Monro 1951).
func (w *principalWalk) tune(j int, a float64) {
	w.tries[j]++
	gain := 2 / math.Sqrt(w.tries[j])
	w.log[j] = min(w.log[j]+float64(gain*(a-w.accept)), widestWalk)
}

// learn counts a point, unless it is not finite, and finds directions when there are enough.
func (w *principalWalk) learn(u []float64) {
	for _, x := range u {
		if !vec.Finite(x) {
			return
		}
	}
	d := len(u)
	w.count++
	for j, x := range u {
		w.z[j] = x - w.mean[j]
		w.mean[j] += w.z[j] / w.count
	}
	for j, x := range u {
		for i := range d {
			w.m2[j*d+i] += float64((x - w.mean[j]) * w.z[i])
		}
	}
	if w.count >= w.least && w.count >= walkRelearn*w.settled {
		w.settle()
	}
}

// forget forgets the points, and not the directions.
func (w *principalWalk) forget() {
	w.count, w.settled, w.least = 0, 0, leastWalked
	clear(w.mean)
	clear(w.m2)
}

func (w *principalWalk) settle() {
	d := len(w.mean)
	a, values, work := make([]float64, d*d), make([]float64, d), make([]float64, d)
	for i := range a {
		a[i] = w.m2[i] / w.count
	}
	if !columns.Eigen(values, a, work, d) {
		return
	}
	for j, v := range values {
		sd := math.Sqrt(max(v, leastVariance))
		for i := range d {
			w.along[j*d+i] = float64(sd * a[j*d+i])
		}
		w.log[j], w.tries[j] = max(w.log[j], firstWalk), 0
		if w.settled == 0 {
			w.log[j] = firstWalk
		}
	}
	w.settled = w.count
}

func (w *principalWalk) fields() (all []*float64) {
	all = append(all, &w.count, &w.settled, &w.least)
	for _, x := range [][]float64{w.mean, w.m2, w.along, w.log, w.tries} {
		for j := range x {
			all = append(all, &x[j])
		}
	}
	return all
}
