package lda

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// Topics that a sampler has in the order of words are those of the tokens, to whoever asks, and stay so when they are asked for
// between sweeps, when priors change and when another sampler takes them.
func TestTopicsByWord(t *testing.T) {
	c := bars(5, 100, 20)
	set := Settings{Alpha: Symmetric(2, 10), Beta: 0.05, Seed: 3}
	for _, method := range []string{"light", "warp"} {
		run := func(between func(m *Model)) *Model {
			m, err := New(c, set)
			if err != nil {
				t.Fatal(err)
			}
			s, err := NewSampler(method, m, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for range 4 {
				s.Sweep()
				between(m)
			}
			sweep(t, "sparse", m, Options{}, 1)
			s.Sweep()
			return m
		}
		want := run(func(*Model) {})
		got := run(func(m *Model) {
			if m.byWord == nil || m.topics != nil {
				t.Errorf("%s: the model has the topics", method)
			}
			var walked []uint16
			m.eachDocument(func(_ int, topics []uint16) { walked = append(walked, topics...) })
			l, counts := m.LogLikelihood(), m.Counts()
			if !slices.Equal(walked, m.Topics()) {
				t.Errorf("%s: a walk gives other topics", method)
			}
			m.owner = nil
			if l != m.LogLikelihood() || !slices.Equal(counts.Entries, m.Counts().Entries) {
				t.Errorf("%s: other counts of the topics that were fetched", method)
			}
			if err := m.SetPriors(m.alpha, m.beta); err != nil {
				t.Fatal(err)
			}
		})
		if !slices.Equal(got.Topics(), want.Topics()) {
			t.Errorf("%s: other topics after a look between sweeps", method)
		}
	}
}

// Walks from both ends of stretches come to the places of the tokens, each document once.
func TestStretches(t *testing.T) {
	c := bars(5, 3000, 40)
	b := newByWord[uint32](c, (&Model{corpus: c}).wordStarts(), nil)
	want := make([]uint32, len(c.Tokens)) // where each token is
	for i, w := range c.Tokens {
		want[i] = b.cursor[w]
		b.cursor[w]++
	}
	r := rand.New(rng.New(1, "test stretches"))
	for _, n := range []int{1, 2, 3} {
		all := stretches(c, b.begin, n)
		if len(all) != n {
			t.Fatalf("%d stretches, not %d", len(all), n)
		}
		for range 3 {
			seen := 0
			for _, x := range all {
				x.open()
				at := make([]uint32, 40)
				for {
					behind := n > 1 && r.IntN(2) == 0
					docs, ok := x.front()
					if behind {
						x.left.first = docs.first
						docs, ok = x.back()
					}
					if !ok {
						break
					}
					for i := range docs.end - docs.first {
						d := docs.first + i
						if behind {
							d = docs.end - 1 - i
							b.last(c.Document(d), x.behind, at)
						} else {
							b.next(c.Document(d), x.ahead, at)
						}
						for j, p := range at[:len(c.Document(d))] {
							if i := c.Starts[d] + int64(j); p != want[i] {
								t.Fatalf("token %d of document %d is at %d, not %d", j, d, p, want[i])
							}
						}
						seen++
					}
				}
			}
			if seen != c.Len() {
				t.Fatalf("%d documents of %d", seen, c.Len())
			}
		}
	}
}
