package tempering

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/internal/jobs"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Job runs another job by parallel tempering. Each chain is a ladder of replicas, started, saved
// and recorded by the other job; the replica at the target is recorded.
type Job[S any] struct {
	base    mcmc.Job[S]
	family  Family[S]
	move    func(chain int, beta float64) (mcmc.Kernel[S], error)
	set     Settings
	kernels []*Kernel[S]
}

// NewJob returns a job that tempers base along a family, for a run with these settings. move
// makes the kernel of a chain's replica at an inverse temperature, as in [New]; the base's own
// kernel is not used.
func NewJob[S any](base mcmc.Job[S], family Family[S], move func(chain int, beta float64) (mcmc.Kernel[S], error), set Settings, run mcmc.Settings) (*Job[S], error) {
	if base == nil || move == nil {
		return nil, errors.New("tempering: a job needs the job to temper and a function that makes kernels")
	}
	chains := run.WithDefaults().Chains
	j := &Job[S]{base: base, family: family, move: move, set: set, kernels: make([]*Kernel[S], max(chains, 0))}
	for c := range chains {
		if _, err := j.kernel(c); err != nil {
			return nil, fmt.Errorf("chain %d: %w", c+1, err)
		}
	}
	return j, nil
}

func (j *Job[S]) kernel(chain int) (*Kernel[S], error) {
	return New(j.family, func(beta float64) (mcmc.Kernel[S], error) { return j.move(chain, beta) }, j.set)
}

// Kernel returns a kernel of parallel tempering, which [Job.Report] refers to.
func (j *Job[S]) Kernel(chain int) mcmc.Kernel[*State[S]] {
	k := jobs.Kernel(j.kernel, chain)
	j.kernels[chain] = k
	return k
}

// Report is the report of a chain after its warm-up. Call it when the run has ended.
func (j *Job[S]) Report(chain int) (Report, error) {
	if chain < 0 || chain >= len(j.kernels) || j.kernels[chain] == nil {
		return Report{}, fmt.Errorf("tempering: chain %d has not run", chain+1)
	}
	return j.kernels[chain].Report(), nil
}

// Start starts every replica as the base starts a chain.
func (j *Job[S]) Start(ctx context.Context, chain int, r *rand.Rand) (*State[S], error) {
	replicas := make([]S, len(j.set.Betas))
	caching, _ := j.family.(Caching[S])
	for i, beta := range j.set.Betas {
		s, err := j.base.Start(ctx, chain, r)
		if err != nil {
			return nil, fmt.Errorf("replica %d: %w", i+1, err)
		}
		if caching != nil {
			caching.Cache(s, beta, j.family.LogDensity(s, beta))
		}
		replicas[i] = s
	}
	return NewState(replicas), nil
}

// Variables are those of the base.
func (j *Job[S]) Variables() []draws.Variable { return j.base.Variables() }

// LogDensity is that of the replica at the target.
func (j *Job[S]) LogDensity(s *State[S]) float64 {
	if c, ok := j.family.(Caching[S]); ok {
		return c.Cached(s.Cold())
	}
	return j.family.LogDensity(s.Cold(), j.set.Betas[len(j.set.Betas)-1])
}

// Record records the replica at the target.
func (j *Job[S]) Record(s *State[S], r *rand.Rand, dst []float64) { j.base.Record(s.Cold(), r, dst) }

// saved is a state on disk.
type saved struct {
	Replicas [][]byte
	Label    []int
	Odd      bool
}

// MarshalState writes all replicas as the base does.
func (j *Job[S]) MarshalState(s *State[S]) ([]byte, error) {
	out := saved{Label: s.Label, Odd: s.Odd}
	for _, x := range s.Replicas {
		b, err := j.base.MarshalState(x)
		if err != nil {
			return nil, err
		}
		out.Replicas = append(out.Replicas, b)
	}
	return gobs.Marshal(out)
}

// UnmarshalState reads what MarshalState wrote.
func (j *Job[S]) UnmarshalState(chain int, b []byte) (*State[S], error) {
	var in saved
	if err := gobs.Unmarshal(b, &in); err != nil {
		return nil, errors.New("tempering: these bytes are not the replicas of a ladder; pass what MarshalState returned")
	}
	n := len(j.set.Betas)
	if len(in.Replicas) != n || !permutation(in.Label, n) {
		return nil, fmt.Errorf("tempering: a state of %d replicas, not %d", len(in.Replicas), n)
	}
	s := &State[S]{Label: in.Label, Odd: in.Odd}
	for _, bytes := range in.Replicas {
		x, err := j.base.UnmarshalState(chain, bytes)
		if err != nil {
			return nil, err
		}
		s.Replicas = append(s.Replicas, x)
	}
	return s, nil
}

func permutation(label []int, n int) bool {
	for i, l := range slices.Sorted(slices.Values(label)) {
		if l != i {
			return false
		}
	}
	return len(label) == n
}
