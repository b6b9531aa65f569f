package modeltest

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// Verdict is what the judges say of one program.
type Verdict uint8

const (
	Silent   Verdict = iota // nothing differs
	Unusable                // no draws to judge, and so not counted
	Refusal                 // an error of the compiler, the plan or the run
	Doubtful                // a difference that an exact comparison did not confirm
	Failed
)

func (v Verdict) String() string {
	return [...]string{"silent", "unusable", "refused", "doubtful", "failed"}[v]
}

// Result is the verdict on a case, and why.
type Result struct {
	Case    *Case
	Verdict Verdict
	Err     error
	Judged  []string // the kernels that were judged, and how
}

// Check writes the program of a seed and lets all judges see it.
func Check(seed uint64, l Length) Result { return CheckProgram(Random(seed), seed, l) }

// CheckProgram lets all judges see a program, with data simulated from the seed.
func CheckProgram(p *Program, seed uint64, l Length) (res Result) {
	c, err := NewCase(p, seed)
	res = Result{Case: c, Verdict: verdict(err), Err: err}
	if err != nil {
		return res
	}
	defer func() { res.Judged = c.judged }()
	defer func() {
		if x := recover(); x != nil {
			res.Verdict, res.Err = Failed, fmt.Errorf("panic: %v", x)
		}
	}()
	for _, judge := range c.judges(l) {
		if err := judge(); err != nil {
			if v := verdict(err); v > res.Verdict {
				res.Verdict, res.Err = v, err
			}
			if res.Verdict == Failed || res.Verdict == Refusal {
				return res
			}
		}
	}
	return res
}

// judges are those of a case; plans with forced kernels take turns, by the seed.
func (c *Case) judges(l Length) []func() error {
	r := rng.New(c.Seed, "modeltest kernels").Rand
	return []func() error{
		func() error { return c.Agree(20) },
		func() error {
			return c.with(nil, func(p planned) error {
				c.note("", p)
				return c.Joint(p, l)
			})
		},
		func() error { return c.with(nil, func(p planned) error { return c.Posterior(p, l) }) },
		func() error { return c.Plans(r, l) },
	}
}

// Plans judges the program with one of the general kernels forced on every node: by
// the simulator, and where data cannot be drawn anew by a run.
func (c *Case) Plans(r *rand.Rand, l Length) error {
	force := c.force(r.IntN)
	if len(force) == 0 {
		return nil
	}
	l.Long = 0
	return c.with(force, func(p planned) error {
		c.note("forced ", p)
		if err := c.Joint(p, l); err != nil {
			return fmt.Errorf("with %v: %w", force, err)
		}
		return nil
	})
}

func verdict(err error) Verdict {
	var refused *Refused
	var suspect *Suspect
	switch {
	case err == nil, errors.Is(err, errFew):
		return Silent
	case errors.Is(err, errUnusable):
		return Unusable
	case errors.As(err, &refused):
		return Refusal
	case errors.As(err, &suspect):
		return Doubtful
	}
	return Failed
}

// note keeps the names of a plan's kernels.
func (c *Case) note(prefix string, p planned) {
	for _, it := range p.Items {
		c.judged = append(c.judged, prefix+it.Kernel)
	}
}
