package rbm

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/path"
)

// Machines of different hidden layers in one run: each log Z is that of the sum over all states, within five of the
// run's own standard errors, which are below 0.2 nats. Seeds are fixed.
func TestMachinesTogether(t *testing.T) {
	machines := []*Model{random(20, 6, 0.5, 1), random(20, 9, 0.5, 2), random(20, 3, 0.8, 3)}
	for _, method := range []Estimator{SAMS, SAMC} {
		set := LogZSettings{Method: method, Temperatures: 10, Geometric: method == SAMC}
		set.Seed = 1
		all, err := JointLogZ(context.Background(), machines, set)
		if err != nil {
			t.Fatal(err)
		}
		for k, e := range all {
			want := exactly(t, machines[k], 0)
			if !(math.Abs(e.LogZ-want) <= 5*e.SE) && k > 0 || k == 0 && e.Method != Exact || e.SE > 0.2 {
				t.Errorf("%s, machine %d: %.4f ± %.4f, want %.4f", method, k+1, e.LogZ, e.SE, want)
			}
		}
	}
}

// Without a machine that can be summed, all are relative to the base.
func TestMachinesTogetherFromTheBase(t *testing.T) {
	one := random(30, 25, 1, 1)
	clear(one.W) // so that the sum is a product
	set := LogZSettings{Method: SAMS, Temperatures: 5}
	set.Seed = 1
	all, err := JointLogZ(context.Background(), []*Model{one, one}, set)
	if err != nil {
		t.Fatal(err)
	}
	want := sumSoftplus(one.VisibleBias) + sumSoftplus(one.HiddenBias)
	for _, e := range all {
		if e.Method != SAMS || !(math.Abs(e.LogZ-want) <= 5*e.SE) || e.SE > 0.1 {
			t.Errorf("%.4f ± %.4f, want %.4f", e.LogZ, e.SE, want)
		}
	}
}

// A layer that one family has moved has the density under another family as if it were set there.
func TestSharedLayersAreValuedByAll(t *testing.T) {
	families := []*Family{family(t, random(20, 6, 1, 1), nil), family(t, random(20, 40, 1, 2), nil)}
	ladder := path.Schedule{0, 0.5, 1}
	a := jointFamily{families[0], families, 0, annealLogZ(families[0], ladder, 1, 0)}
	b := jointFamily{families[1], families, 1, annealLogZ(families[1], ladder, 1, 1)}
	s, r := a.New(), newRand(1)
	a.Base(s, r)
	v := make([]uint8, 20)
	for range 50 {
		for _, m := range []jointFamily{a, b} {
			m.Move(s, 0.7, r)
			m.Visible(v, s.particles[m.k])
			for _, other := range []jointFamily{a, b} {
				p := other.Family.New()
				other.SetVisible(p, v)
				if got, want := other.LogDensity(s, 0.6), other.Family.LogDensity(p, 0.6)-other.roughLogZ.at(0.6); got != want {
					t.Fatalf("family %d after a move of family %d: log f = %v, want %v", other.k+1, m.k+1, got, want)
				}
			}
		}
	}
	c := a.New()
	a.Copy(c, s)
	if a.LogDensity(c, 1) != a.LogDensity(s, 1) || b.LogDensity(c, 1) != b.LogDensity(s, 1) {
		t.Error("a copy has another density")
	}
}

func TestTogetherRefuses(t *testing.T) {
	for _, c := range []struct {
		want string
		all  []*Model
		set  LogZSettings
	}{
		{"ais is not for several machines at once", []*Model{New(2, 2)}, LogZSettings{Method: AIS}},
		{"no machines", nil, LogZSettings{Method: SAMS}},
		{"machine 2 has 3 visible units and the first 2", []*Model{New(2, 2), New(3, 2)}, LogZSettings{Method: SAMC}},
	} {
		if _, err := JointLogZ(context.Background(), c.all, c.set); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
