package rbm

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// How a moment-averaged path is fitted: knots of c(β), annealed particles, and
// sweeps at each knot.
const (
	momentKnots     = 10
	momentParticles = 100
	momentSweeps    = 100
	momentDip       = 0.15 // share by which marginals are lower at β = ½
)

// MomentAveraged returns a moment-averaged path between the same base and machine
// (Grosse, Maddison and Salakhutdinov, 2013), on which the marginals of the visible
// units go linearly from the base's to the machine's; biases are those of independent
// units with the machine's marginals (Model.MarginalBiases).
//
// The geometric path does not keep marginals, even where those of base and
// machine agree: with half of the weights an image is noise, or nearly blank.
// Here the visible bias is c(β), piecewise linear between knots, fitted to
// annealed particles by stochastic approximation (Robbins and Monro, 1951).
// Any c from bᴬ to b is a path to the same log Z, so a rough fit is enough.
//
// At β = ½ the marginals are 15 % below the average: modes with few units on,
// such as images of a 1, are rare among particles with the mean marginals, and
// a population that has lost them finds them too late, while too many of them
// cost little.
func (f *Family) MomentAveraged(ctx context.Context, biases []float64, seed uint64) (*Family, error) {
	return f.momentAveraged(ctx, biases, momentParticles, seed)
}

func (f *Family) momentAveraged(ctx context.Context, biases []float64, size int, seed uint64) (*Family, error) {
	t := *f
	r := rng.New(seed, "rbm tilt")
	start, end := f.knots[0].exact, f.targetBias()
	particles := make([]*Particle, size)
	for k := range particles {
		particles[k] = f.New()
		f.Base(particles[k], r.Rand)
	}
	shifts := [][]float64{make([]float64, f.visible)} // of c from the straight line
	mean := make([]float64, f.visible)
	for k := 1; k < momentKnots; k++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		beta := float64(k) / momentKnots
		dip := 1 - float64(4*momentDip*beta*(1-beta))
		for i := range mean {
			mean[i] = dip * (float64((1-beta)*vec.Ilogit(start[i])) + float64(beta*vec.Ilogit(biases[i])))
		}
		shift := slices.Clone(shifts[k-1])
		fitBiasShift(f, particles, beta, between(start, end, beta), shift, mean)
		shifts = append(shifts, shift)
	}
	shifts = append(shifts, make([]float64, f.visible))
	bias := [][]float64{start}
	for k := 1; k < momentKnots; k++ {
		b := between(start, end, float64(k)/momentKnots)
		for i := range b { // smoothed over neighbouring knots
			b[i] += float64(0.25*(shifts[k-1][i]+shifts[k+1][i])) + float64(0.5*shifts[k][i])
		}
		bias = append(bias, b)
	}
	t.knots = knotsAt(append(bias, end))
	return &t, nil
}

// between is the straight line from a to b.
func between(a, b []float64, t float64) []float64 {
	x := make([]float64, len(a))
	for i := range x {
		x[i] = a[i] + float64(t*(b[i]-a[i]))
	}
	return x
}

// targetBias is the machine's visible bias.
func (f *Family) targetBias() []float64 {
	last := f.knots[len(f.knots)-1]
	b := make([]float64, f.visible)
	for i := range b {
		b[i] = last.exact[i] + last.towards[i]
	}
	return b
}

// fitBiasShift fits shift so that the particles, which move at β with the
// visible bias line + shift, have the given marginals. The result is the
// average of shift over the second half of the sweeps.
func fitBiasShift(f *Family, particles []*Particle, beta float64, line, shift, mean []float64) {
	n := len(line)
	average, bias := make([]float64, n), make([]float64, n)
	now := newMarginals(f)
	none := make([]*rand.Rand, len(particles)) // they have generators of their own
	for sweep := range momentSweeps {
		for i := range bias {
			bias[i] = line[i] + shift[i]
		}
		g := *f
		g.knots = knotsAt([][]float64{bias, bias})
		now.reset()
		g.MoveAll(particles, beta, none)
		for _, p := range particles {
			now.add(&g, p, beta)
		}
		gain := 1 / (1 + float64(0.1*float64(sweep)))
		for i := range shift {
			miss := mean[i] - now.mean(i)
			// d mean/d bias is about mean·(1−mean); the constant bounds the
			// steps of units that are seldom on.
			shift[i] += gain * miss / (float64(mean[i]*(1-mean[i])) + 0.05)
			shift[i] = max(-maxBias, min(maxBias, shift[i]))
			if sweep >= momentSweeps/2 {
				average[i] += shift[i]
			}
		}
	}
	for i := range shift {
		shift[i] = average[i] / (momentSweeps - momentSweeps/2)
	}
}
