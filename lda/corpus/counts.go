package corpus

import (
	"errors"
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// counts are how often words are there.
type counts struct {
	documents  int     // of the collection
	tokens     []int64 // of each word
	containing []int32 // documents that have the word
	total      int64   // tokens of the collection

	first []int32 // the words in the order in which they first appear
	last  []int32 // the last document that had the word, from 1
}

// count counts the words of a source.
func count(s source) (*counts, error) {
	c := &counts{}
	err := s.each(func(_ string, tokens []int32) error {
		_, n := s.vocabulary()
		return c.add(tokens, n)
	})
	if err == nil {
		_, n := s.vocabulary()
		err = c.reach(n)
	}
	return c, err
}

// add counts a document over n words.
func (c *counts) add(tokens []int32, n int) error {
	if err := c.reach(n); err != nil {
		return err
	}
	if c.documents == most {
		return errors.New("corpus: more than 2147483646 documents")
	}
	c.documents++
	d := int32(c.documents)
	for _, w := range tokens {
		if w == left {
			continue
		}
		c.total++
		if c.tokens[w]++; c.tokens[w] == 1 {
			c.first = append(c.first, w)
		}
		if c.last[w] != d {
			c.last[w] = d
			c.containing[w]++
		}
	}
	return nil
}

// reach makes the counts be of n words at least.
func (c *counts) reach(n int) error {
	k := n - len(c.tokens)
	if k <= 0 {
		return nil
	}
	if n > cap(c.tokens) {
		if err := memory.Room(2 * 20 * float64(n)); err != nil { // the old ones and the new
			return fmt.Errorf("corpus: a vocabulary of %d words does not fit: %w", n, err)
		}
	}
	c.tokens = append(c.tokens, make([]int64, k)...)
	c.containing = append(c.containing, make([]int32, k)...)
	c.last = append(c.last, make([]int32, k)...)
	return nil
}
