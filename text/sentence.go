package text

import (
	"math"
	"slices"
	"strings"
)

// Sentence is a sentence with its log probabilities: the state that the kernels of this package move. [Target.NewSentence] makes one.
type Sentence struct {
	// Model is the log probability of the sentence under the language model, Penalty what soft conditions add to it, 0 or less.
	Model, Penalty float64

	text  []int32   // Begin, the words, End
	terms []float64 // of Model: the log probability of each word of text given those before it; 0 of Begin
	state []uint32  // of a Stateful model, after each word
	asked []float64 // scratch of part, of a Whole model
}

// Words are the words, without the beginning and the end, and not to be changed.
func (s *Sentence) Words() []int32 { return s.text[1 : len(s.text)-1] }

// Score is the logarithm of the target's density at temperature 1, up to a constant: that of the model, less penalties.
func (s *Sentence) Score() float64 { return s.Model + s.Penalty }

// PerWord is the log probability of the model per word, where the end of the sentence counts as one.
func (s *Sentence) PerWord() float64 { return s.Model / float64(len(s.text)-1) }

// set makes the words those given.
func (s *Sentence) set(m *scorer, words []int32) {
	s.resize(len(words))
	s.text[0], s.text[len(words)+1] = m.begin, m.end
	copy(s.text[1:], words)
	s.terms[0] = 0
	if m.stateful != nil {
		s.state[0] = m.stateful.Start()
	}
	s.score(m, 1, len(s.text)-1)
}

// score computes the terms of text[from:to+1], and the sum of all.
func (s *Sentence) score(m *scorer, from, to int) {
	to = min(to, len(s.text)-1)
	switch {
	case m.stateful != nil:
		state := s.state[from-1]
		for i := from; i <= to; i++ {
			s.terms[i], state = m.stateful.Next(state, s.text[i])
			s.state[i] = state
		}
	case m.whole != nil && from <= to:
		m.whole.LogProbs(s.text[:to+1], from, s.terms[from:to+1])
	default:
		for i := from; i <= to; i++ {
			s.terms[i] = m.LogProb(s.text[:i], s.text[i])
		}
	}
	sum := 0.0 // always all of them in the same order: no rounding is left of what was there before
	for _, x := range s.terms {
		sum += x
	}
	s.Model = sum
}

// part is the sum of the terms of text[from:to+1], computed anew and not kept, or −Inf as soon as it is so.
func (s *Sentence) part(m *scorer, from, to int) (sum float64) {
	to = min(to, len(s.text)-1)
	if m.stateful != nil {
		state, term := s.state[from-1], 0.0
		for i := from; i <= to && sum > -inf; i++ {
			term, state = m.stateful.Next(state, s.text[i])
			sum += term
		}
		return sum
	}
	if m.whole != nil && from <= to {
		s.asked = slices.Grow(s.asked[:0], to+1-from)[:to+1-from]
		m.whole.LogProbs(s.text[:to+1], from, s.asked)
		for _, x := range s.asked {
			sum += x
		}
		return sum
	}
	for i := from; i <= to && sum > -inf; i++ {
		sum += m.LogProb(s.text[:i], s.text[i])
	}
	return sum
}

// resize gives the sentence room for n words; what it holds is undefined after.
func (s *Sentence) resize(n int) {
	if cap(s.text) < n+2 {
		s.text, s.terms, s.state = make([]int32, n+2, 2*n+16), make([]float64, n+2, 2*n+16), make([]uint32, n+2, 2*n+16)
	}
	s.text, s.terms, s.state = s.text[:n+2], s.terms[:n+2], s.state[:n+2]
}

// spread copies other into s with the words from at on moved by so many places, which may be below 0.
func (s *Sentence) spread(other *Sentence, at, by int) {
	s.resize(len(other.text) - 2 + by)
	to, from := at+max(by, 0), at+max(-by, 0)
	copy(s.text, other.text[:at])
	copy(s.terms, other.terms[:at])
	copy(s.state, other.state[:at])
	copy(s.text[to:], other.text[from:])
	copy(s.terms[to:], other.terms[from:])
	copy(s.state[to:], other.state[from:])
}

// scorer is a model as sentences use it.
type scorer struct {
	Model
	stateful   Stateful // Model, if it is one
	whole      Whole    // the same
	begin, end int32
	reach      int // words after a word that depend on it
}

func newScorer(m Model, most int) *scorer {
	s := &scorer{Model: m, begin: m.Begin(), end: m.End(), reach: most + 2}
	s.stateful, _ = m.(Stateful)
	s.whole, _ = m.(Whole)
	if o := m.Order(); o > 0 {
		s.reach = o - 1
	}
	return s
}

// Join spells words with blanks between them.
func Join(m Model, words []int32) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(m.Word(w))
	}
	return b.String()
}

var inf = math.Inf(1)
