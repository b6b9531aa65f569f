package corpus

import (
	"fmt"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Phrases makes one word of two that follow one another, with only white space between them, more often than chance
// would have it: new york becomes new_york. A pair of words a, b is a phrase if it is there MinCount times at least, and
// its normalised pointwise mutual information ln(p(ab) / p(a)p(b)) / −ln p(ab), from −1 to 1, is MinNPMI at least
// (Bouma 2009), with frequencies among all tokens that are left for probabilities. A text is read from left to
// right, and each word is in one phrase at most.
type Phrases struct {
	Rounds   int     // how often pairs are looked for: once for two words, twice for up to four, and so on; 0 for no phrases
	MinCount int     // 0 is 10
	MinNPMI  float64 // −1 counts alone
}

func (p Phrases) check() error {
	switch {
	case p.Rounds < 0 || p.Rounds > 4:
		return fmt.Errorf("corpus: %d rounds of phrases; there may be 0 to 4", p.Rounds)
	case p.MinCount < 0:
		return fmt.Errorf("corpus: phrases must be there %d times", p.MinCount)
	case !(p.MinNPMI >= -1 && p.MinNPMI <= 1):
		return fmt.Errorf("corpus: phrases need a normalised mutual information of %v; it is from −1 to 1", p.MinNPMI)
	}
	return nil
}

func (p Phrases) least() int64 {
	if p.MinCount == 0 {
		return 10
	}
	return int64(p.MinCount)
}

// joint is between the words of a phrase. No word of a text has it.
const joint = "_"

// phrased is a source of which neighbours are joined.
type phrased struct {
	source
	joins map[uint64]int32 // of two words the phrase
	words []string
	out   []int32
}

func key(a, b int32) uint64 { return uint64(a)<<32 | uint64(b) }

func (p *phrased) vocabulary() ([]string, int) { return p.words, len(p.words) }

func (p *phrased) each(take func(name string, tokens []int32) error) error {
	return p.source.each(func(name string, tokens []int32) error {
		var err error
		if p.out, err = memory.Grow(p.out[:0], len(tokens)); err != nil {
			return err
		}
		for i := 0; i < len(tokens); i++ {
			w := tokens[i]
			if i+1 < len(tokens) && w != left && tokens[i+1] != left {
				if joined, ok := p.joins[key(w, tokens[i+1])]; ok {
					w = joined
					i++
				}
			}
			p.out = append(p.out, w)
		}
		return take(name, p.out)
	})
}

// join finds the phrases of a source and joins them. With fixed, phrases are those that it has.
func join(s source, p Phrases, fixed map[string]int32) (source, error) {
	for range p.Rounds {
		pairs, counts, err := countPairs(s, p, fixed == nil)
		if err != nil {
			return nil, err
		}
		words, _ := s.vocabulary()
		next := &phrased{source: s, joins: map[uint64]int32{}, words: slices.Clone(words)}
		for _, k := range sortedKeys(pairs) {
			a, b := k>>32, k&(1<<32-1)
			phrase := words[a] + joint + words[b]
			_, ok := fixed[phrase]
			if fixed == nil {
				ok = pairs[k] >= p.least() && npmi(pairs[k], counts.tokens[a], counts.tokens[b], counts.total) >= p.MinNPMI-rounding
			}
			if ok {
				next.joins[k] = int32(len(next.words))
				next.words = append(next.words, phrase)
			}
		}
		s = next
	}
	return s, nil
}

// rounding is what the error of a logarithm may take from an NPMI of 1.
const rounding = 1e-12

// npmi is the normalised pointwise mutual information of a pair that is there ab times.
func npmi(ab, a, b, total int64) float64 {
	n := vec.Log(float64(total))
	joint := n - vec.Log(float64(ab))
	return (n + vec.Log(float64(ab)) - vec.Log(float64(a)) - vec.Log(float64(b))) / joint
}

func sortedKeys(m map[uint64]int64) []uint64 {
	keys := make([]uint64, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// countPairs counts words and pairs of neighbours; with frequent, those alone whose words are frequent enough.
func countPairs(s source, p Phrases, frequent bool) (pairs map[uint64]int64, c *counts, err error) {
	if c, err = count(s); err != nil {
		return nil, nil, err
	}
	pairs = map[uint64]int64{}
	const step, entry = 1 << 16, 48 // pairs after which memory is asked for, and bytes of a pair
	asked := step
	err = s.each(func(_ string, tokens []int32) error {
		for i := 1; i < len(tokens); i++ {
			a, b := tokens[i-1], tokens[i]
			if a == left || b == left || frequent && (c.tokens[a] < p.least() || c.tokens[b] < p.least()) {
				continue
			}
			pairs[key(a, b)]++
		}
		if len(pairs) > asked {
			asked = len(pairs) + step
			return memory.Room(entry * step)
		}
		return nil
	})
	return pairs, c, err
}
