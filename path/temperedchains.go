package path

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// temperedChains are the chains of simulated tempering.
type temperedChains[S any] struct {
	f            resolved[S]
	ladder       Schedule
	set          TemperedSettings
	at           temperedPhase
	zeta         []float64 // log Ẑ
	bias         []float64 // log r − log Ẑ
	chains       []*tempChain[S]
	moves, evals int64 // of all chains, in the phases before
	counter      *counter
	store        store
	file         temperedFile // where the chains were noted last
}

// temperedPhase is the work of all chains between two barriers.
type temperedPhase struct {
	Stage     temperedStage
	Length    int     // in rounds
	Passes    int     // adaptations of Ẑ, with this one
	Imbalance float64 // max |ĉ − r| of the last of them
}

type temperedStage int

const (
	ascending temperedStage = iota // up the ladder, once
	learning                       // adapting Ẑ
	drawing                        // the draws of the estimates, with Ẑ fixed
)

type tempChain[S any] struct {
	x     S
	k     int
	r     *rng.Stream
	logf  []float64 // at the state, then the probabilities of temperatures
	first []float64 // log steps of the first anneal
	trips tripCounter
	tally tally // of this phase

	begun  bool         // x is a state
	done   int          // of the phase: rounds, or temperatures
	made   int          // moves of the round under way
	sum    []float64    // of probabilities
	series [3][]float64 // of each round: the probabilities of the first and the last temperature, and the temperature
	all    []float64    // rounds × temperatures: log densities
}

func newTemperedChains[S any](f Family[S], ladder Schedule, set TemperedSettings) *temperedChains[S] {
	t := &temperedChains[S]{
		f: resolve(f), ladder: ladder, set: set, counter: newCounter(set.Settings),
		zeta: make([]float64, len(ladder)), bias: make([]float64, len(ladder)),
	}
	for c := range set.Runs {
		t.chains = append(t.chains, &tempChain[S]{
			x: f.New(), r: rng.New(set.Seed, "path tempered", uint64(c)), first: make([]float64, len(ladder)),
			logf: make([]float64, len(ladder)), sum: make([]float64, len(ladder)),
		})
	}
	return t
}

// next is the phase after one that is over.
func (w *temperedChains[S]) next() {
	if w.at.Stage == ascending {
		w.initialLogZ()
		w.at = temperedPhase{Stage: learning, Length: w.set.Learn, Passes: 1}
		return
	}
	w.learn()
	if w.at.Imbalance < 0.1/float64(len(w.ladder)) || w.at.Passes == w.set.Passes {
		w.at.Stage, w.at.Length = drawing, w.set.Rounds
		return
	}
	w.at.Length = min(w.at.Length+w.at.Length/2, max(w.set.Rounds/4, w.set.Learn))
	w.at.Passes++
}

// annealUp takes a chain up the ladder, with the moves of a round at each temperature, so that Ẑ can start near.
func (w *temperedChains[S]) annealUp(i int, t *tally) error {
	c := w.chains[i]
	if !c.begun {
		w.f.Base(c.x, c.r.Rand)
		c.begun = true
	}
	for k := c.done + 1; k < len(w.ladder); k++ {
		if c.made == 0 {
			d, err := w.f.logRatio(c.x, w.ladder[k-1], w.ladder[k], t)
			if err != nil {
				return err
			}
			c.first[k] = d
		}
		if err := w.move(c, k, t); err != nil {
			return err
		}
		c.done = k
	}
	c.k = len(w.ladder) - 1
	return nil
}

// move makes what is left of the moves of a round, at temperature k.
func (w *temperedChains[S]) move(c *tempChain[S], k int, t *tally) error {
	for c.made < w.set.Moves {
		w.f.Move(c.x, w.ladder[k], c.r.Rand)
		c.made++
		if t.moved() {
			return errStopped
		}
	}
	c.made = 0
	return nil
}

// initialLogZ sets the initial Ẑ from the anneals: the mean over chains of each step's ratio. It need not be accurate.
func (w *temperedChains[S]) initialLogZ() {
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

// learn improves Ẑ by the shares of a pass, and tells how far these were from what they should be.
func (w *temperedChains[S]) learn() {
	c := w.shares()
	w.at.Imbalance = 0
	for k, v := range c {
		w.at.Imbalance = max(w.at.Imbalance, math.Abs(v-w.set.Prior[k]))
	}
	w.update(c)
}

// shares are ĉ over all chains.
func (w *temperedChains[S]) shares() []float64 {
	c := make([]float64, len(w.ladder))
	for _, chain := range w.chains {
		for k, v := range chain.sum {
			c[k] += v / float64(len(w.chains)*w.at.Length)
		}
	}
	return c
}

// update is Ẑ_k ← Ẑ_k r₁ĉ_k/(r_kĉ₁). A share counts as at least e⁻⁵ of the intended one, so that Ẑ of a temperature that was never
// visited stays above 0.
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

// begin clears the sums of the last phase.
func (w *temperedChains[S]) begin() {
	for _, c := range w.chains {
		c.done, c.made = 0, 0
		clear(c.sum)
		c.trips = newTripCounter()
		c.makeSeries(w)
	}
}

// makeSeries allocates the records of a drawing phase.
func (c *tempChain[S]) makeSeries(w *temperedChains[S]) {
	if w.at.Stage != drawing {
		return
	}
	for i := range c.series {
		c.series[i] = make([]float64, 0, w.at.Length)
	}
	if w.set.MBAR {
		c.all = make([]float64, 0, w.at.Length*len(w.ladder))
	}
}

// rounds are some moves and a draw of the temperature, again and again.
func (w *temperedChains[S]) rounds(i int, t *tally) error {
	c := w.chains[i]
	for c.done < w.at.Length {
		if err := w.move(c, c.k, t); err != nil {
			return err
		}
		w.f.batch(c.logf, c.x, w.ladder)
		t.evals += int64(len(w.ladder))
		if w.set.MBAR && c.series[0] != nil {
			c.all = append(c.all, c.logf...)
		}
		was := c.k
		if err := c.drawTemperature(w.bias, w.ladder); err != nil {
			return err
		}
		if w.set.FromPrior {
			c.k = pick(w.set.Prior, c.r.Rand)
		}
		c.record(was)
		c.done++
	}
	return nil
}

// drawTemperature turns log densities into the probabilities of temperatures, adds them to the sums, and draws a temperature.
func (c *tempChain[S]) drawTemperature(bias []float64, ladder Schedule) error {
	if err := softmax(c.logf, bias); err != nil {
		return fmt.Errorf("%w: log densities at the temperatures %v … 1", err, ladder[0])
	}
	for k, q := range c.logf {
		c.sum[k] += q
	}
	c.k = pick(c.logf, c.r.Rand)
	return nil
}

// record records a round: the draw belongs to the temperature was, at which it was moved.
func (c *tempChain[S]) record(was int) {
	last := len(c.logf) - 1
	if c.series[0] != nil {
		c.series[0] = append(c.series[0], c.logf[0])
		c.series[1] = append(c.series[1], c.logf[last])
		c.series[2] = append(c.series[2], float64(was))
	}
	c.trips.visit(c.k, last)
}
