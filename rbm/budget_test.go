package rbm_test

import (
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/rbm"
)

// budgeted is of ais for two machines, samc for both at once and ti for two; the first two estimates took 10 and 20 seconds.
func budgeted(total time.Duration) rbm.Budget {
	return rbm.Budget{Total: total, Took: []float64{10, 20}, Used: 30, Tasks: []rbm.Task{{rbm.AIS, []int{0}}, {rbm.AIS, []int{1}},
		{rbm.SAMC, []int{0, 1}}, {rbm.SAMC, []int{0, 1}}, {rbm.TI, []int{0}}, {rbm.TI, []int{1}}}}
}

func TestBudgetShare(t *testing.T) {
	b := budgeted(90 * time.Second)
	for k, want := range map[int]time.Duration{2: 30 * time.Second, 4: 30 * time.Second, 5: 60 * time.Second} { // of 60 s
		b.Took = make([]float64, k)
		if got := b.Share(); got != want {
			t.Errorf("task %d: %v of what is left, want %v", k, got, want)
		}
	}
	b.Took = make([]float64, 5)
	if b.Spent = 20; b.Rest() != 40*time.Second {
		t.Errorf("%v left of 60 s of which 20 are spent", b.Rest())
	}
	if b.Total = 20 * time.Second; b.Share() > 0 {
		t.Error("a share of what is used up")
	}
}

// Of three tasks smc has four times the time of the others, and fewer particles where that is too short for the default.
func TestBudgetOfSMC(t *testing.T) {
	b := rbm.Budget{Total: 12 * time.Second, Tasks: []rbm.Task{{rbm.SMC, []int{0}}, {rbm.AIS, []int{0}}, {rbm.TI, []int{0}}}}
	if got := b.Share(); got != 8*time.Second {
		t.Errorf("%v for smc, want 8 s of 12", got)
	}
	machines := []*rbm.Model{rbm.New(784, 500)}
	last := 20
	for _, total := range []time.Duration{time.Second, time.Minute, 2 * time.Minute} {
		b.Total = total
		got := b.Particles(machines, rbm.LogZSettings{})
		if got < last || total == time.Second && got != last {
			t.Errorf("%d particles in %v, %d in less", got, total, last)
		}
		last = got
	}
	if got := b.Particles(machines, rbm.LogZSettings{Particles: 7}); got != 7 {
		t.Errorf("%d particles where 7 are asked for", got)
	}
	if b.Total = 0; b.Particles(machines, rbm.LogZSettings{}) != 0 {
		t.Error("particles without a limit")
	}
	b.Took = []float64{1}
	if b.Total = time.Second; b.Particles(machines, rbm.LogZSettings{}) != 0 {
		t.Error("particles of ais")
	}
}

// The time left is that of the task at hand and what later ones are expected to take, and not more than the budget leaves.
func TestBudgetLeft(t *testing.T) {
	const unknown = -1
	for _, c := range []struct {
		total, task, want time.Duration
	}{
		{0, unknown, unknown},
		{0, 30 * time.Second, 60 * time.Second}, // both of ti: the mean of what four machines took, (10 + 20 + 30)/4 s each
		{90 * time.Second, unknown, 60 * time.Second},
		{70 * time.Second, 30 * time.Second, 40 * time.Second},
		{10 * time.Second, 30 * time.Second, 0},
	} {
		if got := budgeted(c.total).Left(0, c.task); got != c.want {
			t.Errorf("%v in all, %v left of the task: %v, want %v", c.total, c.task, got, c.want)
		}
	}
	// The second machine by ais takes 30 s of which 5 are over, and samc and ti the mean of both machines, of 10 and 30 s.
	b := budgeted(0)
	b.Took, b.Used = b.Took[:1], 10
	if got, want := b.Left(5, 25*time.Second), 25*time.Second+4*20*time.Second; got != want {
		t.Errorf("%v left, want %v", got, want)
	}
}
