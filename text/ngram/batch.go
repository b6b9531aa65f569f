package ngram

import "slices"

// batchWords is how many words are gathered before they are scored.
const batchWords = 1 << 13

// batch is sentences that are scored together.
type batch struct {
	model *Model
	each  func(text []byte, s Score) error // or nil
	sum   Score

	words []int32 // sentences, each with its end
	ends  []int   // where each of them ends in words
	terms []float64
	texts []byte // of the sentences, for each
	cuts  []int  // where each of them ends in texts
}

// add adds a line.
func (b *batch) add(line []byte) {
	from := len(b.words)
	for s := (scanner{text: line, characters: b.model.Characters}); s.next(); {
		b.words = append(b.words, b.model.numbers[string(s.word)])
	}
	if b.model.Backward {
		slices.Reverse(b.words[from:])
	}
	b.words = append(b.words, end)
	b.ends = append(b.ends, len(b.words))
	if b.each != nil {
		b.texts = append(b.texts, line...)
		b.cuts = append(b.cuts, len(b.texts))
	}
}

// flush scores what was added.
func (b *batch) flush() error {
	b.terms = slices.Grow(b.terms[:0], len(b.words))[:len(b.words)]
	b.model.logProbs(b.words, b.ends, b.terms)
	from, cut := 0, 0
	for i, to := range b.ends {
		one := scored(b.words[from:to], b.terms[from:to])
		b.sum.Add(one)
		from = to
		if b.each == nil {
			continue
		}
		if err := b.each(b.texts[cut:b.cuts[i]], one); err != nil {
			return err
		}
		cut = b.cuts[i]
	}
	b.words, b.ends, b.texts, b.cuts = b.words[:0], b.ends[:0], b.texts[:0], b.cuts[:0]
	return nil
}

// scored is the score of a sentence by those of its words.
func scored(words []int32, terms []float64) Score {
	s := Score{Sentences: 1, Tokens: len(words)}
	for i, p := range terms {
		s.LogProb += p
		if words[i] == unknown {
			s.OOV++
			s.LogProbOOV += p
		}
	}
	return s
}
