package path

import (
	"context"
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// temperedChains is a set of chains over a ladder.
type temperedChains[S any] struct {
	*lockstep
	w      walk[S]
	ladder Schedule
	set    TemperedSettings
	zeta   []float64 // log Ẑ
	bias   []float64 // log r − log Ẑ
	chains []*tempChain[S]
}

type tempChain[S any] struct {
	x              S
	k              int
	r              *rng.Stream
	logf           []float64 // at the state, then the probabilities of temperatures
	first          []float64 // log steps of the first anneal
	heading, trips int

	length int
	count  []float64    // visits
	sum    []float64    // of probabilities
	series [3][]float64 // of each round: the probabilities of the first and the last temperature, and the temperature
	all    []float64    // rounds × temperatures: log densities
}

func newTemperedChains[S any](ctx context.Context, f Family[S], ladder Schedule, set TemperedSettings) *temperedChains[S] {
	t := &temperedChains[S]{
		lockstep: newLockstep(ctx, set.Settings), w: newWalk(f), ladder: ladder, set: set,
		zeta: make([]float64, len(ladder)), bias: make([]float64, len(ladder)),
	}
	for c := range set.Runs {
		t.chains = append(t.chains, &tempChain[S]{
			x: f.New(), r: rng.New(set.Seed, "path tempered", uint64(c)), first: make([]float64, len(ladder)),
			logf: make([]float64, len(ladder)), sum: make([]float64, len(ladder)), count: make([]float64, len(ladder)),
		})
	}
	return t
}

// annealUp takes a chain up the ladder, with the moves of a round at each temperature, so that Ẑ can start near.
func (w *temperedChains[S]) annealUp(i int, t *tally) error {
	c := w.chains[i]
	w.w.Base(c.x, c.r.Rand)
	for k := 1; k < len(w.ladder); k++ {
		d := w.w.ratio(c.x, w.ladder[k-1], w.ladder[k])
		t.evals++
		if math.IsNaN(d) || math.IsInf(d, 1) {
			return notNumber("the ratio of densities", d, w.ladder[k-1], w.ladder[k])
		}
		c.first[k] = d
		if err := w.w.moves(c.x, w.ladder[k], w.set.Moves, c.r.Rand, t); err != nil {
			return err
		}
	}
	c.k = len(w.ladder) - 1
	return nil
}

// pool makes the first Ẑ of the anneals: the mean over chains of each step's ratio. It only has to be near.
func (w *temperedChains[S]) pool() {
	steps := make([]float64, len(w.chains))
	for k := 1; k < len(w.ladder); k++ {
		for i, c := range w.chains {
			steps[i] = c.first[k]
		}
		w.zeta[k] = w.zeta[k-1]
		if g := logMeanExp(steps); !math.IsInf(g, -1) {
			w.zeta[k] += g
		}
	}
	w.setBias()
}

func (w *temperedChains[S]) setBias() {
	for k, z := range w.zeta {
		w.bias[k] = vec.Log(w.set.Prior[k]) - z
	}
}

// learn iterates Ẑ until the temperatures' shares are what they should be.
func (w *temperedChains[S]) learn() (passes int, imbalance float64, err error) {
	length := w.set.Learn
	for passes = 1; ; passes++ {
		w.begin(length, false)
		if err := w.phase(w.rounds); err != nil {
			return 0, 0, err
		}
		c := w.shares()
		imbalance = 0
		for k, v := range c {
			imbalance = max(imbalance, math.Abs(v-w.set.Prior[k]))
		}
		w.update(c)
		if imbalance < 0.1/float64(len(c)) || passes == w.set.Passes {
			return passes, imbalance, nil
		}
		length = min(length+length/2, max(w.set.Rounds/4, w.set.Learn))
	}
}

// shares are ĉ over all chains.
func (w *temperedChains[S]) shares() []float64 {
	c := make([]float64, len(w.ladder))
	for _, chain := range w.chains {
		for k, v := range chain.sum {
			c[k] += v / float64(len(w.chains)*chain.length)
		}
	}
	return c
}

// update is Ẑ_k ← Ẑ_k r₁ĉ_k/(r_kĉ₁). A share is at least e⁻⁵ of what it should be, so that temperatures never met come back.
func (w *temperedChains[S]) update(c []float64) {
	gain := make([]float64, len(c))
	for k, v := range c {
		gain[k] = vec.Log(max(v/w.set.Prior[k], 0.0067))
	}
	for k := range gain {
		w.zeta[k] += gain[k] - gain[0]
	}
	w.setBias()
}

// begin clears what chains have counted. With keep they note each round.
func (w *temperedChains[S]) begin(length int, keep bool) {
	for _, c := range w.chains {
		c.length = length
		clear(c.sum)
		clear(c.count)
		c.trips, c.heading = 0, 0
		if !keep {
			continue
		}
		for i := range c.series {
			c.series[i] = make([]float64, 0, length)
		}
		if w.set.MBAR {
			c.all = make([]float64, 0, length*len(w.ladder))
		}
	}
}

// rounds are c.length times some moves and a draw of the temperature.
func (w *temperedChains[S]) rounds(i int, t *tally) error {
	c := w.chains[i]
	for range c.length {
		if err := w.w.moves(c.x, w.ladder[c.k], w.set.Moves, c.r.Rand, t); err != nil {
			return err
		}
		w.w.batch(c.logf, c.x, w.ladder)
		t.evals += int64(len(w.ladder))
		if w.set.MBAR && c.series[0] != nil {
			c.all = append(c.all, c.logf...)
		}
		was := c.k
		if err := c.choose(w.bias, w.ladder); err != nil {
			return err
		}
		if w.set.FromPrior {
			c.k = pick(w.set.Prior, c.r.Rand)
		}
		c.note(was)
	}
	return nil
}

// choose turns log densities into the probabilities of temperatures, adds them up, and draws.
func (c *tempChain[S]) choose(bias []float64, ladder Schedule) error {
	if err := softmax(c.logf, bias); err != nil {
		return fmt.Errorf("%w: log densities at the temperatures %v … 1", err, ladder[0])
	}
	for k, q := range c.logf {
		c.sum[k] += q
	}
	c.k = pick(c.logf, c.r.Rand)
	return nil
}

// note counts the visit that has ended: its draw belongs to the temperature at which it was moved.
func (c *tempChain[S]) note(was int) {
	last := len(c.logf) - 1
	c.count[was]++
	if c.series[0] != nil {
		c.series[0] = append(c.series[0], c.logf[0])
		c.series[1] = append(c.series[1], c.logf[last])
		c.series[2] = append(c.series[2], float64(was))
	}
	switch {
	case c.k == last && c.heading <= 0:
		c.heading = 1
	case c.k == 0 && c.heading == 1:
		c.heading = -1
		c.trips++
	}
}
