package text

import (
	"math"
	"strings"
)

// Sentence is a sentence with its log probabilities: the state that the kernels of this package move. [Target.NewSentence] makes one.
type Sentence struct {
	// Model is the log probability of the sentence under the language model, Penalty what soft conditions add to it, 0 or less.
	Model, Penalty float64

	text  []int32   // Begin, the words, End
	terms []float64 // of Model: the log probability of each word of text given those before it; 0 of Begin
}

// Words are the words, without the beginning and the end, and not to be changed.
func (s *Sentence) Words() []int32 { return s.text[1 : len(s.text)-1] }

// Score is the logarithm of the target's density at temperature 1, up to a constant: that of the model, less penalties.
func (s *Sentence) Score() float64 { return s.Model + s.Penalty }

// PerWord is the log probability of the model per word, where the end of the sentence counts as one.
func (s *Sentence) PerWord() float64 { return s.Model / float64(len(s.text)-1) }

// set makes the words those given.
func (s *Sentence) set(m Model, words []int32) {
	s.text = append(append(append(s.text[:0], m.Begin()), words...), m.End())
	s.terms = append(s.terms[:0], make([]float64, len(s.text))...)
	s.score(m, 1, len(s.text)-1)
}

// score computes the terms of text[from:to+1], and the sum of all.
func (s *Sentence) score(m Model, from, to int) {
	for i := from; i <= min(to, len(s.text)-1); i++ {
		s.terms[i] = m.LogProb(s.text[:i], s.text[i])
	}
	sum := 0.0 // always all of them in the same order: no rounding is left of what was there before
	for _, x := range s.terms {
		sum += x
	}
	s.Model = sum
}

// resize gives the sentence room for n words; what it holds is undefined after.
func (s *Sentence) resize(n int) {
	if cap(s.text) < n+2 || cap(s.terms) < n+2 {
		s.text, s.terms = make([]int32, n+2, 2*n+16), make([]float64, n+2, 2*n+16)
	}
	s.text, s.terms = s.text[:n+2], s.terms[:n+2]
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

// reach is the number of words after a word that depend on it, in a sentence of at most n.
func reach(m Model, n int) int {
	if o := m.Order(); o > 0 {
		return o - 1
	}
	return n + 1
}

var inf = math.Inf(1)
