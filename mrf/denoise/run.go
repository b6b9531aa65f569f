package denoise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/internal/runner"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Settings say how marginals are estimated. The zero value works.
type Settings struct {
	Seed    uint64
	Chains  int // 0: 4
	Warmup  int // sweeps; 0: 50
	Sweeps  int // after the warm-up; 0: 200
	Threads int // 0 or less: 1. Results do not depend on it

	// Checkpoint names the file of the chains' states, "" for none, written every Every (0: 30 s) and at the end. Resume goes on from it, to
	// the result of an undisturbed run, byte for byte. Fingerprint identifies the posterior and the settings: a file with another one is refused.
	Checkpoint  string
	Resume      bool
	Fingerprint string
	Every       time.Duration
	Progress    func(done, total int) // sweeps of all chains; about ten times a second, from one goroutine at a time; may be nil
}

// Tolerance is the standard error of a probability above which a pixel has not converged.
const Tolerance = 0.02

// Marginals are the posterior probabilities of the levels of pixels.
type Marginals struct {
	Levels      int
	P           []float64 // of level k at pixel i at i·Levels + k
	MCSE        []float64 // of each pixel, the largest of its levels
	Unconverged int       // pixels with a greater error than Tolerance
	MaxMCSE     float64
	Updates     float64 // pixels drawn
}

// Sample runs chains from starts of their own: the noisy image, and levels at random. Each half of a chain gives an estimate, and their
// spread the standard errors. When ctx ends, the chains are saved and the error wraps mcmc.ErrInterrupted.
func Sample(ctx context.Context, p *Posterior, set Settings) (*Marginals, error) {
	set.Chains, set.Warmup, set.Sweeps, set.Every = cmp.Or(set.Chains, 4), cmp.Or(set.Warmup, 50), cmp.Or(set.Sweeps, 200), cmp.Or(set.Every, 30*time.Second)
	if set.Chains < 1 || set.Warmup < 0 || set.Sweeps < 2 {
		return nil, fmt.Errorf("denoise: %d chains of %d and %d sweeps", set.Chains, set.Warmup, set.Sweeps)
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	if err := Room(p.Width, p.Height, p.Levels, set.Chains); err != nil {
		return nil, fmt.Errorf("denoise: %w", err)
	}
	j := &sampling{set: set, p: p, saved: make([][]byte, set.Chains)}
	for c := range set.Chains {
		one, err := newChain(j, c)
		if err != nil {
			return nil, err
		}
		j.chains = append(j.chains, one)
	}
	if err := j.resume(); err != nil {
		return nil, err
	}
	var units []runner.Unit
	for _, c := range j.chains {
		units = append(units, c)
	}
	run := runner.Settings{Threads: max(set.Threads, 1), Every: set.Every, Watch: j.watch}
	if set.Checkpoint != "" {
		run.Write = j.write
	}
	if err := runner.Run(ctx, units, run); err != nil {
		return nil, fmt.Errorf("denoise: %w", err)
	}
	return j.marginals(), nil
}

// sampling is a run.
type sampling struct {
	set    Settings
	p      *Posterior
	chains []*chain

	mutex sync.Mutex // of saved
	saved [][]byte
}

func (j *sampling) watch() {
	if j.set.Progress == nil {
		return
	}
	done := 0
	for _, c := range j.chains {
		done += int(c.done.Load())
	}
	j.set.Progress(done, len(j.chains)*(j.set.Warmup+j.set.Sweeps))
}

// chain is a unit of the runner.
type chain struct {
	job    *sampling
	number int
	stream *rng.Stream
	kernel *Gibbs
	state  *State
	halves [2][]float64
	done   atomic.Int64 // sweeps, those of the warm-up among them
}

func newChain(j *sampling, number int) (*chain, error) {
	k, err := NewGibbs(j.p)
	if err != nil {
		return nil, err
	}
	c := &chain{job: j, number: number, kernel: k, stream: rng.New(j.set.Seed, "denoise chain", uint64(number))}
	for h := range c.halves {
		c.halves[h] = make([]float64, k.Width()*j.p.Width*j.p.Height)
	}
	x := j.p.likeliest()
	for i := range x {
		if number%2 == 1 {
			x[i] = uint8(c.stream.IntN(j.p.Levels))
		}
	}
	c.state = j.p.NewState(x)
	return c, nil
}

func (c *chain) Place() (unit, step string) {
	return fmt.Sprintf("chain %d", c.number+1), fmt.Sprintf("sweep %d", c.done.Load()+1)
}

func (c *chain) Turn(ctx context.Context, until time.Time) (more bool, err error) {
	set := c.job.set
	for total := int64(set.Warmup + set.Sweeps); c.done.Load() < total; {
		switch n := int(c.done.Load()) - set.Warmup; {
		case n < 0:
			c.kernel.Sums = nil
		default:
			c.kernel.Sums = c.halves[min(1, n/(set.Sweeps/2))]
		}
		c.kernel.Step(c.state, c.stream.Rand)
		if c.done.Add(1) < total && (ctx.Err() != nil || time.Now().After(until)) {
			return true, nil
		}
	}
	return false, nil
}

// savedChain is the content of a checkpoint for one chain.
type savedChain struct {
	Done   int64
	Stream []byte
	Levels []uint8
	Halves [2][]float64
}

func (c *chain) Save() error {
	if c.job.set.Checkpoint == "" {
		return nil
	}
	stream, err := c.stream.MarshalBinary()
	if err != nil {
		return err
	}
	b, err := gobs.Marshal(savedChain{c.done.Load(), stream, c.state.Levels(), c.halves})
	if err != nil {
		return err
	}
	c.job.mutex.Lock()
	defer c.job.mutex.Unlock()
	c.job.saved[c.number] = b
	return nil
}

func (c *chain) restore(b []byte) error {
	var s savedChain
	if err := gobs.Unmarshal(b, &s); err != nil {
		return err
	}
	if len(s.Levels) != c.job.p.Width*c.job.p.Height || len(s.Halves[0]) != len(c.halves[0]) || len(s.Halves[1]) != len(c.halves[1]) {
		return errors.New("the checkpoint is of another image")
	}
	c.done.Store(s.Done)
	c.halves = s.Halves
	c.state.Set(s.Levels)
	return c.stream.UnmarshalBinary(s.Stream)
}

// saved is the content of a checkpoint.
type saved struct {
	Fingerprint string
	Seed        uint64
	Chains      [][]byte
}

func checkpoint() checksummed.Kind {
	return checksummed.Kind{Name: "restoration of an image", Version: 1}
}

func (j *sampling) write() error {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return checkpoint().Write(j.set.Checkpoint, saved{j.set.Fingerprint, j.set.Seed, j.saved})
}

// resume restores the chains from the checkpoint, if there is one.
func (j *sampling) resume() error {
	if !j.set.Resume || j.set.Checkpoint == "" {
		return nil
	}
	var s saved
	there, err := checkpoint().ReadIfThere(j.set.Checkpoint, &s)
	if err != nil || !there {
		return err
	}
	err = checksummed.Same([]checksummed.Property{{Name: "image or its settings", Was: s.Fingerprint, Asked: j.set.Fingerprint},
		{Name: "seed", Was: s.Seed, Asked: j.set.Seed}, {Name: "number of chains", Was: len(s.Chains), Asked: len(j.chains)}})
	for i := 0; err == nil && i < len(s.Chains); i++ {
		if len(s.Chains[i]) > 0 {
			err = j.chains[i].restore(s.Chains[i])
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", j.set.Checkpoint, err)
	}
	j.saved = s.Chains
	return nil
}

// marginals are the means over chains.
func (j *sampling) marginals() *Marginals {
	q, n := j.p.Levels, j.p.Width*j.p.Height
	m := &Marginals{Levels: q, P: make([]float64, n*q), MCSE: make([]float64, n), Updates: float64(n) * float64(j.set.Warmup+j.set.Sweeps) * float64(len(j.chains))}
	first := j.set.Sweeps / 2
	length := [2]float64{float64(first), float64(j.set.Sweeps - first)}
	sums, squares, one := make([]float64, q), make([]float64, q), make([]float64, q)
	halves := float64(2 * len(j.chains))
	for i := range n {
		clear(sums)
		clear(squares)
		for _, c := range j.chains {
			for h := range 2 {
				c.kernel.Sums = c.halves[h]
				c.kernel.Probabilities(one, i, length[h])
				for v, x := range one {
					sums[v] += x
					squares[v] += float64(x * x)
				}
			}
		}
		for v, sum := range sums {
			mean := sum / halves
			m.P[i*q+v] = mean
			m.MCSE[i] = max(m.MCSE[i], math.Sqrt(max(0, squares[v]/halves-float64(mean*mean))/(halves-1)))
		}
	}
	for _, se := range m.MCSE {
		if m.MaxMCSE = max(m.MaxMCSE, se); se > Tolerance {
			m.Unconverged++
		}
	}
	return m
}

// MPM is the most probable level of each pixel by itself, the first of equals: the estimate with the fewest wrong pixels.
func (m *Marginals) MPM() []uint8 {
	x := make([]uint8, len(m.MCSE))
	for i := range x {
		for v := range m.Levels {
			if m.P[i*m.Levels+v] > m.P[i*m.Levels+int(x[i])] {
				x[i] = uint8(v)
			}
		}
	}
	return x
}
