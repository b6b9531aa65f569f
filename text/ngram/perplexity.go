package ngram

import (
	"context"
	"io"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Score is how well a model predicts sentences.
type Score struct {
	Sentences int
	Tokens    int // words and the end of each sentence
	OOV       int // words that the model does not know
	// Log10 is the sum of the log10 probabilities of all tokens, Log10OOV that of the words that the model does not know, each of which has the
	// probability of the unknown word.
	Log10, Log10OOV float64
}

// Perplexity is 10^(−Log10/Tokens), NaN without tokens.
func (s *Score) Perplexity() float64 { return perplexity(s.Log10, s.Tokens) }

// PerplexityWithoutOOV is that of the words that the model knows.
func (s *Score) PerplexityWithoutOOV() float64 {
	return perplexity(s.Log10-s.Log10OOV, s.Tokens-s.OOV)
}

func perplexity(log10 float64, tokens int) float64 {
	if tokens == 0 {
		return math.NaN()
	}
	return vec.Exp(-log10 / float64(tokens) * math.Ln10)
}

// Add adds what another score counts.
func (s *Score) Add(o Score) {
	s.Sentences += o.Sentences
	s.Tokens += o.Tokens
	s.OOV += o.OOV
	s.Log10 += o.Log10
	s.Log10OOV += o.Log10OOV
}

// ScoreSentence scores a sentence as words without begin and end, in the order in which they are read.
func (m *Model) ScoreSentence(words []int32) Score {
	s := Score{Sentences: 1, Tokens: len(words) + 1}
	state := m.Start()
	for k := range words {
		w := words[k]
		if m.Backward {
			w = words[len(words)-1-k]
		}
		var log10 float64
		log10, state = m.Next(state, w)
		s.Log10 += log10
		if w == unknown {
			s.OOV++
			s.Log10OOV += log10
		}
	}
	log10, _ := m.Next(state, end)
	s.Log10 += log10
	return s
}

// ScoreFile scores the sentences of a file, gzip or not, a sentence a line, and gives each of them to each, which may be nil.
// A word that is spelt as the unknown one is not known, as one that the vocabulary has not.
func (m *Model) ScoreFile(ctx context.Context, path string, each func(text []byte, s Score) error) (Score, error) {
	in, close, err := openLines(path)
	if err != nil {
		return Score{}, err
	}
	defer close()
	return m.score(ctx, in, each)
}

// Score is ScoreFile from a stream, which messages call name.
func (m *Model) Score(ctx context.Context, r io.Reader, name string, each func(text []byte, s Score) error) (Score, error) {
	in, err := newLines(r, name)
	if err != nil {
		return Score{}, err
	}
	return m.score(ctx, in, each)
}

func (m *Model) score(ctx context.Context, in *lines, each func(text []byte, s Score) error) (sum Score, err error) {
	var words []int32
	for {
		if in.number%1024 == 0 && ctx.Err() != nil {
			return sum, ctx.Err()
		}
		ok, err := in.next()
		if err != nil || !ok {
			return sum, err
		}
		words = words[:0]
		for s := (scanner{text: in.text, characters: m.Characters}); s.next(); {
			words = append(words, m.numbers[string(s.word)])
		}
		one := m.ScoreSentence(words)
		sum.Add(one)
		if each == nil {
			continue
		}
		if err := each(in.text, one); err != nil {
			return sum, err
		}
	}
}
