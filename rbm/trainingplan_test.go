package rbm_test

import (
	"testing"

	"github.com/ergodic-mcmc/ergodic/rbm"
)

// A tenth of the cases is set aside, at most 1000, and evaluated twenty times.
func TestTrainingPlan(t *testing.T) {
	levels := (&rbm.Data{Cases: 60, Visible: 4, Units: make([]uint8, 240)}).GreyLevels()
	plan := rbm.UsualTraining()
	run, err := plan.New(levels)
	if err != nil {
		t.Fatal(err)
	}
	if run.Validation.Cases != 6 || run.Every != 2 || run.Measure == nil {
		t.Errorf("%d cases, every %d epochs", run.Validation.Cases, run.Every)
	}
	few := 1
	plan.Validation, plan.Every = &few, 7
	if run, err = plan.New(levels); err != nil || run.Validation.Cases != 1 || run.Every != 7 {
		t.Errorf("%v: %d cases, every %d epochs", err, run.Validation.Cases, run.Every)
	}
	plan.Evaluation = rbm.Unevaluated
	if run, err = plan.New(levels); err != nil || run.Validation != nil || run.Measure != nil {
		t.Errorf("%v: evaluated", err)
	}
	if plan.Check() != nil {
		t.Error(plan.Check())
	}
	if plan.Evaluation = "guess"; plan.Check() == nil {
		t.Error("an evaluation that there is not")
	}
}
