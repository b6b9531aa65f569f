package rbm

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/path"
)

func logZ(t *testing.T, m *Model, set LogZSettings) *Estimate {
	t.Helper()
	e, err := m.LogZ(context.Background(), set)
	if err != nil {
		t.Fatalf("%s: %v", set.Method, err)
	}
	return e
}

// All methods find what the sum over all states gives, within five of their
// own standard errors, which are below 0.1 nats. Seeds are fixed.
func TestMethodsAgree(t *testing.T) {
	m := random(30, 10, 0.5, 2)
	want := exactly(t, m, 0)
	for _, c := range []LogZSettings{
		{Method: SMC, Temperatures: 100, Particles: 100}, {Method: AIS, Temperatures: 200}, {Method: AIS, Temperatures: 500, Geometric: true},
		{Method: Sandwich, Temperatures: 200}, {Method: RTS, Temperatures: 10}, {Method: TS, Temperatures: 10}, {Method: MBAR, Temperatures: 10},
		{Method: SAMS, Temperatures: 10}, {Method: SAMC, Temperatures: 10},
		{Method: TI, Temperatures: 20}, {Method: Stepping, Temperatures: 20}, {Method: Bridge, Temperatures: 20},
		{Method: PT, Temperatures: 20}, {Method: PT, Temperatures: 10, Rounds: 100},
	} {
		c.Seed = 3
		e := logZ(t, m, c)
		if e.Method != c.Method || e.Temperatures != c.Temperatures || e.Runs == 0 || e.Moves == 0 {
			t.Errorf("%+v", e)
		}
		if !(math.Abs(e.LogZ-want) <= 5*e.SE) || e.SE > 0.1 {
			t.Errorf("%s: %.4f ± %.4f, want %.4f", c.Method, e.LogZ, e.SE, want)
		}
	}
}

func TestAutoIsExactWhereThatIsQuick(t *testing.T) {
	m := random(30, 10, 0.5, 2)
	if e := logZ(t, m, LogZSettings{}); e.Method != Exact || e.SE != 0 || e.LogZ != exactly(t, m, 1) || !e.Converged {
		t.Errorf("%+v", e)
	}
	wide := random(30, 25, 0.2, 2)
	if e := logZ(t, wide, LogZSettings{Temperatures: 20, Particles: 10, Settings: path.Settings{Runs: 5}}); e.Method != SMC || e.Runs != 5 {
		t.Errorf("%+v", e)
	}
}

func TestTAPHasNoErrorBar(t *testing.T) {
	e := logZ(t, random(8, 6, 0.2, 1), LogZSettings{Method: MeanTAP, TAP: TAP{Starts: 4}})
	if !math.IsNaN(e.SE) || !math.IsNaN(e.CI95[0]) || !e.Converged || e.TAP == nil || len(e.TAP.Starts) != 4 {
		t.Errorf("%+v", e)
	}
}

func TestLogZRefuses(t *testing.T) {
	_, err := New(2, 2).LogZ(context.Background(), LogZSettings{Method: "guess"})
	if err == nil || !strings.Contains(err.Error(), `no method "guess"; there are auto, exact, smc`) {
		t.Errorf("%v", err)
	}
	bad := New(2, 2)
	bad.W[1] = math.NaN()
	if _, err := bad.LogZ(context.Background(), LogZSettings{}); err == nil || !strings.Contains(err.Error(), "parameter_W[1,2] is NaN") {
		t.Errorf("%v", err)
	}
}

// Mean log likelihoods by an independent numpy program with the exact log Z
// (../shared/rbm/REFERENCE.md).
func TestLogLikelihoodOfTheCoursesMachines(t *testing.T) {
	d, err := ReadData(shared(t, "models/test.mat"), Binary{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][2]float64{"h10": {226.1131548535, -173.8761}, "h20": {221.0667896113, -145.1193}} {
		w, err := sharedModel(t, name).LogWeights(d, 0)
		if err != nil {
			t.Fatal(err)
		}
		mean, se := Mean(w)
		if got := mean - want[0]; math.Abs(got-want[1]) > 6e-5 || !(se > 0 && se < 1) {
			t.Errorf("%s: %.5f ± %.3f, want %.4f", name, got, se, want[1])
		}
	}
	if _, err := New(3, 2).LogWeights(d, 1); err == nil || !strings.Contains(err.Error(), "a case has 784 units and the machine 3") {
		t.Errorf("%v", err)
	}
}
