package rbm

import (
	"context"
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// enumeratedRates sums over all states of the hidden layer, one by one.
func enumeratedRates(m *Model) []float64 {
	h, x := make([]uint8, m.Hidden), make([]float64, m.Visible)
	logs := make([]float64, 1<<m.Hidden)
	for k := range logs {
		m.VisibleInput(x, unitsOf(h, k))
		logs[k] = sumOn(m.HiddenBias, h) + sumSoftplus(x)
	}
	z := vec.LogSumExp(logs)
	on := make([]float64, m.Visible)
	for k, l := range logs {
		m.VisibleInput(x, unitsOf(h, k))
		for i := range on {
			on[i] += math.Exp(l-z) * vec.Ilogit(x[i])
		}
	}
	return on
}

// A mean over 1000 draws has a standard deviation of at most 0.5/√1000; the
// bound of six of them is passed by 30 units once in 10⁷. Machines of 700 and
// -700 overflow odds, and the narrow one sums over its visible layer.
func TestDrawnRates(t *testing.T) {
	sharp := random(5, 4, 1, 7)
	for i := range sharp.W {
		sharp.W[i] *= 300
	}
	for name, m := range map[string]*Model{
		"wide": random(30, 10, 0.7, 2), "narrow": random(6, 9, 0.7, 3), "one unit": random(5, 1, 1, 4), "many pieces": random(16, 14, 0.5, 5), "sharp": sharp,
	} {
		got, err := m.exactDrawMarginals(context.Background(), 1)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range enumeratedRates(m) {
			if math.Abs(got[i]-want) > 6*0.5/math.Sqrt(marginalDraws) {
				t.Errorf("%s: unit %d is on at %.4f, want %.4f", name, i+1, got[i], want)
			}
		}
	}
}

// Systematic draws visit states in shares that differ from their
// probabilities by less than one draw.
func TestSystematicDraws(t *testing.T) {
	m := random(6, 5, 1, 8)
	e := newEnumeration(m)
	sums, err := e.sums(context.Background(), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	const n = 10_000
	count := map[uint64]float64{}
	e.systematic(sums, n, 0.5, func(state []uint8) { count[number(state)]++ })
	z := total(sums).log()
	h, x := make([]uint8, m.Hidden), make([]float64, m.Visible)
	all := 0.0
	for k := range 1 << m.Hidden {
		m.VisibleInput(x, unitsOf(h, k))
		want := n * math.Exp(sumOn(m.HiddenBias, h)+sumSoftplus(x)-z)
		all += count[uint64(k)]
		if math.Abs(count[uint64(k)]-want) > 1+1e-6 {
			t.Errorf("state %b is drawn %v times in %v", k, count[uint64(k)], want)
		}
	}
	if all != n {
		t.Errorf("%v draws of %d", all, n)
	}
}

// Units are all on or all off, on with the odds e²; chains from noise go either
// way about as often, and then stay. 200 particles that are resampled hold the share to
// within some 0.03.
func TestAnnealedRatesKeepModesShares(t *testing.T) {
	m := New(40, 1)
	for i := range m.Visible {
		m.W[i], m.VisibleBias[i] = 6, -3
	}
	m.HiddenBias[0] = 2
	want := enumeratedRates(m)[0]
	for seed := range uint64(5) {
		bias, err := m.annealedMarginals(context.Background(), seed)
		if err != nil {
			t.Fatal(err)
		}
		if got := vec.Ilogit(bias[0]); math.Abs(got-want) > 0.12 {
			t.Errorf("seed %d: units are on at %.3f, want %.3f", seed, got, want)
		}
	}
}

// Most of h20's mass lies where chains from noise never come: they miss its
// rates by 0.14 in the mean. The populations find it without the sum over 2²⁰ states.
func TestAnnealedRatesFindWhatChainsMiss(t *testing.T) {
	m := sharedModel(t, "h20")
	want, err := m.exactDrawMarginals(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	bias, err := m.annealedMarginals(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	on := make([]float64, len(bias))
	for i, b := range bias {
		on[i] = vec.Ilogit(b)
	}
	if d := distance(on, want); d > 0.05 {
		t.Errorf("rates are off by %.4f in the mean", d)
	}
}
