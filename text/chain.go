package text

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
	"github.com/ergodic-mcmc/ergodic/tempering"
)

// chain is one chain of one case: a unit of the runner.
type chain struct {
	*batch
	of             *Case
	number, within int // of the case, and of the chain in it
	stream         *rng.Stream
	step           int

	walk     *Walk // at the target
	sentence *Sentence
	ladder   *tempering.Kernel[*Sentence] // in place of both where there are replicas
	replicas *tempering.State[*Sentence]

	best    []Found
	trace   []float64
	samples []Found
	counts  [moveKinds]Count
}

// longestTrace is how many values a chain keeps of its score.
const longestTrace = 500

func newChain(b *batch, of *Case, number, within int) (*chain, error) {
	c := &chain{batch: b, of: of, number: number, within: within}
	c.stream = rng.New(b.set.Seed, "sentences", uint64(number), uint64(within))
	return c, c.prepare()
}

// prepare makes kernels.
func (c *chain) prepare() error {
	beta := 1 / c.set.Temperature
	if c.set.Replicas < 2 {
		var err error
		c.walk, err = c.newWalk(beta)
		return err
	}
	hottest := 1 / c.set.Hottest
	betas := make([]float64, c.set.Replicas)
	for i := range betas {
		betas[i] = hottest + float64((beta-hottest)*float64(i)/float64(c.set.Replicas-1))
	}
	var err error
	c.ladder, err = tempering.New[*Sentence](energy{}, func(beta float64) (mcmc.Kernel[*Sentence], error) {
		if c.walk != nil {
			c.tally()
		}
		w, err := c.newWalk(beta)
		c.walk = w // the last one made is the coldest
		return w, err
	}, tempering.Settings{Betas: betas})
	return err
}

func (c *chain) newWalk(beta float64) (*Walk, error) {
	moves := c.of.Moves
	if moves == (Moves{}) {
		moves = Sentences()
		if least, most := c.of.Target.Lengths(); least == most || c.of.Target.fixed() {
			moves = FixedLength()
		}
		if c.of.Target.rhyming() != nil {
			moves.Group = 0.1
		}
	}
	w, err := NewWalk(c.of.Target, c.lists, c.of.Hints, moves)
	if err == nil {
		w.Beta, w.Full = beta, c.of.Full
	}
	return w, err
}

// fixed tells whether a hard condition leaves only one length.
func (t *Target) fixed() bool {
	for _, c := range t.conditions {
		if b, ok := c.Constraint.(bounded); ok && c.hard() {
			if least, most := b.bounds(); least == most {
				return true
			}
		}
	}
	return false
}

// energy is the family of tempered targets.
type energy struct{}

func (energy) LogDensity(s *Sentence, beta float64) float64 { return float64(beta * s.Score()) }

// Place names the chain in errors.
func (c *chain) Place() (unit, step string) {
	unit = fmt.Sprintf("chain %d", c.within+1)
	if c.of.Name != "" {
		unit = c.of.Name + ", " + unit
	}
	return unit, fmt.Sprintf("step %d", c.step+1)
}

// Turn moves the chain.
func (c *chain) Turn(ctx context.Context, until time.Time) (more bool, err error) {
	if c.step == c.set.Steps { // resumed when all was done
		c.end()
		return false, nil
	}
	if c.cold() == nil {
		if err := c.start(); err != nil {
			return false, err
		}
	}
	const stride = 64 // steps between two looks at the clock
	for c.step < c.set.Steps {
		from := c.step
		for range min(stride, c.set.Steps-c.step) {
			c.move()
		}
		c.done.Add(int64(c.step - from))
		if c.step < c.set.Steps && (ctx.Err() != nil || time.Now().After(until)) {
			return true, nil
		}
	}
	c.end()
	return false, nil
}

// end lets go of what only steps need.
func (c *chain) end() {
	if c.walk != nil {
		c.tally()
		c.walk, c.ladder, c.replicas = nil, nil, nil
	}
}

// cold is the state at the target.
func (c *chain) cold() *Sentence {
	if c.replicas != nil {
		return c.replicas.Cold()
	}
	return c.sentence
}

// start finds where the chain begins.
func (c *chain) start() error {
	r := rng.New(c.set.Seed, "sentence start", uint64(c.number), uint64(c.within)).Rand
	var states []*Sentence
	for range c.set.Replicas {
		words, err := c.of.Target.Start(c.lists, c.of.Hints, r)
		if err != nil {
			return err
		}
		states = append(states, c.of.Target.NewSentence(words))
	}
	if c.ladder == nil {
		c.sentence = states[0]
	} else {
		c.replicas = tempering.NewState(states)
	}
	c.look()
	return nil
}

// move makes one step.
func (c *chain) move() {
	switch {
	case c.ladder == nil:
		if c.set.Cold > 0 {
			c.walk.Beta = 1 / c.temperature()
		}
		c.walk.Step(c.sentence, c.stream.Rand)
	case c.step < c.set.Warmup:
		c.ladder.Adapt(c.replicas, c.stream.Rand, mcmc.Warmup{Iteration: c.step, Total: c.set.Warmup})
	default:
		c.ladder.Step(c.replicas, c.stream.Rand)
	}
	c.step++
	if c.step == c.set.Warmup && c.ladder != nil {
		c.ladder.Freeze()
	}
	c.look()
}

// temperature is that of the next step of annealing: geometric from the first to the last.
func (c *chain) temperature() float64 {
	if c.set.Steps == 1 {
		return c.set.Cold
	}
	part := float64(c.step) / float64(c.set.Steps-1)
	return float64(c.set.Temperature * vec.Exp(float64(part*vec.Log(c.set.Cold/c.set.Temperature))))
}

// look keeps what is to be kept of the state.
func (c *chain) look() {
	s := c.cold()
	if f := (Found{s.Words(), s.Model, s.Penalty, c.within}); c.enters(&f) {
		f.Words = slices.Clone(f.Words)
		c.best = c.keep(c.of, c.best, f)
	}
	after, left := c.step-c.set.Warmup, c.set.Steps-c.set.Warmup
	if after <= 0 {
		return
	}
	if due(after, left, min(longestTrace, left)) {
		c.trace = append(c.trace, s.Score())
	}
	if due(after, left, c.set.Samples) {
		c.samples = append(c.samples, c.found(s))
	}
}

// enters tells whether a sentence may be one of the best.
func (c *chain) enters(f *Found) bool {
	return len(c.best) < c.set.Best || c.before(c.of, f, &c.best[len(c.best)-1])
}

// due tells whether one of so many equally spaced values is taken after a step, the last of them after the last.
func due(step, steps, values int) bool { return step*values/steps > (step-1)*values/steps }

func (c *chain) found(s *Sentence) Found {
	return Found{slices.Clone(s.Words()), s.Model, s.Penalty, c.within}
}

// tally takes the counts of moves from the walk.
func (c *chain) tally() {
	for i, n := range c.walk.Counts {
		c.counts[i].Proposed += n.Proposed
		c.counts[i].Accepted += n.Accepted
	}
	c.walk.Counts = [moveKinds]Count{}
}

// savedChain is a chain in a checkpoint.
type savedChain struct {
	Step    int
	Stream  []byte
	States  [][]int32 // of the replicas, the coldest last; none: not started, or ended
	Label   []int
	Odd     bool
	Ladder  []byte
	Best    []Found
	Trace   []float64
	Samples []Found
	Counts  [moveKinds]Count
}

// Save notes how far the chain is; the batch writes it.
func (c *chain) Save() error {
	if c.set.File == "" {
		return nil
	}
	b, err := c.MarshalBinary()
	if err != nil {
		return err
	}
	c.file.Note(c.number*c.set.Chains+c.within, b)
	return nil
}

// MarshalBinary writes all that the chain's future depends on.
func (c *chain) MarshalBinary() ([]byte, error) {
	stream, err := c.stream.MarshalBinary()
	if err != nil {
		return nil, err
	}
	if c.walk != nil {
		c.tally()
	}
	s := savedChain{Step: c.step, Stream: stream, Best: c.best, Trace: c.trace, Samples: c.samples, Counts: c.counts}
	switch {
	case c.replicas != nil:
		for _, x := range c.replicas.Replicas {
			s.States = append(s.States, x.Words())
		}
		s.Label, s.Odd = c.replicas.Label, c.replicas.Odd
		if s.Ladder, err = c.ladder.MarshalBinary(); err != nil {
			return nil, err
		}
	case c.sentence != nil:
		s.States = [][]int32{c.sentence.Words()}
	}
	return gobs.Marshal(s)
}

var errChain = errors.New("the state of a chain does not fit the run")

// UnmarshalBinary reads what MarshalBinary wrote.
func (c *chain) UnmarshalBinary(b []byte) error {
	var s savedChain
	if err := gobs.Unmarshal(b, &s); err != nil {
		return err
	}
	if s.Step < 0 || s.Step > c.set.Steps {
		return errChain
	}
	if err := c.stream.UnmarshalBinary(s.Stream); err != nil {
		return err
	}
	c.step, c.trace, c.samples, c.counts = s.Step, s.Trace, s.Samples, s.Counts
	for _, f := range s.Best {
		c.best = c.keep(c.of, c.best, f)
	}
	var states []*Sentence
	for _, words := range s.States {
		for _, w := range words {
			if w < 0 || int(w) >= c.of.Target.model.Size() {
				return errChain
			}
		}
		states = append(states, c.of.Target.NewSentence(words))
	}
	switch {
	case len(states) == 0:
		if s.Step > 0 && s.Step < c.set.Steps {
			return errChain
		}
	case len(states) != c.set.Replicas:
		return errChain
	case c.ladder == nil:
		c.sentence = states[0]
	default:
		c.replicas = &tempering.State[*Sentence]{Replicas: states, Label: s.Label, Odd: s.Odd}
		if len(s.Label) != len(states) {
			return errChain
		}
		return c.ladder.UnmarshalBinary(s.Ladder)
	}
	return nil
}
