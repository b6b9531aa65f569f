package slice

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Elliptical samples a posterior whose prior is normal: it moves on a random ellipse
// through the current point and a draw from the prior, shrinking the arc until the
// likelihood is above the level (Murray, Adams and MacKay 2010, figure 2). It has nothing
// to tune. The LogP of its points is the log likelihood, without the prior.
type Elliptical struct {
	// Exhausted counts steps that gave up and left the point where it was.
	Exhausted int

	loglik mcmc.Target
	mean   []float64
	chol   []float64 // lower triangular, column-major

	nu, start []float64 // the other axis of the ellipse, and where the step began, both less the mean
	home      []float64
}

// NewElliptical takes the log likelihood and the mean and covariance of the prior, the
// latter n×n column-major. It fails unless the covariance is positive definite.
func NewElliptical(loglik mcmc.Target, mean, cov []float64) (*Elliptical, error) {
	n := len(mean)
	if n == 0 || len(cov) != n*n {
		return nil, fmt.Errorf("slice: a prior mean of length %d needs a covariance of %d values, not %d", n, n*n, len(cov))
	}
	e := &Elliptical{loglik: loglik, mean: append([]float64(nil), mean...), chol: make([]float64, n*n)}
	if !vec.Chol(e.chol, cov, n) {
		return nil, fmt.Errorf("slice: the prior covariance is not positive definite")
	}
	e.nu, e.start, e.home = make([]float64, n), make([]float64, n), make([]float64, n)
	return e, nil
}

// Dim is the length of the vectors.
func (e *Elliptical) Dim() int { return len(e.mean) }

// Step moves the whole vector.
func (e *Elliptical) Step(s *mcmc.Point, r *rand.Rand) mcmc.Info {
	info := mcmc.Info{Accepted: true, AcceptProb: 1}
	copy(e.home, s.X)
	for i := range e.nu {
		e.nu[i] = dist.StdNormal(r)
		e.start[i] = s.X[i] - e.mean[i]
	}
	vec.MulTriVec(e.nu, e.chol, e.nu, len(e.nu))
	level := drawLevel(s.LogP, r)
	evals, ok := Turn(r, func(angle float64) bool {
		e.turn(s.X, angle)
		f := e.loglik.LogDensity(s.X)
		if !vec.Finite(f) || !(f > level) {
			return false
		}
		s.LogP = f
		return true
	})
	info.Evals = evals
	if !ok {
		copy(s.X, e.home)
		e.Exhausted++
	}
	return info
}

// Turn is the step of elliptical slice sampling once there are an ellipse and a level: it asks whether the likelihood at
// an angle from where the step begins is above the level, until it is. The first arc is the whole ellipse, cut at a random
// place; the cuts that follow leave the part with angle 0. It is not ok where it gave up.
func Turn(r *rand.Rand, above func(angle float64) bool) (evals int, ok bool) {
	angle := float64(2 * math.Pi * r.Float64())
	lo, hi := angle-2*math.Pi, angle
	for evals = 1; evals <= maxShrink; evals++ {
		if above(angle) {
			return evals, true
		}
		if angle < 0 {
			lo = angle
		} else {
			hi = angle
		}
		if angle = between(lo, hi, r.Float64()); angle == 0 {
			break
		}
	}
	return evals, false
}

// turn puts x at an angle of the ellipse; angle 0 is where the step began.
func (e *Elliptical) turn(x []float64, angle float64) {
	c, s := vec.Cos(angle), vec.Sin(angle)
	for i := range x {
		x[i] = e.mean[i] + float64(e.start[i]*c) + float64(e.nu[i]*s)
	}
}
