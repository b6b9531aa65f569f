package corpus

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// selection is the words that are kept.
type selection struct {
	to    []int32 // of a word its number among those kept, left where it is left out; nil where all words keep their numbers
	words []string
	n     int
}

// of is the number that a word has, or left.
func (s *selection) of(w int32) int32 {
	if s.to == nil || w == left {
		return w
	}
	return s.to[w]
}

// tokens is how many tokens of those counted are kept.
func (s *selection) tokens(c *counts) int64 {
	var n int64
	for w, times := range c.tokens {
		if s.of(int32(w)) != left {
			n += times
		}
	}
	return n
}

// choose applies the rules to the words of a source.
func choose(src source, c *counts, r Rules) (*selection, error) {
	words, n := src.vocabulary()
	s := &selection{words: words, n: n}
	bag := !src.sequence()
	if bag && !r.chooses() && len(r.StopWords) == 0 && r.MinLength == 0 {
		return s, nil
	}
	if err := memory.Room(16 * float64(n)); err != nil {
		return nil, err
	}
	stop := without(r.StopWords)
	least, most := r.MinDocuments.least(c.documents), r.MaxDocuments.most(c.documents)
	candidates := c.first
	if bag {
		candidates = upTo(n)
	}
	var kept []int32
	for _, w := range candidates {
		in := int(c.containing[w])
		if bag && words != nil && (stop[strings.ToLower(words[w])] || utf8.RuneCountInString(words[w]) < r.MinLength) {
			continue
		}
		if in >= least && in <= most {
			kept = append(kept, w)
		}
	}
	kept = withoutTop(kept, c.tokens, r.RemoveTop)
	if len(kept) == 0 {
		return nil, nothingLeft(n, least, most, c.documents)
	}
	if r.Alphabetical && !bag {
		slices.SortStableFunc(kept, func(a, b int32) int { return strings.Compare(words[a], words[b]) })
	}
	s.keep(kept)
	return s, nil
}

func nothingLeft(n, least, most, documents int) error {
	if n == 0 {
		return errors.New("corpus: the documents have no words, or stop words alone")
	}
	return fmt.Errorf("corpus: none of %s is left; the rules keep those of %d to %d of %s, and what stop words, the least length and the removal of the most frequent leave: loosen them",
		wording.Count(n, "word", "words"), least, most, wording.Count(documents, "document", "documents"))
}

// upTo is the numbers of n words.
func upTo(n int) []int32 {
	list := make([]int32, n)
	for w := range list {
		list[w] = int32(w)
	}
	return list
}

// withoutTop leaves out the words with the most tokens; of equals, the first ones.
func withoutTop(kept []int32, tokens []int64, top int) []int32 {
	if top == 0 {
		return kept
	}
	byTokens := slices.Clone(kept)
	slices.SortStableFunc(byTokens, func(a, b int32) int { return cmp.Compare(tokens[b], tokens[a]) })
	out := map[int32]bool{}
	for _, w := range byTokens[:min(top, len(byTokens))] {
		out[w] = true
	}
	return slices.DeleteFunc(kept, func(w int32) bool { return out[w] })
}

// keep makes the selection be of the words that are kept, in this order.
func (s *selection) keep(kept []int32) {
	s.to = make([]int32, s.n)
	for w := range s.to {
		s.to[w] = left
	}
	var words []string
	for k, w := range kept {
		s.to[w] = int32(k)
		if s.words != nil {
			words = append(words, s.words[w])
		}
	}
	s.words, s.n = words, len(kept)
}

// settle keeps to a vocabulary, from n words.
func settle(words []string, n int, fixed []string, numbers map[string]int32) (*selection, error) {
	s := &selection{words: fixed, n: len(fixed)}
	if words == nil || n == len(fixed) && slices.Equal(words, fixed) {
		return s, nil
	}
	if err := memory.Room(4 * float64(n)); err != nil {
		return nil, err
	}
	s.to = make([]int32, n)
	known := 0
	for w, name := range words {
		s.to[w] = left
		if k, ok := numbers[name]; ok {
			s.to[w] = k
			known++
		}
	}
	if known == 0 {
		return nil, fmt.Errorf("corpus: none of %s is in the vocabulary to keep to, which begins with %s", wording.Count(n, "word", "words"), wording.Few(fixed, 5))
	}
	return s, nil
}

// numbered gives the words of a vocabulary their numbers; of a word that is there twice, the first.
func numbered(words []string) map[string]int32 {
	if words == nil {
		return nil
	}
	m := make(map[string]int32, len(words))
	for k, w := range words {
		if _, there := m[w]; !there {
			m[w] = int32(k)
		}
	}
	return m
}
