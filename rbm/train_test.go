package rbm

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/f32"
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

func newTrainer(t testing.TB, l *GreyLevels, hidden int, set Training) *Trainer {
	t.Helper()
	tr, err := NewTrainer(l, hidden, set)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// variants are settings that together reach all of the code.
var variants = map[string]Training{
	"pcd":      {},
	"plain":    {Plain: true, Sweeps: 2, Decay: 1e-3, RateSchedule: Cosine},
	"cd":       {Method: CD, Sweeps: 3, RateSchedule: Constant},
	"fast":     {Method: FastPCD, Momentum: 0.5, Average: 3, RateSchedule: Inverse},
	"tempered": {Method: Tempered, Particles: 13, Ladder: []float64{0.3, 1}},
	"sparse":   {Sparsity: 0.1, Momentum: 0.5},
}

// grey are cases of grey levels.
func grey(cases, visible int, seed uint64) *GreyLevels {
	r, l := newRand(seed), &GreyLevels{Cases: cases, Visible: visible, start: []int{0}}
	for range cases {
		for i := range visible {
			if r.IntN(3) > 0 {
				l.unit, l.logit = append(l.unit, int32(i)), append(l.logit, float32(2*r.NormFloat64()))
			}
		}
		l.end()
	}
	return l
}

func small(t testing.TB, set Training) *Trainer {
	set.Seed, set.Epochs, set.Batch = 7, 5, 25
	return newTrainer(t, grey(110, 70, 4), 21, set) // wide enough for dense sums
}

func stateOf(t testing.TB, tr *Trainer) []byte {
	t.Helper()
	b, err := tr.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A training continued in another trainer with other threads, from the state
// half way, has the same bytes.
func TestResumedTrainingIsTheSame(t *testing.T) {
	for name, set := range variants {
		whole := small(t, set)
		_, all := whole.Updates()
		for range all {
			whole.Update()
		}
		half := small(t, set)
		for range all/2 + 1 {
			half.Update()
		}
		set.Threads = 3
		rest := small(t, set)
		if err := rest.UnmarshalBinary(stateOf(t, half)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for range all - all/2 - 1 {
			rest.Update()
		}
		if !bytes.Equal(stateOf(t, whole), stateOf(t, rest)) {
			t.Errorf("%s: the resumed training ends otherwise", name)
		}
	}
}

func TestForeignStateOfTraining(t *testing.T) {
	b := stateOf(t, small(t, Training{}))
	for name, tr := range map[string]*Trainer{
		"another method": small(t, Training{Method: CD, Momentum: 0.5}),
		"another width":  newTrainer(t, grey(110, 36, 4), 21, Training{Batch: 25}),
		"fewer chains":   small(t, Training{Particles: 20}),
	} {
		if tr.UnmarshalBinary(b) == nil {
			t.Errorf("%s: the state passes", name)
		}
	}
	if small(t, Training{}).UnmarshalBinary(b[:len(b)/2]) == nil {
		t.Error("half a state passes")
	}
}

// The hashes were taken from the plain Go loops (go test -tags noasm).
func TestGoldenTraining(t *testing.T) {
	for name, want := range map[string]string{
		"pcd":      "420b53b1a090bce1",
		"plain":    "50995dacf7cca1ea",
		"cd":       "b8b968def588a375",
		"fast":     "9a6d75b357d847b2",
		"tempered": "dc4752cb33a35a35",
		"sparse":   "08c1f5b2d54d7bf5",
	} {
		tr := small(t, variants[name])
		for range 20 {
			tr.Update()
		}
		h := sha256.New()
		for _, x := range [][]float32{tr.now.w, tr.now.a, tr.now.b} {
			binary.Write(h, binary.LittleEndian, x)
		}
		if got := fmt.Sprintf("%x", h.Sum(nil)[:8]); got != want {
			t.Errorf("%s: the parameters have the hash %s; want %s", name, got, want)
		}
	}
}

func TestUpdateDoesNotAllocate(t *testing.T) {
	for name, set := range variants {
		set.Seed, set.Epochs, set.Batch = 1, 10, 10
		tr := newTrainer(t, grey(1000, 37, 4), 21, set)
		for range 50 {
			tr.Update()
		}
		if n := testing.AllocsPerRun(40, tr.Update); n > 0 { // within the epoch
			t.Errorf("%s: %v allocations an update", name, n)
		}
	}
}

// Units of two kinds: the hidden ones would be on at half of the time.
func TestSparsityTargetIsReached(t *testing.T) {
	for _, target := range []float64{0.05, 0.2} {
		tr := newTrainer(t, grey(200, 40, 3), 30, Training{Epochs: 1000, Sparsity: target, SparsityCost: 1, Rate: 0.1, RateSchedule: Constant, Seed: 2})
		for range 2000 {
			tr.Update()
		}
		mean := 0.0
		for _, q := range tr.hiddens[:tr.hidden] {
			mean += float64(q) / float64(tr.hidden)
		}
		if math.Abs(mean-target) > 0.1*target {
			t.Errorf("hidden units are on in %.3f of the cases; the target is %v", mean, target)
		}
	}
}

func TestTrainingSettingsThatMakeNoSense(t *testing.T) {
	for want, set := range map[string]Training{
		`no method "x"`:             {Method: "x"},
		`no learning-rate schedule`: {RateSchedule: "x"},
		"in a batch is 6":           {Batch: 6},
		"epochs is -1":              {Epochs: -1},
		"learning rate is -1":       {Rate: -1},
		"rate is NaN":               {Rate: math.NaN()},
		"momentum is 1;":            {Momentum: 1},
		"target is 2;":              {Sparsity: 2},
		"temperature 2 is":          {Method: Tempered, Ladder: []float64{0.5, 0.5, 1}},
		"the last must be 1":        {Method: Tempered, Ladder: []float64{0.5}},
	} {
		if _, err := NewTrainer(grey(5, 4, 1), 3, set); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v; want %q", set, err, want)
		}
	}
	if _, err := NewTrainer(grey(5, 4, 1), 0, Training{}); err == nil {
		t.Error("no hidden unit passes")
	}
}

func TestRatesDecline(t *testing.T) {
	for _, c := range []struct {
		d    RateSchedule
		want [3]float64 // at the start, at a quarter, near the end
	}{
		{Constant, [3]float64{2, 2, 2}}, {Linear, [3]float64{2, 1.5, 0.002}}, {Inverse, [3]float64{2, 2 / 3.25, 2 / 9.991}},
		{Cosine, [3]float64{2, 1 + math.Cos(math.Pi/4), 1 + math.Cos(0.999*math.Pi)}},
	} {
		set := Training{Rate: 2, RateSchedule: c.d}
		for k, done := range []int{0, 250, 999} {
			if got := set.rate(done, 1000); math.Abs(got-c.want[k]) > 1e-14 {
				t.Errorf("%s after %d of 1000: %v; want %v", c.d, done, got, c.want[k])
			}
		}
	}
}

// Grey levels are drawn with their probabilities: each of 2·10⁵ means of n
// draws is within 6 standard errors but with a probability below 1e-6 for all.
func TestLevelsAreDrawn(t *testing.T) {
	const n = 20000
	l := grey(3, 30, 8)
	var lanes f32.Lanes
	lanes.Seed(newRand(1))
	for c := range l.Cases {
		on := make([]float64, l.Visible)
		dst, scratch := make([]int32, 0, l.Visible+drawRoom), make([]int32, 0, l.Visible+drawRoom)
		for range n {
			for _, i := range l.draw(dst, scratch, c, &lanes) {
				on[i]++
			}
		}
		p := make([]float64, l.Visible)
		for k := l.start[c]; k < l.start[c+1]; k++ {
			p[l.unit[k]] = 1 / (1 + math.Exp(-float64(l.logit[k])))
		}
		for i := range p {
			if d := math.Abs(on[i]/n - p[i]); d > 6*math.Sqrt(p[i]*(1-p[i])/n) {
				t.Errorf("case %d, unit %d: on in %v of the draws; the level is %v", c, i, on[i]/n, p[i])
			}
		}
	}
}

func TestLevelsOfFiles(t *testing.T) {
	file := shared(t, "mnist/t10k-images-idx3-ubyte.gz")
	l, err := ReadGreyLevels(file, "")
	if err != nil {
		t.Fatal(err)
	}
	d, err := ReadData(file, Binary{Threshold: true})
	if err != nil {
		t.Fatal(err)
	}
	all := d.GreyLevels()
	if l.Cases != 10000 || l.Visible != 784 || len(l.unit) != len(all.unit) || all.logit != nil || l.logit == nil {
		t.Fatalf("%d cases of %d units, %d not black; binary data have %d", l.Cases, l.Visible, len(l.unit), len(all.unit))
	}
	for k, i := range all.unit {
		if l.unit[k] != i {
			t.Fatalf("entry %d is unit %d; want %d", k, l.unit[k], i)
		}
	}
	first, last, err := l.Split(1000)
	if err != nil || first.Cases != 9000 || last.Cases != 1000 {
		t.Fatal(first.Cases, last.Cases, err)
	}
	a, b := last.Draw(1000, newRand(1)), l.mean()
	if a.Cases != 1000 || b[14*28+14] < 0.3 || b[0] != 0 {
		t.Errorf("%d cases; the middle is on in %v, a corner in %v", a.Cases, b[14*28+14], b[0])
	}
	if _, _, err := l.Split(10000); err == nil {
		t.Error("all cases can be set aside")
	}
}

// BenchmarkUpdate is an update of a machine of 500 hidden units on the images
// of MNIST, grey levels drawn.
func BenchmarkUpdate(b *testing.B) {
	l, err := ReadGreyLevels(shared(b, "mnist/t10k-images-idx3-ubyte.gz"), "")
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
