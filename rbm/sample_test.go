package rbm

import (
	"context"
	"math"
	"slices"
	"testing"
)

// Chains end at the machine's distribution: the frequencies of 2⁴ states in n
// draws, with errors of 6 standard errors or a probability of 2e-9 each.
func TestSamplesHaveTheDistribution(t *testing.T) {
	const n = 20000
	m := random(4, 3, 1, 5)
	logZ, in := brute(m), make([]float64, m.Hidden)
	p, d, err := m.Sample(context.Background(), Sampling{Chains: n, Sweeps: 40, Seed: 3, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	seen := make([]float64, 16)
	for k := range n {
		at := 0
		for i, u := range d.Case(k) {
			at |= int(u) << i
			if !within(p[k][i], 0, 1) {
				t.Fatalf("a probability is %v", p[k][i])
			}
		}
		seen[at]++
	}
	v := make([]uint8, 4)
	for k, s := range seen {
		want := math.Exp(m.LogWeight(unitsOf(v, k), in) - logZ)
		if math.Abs(s/n-want) > 6*math.Sqrt(want*(1-want)/n) {
			t.Errorf("state %d has the frequency %.4f; its probability is %.4f", k, s/n, want)
		}
	}
}

// A machine whose hidden units copy their visible ones keeps what it is given.
func TestReconstructions(t *testing.T) {
	m := New(6, 6)
	for i := range 6 {
		m.W[i*6+i], m.VisibleBias[i], m.HiddenBias[i] = 60, -30, -30
	}
	start := randomData(5, 6, 1)
	p, d, err := m.Sample(context.Background(), Sampling{Chains: 5, Sweeps: 1, Start: start})
	if err != nil || !slices.Equal(d.Units, start.Units) {
		t.Fatal(d.Units, start.Units, err)
	}
	for k, u := range start.Case(2) {
		if math.Abs(p[2][k]-float64(u)) > 1e-6 {
			t.Errorf("unit %d is %d and has the probability %v", k, u, p[2][k])
		}
	}
	if _, _, err := m.Sample(context.Background(), Sampling{Chains: 1, Sweeps: 1, Start: randomData(1, 7, 1)}); err == nil {
		t.Error("a start of another width passes")
	}
	if _, _, err := m.Sample(context.Background(), Sampling{Chains: 1}); err == nil {
		t.Error("no sweep passes")
	}
}

func TestGrid(t *testing.T) {
	im, err := Grid{Rows: 2, Columns: 3, Across: 2, High: 1}.Draw([][]float64{{0, 1, 0.5, 0, 0, 2}, {0, 0, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1}})
	if err != nil || im.Rect.Dx() != 9 || im.Rect.Dy() != 7 {
		t.Fatal(im, err)
	}
	for _, c := range []struct {
		x, y int
		want uint8
	}{{0, 0, frameGrey}, {1, 1, 0}, {2, 1, 255}, {3, 1, 128}, {3, 2, 255}, {4, 1, frameGrey}, {5, 1, 0}, {1, 4, 255}, {5, 4, frameGrey}} {
		if got := im.GrayAt(c.x, c.y).Y; got != c.want {
			t.Errorf("at %d,%d is %d; want %d", c.x, c.y, got, c.want)
		}
	}
	im, err = Grid{Rows: 1, Columns: 3}.Draw([][]float64{{0, -2, 1}})
	if err != nil || im.GrayAt(1, 1).Y != 128 || im.GrayAt(2, 1).Y != 0 || im.GrayAt(3, 1).Y != 191 {
		t.Error(im, err)
	}
	for name, g := range map[string]Grid{"another shape": {Rows: 2, Columns: 2}, "no shape": {}, "a negative row": {Rows: 1, Columns: 3, Across: -1}} {
		if _, err := g.Draw([][]float64{{0, 1, 2}}); err == nil {
			t.Errorf("%s passes", name)
		}
	}
	m := random(6, 2, 1, 1)
	if f := m.Filters(); len(f) != 2 || f[1][3] != m.W[3*2+1] {
		t.Error(f)
	}
}
