package lda

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// halves are the parts of a model's corpus before and from document d on.
func halves(m *Model, d int, pass uint64) []*Part {
	c, counts := m.Corpus(), m.Counts()
	at := c.Starts[d]
	tail := &corpus.Corpus{Words: c.Words, Tokens: c.Tokens[at:]}
	for _, s := range c.Starts[d:] {
		tail.Starts = append(tail.Starts, s-at)
	}
	head := &corpus.Corpus{Words: c.Words, Tokens: c.Tokens[:at], Starts: c.Starts[:d+1]}
	return []*Part{
		{Corpus: head, Topics: m.Topics()[:at], Counts: counts, Alpha: m.Alpha(), Beta: m.Beta(), Seed: 1, Number: 0, Pass: pass},
		{Corpus: tail, Topics: m.Topics()[at:], Counts: counts, Alpha: m.Alpha(), Beta: m.Beta(), Seed: 1, Number: 1, Pass: pass},
	}
}

// Passes over two halves find the bars, and the differences that they return are those of the counts.
func TestParts(t *testing.T) {
	c := bars(5, 500, 50)
	m, err := New(c, Settings{Alpha: Symmetric(2, 10), Beta: 0.05, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	for pass := range uint64(200) {
		topics, counts := append([]uint16(nil), m.Topics()...), m.Counts()
		var all [][]Difference
		first := 0
		for _, p := range halves(m, 200, pass) {
			changes, differences, err := p.Run()
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range changes {
				if topics[first+c.Token] != c.From {
					t.Fatal("a change from another topic")
				}
				topics[first+c.Token] = c.To
			}
			first += len(p.Corpus.Tokens)
			all = append(all, differences)
		}
		if err := m.SetTopics(topics); err != nil {
			t.Fatal(err)
		}
		sum, err := counts.Add(all[1], all[0])
		if err != nil || !reflect.DeepEqual(sum, m.Counts()) {
			t.Fatalf("pass %d: the counts are not those of the topics: %v", pass, err)
		}
	}
	if n := barsFound(m); n != 10 {
		t.Errorf("%d of 10 bars", n)
	}
}

// passer is a kernel: a pass over the second half, whose first half stays.
type passer struct{ from int }

func (k passer) Step(m *Model, r *rand.Rand) mcmc.Info {
	p := halves(m, k.from, r.Uint64())[1]
	p.Seed = r.Uint64()
	changes, _, err := p.Run()
	if err != nil {
		panic(err)
	}
	topics := append([]uint16(nil), m.Topics()...)
	at := len(topics) - len(p.Topics)
	for _, c := range changes {
		topics[at+c.Token] = c.To
	}
	if err := m.SetTopics(topics); err != nil {
		panic(err)
	}
	return mcmc.Info{}
}

// A pass over a part leaves the enumerated posterior as it is.
func TestPartExact(t *testing.T) {
	s := small[3]
	c, k := gather(s.docs, s.words), len(s.alpha)
	f := kerneltest.Finite[*Model]{
		State: func(i int) *Model {
			m, _ := New(c, Settings{Alpha: s.alpha, Beta: s.beta})
			if err := m.SetTopics(assignment(i, len(c.Tokens), k)); err != nil {
				panic(err)
			}
			return m
		},
		Index:  func(m *Model) int { return number(m.Topics(), k) },
		Kernel: passer{2},
	}
	for i := range int(math.Pow(float64(k), float64(len(c.Tokens)))) {
		f.LogWeight = append(f.LogWeight, joint(c, s.alpha, s.beta, assignment(i, len(c.Tokens), k)))
	}
	if err := kerneltest.Exact(f, kerneltest.Settings{Seed: 1, Alpha: 1e-7}); err != nil {
		t.Error(err)
	}
}

func TestPartErrors(t *testing.T) {
	m, _ := New(bars(3, 4, 5), Settings{Alpha: Symmetric(2, 3), Beta: 0.1})
	for name, bad := range map[string]func(p *Part){
		"counts that lack the part": func(p *Part) {
			none := &Counts{Starts: make([]int64, 10), Totals: make([]int64, 3)}
			p.Counts = none
		},
		"counts of fewer words":  func(p *Part) { p.Counts = &Counts{Starts: []int64{0}, Totals: make([]int64, 3)} },
		"totals that are others": func(p *Part) { p.Counts.Totals[1]++ },
		"a topic that is none":   func(p *Part) { p.Counts.Entries[0].Topic = 7 },
		"topics of other tokens": func(p *Part) { p.Topics = p.Topics[1:] },
		"no prior":               func(p *Part) { p.Alpha = nil },
	} {
		p := halves(m, 2, 0)[0]
		bad(p)
		if _, _, err := p.Run(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, bad := range []Difference{{Word: 9, N: 1}, {Word: -1, N: 1}, {Topic: 3, N: 1}, {N: -1000}} {
		if _, err := m.Counts().Add([]Difference{bad}); err == nil {
			t.Errorf("%v is added", bad)
		}
	}
}
