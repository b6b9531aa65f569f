package modeltest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ergodic-mcmc/ergodic/model/plan"
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

// Check writes the program of a seed and lets all judges see it. Of three programs one has constructs.
func Check(seed uint64, l Length) Result {
	if seed%3 == 2 {
		return CheckProgram(RandomConstructs(seed), seed, l)
	}
	return CheckProgram(Random(seed), seed, l)
}

// CheckProgram lets all judges see a program, with data simulated from the seed.
func CheckProgram(p *Program, seed uint64, l Length) (res Result) {
	return judged(p, seed, func(c *Case) []func() error { return c.judges(l) })
}

// CheckTrajectories writes the program of a seed and lets [Case.Trajectories] judge it.
func CheckTrajectories(seed uint64, l Length) (res Result) {
	return judged(Random(seed), seed, func(c *Case) []func() error {
		return []func() error{func() error { return c.Trajectories(l) }}
	})
}

func judged(p *Program, seed uint64, judges func(c *Case) []func() error) (res Result) {
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
	for _, judge := range judges(c) {
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

// judges are those of a case. Kernels are forced by the seed.
func (c *Case) judges(l Length) []func() error {
	return []func() error{
		func() error { return c.Agree(20) },
		func() error { return c.Default(l) },
		func() error { return c.Plans(l) },
	}
}

// Default judges the plan that the program gets by itself.
func (c *Case) Default(l Length) error {
	p, err := c.plan(nil)
	if err != nil {
		return err
	}
	c.note("", p)
	if err := c.Joint(p, l); err != nil {
		return err
	}
	err = c.Posterior(p, l)
	c.few = errors.Is(err, errFew)
	return err
}

// Plans judges the program with a general kernel forced on every node: by the simulator,
// and by a run beside one of the default plan where no other answer is at hand and for one
// program in eight.
func (c *Case) Plans(l Length) error {
	force := c.force(rng.New(c.Seed, "modeltest kernels").IntN)
	if len(force) == 0 {
		return nil
	}
	forced, err := c.plan(force)
	if err != nil {
		return err
	}
	c.note("forced ", forced)
	l.Long = 0
	err = c.Joint(forced, l)
	if err == nil && (c.few || c.dataAreRead() || c.Seed%8 == 0) {
		err = c.beside(forced, l)
	}
	if err != nil {
		return fmt.Errorf("with %v: %w", force, err)
	}
	return nil
}

// Trajectories judges the program with nuts for all nodes that it can move, by the simulator.
func (c *Case) Trajectories(l Length) error {
	force := map[string]string{}
	c.takingPart(func(name string, servants []string) {
		if slices.Contains(servants, "nuts") {
			force[name] = "nuts"
		}
	})
	if len(force) == 0 {
		return nil
	}
	p, err := c.plan(force)
	if err != nil {
		return err
	}
	c.note("trajectories of ", p)
	l.Long = 0
	if err := c.Joint(p, l); err != nil {
		return fmt.Errorf("with nuts: %w", err)
	}
	return nil
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
func (c *Case) note(prefix string, p *plan.Plan) {
	for _, it := range p.Items {
		c.judged = append(c.judged, prefix+it.Kernel)
	}
}
