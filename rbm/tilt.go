package rbm

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// How a path is tilted: knots of c(β), particles that climb, and sweeps at
// each knot.
const (
	tiltKnots     = 10
	tiltParticles = 100
	tiltSweeps    = 100
	tiltDip       = 0.15 // by which part rates are lower half way
)

// Tilt gives the same base and machine another path between them, on which the
// rates of the visible units go straight from the base's to the machine's,
// whose visible biases as those of independent units are own (Model.OwnRates).
// Even where both are alike, the path of a Family loses the likeness: at half of the weights an image is noise, or nearly blank, and
// annealed particles have to find the way back. Half way the rates are 15 % lower than that: modes with few
// units on, such as the images of a 1, are rare among particles whose rates are those of the mean, and a population
// that has lost them finds them too late; to have too many of them costs little. Here the visible bias
// is c(β), piecewise linear between knots, where particles on their climb
// have adjusted it by stochastic approximation (Robbins and Monro, 1951), as in
// the moment-averaged paths of Grosse, Maddison and Salakhutdinov (2013). Any c
// from bᴬ to b makes a path to the same log Z; a rough one is good enough.
func (f *Family) Tilt(ctx context.Context, own []float64, seed uint64) (*Family, error) {
	return f.tilt(ctx, own, tiltParticles, seed)
}

func (f *Family) tilt(ctx context.Context, own []float64, size int, seed uint64) (*Family, error) {
	t := *f
	r := rng.New(seed, "rbm tilt")
	start, end := f.knots[0].exact, f.ending()
	particles := make([]*Particle, size)
	for k := range particles {
		particles[k] = f.New()
		f.Base(particles[k], r.Rand)
	}
	shifts := [][]float64{make([]float64, f.visible)} // of c from the straight line
	mean := make([]float64, f.visible)
	for k := 1; k < tiltKnots; k++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		beta := float64(k) / tiltKnots
		dip := 1 - float64(4*tiltDip*beta*(1-beta))
		for i := range mean {
			mean[i] = dip * (float64((1-beta)*vec.Ilogit(start[i])) + float64(beta*vec.Ilogit(own[i])))
		}
		shift := slices.Clone(shifts[k-1])
		adjustTilt(f, particles, beta, between(start, end, beta), shift, mean)
		shifts = append(shifts, shift)
	}
	shifts = append(shifts, make([]float64, f.visible))
	bias := [][]float64{start}
	for k := 1; k < tiltKnots; k++ {
		b := between(start, end, float64(k)/tiltKnots)
		for i := range b { // neighbours even out the noise of each
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

// ending is the machine's visible bias.
func (f *Family) ending() []float64 {
	last := f.knots[len(f.knots)-1]
	b := make([]float64, f.visible)
	for i := range b {
		b[i] = last.exact[i] + last.towards[i]
	}
	return b
}

// adjustTilt adjusts shift so that units of the particles, which move at β with
// the visible bias line + shift, have the mean that is given. What it leaves
// is the average over the second half.
func adjustTilt(f *Family, particles []*Particle, beta float64, line, shift, mean []float64) {
	n := len(line)
	average, bias := make([]float64, n), make([]float64, n)
	now := newRates(f)
	none := make([]*rand.Rand, len(particles)) // they have generators of their own
	for sweep := range tiltSweeps {
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
			// d mean/d bias is about mean·(1−mean); what is added keeps
			// units that are seldom on from being thrown about.
			shift[i] += gain * miss / (float64(mean[i]*(1-mean[i])) + 0.05)
			shift[i] = max(-maxBias, min(maxBias, shift[i]))
			if sweep >= tiltSweeps/2 {
				average[i] += shift[i]
			}
		}
	}
	for i := range shift {
		shift[i] = average[i] / (tiltSweeps - tiltSweeps/2)
	}
}
