package remote

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/text/ngram"
)

// IsAddress tells a model on a server from a file, by http:// or https:// at its begin.
func IsAddress(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// Digest identifies the vocabulary and the order, in hexadecimal digits. The probabilities behind them may still differ.
func (m *Model) Digest() string {
	sum := sha256.New()
	_ = json.NewEncoder(sum).Encode(m.about) // strings and numbers are always written
	return hex.EncodeToString(sum.Sum(nil))
}

// ScoreFile scores the sentences of a file as [ngram.Model.ScoreFile] does, in a request each. Characters makes a word of every character.
func (m *Model) ScoreFile(ctx context.Context, path string, characters bool, each func(text []byte, s ngram.Score) error) (ngram.Score, error) {
	text := []int32{}
	return ngram.ScoreFileBy(ctx, path, characters, func(words []string) (ngram.Score, error) {
		text = append(text[:0], m.Begin())
		for _, w := range words {
			n, ok := m.Number(w)
			if !ok {
				n = m.Unknown()
			}
			if n < 0 {
				return ngram.Score{}, fmt.Errorf("the vocabulary of the model has no %s, and no word for what it does not know", wording.Quote(w))
			}
			text = append(text, n)
		}
		return m.scoreSentence(ctx, append(text, m.End()))
	}, each)
}

// scoreSentence scores a sentence with its begin and end.
func (m *Model) scoreSentence(ctx context.Context, text []int32) (ngram.Score, error) {
	s := ngram.Score{Sentences: 1, Tokens: len(text) - 1}
	p, err := m.Ask(ctx, []Query{{Text: text, From: 1}})
	if err != nil {
		return s, err
	}
	for i, x := range p[0] {
		s.LogProb += x
		if text[i+1] == m.Unknown() {
			s.OOV++
			s.LogProbOOV += x
		}
	}
	return s, nil
}
