package plan_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// The point that a step leaves to the next survives an interruption: a chain whose kernel and state are taken away every few steps goes on byte for byte. And the log
// density that nuts tells of its last state is that of the model up to rounding. The second model has another kernel too, which moves what nuts depends on: nothing is kept.
func TestNUTSKeepsItsPoint(t *testing.T) {
	for _, tc := range []struct {
		model, data string
		alone       bool
	}{
		{`model { m ~ dnorm(0, 1); s ~ dunif(0.1, 9); for (i in 1:6) { b[i] ~ dnorm(m, 1/s^2); y[i] ~ dpois(exp(b[i])) } p[1:3] ~ ddirch(a[]); n[1:3] ~ dmulti(p[], 9);
			w ~ dnorm(0, 1) T(b[1],) }`, `y <- c(0,3,5,1,9,2); a <- c(1,2,3); n <- c(1,3,5)`, true},
		{`model { m ~ dnorm(0, 1); s ~ dunif(0.1, 9); for (i in 1:3) { y[i] ~ dnorm(m, 1/s^2) } k ~ dpois(exp(m)); z ~ dbin(0.5, k) }`, `y <- c(0,3,5); z <- 2`, false},
	} {
		whole, lp := keptSequence(t, tc.model, tc.data, 0)
		parted, _ := keptSequence(t, tc.model, tc.data, 7)
		if whole != parted {
			t.Errorf("a kernel that is marshalled every 7 steps goes another way: %s", tc.model)
		}
		if lp != tc.alone {
			t.Errorf("the log density is told: %v: %s", lp, tc.model)
		}
	}
}

func keptSequence(t *testing.T, text, data string, every int) (way string, told bool) {
	c := compileText(t, text, data)
	p, err := plan.New(c.Model, []*plan.Override{{Pattern: "all", Kernel: "nuts", Match: func(s string) bool { return !strings.HasPrefix(s, "k") }}})
	if err != nil {
		t.Fatal(err)
	}
	job := &plan.Job{Plan: p}
	r := rand.New(rand.NewPCG(1, 2))
	s, err := p.Start(nil, r)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	const warm = 150
	w := p.Sweep()
	for i := range warm + 50 {
		if i == warm {
			w.Freeze()
		}
		if i < warm {
			w.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: warm})
		} else {
			w.Step(s, r)
		}
		if lp, ok := w.LastLogDensity(s); ok {
			told = true
			if want := job.LogDensity(s); math.Abs(lp-want) > 1e-9*max(1, math.Abs(want)) {
				t.Fatalf("after step %d the log density is %v, and nuts says %v", i, want, lp)
			}
		}
		if every > 0 && i%every == 0 {
			w, s = again(t, p, job, w, s)
		}
		fmt.Fprintln(&all, s.V)
	}
	return all.String(), told
}

// again makes a kernel and a state from what a checkpoint keeps of them.
func again(t *testing.T, p *plan.Plan, job *plan.Job, w *plan.Sweep, s *model.State) (*plan.Sweep, *model.State) {
	kernel, err := w.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	state, err := job.MarshalState(s)
	if err != nil {
		t.Fatal(err)
	}
	w = p.Sweep()
	if err := w.UnmarshalBinary(kernel); err != nil {
		t.Fatal(err)
	}
	if s, err = job.UnmarshalState(0, state); err != nil {
		t.Fatal(err)
	}
	return w, s
}
