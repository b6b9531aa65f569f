package corpus

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// KeepTo is the corpus over another vocabulary, such as that of a trained model, as Settings.Fixed gives it: words that it does not
// have are left out. A corpus whose words have no names must have as many as the vocabulary, and has its numbers. The
// memory is new where the tokens change; c stays as it is.
func (c *Corpus) KeepTo(vocabulary []string) (*Corpus, error) {
	if c.Vocabulary == nil && c.Words != len(vocabulary) {
		return nil, fmt.Errorf("corpus: the words of the collection have no names, and there are %d of them; the vocabulary to keep to has %s",
			c.Words, wording.Count(len(vocabulary), "word", "words"))
	}
	sel, err := settle(c.Vocabulary, c.Words, vocabulary, numbered(vocabulary))
	if err != nil {
		return nil, err
	}
	kept := *c
	kept.Vocabulary, kept.Words = vocabulary, len(vocabulary)
	if sel.to == nil {
		return &kept, nil
	}
	kept.Starts, kept.Tokens = make([]int64, 1, len(c.Starts)), nil
	for d := range c.Len() {
		for _, w := range c.Document(d) {
			if w = sel.of(w); w == left {
				kept.LeftOut++
				continue
			}
			kept.Tokens = append(kept.Tokens, w)
		}
		kept.Starts = append(kept.Starts, int64(len(kept.Tokens)))
	}
	return &kept, nil
}
