package rbm

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/path"
)

// The numbers were taken once, from the plain Go loops on amd64 (go test -tags
// noasm), and hold for every machine: bits of log weights and of an exact sum,
// states of chains, a mean field.

func TestGoldenWeights(t *testing.T) {
	m := random(21, 7, 0.8, 1)
	s, err := path.Uniform(40)
	if err != nil {
		t.Fatal(err)
	}
	geometric := family(t, m, m.VisibleBias)
	for name, f := range map[string]*Family{"geometric": geometric, "averaged": momentAveragedOf(t, m, geometric)} {
		r, err := path.AIS(context.Background(), f, s, path.Settings{Seed: 1, Runs: 3})
		if err != nil {
			t.Fatal(err)
		}
		var got [3]uint64
		for k, x := range r.PerRun {
			got[k] = math.Float64bits(x)
		}
		want := map[string][3]uint64{
			"geometric": {0x403e8ffe7bdd4c70, 0x403e633e566cf879, 0x403ed390a69b9d58},
			"averaged":  {0x403e7816ec8b67ef, 0x403e7e523a7e9472, 0x403f11d4e0e5512e},
		}[name]
		if got != want {
			t.Errorf("%s: %#x, want %#x", name, got, want)
		}
	}
}

func TestGoldenSums(t *testing.T) {
	m := random(21, 7, 0.8, 1)
	tap, err := m.TAP(context.Background(), TAP{Starts: 2, Iterations: 200, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		got  float64
		want uint64
	}{
		"exact": {exactly(t, m, 1), 0x403e9fcb8936348c},
		"tap":   {tap.LogZ, 0x403ea5be44269487},
	} {
		if math.Float64bits(c.got) != c.want {
			t.Errorf("%s: %#x (%v), want %#x", name, math.Float64bits(c.got), c.got, c.want)
		}
	}
}

func TestGoldenGibbs(t *testing.T) {
	m := random(21, 7, 0.8, 1)
	s, r := m.NewState(), newRand(3)
	got := ""
	for range 5 {
		m.Gibbs(s, r)
		got += fmt.Sprintf("%x %x\n", number(s.V), number(s.H))
	}
	const want = `1504c1 37
17a505 77
1efec5 74
1da9df 14
1db7dd 14
`
	if got != want {
		t.Errorf("\n%swant\n%s", got, want)
	}
}

// number is units as a number, the first the lowest.
func number(units []uint8) (n uint64) {
	for i, u := range units {
		n |= uint64(u) << i
	}
	return n
}
