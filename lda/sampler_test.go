package lda

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"reflect"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/lda/corpus"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// bars is Griffiths and Steyvers' (2004, figure 2) test: words are the pixels of a square, topics its rows and columns.
func bars(size, documents, tokens int) *corpus.Corpus {
	r := rng.New(7, "bars")
	c := &corpus.Corpus{Words: size * size, Starts: []int64{0}}
	for range documents {
		two := [2]int{r.IntN(2 * size), r.IntN(2 * size)}
		for range tokens {
			at, bar := r.IntN(size), two[r.IntN(2)]
			if bar < size {
				c.Tokens = append(c.Tokens, int32(bar*size+at))
			} else {
				c.Tokens = append(c.Tokens, int32(at*size+bar-size))
			}
		}
		c.Starts = append(c.Starts, int64(len(c.Tokens)))
	}
	return c
}

func sampled(t testing.TB, method string, c *corpus.Corpus, set Settings, o Options, sweeps int) *Model {
	t.Helper()
	m, err := New(c, set)
	if err != nil {
		t.Fatal(err)
	}
	sweep(t, method, m, o, sweeps)
	return m
}

func sweep(t testing.TB, method string, m *Model, o Options, sweeps int) {
	t.Helper()
	s, err := NewSampler(method, m, o)
	if err != nil {
		t.Fatal(err)
	}
	for range sweeps {
		s.Sweep()
	}
}

// Every method finds the bars: each has a topic in which its five words have nearly all tokens. A chain may stay where
// one topic holds two bars, so of three seeds that with the greatest likelihood counts.
func TestBars(t *testing.T) {
	c := bars(5, 500, 50)
	for _, method := range Methods() {
		var best *Model
		for seed := range uint64(3) {
			m := sampled(t, method, c, Settings{Alpha: Symmetric(2, 10), Beta: 0.05, Seed: seed}, Options{}, 300)
			if best == nil || m.LogLikelihood() > best.LogLikelihood() {
				best = m
			}
		}
		if n := barsFound(best); n != 10 {
			t.Errorf("%s: %d of 10 bars", method, n)
		}
	}
}

// barsFound is how many bars of a square of 5 have nine tenths of a topic's tokens.
func barsFound(m *Model) (found int) {
	counts, totals := make([][25]float64, m.K()), make([]float64, m.K())
	for i, w := range m.Corpus().Tokens {
		counts[m.Topics()[i]][w]++
		totals[m.Topics()[i]]++
	}
	for bar := range 10 {
		there := false
		for k, n := range counts {
			share := 0.0
			for i := range 5 {
				if bar < 5 {
					share += n[bar*5+i]
				} else {
					share += n[i*5+bar-5]
				}
			}
			there = there || share > 0.9*totals[k]
		}
		if there {
			found++
		}
	}
	return found
}

// A run that is cut anywhere goes on as if it had not been, with any number of threads, and after another method.
func TestResume(t *testing.T) {
	resumes(t, bars(6, 4000, 20), 12) // more than one part for a thread
	resumes(t, bars(6, 60, 20), 300)  // topics of which a word has few, so that where a count stands follows from the history
}

func resumes(t *testing.T, c *corpus.Corpus, topics int) {
	set := Settings{Alpha: append([]float64{0.7}, Symmetric(2, topics-1)...), Beta: 0.05, Seed: 3}
	for _, method := range Methods() {
		whole := sampled(t, method, c, set, Options{}, 5)
		cut := sampled(t, method, c, set, Options{Threads: 2}, 2)
		state, err := cut.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		again, err := New(c, set)
		if err == nil {
			err = again.UnmarshalBinary(state)
		}
		if err != nil {
			t.Fatal(err)
		}
		sweep(t, method, again, Options{Threads: 3}, 3)
		if !slices.Equal(whole.Topics(), again.Topics()) || whole.Sweeps() != again.Sweeps() {
			t.Errorf("%s: other topics after a resumption", method)
		}
		if err := again.UnmarshalBinary(state[:len(state)-1]); err == nil {
			t.Error("a state that is cut short is accepted")
		}
		state[len(state)-1] = 200 // above 255 · 200
		if err := again.UnmarshalBinary(state); err == nil || !bytes.Contains([]byte(err.Error()), []byte("topic")) {
			t.Errorf("a state with a topic that is none: %v", err)
		}
	}
}

// Samplers that take turns on a model go on from each other's topics and from new priors, as fresh ones would.
func TestTurns(t *testing.T) {
	c := bars(5, 100, 20)
	set := Settings{Alpha: Symmetric(2, 10), Beta: 0.05, Seed: 4}
	for _, method := range Methods() {
		for _, other := range Methods() {
			kept, _ := New(c, set)
			fresh, _ := New(c, set)
			a, _ := NewSampler(method, kept, Options{})
			b, _ := NewSampler(other, kept, Options{})
			for turn := range 3 {
				if turn == 1 {
					for _, m := range []*Model{kept, fresh} {
						if err := m.SetPriors(Symmetric(1, 10), 0.1); err != nil {
							t.Fatal(err)
						}
					}
				}
				a.Sweep()
				b.Sweep()
				sweep(t, method, fresh, Options{}, 1)
				sweep(t, other, fresh, Options{}, 1)
			}
			if !slices.Equal(kept.Topics(), fresh.Topics()) {
				t.Errorf("%s and %s: other topics", method, other)
			}
		}
	}
}

// frozen are checksums of the topics after ten sweeps. A change of any is a change of the draws of a seed.
var frozen = map[string]uint32{
	"gibbs 1": 0x5bb611de, "gibbs 2": 0x5bb611de,
	"sparse 1": 0xeb5957d7, "sparse 2": 0xeb5957d7,
	"alias 1": 0x65565613, "alias 2": 0xccac2c6a,
	"light 1": 0xe9f8c793, "light 2": 0x428c6813,
	"warp 1": 0x1a37504b, "warp 2": 0x1a37504b,
}

func TestGolden(t *testing.T) {
	c := bars(5, 100, 20)
	for _, method := range Methods() {
		for steps := 1; steps <= 2; steps++ {
			m := sampled(t, method, c, Settings{Alpha: append([]float64{0.7}, Symmetric(2, 9)...), Beta: 0.05, Seed: 1}, Options{Steps: steps}, 10)
			state, _ := m.MarshalBinary()
			name := fmt.Sprint(method, " ", steps)
			if sum := crc32.ChecksumIEEE(state); sum != frozen[name] {
				t.Errorf("%q: %#x,", name, sum)
			}
		}
	}
}

// The counts that a sampler has are those of the topics.
func TestCounts(t *testing.T) {
	for _, docs := range []int{3, 100} { // few tokens of a word, and more than topics
		for _, method := range Methods() {
			m := sampled(t, method, bars(5, docs, 20), Settings{Alpha: Symmetric(2, 10), Beta: 0.05}, Options{}, 3)
			kept, l := m.Counts(), m.LogLikelihood()
			if m.owner == nil {
				t.Fatal("nobody has counts")
			}
			m.owner = nil
			if !reflect.DeepEqual(kept, m.Counts()) || l != m.LogLikelihood() {
				t.Errorf("%s: other counts", method)
			}
		}
	}
}

func TestNoAllocation(t *testing.T) {
	c := bars(5, 100, 20)
	for _, method := range Methods() {
		m, _ := New(c, Settings{Alpha: Symmetric(2, 10), Beta: 0.05})
		s, _ := NewSampler(method, m, Options{})
		s.Sweep()
		if n := testing.AllocsPerRun(10, s.Sweep); n != 0 {
			t.Errorf("%s: %v allocations a sweep", method, n)
		}
	}
}

// On reuters all methods are at the same likelihood: the mean of a hundred sweeps lies within the range of gibbs over three
// seeds, −8.1008 to −8.0864, widened by its width on both sides. The exact ones begin where 300 sweeps of sparse led, since
// light takes a thousand to come there; warp comes there from the start, with CountSelf and 2000 sweeps.
func TestReuters(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some ten seconds")
	}
	c := sharedCorpus(t, "reuters")
	for _, method := range Methods() {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			m, err := New(c, Settings{Alpha: Symmetric(50, 50), Beta: 0.01, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			if method == "warp" {
				sweep(t, method, m, Options{CountSelf: true}, 2000)
			} else {
				sweep(t, "sparse", m, Options{}, 300)
				sweep(t, method, m, Options{}, 100)
			}
			s, err := NewSampler(method, m, Options{CountSelf: true})
			if err != nil {
				t.Fatal(err)
			}
			mean := 0.0
			for range 100 {
				s.Sweep()
				mean += m.LogLikelihoodPerToken() / 100
			}
			if mean < -8.1152 || mean > -8.0720 {
				t.Errorf("%.4f", mean)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	c := bars(3, 2, 4)
	for name, set := range map[string]Settings{
		"no topics":        {Beta: 1},
		"an alpha of 0":    {Alpha: []float64{1, 0}, Beta: 1},
		"a beta of 0":      {Alpha: []float64{1}},
		"too many topics":  {Alpha: Symmetric(1, MaxTopics+1), Beta: 1},
		"a sum beyond all": {Alpha: []float64{1e308, 1e308}, Beta: 1},
	} {
		if _, err := New(c, set); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	m, err := New(c, Settings{Alpha: []float64{1, 1}, Beta: 1})
	if err != nil {
		t.Fatal(err)
	}
	if m.SetPriors([]float64{1}, 1) == nil || m.SetTopics([]uint16{0}) == nil {
		t.Error("another number of topics or tokens is accepted")
	}
	if _, err := NewSampler("gibs", m, Options{}); err == nil {
		t.Error("a sampler that there is not")
	}
	if _, err := NewSampler("gibbs", m, Options{Steps: -1}); err == nil {
		t.Error("a negative number of steps")
	}
	if _, err := New(&corpus.Corpus{}, Settings{Alpha: []float64{1}, Beta: 1}); err == nil {
		t.Error("a corpus that is none")
	}
}

// A corpus without tokens, or without documents, has nothing to move.
func TestEmpty(t *testing.T) {
	for _, c := range []*corpus.Corpus{{Starts: []int64{0}}, {Words: 2, Starts: []int64{0, 0, 0}}} {
		for _, method := range Methods() {
			m := sampled(t, method, c, Settings{Alpha: Symmetric(2, 10), Beta: 0.05}, Options{}, 2)
			if l := m.LogLikelihoodPerToken(); l != 0 {
				t.Errorf("%s: %v", method, l)
			}
		}
	}
}
