package rbm

import (
	"testing"
)

// randomData are cases of independent units at even odds.
func randomData(cases, visible int, seed uint64) *Data {
	r := newRand(seed)
	d := &Data{Cases: cases, Visible: visible, Units: make([]uint8, cases*visible)}
	for k := range d.Units {
		d.Units[k] = uint8(r.IntN(2))
	}
	return d
}

func newTrainer(t testing.TB, l *Levels, hidden int, set Training) *Trainer {
	t.Helper()
	tr, err := NewTrainer(l, hidden, set)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// BenchmarkUpdate is an update of a machine of 500 hidden units on the images
// of MNIST, grey levels drawn.
func BenchmarkUpdate(b *testing.B) {
	l, err := ReadLevels(shared(b, "mnist/t10k-images-idx3-ubyte.gz"), "")
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		set  Training
	}{{"pcd", Training{}}, {"plain", Training{Plain: true}}, {"momentum", Training{Momentum: 0.5, Decay: 1e-4}},
		{"average", Training{Average: 3}},
		{"cd", Training{Method: CD}}, {"fpcd", Training{Method: FastPCD}}, {"pt", Training{Method: Tempered}}} {
		b.Run(c.name, func(b *testing.B) {
			c.set.Seed = 1
			t := newTrainer(b, l, 500, c.set)
			for range 50 {
				t.Update()
			}
			b.ReportAllocs()
			for b.Loop() {
				t.Update()
			}
			b.ReportMetric(float64(len(t.rows)), "units")
		})
	}
}
