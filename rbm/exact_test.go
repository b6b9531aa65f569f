package rbm

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

func exactly(t testing.TB, m *Model, threads int) float64 {
	t.Helper()
	z, err := m.Exact(context.Background(), threads, nil)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestExactIsTheSumOverAllStates(t *testing.T) {
	for _, c := range []struct {
		visible, hidden int
		sd              float64
	}{
		{1, 1, 1}, {2, 1, 1}, {1, 3, 1}, {7, 2, 1}, {8, 3, 5}, {3, 8, 20}, {9, 4, 60}, {6, 5, 400}, {5, 5, 0},
	} {
		m := random(c.visible, c.hidden, c.sd, 3)
		if got, want := exactly(t, m, 1), brute(m); !near(got, want, 1e-12) {
			t.Errorf("%d×%d, sd %v: %v, want %v", c.visible, c.hidden, c.sd, got, want)
		}
	}
}

// Without weights, log Z = Σ log(1 + exp b) + Σ log(1 + exp a). The layer of
// 14 units takes several pieces.
func TestExactOfAMachineWithoutWeights(t *testing.T) {
	m := random(101, 14, 3, 4)
	clear(m.W)
	want := sumSoftplus(m.VisibleBias) + sumSoftplus(m.HiddenBias)
	if got := exactly(t, m, 2); !near(got, want, 1e-13) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestExactHasTheSameBitsWithAnyThreads(t *testing.T) {
	m := random(30, 15, 1, 5)
	want := exactly(t, m, 1)
	for _, threads := range []int{2, 3, 8} {
		if got := exactly(t, m, threads); got != want {
			t.Errorf("%d threads: %v, one: %v", threads, got, want)
		}
	}
	if got := exactly(t, m.Transpose(), 0); got != want {
		t.Errorf("layers exchanged: %v, want %v", got, want)
	}
}

// The references are by an independent numpy program (../shared/rbm/REFERENCE.md).
func TestExactOfTheCoursesMachines(t *testing.T) {
	for name, want := range map[string]float64{"h10": 226.1131548535, "h20": 221.0667896113} {
		if name == "h20" && testing.Short() {
			continue
		}
		if got := exactly(t, sharedModel(t, name), 0); math.Abs(got-want) > 1e-8 {
			t.Errorf("%s: %.10f, want %.10f", name, got, want)
		}
	}
}

func TestExactStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := random(40, 30, 1, 6).Exact(ctx, 1, nil); err != context.Canceled {
		t.Errorf("%v", err)
	}
	_, err := random(40, 31, 1, 6).Exact(context.Background(), 1, nil)
	if err == nil || !strings.Contains(err.Error(), "the smaller layer has 31 units") {
		t.Errorf("%v", err)
	}
}

func TestExactTellsHowFarItIs(t *testing.T) {
	var last, all int64
	if _, err := random(20, 14, 1, 7).Exact(context.Background(), 2, func(done, total int64) { last, all = max(last, done), total }); err != nil {
		t.Fatal(err)
	}
	if last != 1<<14 || all != 1<<14 {
		t.Errorf("%d of %d states, want 16384", last, all)
	}
}

func TestScaledNumbers(t *testing.T) {
	for _, x := range []float64{0, 1, -1, 700, -700, 0.6931471805599453, 1e5, -1e5, 3e6} {
		if got := exp(x).log(); !near(got, x, 1e-15) {
			t.Errorf("log exp %v = %v", x, got)
		}
		for _, y := range []float64{x, x - 1, x + 1, x - 40, x + 40, x + 1e4} {
			want := vec.LogAddExp(x, y)
			if got := exp(x).plus(exp(y)).log(); math.Abs(got-want) > 1e-15*max(1, math.Abs(want)) {
				t.Errorf("log(e^%v + e^%v) = %v, want %v", x, y, got, want)
			}
		}
	}
}

func BenchmarkExact(b *testing.B) {
	m := sharedModel(b, "h20")
	for b.Loop() {
		exactly(b, m, 0)
	}
}
