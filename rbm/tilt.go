package rbm

import (
	"context"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// How a path is tilted: knots of c(β), particles that climb, and sweeps at
// each knot.
const (
	tiltKnots     = 20
	tiltParticles = 50
	tiltSweeps    = 60
)

// Tilt gives the same base and machine another path between them, on which
// the visible units are on about as often as in the base. Between machines
// and bases whose units are alike on average, the path of a Family loses that
// likeness: at half of the weights an image is noise, or nearly blank, and
// annealed particles have to find the way back. Here the visible bias
// is c(β), piecewise linear between knots, where particles on their climb
// have adjusted it by stochastic approximation (Robbins and Monro, 1951), as in
// the moment-averaged paths of Grosse, Maddison and Salakhutdinov (2013). Any c
// from bᴬ to b makes a path to the same log Z; a rough one is good enough.
func (f *Family) Tilt(ctx context.Context, seed uint64) (*Family, error) {
	t := *f
	r := rng.New(seed, "rbm tilt")
	start, end := f.knots[0].exact, f.ending()
	mean := make([]float64, f.visible) // of the base
	for i, b := range start {
		mean[i] = vec.Ilogit(b)
	}
	particles := make([]*Particle, tiltParticles)
	for k := range particles {
		particles[k] = f.New()
		f.Base(particles[k], r.Rand)
	}
	shift := make([]float64, f.visible) // of c from the straight line
	bias := [][]float64{start}
	for k := 1; k < tiltKnots; k++ {
		beta := float64(k) / tiltKnots
		line := make([]float64, f.visible)
		for i := range line {
			line[i] = start[i] + float64(beta*(end[i]-start[i]))
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		settle(f, particles, beta, line, shift, mean)
		for i := range line {
			line[i] += shift[i]
		}
		bias = append(bias, line)
	}
	t.knots = knotsAt(append(bias, end))
	return &t, nil
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

// settle adjusts shift so that units of the particles, which move at β with
// the visible bias line + shift, have the mean that is given. What it leaves
// is the average over the second half.
func settle(f *Family, particles []*Particle, beta float64, line, shift, mean []float64) {
	n := len(line)
	now, average := make([]float64, n), make([]float64, n)
	for sweep := range tiltSweeps {
		bias := make([]float64, n)
		for i := range bias {
			bias[i] = line[i] + shift[i]
		}
		g := *f
		g.knots = knotsAt([][]float64{bias, bias})
		clear(now)
		for _, p := range particles {
			g.Move(p, beta, nil)
			for _, i := range p.on {
				now[i]++
			}
		}
		gain := 1 / (1 + float64(0.1*float64(sweep)))
		for i := range shift {
			miss := mean[i] - now[i]/float64(len(particles))
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
