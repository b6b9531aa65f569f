package main

import (
	"encoding/json"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/rbm"
)

// rbmTrainFlags determine the machine. A nil pointer is a flag not given: its
// default, or on --resume what the run was started with.
type rbmTrainFlags struct {
	Seed         *uint64           `help:"64-bit seed; drawn from the system and printed when not given." json:"seed"`
	Array        *string           `help:"The array of the data; default: testbatchdata, MNIST_for_log or the only one." placeholder:"NAME" json:"array,omitempty"`
	Threshold    *float64          `help:"Turn grey levels, from 0 to 1, into units that are on above this, instead of drawing them." placeholder:"LEVEL" json:"threshold,omitempty"`
	Hidden       *int              `help:"Hidden units (500)." placeholder:"N" json:"hidden,omitempty"`
	Method       *rbm.Method       `help:"pcd: persistent chains (default); cd: chains from the batch; fpcd: persistent chains with fast weights; pt: persistent chains under parallel tempering." placeholder:"NAME" json:"method,omitempty"`
	Epochs       *int              `help:"Passes through the cases (50)." placeholder:"N" json:"epochs,omitempty"`
	Batch        *int              `help:"Cases an update (100)." placeholder:"N" json:"batch,omitempty"`
	Sweeps       *int              `help:"Sweeps of Gibbs sampling an update (1)." placeholder:"K" json:"sweeps,omitempty"`
	Particles    *int              `help:"Chains (as many as cases in a batch)." placeholder:"N" json:"particles,omitempty"`
	Ladder       []float64         `help:"Inverse temperatures of pt, up to 1 (0.2,0.4,0.6,0.8,1)." placeholder:"B,…" json:"ladder,omitempty"`
	Rate         *float64          `help:"Learning rate at the start (0.05)." placeholder:"X" json:"rate,omitempty"`
	Decline      *rbm.RateSchedule `help:"How it declines: linear (default) or cosine, to 0; inverse, to a tenth; constant." placeholder:"HOW" json:"decline,omitempty"`
	Momentum     *float64          `help:"Momentum (0)." placeholder:"X" json:"momentum,omitempty"`
	Decay        *float64          `help:"Weight decay (0)." placeholder:"X" json:"decay,omitempty"`
	Plain        *bool             `help:"Do not centre the gradient." json:"plain,omitempty"`
	FastRate     *float64          `help:"Learning rate of fast weights (the learning rate)." placeholder:"X" json:"fast_rate,omitempty"`
	FastDecay    *float64          `help:"What is left of fast weights after an update (0.95)." placeholder:"X" json:"fast_decay,omitempty"`
	Sparsity     *float64          `help:"Mean of every hidden unit to aim at." placeholder:"X" json:"sparsity,omitempty"`
	SparsityCost *float64          `help:"How much sparsity counts (0.1)." placeholder:"X" json:"sparsity_cost,omitempty"`
	Average      *float64          `help:"Average the parameters, update t with weight about t^X; 0 for no average (5)." placeholder:"X" json:"average,omitempty"`
	Validation   *int              `help:"Cases set aside to evaluate by, the last ones (1000, at most a tenth of all)." placeholder:"N" json:"validation,omitempty"`
	Evaluate     *rbm.Evaluation   `help:"Evaluate by pl: log pseudo-likelihood (default); ais: log likelihood, by 50 runs at 5000 temperatures; none." placeholder:"HOW" json:"evaluate,omitempty"`
	Every        *int              `help:"Evaluate every N epochs (a twentieth of all)." placeholder:"N" json:"every,omitempty"`
	Patience     *int              `help:"Stop after N evaluations without a better one, and keep the best machine." placeholder:"N" json:"patience,omitempty"`
	Mat          *bool             `help:"Write the machine as model.mat too." json:"mat,omitempty"`
}

// rbmTrainSpec is what is kept in the run's folder for --resume.
type rbmTrainSpec struct {
	job.Head
	Data  job.Input     `json:"data" what:"data file/data files"`
	Flags rbmTrainFlags `json:"flags"`
}

// given is what a pointer holds, or else the default.
func given[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// spec is that of a new run.
func (c *rbmTrainCmd) spec() (s rbmTrainSpec, err error) {
	s = rbmTrainSpec{Head: job.Head{Ergodic: version, Job: rbmTrainJob, Seed: given(c.Seed, systemSeed())}, Flags: c.rbmTrainFlags}
	s.Flags.Seed = nil
	if s.Data, err = job.ReadInput("data file", c.Data); err != nil {
		return s, err
	}
	s.Origin = s.origin()
	return s, s.check()
}

// reopen reads what the run to resume was started with. What is given besides has to be the same.
func (t *rbmTraining) reopen() (err error) {
	if err = t.Reopen(t.cmd.Resume, &t.spec); err != nil {
		return err
	}
	now := rbmTrainSpec{Head: t.spec.Head, Flags: t.cmd.rbmTrainFlags}
	now.Seed, now.Flags.Seed = given(t.cmd.Seed, t.spec.Seed), nil
	if now.Data, err = job.ReadInput("data file", orGiven(t.cmd.Data, t.spec.Data.Path)); err != nil {
		return err
	}
	if err = t.Same(&t.spec, &now, nil); err != nil {
		return err
	}
	t.spec.Data, t.spec.Origin = now.Data, t.spec.origin()
	return t.spec.check()
}

func (s *rbmTrainSpec) origin() string { return rundir.Origin(s.Data.SHA256, s.Flags, s.Seed) }

func (s *rbmTrainSpec) check() error {
	f, plan := &s.Flags, s.plan()
	if err := f.inRange(); err != nil {
		return err
	}
	switch plan.Evaluation {
	case rbm.ByPL, rbm.ByLikelihood:
	case rbm.Unevaluated:
		if f.Patience != nil || f.Every != nil || f.Validation != nil {
			return usage("rbm train: --every, --patience and --validation need an evaluation")
		}
	default:
		return usage("rbm train: --evaluate %s: it is pl, ais or none", plan.Evaluation)
	}
	if name := f.unfit(plan.Method); name != "" {
		return usage("rbm train: %s does nothing for the method %s; leave it out", name, plan.Method)
	}
	if err := plan.Check(); err != nil {
		return usage("rbm train: %w", err)
	}
	return nil
}

// unfit names a flag that does nothing for the method; "" if there is none.
func (f *rbmTrainFlags) unfit(method rbm.Method) string {
	for _, flag := range []struct {
		name, fills string
		given       bool
	}{
		{"--ladder", "Ladder", f.Ladder != nil},
		{"--particles", "Particles", f.Particles != nil},
		{"--fast-rate", "FastRate", f.FastRate != nil},
		{"--fast-decay", "FastDecay", f.FastDecay != nil},
	} {
		if flag.given && !method.Uses(flag.fills) {
			return flag.name
		}
	}
	return ""
}

// inRange checks numbers each for itself. One that is not given is sound; 0
// would stand for the default.
func (f *rbmTrainFlags) inRange() error {
	for _, n := range []struct {
		flag      string
		n         *int
		low, high int
	}{{"hidden", f.Hidden, 1, 1 << 17}, {"epochs", f.Epochs, 1, rbmMost}, {"batch", f.Batch, 1, rbmMost}, {"sweeps", f.Sweeps, 1, rbmMost},
		{"particles", f.Particles, 1, 1 << 20}, {"validation", f.Validation, 0, rbmMost}, {"every", f.Every, 1, rbmMost}, {"patience", f.Patience, 1, rbmMost}} {
		if x := given(n.n, n.low); x < n.low || x > n.high {
			return usage("rbm train: --%s %d: it must be from %d to %d", n.flag, x, n.low, n.high)
		}
	}
	for _, x := range []struct {
		flag string
		x    *float64
		zero bool // has its own meaning
	}{{"rate", f.Rate, false}, {"momentum", f.Momentum, true}, {"decay", f.Decay, true}, {"fast-rate", f.FastRate, false}, {"fast-decay", f.FastDecay, false},
		{"sparsity", f.Sparsity, true}, {"sparsity-cost", f.SparsityCost, false}, {"average", f.Average, true}} {
		switch {
		case x.x == nil:
		case math.IsNaN(*x.x) || math.IsInf(*x.x, 0):
			return usage("rbm train: --%s %v: it must be a finite number", x.flag, *x.x)
		case *x.x == 0 && !x.zero:
			return usage("rbm train: --%s 0: it must be above 0", x.flag)
		}
	}
	return checkThreshold(f.Threshold)
}

// greyLevels reads the data, binary where a threshold is given.
func (s *rbmTrainSpec) greyLevels() (*rbm.GreyLevels, error) {
	f := &s.Flags
	if f.Threshold == nil {
		return rbm.ReadGreyLevels(s.Data.Path, given(f.Array, ""))
	}
	d, err := rbm.ReadData(s.Data.Path, rbm.Binary{Array: given(f.Array, ""), Threshold: true, Above: *f.Threshold})
	if err != nil {
		return nil, err
	}
	return d.GreyLevels(), nil
}

// plan is what is usual, with what is asked for.
func (s *rbmTrainSpec) plan() rbm.TrainingPlan {
	f, p := &s.Flags, rbm.UsualTraining()
	return rbm.TrainingPlan{
		Hidden: given(f.Hidden, p.Hidden), Evaluation: given(f.Evaluate, p.Evaluation), Validation: f.Validation, Every: given(f.Every, 0), Patience: given(f.Patience, 0),
		Training: rbm.Training{
			Method: given(f.Method, p.Method), Epochs: given(f.Epochs, p.Epochs), Batch: given(f.Batch, 0), Sweeps: given(f.Sweeps, 0),
			Particles: given(f.Particles, 0), Ladder: f.Ladder, Rate: given(f.Rate, 0), RateSchedule: given(f.Decline, ""),
			Momentum: given(f.Momentum, 0), Decay: given(f.Decay, 0), Plain: given(f.Plain, false), FastRate: given(f.FastRate, 0), FastDecay: given(f.FastDecay, 0),
			Sparsity: given(f.Sparsity, 0), SparsityCost: given(f.SparsityCost, 0), Average: given(f.Average, p.Average), Seed: s.Seed,
		},
	}
}

// trainingRun is the training run of the spec.
func (s *rbmTrainSpec) trainingRun(l *rbm.GreyLevels, threads int) (*rbm.TrainingRun, error) {
	fingerprint, err := json.Marshal([]any{s.Data.SHA256, s.Seed, s.Flags})
	if err != nil {
		return nil, err
	}
	p := s.plan()
	p.Threads = threads
	run, err := p.New(l)
	if err == nil {
		run.Fingerprint = string(fingerprint)
	}
	return run, err
}
