package text

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// table is a trigram model with random probabilities, over the words a, b, c, …: what tests are made with.
type table struct {
	words int
	p     []float64 // log probability of a word given two; rows of the context
}

// newTable draws a model; with zeros, every fifth probability is 0.
func newTable(words int, seed uint64, zeros bool) *table {
	n := words + 3
	m := &table{words, make([]float64, n*n*n)}
	r := rng.New(seed, "table").Rand
	for row := range n * n {
		p, sum := m.p[row*n:][:n], 0.0
		for w := range p {
			if w == int(m.Begin()) || zeros && w < words && (row+w)%5 == 4 {
				continue
			}
			p[w] = r.ExpFloat64()
			sum += p[w]
		}
		for w := range p {
			p[w] = vec.Log(p[w] / sum)
		}
	}
	return m
}

func (m *table) Size() int           { return m.words + 3 }
func (m *table) Begin() int32        { return int32(m.words) }
func (m *table) End() int32          { return int32(m.words + 1) }
func (m *table) Unknown() int32      { return int32(m.words + 2) }
func (m *table) Order() int          { return 3 }
func (m *table) Word(w int32) string { return [...]string{"a", "b", "c", "d", "e", "f", "g", "h"}[w] }
func (m *table) Pairs() iter.Seq2[int32, int32] {
	return func(yield func(a, b int32) bool) {
		for a := range int32(m.Size()) {
			for b := range int32(m.Size()) {
				if (a+b)%3 != 0 && !yield(a, b) {
					return
				}
			}
		}
	}
}

func (m *table) Number(word string) (int32, bool) {
	if len(word) == 1 && int(word[0]-'a') < m.words {
		return int32(word[0] - 'a'), true
	}
	return m.Unknown(), false
}

func (m *table) LogProb(context []int32, word int32) float64 {
	a, b, n := m.Begin(), m.Begin(), m.Size()
	if k := len(context); k > 1 {
		a, b = context[k-2], context[k-1]
	} else if k == 1 {
		b = context[0]
	}
	return m.p[(int(a)*n+int(b))*n+int(word)]
}

// unlisted hides the pairs of a model, and all but one its order.
type unlisted struct {
	*table
	order int
}

func (unlisted) Pairs()       {}
func (m unlisted) Order() int { return m.order }

// sentences are all of up to most words.
func sentences(words, most int) (all [][]int32) {
	all = append(all, []int32{})
	for from, n := 0, 0; n < most; n++ {
		end := len(all)
		for ; from < end; from++ {
			for w := range words {
				all = append(all, append(slices.Clone(all[from]), int32(w)))
			}
		}
	}
	return all
}

// finite is the target on its enumerated sentences. The weights are computed here, from the definition.
func finite(t *Target, words int, beta float64, k mcmc.Kernel[*Sentence]) kerneltest.Finite[*Sentence] {
	all := sentences(words, t.most)
	index := map[string]int{}
	f := kerneltest.Finite[*Sentence]{Kernel: k, State: func(i int) *Sentence { return t.NewSentence(all[i]) }}
	for i, x := range all {
		index[fmt.Sprint(x)] = i
		log, text := 0.0, append(append([]int32{t.model.Begin()}, x...), t.model.End())
		for at := 1; at < len(text); at++ {
			log += t.model.LogProb(text[:at], text[at])
		}
		for _, c := range t.conditions {
			if lack := c.Lacking(x); lack > 0 {
				log -= c.Weight * lack
			}
		}
		if len(x) < t.least {
			log = math.Inf(-1)
		}
		if log > math.Inf(-1) {
			log *= beta
		}
		f.LogWeight = append(f.LogWeight, log)
	}
	f.Index = func(s *Sentence) int {
		if i, ok := index[fmt.Sprint(s.Words())]; ok {
			return i
		}
		return -1
	}
	f.Check = func(s *Sentence) error {
		if fresh := t.NewSentence(s.Words()); fresh.Model != s.Model || fresh.Penalty != s.Penalty {
			return errors.New("the log probabilities are not those of the words")
		}
		return nil
	}
	return f
}

// moveSets are each move by itself, and all of them.
func moveSets() map[string]Moves {
	return map[string]Moves{
		"replace": {Replace: 1}, "insert and delete": {Insert: 0.7, Delete: 0.3}, "swap": {Swap: 1}, "shift": {Shift: 1}, "gibbs": {Gibbs: 1},
		"pair": {Pair: 1}, "rhyme": {Group: 1, Replace: 0.1}, "all": {Replace: 2, Insert: 1, Delete: 2, Swap: 1, Shift: 1, Gibbs: 1, Pair: 1, Group: 1},
	}
}

// Each set of moves leaves the enumerated target invariant: exact draws of it, moved two steps, have its frequencies
// (false alarms 1e-6 a case, by binomial tests).
func TestExact(t *testing.T) {
	for _, c := range []struct {
		name        string
		model       Model
		words       int
		least, most int
		beta        float64
		hints       []int32
		conditions  func(m Model) []Condition
	}{
		{name: "free", model: newTable(3, 1, false), words: 3, most: 4, beta: 1},
		{name: "hard zeros", model: newTable(4, 2, true), words: 4, most: 3, beta: 1},
		{name: "cold", model: newTable(3, 3, false), words: 3, least: 1, most: 3, beta: 2.5, hints: []int32{0, 2}},
		{name: "hot", model: newTable(3, 3, false), words: 3, most: 3, beta: 0, hints: []int32{1}},
		{name: "one word only", model: newTable(1, 4, false), words: 1, most: 4, beta: 1},
		{name: "no pairs", model: unlisted{newTable(3, 5, false), 3}, words: 3, most: 3, beta: 1},
		{name: "unlimited order", model: unlisted{newTable(3, 6, false), 0}, words: 3, most: 4, beta: 1},
		{name: "two words, neighbours of each other", model: newTable(4, 31, false), words: 4, least: 2, most: 2, beta: 1},
		{name: "keywords", model: newTable(3, 7, false), words: 3, most: 4, beta: 1, hints: []int32{0, 1},
			conditions: func(m Model) []Condition { return []Condition{Hard(NewKeywords(m, []int32{0, 1}, false))} }},
		{name: "the same keyword twice", model: newTable(3, 8, false), words: 3, most: 4, beta: 1,
			conditions: func(m Model) []Condition { return []Condition{Hard(NewKeywords(m, []int32{0, 1, 0}, false))} }},
		{name: "keywords in order", model: newTable(3, 9, true), words: 3, most: 4, beta: 1,
			conditions: func(m Model) []Condition { return []Condition{Hard(NewKeywords(m, []int32{1, 0}, true))} }},
		{name: "soft keywords and lengths", model: newTable(3, 10, false), words: 3, most: 4, beta: 0.7,
			conditions: func(m Model) []Condition {
				return []Condition{{NewKeywords(m, []int32{1, 1}, true), 0.8}, {Length{2, 3}, 0.5}, Hard(NewForbidden(m, []int32{2}))}
			}},
		{name: "a template", model: newTable(3, 11, false), words: 3, most: 4, beta: 1, conditions: form("_ b _")},
		{name: "a template of any length", model: newTable(3, 12, false), words: 3, most: 4, beta: 1, conditions: form("* b _ *")},
		{name: "tones", model: newTable(5, 13, false), words: 5, least: 3, most: 3, beta: 1, conditions: form("_level _ _oblique")},
		{name: "a rhyme", model: newTable(5, 14, false), words: 5, least: 3, most: 3, beta: 1.5, conditions: form("_level/A _ _/A")},
		{name: "rhymes beside each other", model: newTable(5, 15, false), words: 5, most: 3, beta: 1, conditions: form("_/A _/A _/A")},
		{name: "two rhymes", model: newTable(5, 16, true), words: 5, most: 4, beta: 1, conditions: form("_/A _/B _/A _/B")},
		{name: "a soft rhyme", model: newTable(4, 17, false), words: 4, most: 3, beta: 1,
			conditions: func(m Model) []Condition { return []Condition{{form("_/A c _/A")(m)[0].Constraint, 0.9}} }},
	} {
		target, err := NewTarget(c.model, c.least, c.most, conditions(c.conditions, c.model)...)
		if err != nil {
			t.Fatal(c.name, err)
		}
		lists, err := NewLists(c.model, 2)
		if err != nil {
			t.Fatal(c.name, err)
		}
		for set, moves := range moveSets() {
			for _, full := range []bool{false, true} {
				if full && moves.Gibbs == 0 {
					continue
				}
				k, err := NewWalk(target, lists, NewHints(c.model, c.hints), moves)
				if err != nil {
					t.Fatal(c.name, set, err)
				}
				k.Beta, k.Full = c.beta, full
				if err := kerneltest.Exact(finite(target, c.words, c.beta, k), kerneltest.Settings{Seed: 1, Steps: 2}); err != nil {
					t.Errorf("%s, %s, full %v: %v", c.name, set, full, err)
				}
			}
		}
	}
}

func conditions(f func(Model) []Condition, m Model) []Condition {
	if f == nil {
		return nil
	}
	return f(m)
}

// form is a hard template with readings of the five words, some in two classes.
func form(text string) func(Model) []Condition {
	return func(m Model) []Condition {
		tones, err := ReadTones("tones", []byte("a level x\nb level x\nb oblique y\nc oblique y\nd level y\nd level x\ne oblique x\n"))
		if err != nil {
			panic(err)
		}
		p, err := NewTemplate(m, text, tones)
		if err != nil {
			panic(err)
		}
		return []Condition{Hard(p)}
	}
}
