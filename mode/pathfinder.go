package mode

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/hmc"
	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// PathfinderSettings say how [Pathfinder] works. The zero value works.
type PathfinderSettings struct {
	Settings
	Seed    uint64
	Draws   int // of each path; 0: 1000
	Judging int // draws that the evidence lower bound of each distribution is estimated from; 0: 5, as in the paper
	Threads int // 0: one; the draws do not depend on it
}

const (
	defaultDraws   = 1000
	defaultJudging = 5
)

// Path is what came of one start.
type Path struct {
	Top   *Top
	ELBO  float64 // of the distribution that was taken, −Inf where none was
	Steps int     // of the climb after which it was met
	Err   error   // why there is none
}

// Pathfinder climbs from each of the starts, takes of the normal distributions that the estimates of the curvature make at each step the one with the largest
// evidence lower bound E(log π − log q), and draws from it (Zhang et al., 2022, algorithms 1 and 2, with the single paths of all starts beside one another). target
// makes one for a thread. A path that fails has no draws; it is an error that all do.
func Pathfinder(target func() hmc.Target, starts [][]float64, set PathfinderSettings) (*Approximation, []Path, error) {
	if target == nil || len(starts) == 0 {
		return nil, nil, errors.New("mode: Pathfinder needs a target and a start or more")
	}
	if set.Draws < 0 || set.Judging < 0 {
		return nil, nil, fmt.Errorf("mode: %d draws, judged by %d; they must not be negative", set.Draws, set.Judging)
	}
	if set.Draws == 0 {
		set.Draws = defaultDraws
	}
	if set.Judging == 0 {
		set.Judging = defaultJudging
	}
	all, err := room(len(starts)*set.Draws, len(starts[0]))
	if err != nil {
		return nil, nil, err
	}
	paths, weights := newPaths(len(starts), set.Draws)
	fanout.Each(max(set.Threads, 1), len(starts), target, func(t hmc.Target, i int) {
		p := pathfinder{target: t, set: set, r: rng.New(set.Seed, "pathfinder", uint64(i)).Rand}
		paths[i].Err = p.run(&paths[i], starts[i], all[i*set.Draws:(i+1)*set.Draws], weights[i])
	})
	a := &Approximation{}
	for i, p := range paths {
		if p.Err == nil {
			a.Draws = append(a.Draws, all[i*set.Draws:(i+1)*set.Draws]...)
			a.LogWeights = append(a.LogWeights, weights[i]...)
		} else if err == nil {
			err = p.Err
		}
	}
	if len(a.Draws) == 0 {
		return nil, paths, fmt.Errorf("mode: no path came to a distribution: %w", err)
	}
	return a, paths, nil
}

func newPaths(n, draws int) ([]Path, [][]float64) {
	weights := make([][]float64, n)
	for i := range weights {
		weights[i] = make([]float64, draws)
	}
	return make([]Path, n), weights
}

// pathfinder is a path under way.
type pathfinder struct {
	target hmc.Target
	set    PathfinderSettings
	r      *rand.Rand
	best   *normal
	x      []float64
}

func (p *pathfinder) run(to *Path, start []float64, draws [][]float64, logw []float64) error {
	to.ELBO = math.Inf(-1)
	c, err := newClimber(p.target, start, p.set.Settings)
	if err != nil {
		return err
	}
	p.x = make([]float64, len(start))
	for more := true; more; {
		more = c.step()
		q, ok := c.normal()
		if !ok {
			continue
		}
		if elbo := p.elbo(q); elbo > to.ELBO {
			p.best, to.ELBO, to.Steps = q, elbo, c.n
		}
	}
	if to.Top = c.top(); p.best == nil {
		return fmt.Errorf("no estimate of the curvature on the way made a distribution (the climb %s after %d steps)", to.Top.End, to.Top.Iterations)
	}
	p.best.sample(p.target, p.r, draws, logw)
	return nil
}

// elbo estimates E_q(log π − log q); −Inf where a draw has density zero.
func (p *pathfinder) elbo(q *normal) float64 {
	sum := 0.0
	for range p.set.Judging {
		q.draw(p.r, p.x)
		sum += weight(p.target, p.x) - q.logDensity(p.x)
	}
	if !vec.Finite(sum) {
		return math.Inf(-1)
	}
	return sum / float64(p.set.Judging)
}
