package path

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/importance"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Pilot says how to run the short annealed runs that a schedule is fitted to.
type Pilot struct {
	Settings      // Runs: 50 unless set
	Steps    int  // temperatures of each pilot run; 0: 500
	Friction bool // use the friction tensor, so that regions of slow mixing get more steps: see EqualLength
}

const (
	pilotRuns    = 50
	pilotSteps   = 500
	pilotWindows = 25
)

func (p Pilot) withDefaults() Pilot {
	p.Settings = p.Settings.withDefaults(pilotRuns)
	p.Steps = cmp.Or(p.Steps, pilotSteps)
	return p
}

func (p Pilot) check() error {
	if p.Steps < 2 || p.Steps > maxSteps/2 {
		return fmt.Errorf("path: a pilot of %d steps; ask for 2 or more, or 0 for %d", p.Steps, pilotSteps)
	}
	if p.Runs < 4 {
		return fmt.Errorf("path: a pilot of %d runs; ask for 4 or more, or 0 for %d", p.Runs, pilotRuns)
	}
	return nil
}

// EqualLength returns a schedule of n steps of equal thermodynamic length ∫ √(Var_β[d log f_β/dβ]) dβ (Gelman and Meng 1998, section 5.1;
// Crooks 2007), estimated from two pilots of annealed runs, the second along the schedule fitted to the first.
// With Friction the variance is multiplied by its integrated autocorrelation time, in moves: the friction tensor of
// Sivak and Crooks (2012, equation 8), whose length determines the variance of log weights near equilibrium.
func EqualLength[S any](ctx context.Context, f Family[S], n int, p Pilot) (Schedule, error) {
	p = p.withDefaults()
	if err := p.check(); err != nil {
		return nil, err
	}
	l, _, err := fit(ctx, f, p)
	if err != nil {
		return nil, err
	}
	s, err := l.schedule(p.Steps)
	if err != nil {
		return nil, err
	}
	return s.Resize(n)
}

// fit runs two pilots, the second along the schedule fitted to the first.
func fit[S any](ctx context.Context, f Family[S], p Pilot) (l profile, moves int64, err error) {
	s, err := Uniform(p.Steps)
	for pass := range 2 {
		if err != nil {
			return l, moves, err
		}
		if l, err = measure(ctx, f, s, p, pass); err == nil {
			moves += l.moves
			s, err = l.schedule(p.Steps)
		}
	}
	return l, moves, err
}

// profile is the cumulative thermodynamic length of the path at the edges of the windows of a pilot's schedule.
type profile struct {
	beta, length []float64
	moves        int64
}

// schedule returns n steps of equal thermodynamic length.
func (l profile) schedule(n int) (Schedule, error) {
	total := l.length[len(l.length)-1]
	if !(total > 0) { // all densities are the same
		return Uniform(n)
	}
	s := invert(l.beta, l.length, n)
	return s, s.check()
}

// measure anneals runs along s and estimates the thermodynamic length of each window.
func measure[S any](ctx context.Context, f Family[S], s Schedule, p Pilot, pass int) (profile, error) {
	set := p.Settings
	set.Checkpoint, set.Resume = "", false // a pilot takes no longer than writing its checkpoint
	o, err := job{purpose: fmt.Sprint("pilot ", pass), width: s.Steps() + 1, worker: func() runFunc {
		w, x := resolve(f), f.New()
		return func(_ int, r *rand.Rand, row []float64, t *tally) (err error) {
			w.Base(x, r)
			for k, beta := range s {
				if k > 0 {
					w.Move(x, beta, r)
					if t.moved() {
						return errStopped
					}
				}
				if row[k], err = w.slope(x, beta, t); err != nil {
					return err
				}
			}
			return nil
		}
	}}.do(ctx, set)
	if err != nil {
		return profile{}, err
	}
	l := profile{beta: []float64{0}, length: []float64{0}, moves: o.moves}
	windows := min(pilotWindows, s.Steps())
	speeds := make([]float64, windows)
	top := 0.0
	for b := range windows {
		from, to := b*s.Steps()/windows, (b+1)*s.Steps()/windows
		speeds[b] = speed(o.rows, from, to, p.Friction)
		l.beta = append(l.beta, s[to])
		top = max(top, speeds[b])
	}
	for b, v := range speeds {
		// A window without variance in the pilot still gets some length: the pilot may have missed it.
		step := float64(max(v, 0.01*top) * (l.beta[b+1] - l.beta[b]))
		l.length = append(l.length, l.length[b]+step)
	}
	return l, nil
}

// speed is the thermodynamic length per unit of β between the temperatures from and to: the standard deviation over
// runs, and with friction times the square root of the autocorrelation time of the runs, standardised at each temperature.
func speed(rows [][]float64, from, to int, friction bool) float64 {
	n := float64(len(rows))
	chains := make([][]float64, len(rows))
	variance := 0.0
	for k := from; k <= to; k++ {
		m, s2 := 0.0, 0.0
		for _, row := range rows {
			m += row[k] / n
		}
		for _, row := range rows {
			s2 += float64((row[k]-m)*(row[k]-m)) / (n - 1)
		}
		variance += s2 / float64(to-from+1)
		for i, row := range rows {
			chains[i] = append(chains[i], (row[k]-m)/math.Sqrt(max(s2, math.SmallestNonzeroFloat64)))
		}
	}
	if friction {
		variance *= correlationTime(chains)
	}
	return math.Sqrt(variance)
}

// correlationTime is the integrated autocorrelation time 1 + 2 Σ ρ(lag) of series with mean 0 and variance 1, truncated where
// the sum of two neighbouring lags is no longer positive (Geyer 1992), at least 1. As the mean is known, it is large for
// chains that never move.
func correlationTime(chains [][]float64) float64 {
	size := len(chains[0])
	tau := 1.0
	for lag := 1; lag+1 < size; lag += 2 {
		pair := correlation(chains, lag) + correlation(chains, lag+1)
		if !(pair > 0) {
			break
		}
		tau += float64(2 * pair)
	}
	return tau
}

func correlation(chains [][]float64, lag int) float64 {
	sum := 0.0
	for _, c := range chains {
		for t := lag; t < len(c); t++ {
			sum += float64(c[t] * c[t-lag])
		}
	}
	return sum / float64(len(chains)*(len(chains[0])-lag))
}

// EqualESS returns a schedule of steps of equal conditional effective sample size: a population of p.Runs particles is moved
// once at each temperature and resampled where its effective size is below one half, and the next temperature is where
// (Σ W v)²/Σ W v², with the weights W so far and the step's incremental weights v, is the given ratio, such as 0.99, of its
// greatest value (Zhou, Johansen and Aston 2016, section 3.3). The number of steps follows from the path; Resize changes it.
func EqualESS[S any](ctx context.Context, f Family[S], ratio float64, p Pilot) (Schedule, error) {
	p = p.withDefaults()
	if err := p.check(); err != nil {
		return nil, err
	}
	if !(ratio > 0 && ratio < 1) {
		return nil, fmt.Errorf("path: a conditional effective sample size of %v of the particles; ask for a ratio between 0 and 1, such as 0.99", ratio)
	}
	var s Schedule
	_, err := onePopulation(ctx, f, p.Settings, p.Runs, "pilot population", func(p *population[S], r *rand.Rand, t *tally) (err error) {
		s, err = equalESS(p, ratio, r, t)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, s.check()
}

// equalESS anneals a population from 0 to 1 by steps of equal conditional effective sample size.
func equalESS[S any](p *population[S], ratio float64, r *rand.Rand, t *tally) (Schedule, error) {
	s := Schedule{0}
	for beta := 0.0; beta < 1; {
		next, err := p.next(beta, ratio, t)
		if err != nil {
			return nil, err
		}
		if len(s) > maxSteps/64 {
			return nil, fmt.Errorf("path: more than %d steps to reach β = %v; ask for a lower ratio than %v", len(s), next, ratio)
		}
		s = append(s, next)
		if err := p.step(beta, next, 0.5, importance.Systematic, r, t); err != nil {
			return nil, err
		}
		beta = next
	}
	return s, nil
}

// next finds the next temperature by bisection: the conditional effective sample size falls as the step grows.
func (p *population[S]) next(beta, ratio float64, t *tally) (float64, error) {
	enough := func(to float64) (ok bool, err error) {
		for i, x := range p.x {
			if p.work[i], err = p.f.logRatio(x, beta, to, t); err != nil {
				return false, err
			}
		}
		return p.conditionalESS() >= ratio, nil
	}
	lo, hi := beta, 1.0
	if ok, err := enough(1); ok || err != nil {
		return 1, err
	}
	for hi-lo > 1e-3*(hi-beta) {
		mid := lo + float64((hi-lo)/2)
		if mid == lo || mid == hi {
			break
		}
		ok, err := enough(mid)
		if err != nil {
			return 0, err
		}
		if ok {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi, nil
}

// conditionalESS is (Σ W v)²/Σ W v² with the log incremental weights log v in p.work and the normalised weights W.
func (p *population[S]) conditionalESS() float64 {
	top := slices.Max(p.logw)
	best := slices.Max(p.work)
	if math.IsInf(best, -1) {
		return 0
	}
	var total, first, second float64
	for i, lw := range p.logw {
		w, v := vec.Exp(lw-top), vec.Exp(p.work[i]-best)
		total += w
		first += float64(w * v)
		second += float64(float64(w*v) * v)
	}
	return first * first / (second * total)
}
