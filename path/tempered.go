package path

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// TemperedSettings are the settings of Tempered. Zeros stand for defaults.
type TemperedSettings struct {
	Settings            // Runs: chains, 8 unless set
	Rounds    int       // draws of the temperature by each chain once log Z is known roughly; 0: 1000
	Moves     int       // before each draw of the temperature; 0: 10
	Learn     int       // rounds that learn log Z the first time; 0: 100
	Passes    int       // times that it is learnt, at most; 0: 30
	Prior     []float64 // r_k, the intended share of each temperature; nil: equal
	FromPrior bool      // Deprecated: draw β from the prior, see Tempered. It is biased, and kept to reproduce a paper's numbers.
	MBAR      bool      // also solve MBAR, for which all densities at all draws are kept
}

// TemperedResult is what chains over a ladder of temperatures say.
type TemperedResult struct {
	RTS  *Result   // Rao-Blackwellised: temperatures counted by their probabilities
	TS   *Result   // tempered sampling: temperatures counted as visited
	MBAR *Result   // nil unless asked for
	LogZ []float64 // by RTS, at each temperature

	Passes     int     // times that log Z was learnt before the draws that count
	Imbalance  float64 // greatest |c_k − r_k| in the last of these
	RoundTrips int     // from β = 0 to 1 and back, all chains together
}

const (
	defaultChains = 8
	tracePoints   = 50
)

func (s TemperedSettings) withDefaults(k int) TemperedSettings {
	s.Settings = s.Settings.withDefaults(defaultChains)
	for _, d := range []struct {
		v   *int
		def int
	}{{&s.Rounds, 1000}, {&s.Moves, 10}, {&s.Learn, 100}, {&s.Passes, 30}} {
		if *d.v == 0 {
			*d.v = d.def
		}
	}
	if s.Prior == nil {
		s.Prior = make([]float64, k)
		for i := range s.Prior {
			s.Prior[i] = 1 / float64(k)
		}
	}
	return s
}

func (s TemperedSettings) check(k int) error {
	if err := s.Settings.check(); err != nil {
		return err
	}
	if s.Checkpoint != "" {
		return errors.New("path: chains over temperatures keep no checkpoints (Settings.Checkpoint); leave it empty")
	}
	if s.Rounds < 4 || s.Moves < 1 || s.Learn < 1 || s.Passes < 1 {
		return fmt.Errorf("path: %d rounds (4 or more) of %d moves (1 or more) after %d passes (1 or more) of %d rounds (1 or more)",
			s.Rounds, s.Moves, s.Passes, s.Learn)
	}
	if len(s.Prior) != k {
		return fmt.Errorf("path: %d prior probabilities for %d temperatures; give one each", len(s.Prior), k)
	}
	sum := 0.0
	for i, r := range s.Prior {
		if !(r > 0) || math.IsInf(r, 1) {
			return fmt.Errorf("path: the prior probability %d is %v; all must be positive", i+1, r)
		}
		sum += r
	}
	if math.Abs(sum-1) > 1e-9 {
		return fmt.Errorf("path: the prior probabilities sum to %v instead of 1", sum)
	}
	if s.MBAR && float64(s.Runs)*float64(s.Rounds)*float64(k) > 1<<28 {
		return fmt.Errorf("path: MBAR would keep %d × %d × %d densities, more than 2 GB; take fewer rounds or temperatures", s.Runs, s.Rounds, k)
	}
	return nil
}

// Tempered runs chains over the temperatures of a ladder: each moves some times at its temperature, then draws a new one
// from q(β_k | x) ∝ r_k f_k(x)/Ẑ_k. RTS (Carlson, Stinson, Pakman and Paninski 2016, "Partition functions from
// Rao-Blackwellized tempered sampling", equations 7–10 and algorithm 1) averages these probabilities to ĉ_k and has
// log Z_k = log Ẑ_k + log(ĉ_k/r_k) − log(ĉ_1/r_1). TS counts visits instead. Before, Ẑ is set by annealing each chain once up the
// ladder, and learnt in passes, each half as long again as the one before, until max |ĉ_k − r_k| < 0.1/K.
//
// Errors come from the chains (a jackknife) and from the autocorrelation within them; the greater one counts.
//
// FromPrior draws β from r instead of q, as a course paper did. That leaves no distribution over (x, β)
// invariant that q describes: the estimate is biased, however long the chains, and says so in its warnings.
//
// Interrupted, it returns what the chains that have finished say, nil for none, and an error that wraps
// mcmc.ErrInterrupted.
func Tempered[S any](ctx context.Context, f Family[S], ladder Schedule, set TemperedSettings) (*TemperedResult, error) {
	if err := ladder.check(); err != nil {
		return nil, err
	}
	set = set.withDefaults(len(ladder))
	if err := set.check(len(ladder)); err != nil {
		return nil, err
	}
	w := newWander(ctx, f, ladder, set)
	if err := w.phase(w.annealUp); err != nil {
		return nil, err
	}
	w.pool()
	passes, imbalance, err := w.learn()
	if err != nil {
		return nil, err
	}
	w.begin(set.Rounds, true)
	interrupted := w.phase(w.rounds)
	if interrupted != nil && !w.keepFinished(interrupted) {
		return nil, interrupted
	}
	out, err := w.result(passes, imbalance)
	if err != nil {
		return nil, err
	}
	return out, interrupted
}

// keepFinished drops the chains that were stopped on their way, and says whether others are left.
func (w *wander[S]) keepFinished(err error) bool {
	if !errors.Is(err, mcmc.ErrInterrupted) {
		return false
	}
	w.chains = slices.DeleteFunc(w.chains, func(c *tempChain[S]) bool { return len(c.series[0]) < w.set.Rounds })
	return len(w.chains) > 0
}

// wander is a set of chains over a ladder.
type wander[S any] struct {
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

func newWander[S any](ctx context.Context, f Family[S], ladder Schedule, set TemperedSettings) *wander[S] {
	t := &wander[S]{
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
func (w *wander[S]) annealUp(i int, t *tally) error {
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
func (w *wander[S]) pool() {
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

func (w *wander[S]) setBias() {
	for k, z := range w.zeta {
		w.bias[k] = vec.Log(w.set.Prior[k]) - z
	}
}

// learn iterates Ẑ until the temperatures' shares are what they should be.
func (w *wander[S]) learn() (passes int, imbalance float64, err error) {
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
func (w *wander[S]) shares() []float64 {
	c := make([]float64, len(w.ladder))
	for _, chain := range w.chains {
		for k, v := range chain.sum {
			c[k] += v / float64(len(w.chains)*chain.length)
		}
	}
	return c
}

// update is Ẑ_k ← Ẑ_k r₁ĉ_k/(r_kĉ₁). A share is at least e⁻⁵ of what it should be, so that temperatures never met come back.
func (w *wander[S]) update(c []float64) {
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
func (w *wander[S]) begin(length int, keep bool) {
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
func (w *wander[S]) rounds(i int, t *tally) error {
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

// softmax sets x to exp(x + bias), normalised.
func softmax(x, bias []float64) error {
	top := math.Inf(-1)
	for k := range x {
		x[k] += bias[k]
		if math.IsNaN(x[k]) || math.IsInf(x[k], 1) {
			return fmt.Errorf("%w: number %d is %v", errNaN, k+1, x[k])
		}
		top = max(top, x[k])
	}
	if math.IsInf(top, -1) {
		return fmt.Errorf("%w: all are −Inf", errNaN)
	}
	sum := 0.0
	for k := range x {
		x[k] = vec.Exp(x[k] - top)
		sum += x[k]
	}
	for k := range x {
		x[k] /= sum
	}
	return nil
}

// pick draws an index with these probabilities.
func pick(p []float64, r *rand.Rand) int {
	u, last := r.Float64(), 0
	for k, v := range p {
		if v > 0 {
			if u < v {
				return k
			}
			last = k
		}
		u -= v
	}
	return last // rounding
}
