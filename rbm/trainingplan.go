package rbm

import (
	"cmp"
	"fmt"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// Evaluation is how a machine is judged while it is trained.
type Evaluation string

// The evaluations.
const (
	ByPL         Evaluation = "pl"  // log pseudo-likelihood
	ByLikelihood Evaluation = "ais" // log likelihood, by 50 runs at 5000 temperatures
	Unevaluated  Evaluation = "none"
)

// TrainingPlan is a training, and how it is judged by cases that are set aside.
type TrainingPlan struct {
	Training
	Hidden     int        // units
	Evaluation Evaluation // "" is ByPL
	Validation *int       // cases set aside, the last ones; nil: 1000, at most a tenth of all
	Every      int        // epochs between two evaluations; 0: a twentieth of all
	Patience   int        // evaluations without a better one after which it stops; 0: never
}

// UsualTraining is what to begin with: 500 hidden units, 50 epochs and an average of the parameters.
func UsualTraining() TrainingPlan {
	return TrainingPlan{Training: Training{Method: PCD, Epochs: 50, Average: 5}, Hidden: 500, Evaluation: ByPL}
}

// Measures names what is estimated.
func (e Evaluation) Measures() string {
	switch e {
	case ByPL:
		return "log pseudo-likelihood"
	case ByLikelihood:
		return "log likelihood"
	}
	return ""
}

// Check reports the first setting that makes no sense, whatever the cases are.
func (p *TrainingPlan) Check() error {
	switch p.Evaluation {
	case "", ByPL, ByLikelihood, Unevaluated:
		return p.Training.Check()
	}
	return fmt.Errorf("there is no evaluation %s; there are %s, %s and %s", p.Evaluation, ByPL, ByLikelihood, Unevaluated)
}

// New makes the training run.
func (p *TrainingPlan) New(l *GreyLevels) (*TrainingRun, error) {
	c := &TrainingRun{Patience: p.Patience, Every: cmp.Or(p.Every, max(1, p.Epochs/20))}
	n := min(1000, l.Cases/10)
	if p.Validation != nil {
		n = *p.Validation
	}
	var err error
	if p.Evaluation != Unevaluated && n > 0 {
		var aside *GreyLevels
		if l, aside, err = l.Split(n); err != nil {
			return nil, err
		}
		c.Validation = aside.Draw(n, rng.New(p.Seed, "rbm validation").Rand)
		if c.Measure = ByPseudoLikelihood(p.Threads); p.Evaluation == ByLikelihood {
			c.Measure = ByAIS(50, 5000, p.Threads)
		}
	}
	c.Trainer, err = NewTrainer(l, p.Hidden, p.Training)
	return c, err
}
