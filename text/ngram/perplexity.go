package ngram

import (
	"cmp"
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
	// LogProb is the natural logarithm of the probability of the sentences; LogProbOOV is the part of words that the model does not know,
	// each of which has the probability of the unknown word.
	LogProb, LogProbOOV float64
}

// Perplexity is e^(−LogProb/Tokens), NaN without tokens.
func (s *Score) Perplexity() float64 { return perplexity(s.LogProb, s.Tokens) }

// PerplexityWithoutOOV is that of the words that the model knows.
func (s *Score) PerplexityWithoutOOV() float64 {
	return perplexity(s.LogProb-s.LogProbOOV, s.Tokens-s.OOV)
}

func perplexity(logProb float64, tokens int) float64 {
	if tokens == 0 {
		return math.NaN()
	}
	return vec.Exp(-logProb / float64(tokens))
}

// Add adds what another score counts.
func (s *Score) Add(o Score) {
	s.Sentences += o.Sentences
	s.Tokens += o.Tokens
	s.OOV += o.OOV
	s.LogProb += o.LogProb
	s.LogProbOOV += o.LogProbOOV
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
		var p float64
		p, state = m.Next(state, w)
		s.LogProb += p
		if w == unknown {
			s.OOV++
			s.LogProbOOV += p
		}
	}
	p, _ := m.Next(state, end)
	s.LogProb += p
	return s
}

// ScoreFile scores the sentences of a file, gzip or not, a sentence a line, and gives each of them to each, which may be nil.
// Sentences are scored many at a time, so that each may be given after later ones were read.
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

func (m *Model) score(ctx context.Context, in *lines, each func(text []byte, s Score) error) (Score, error) {
	b := batch{model: m, each: each}
	for {
		if in.Line%1024 == 0 && ctx.Err() != nil {
			return b.sum, ctx.Err()
		}
		ok, err := in.next()
		if err != nil || !ok {
			return b.sum, cmp.Or(b.flush(), err)
		}
		if b.add(in.Text); len(b.words) < batchWords {
			continue
		}
		if err := b.flush(); err != nil {
			return b.sum, err
		}
	}
}
