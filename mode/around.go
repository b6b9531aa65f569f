package mode

import (
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/hmc"
	"github.com/ergodic-mcmc/ergodic/internal/columns"
)

// Around climbs from x and draws n times from the normal distribution that the estimate of the curvature makes where the climb ends, which [Pathfinder] has for
// one of its candidates. The mean of the log weights is the evidence lower bound. Where the estimate makes no distribution there are no draws.
func Around(t hmc.Target, x []float64, set Settings, n int, r *rand.Rand) (*Top, *Approximation, error) {
	if n < 1 {
		return nil, nil, fmt.Errorf("mode: %d draws; ask for at least one", n)
	}
	c, err := newClimber(t, x, set)
	if err != nil {
		return nil, nil, err
	}
	for c.step() {
	}
	a := &Approximation{}
	if q, ok := c.normal(); ok {
		if a.Draws, err = room(n, len(x)); err != nil {
			return nil, nil, err
		}
		a.LogWeights = make([]float64, n)
		q.sample(t, r, a.Draws, a.LogWeights)
	}
	return c.top(), a, nil
}

// normal is the distribution that the estimate of the curvature makes, if it makes one: its mean x + H g is where the gradient would vanish.
func (c *climber) normal() (q *normal, ok bool) {
	if !c.learnt {
		return nil, false
	}
	mean := make([]float64, len(c.x))
	c.h.apply(mean, c.g)
	columns.Add(mean, mean, c.x)
	return c.h.freeze(mean)
}

// sample writes draws and their log weights.
func (n *normal) sample(t hmc.Target, r *rand.Rand, draws [][]float64, logw []float64) {
	for i, x := range draws {
		n.draw(r, x)
		logw[i] = weight(t, x) - n.logDensity(x)
	}
}
