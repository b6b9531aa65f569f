package plan

import "github.com/ergodic-mcmc/ergodic/internal/vec"

// lagged follows the moments of a sequence and its covariance at lag 1.
type lagged struct{ n, mean, m2, lag, last float64 }

func (l *lagged) add(u float64) {
	if !vec.Finite(u) {
		return
	}
	l.n++
	d := u - l.mean
	l.mean += d / l.n
	l.m2 += float64(d * (u - l.mean))
	if l.n > 1 {
		l.lag += float64((u - l.mean) * (l.last - l.mean))
	}
	l.last = u
}

// rho is the autocorrelation, or 0 where it is not known.
func (l *lagged) rho() float64 {
	if l.n < leastLagged || !(l.m2 > 0) {
		return 0
	}
	return min(max(l.lag/l.m2, 0), 1)
}

// above tells whether the autocorrelation is above rho, or not known.
func (l *lagged) above(rho float64) bool { return l.n < leastLagged || l.lag > rho*l.m2 }

func (l *lagged) fields() []*float64 { return []*float64{&l.n, &l.mean, &l.m2, &l.lag, &l.last} }

// leastLagged is how many numbers are needed to know it.
const leastLagged = 20
