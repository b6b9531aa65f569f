package ngram

import (
	"context"
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Settings say what model to train. The order must be given.
type Settings struct {
	Order int // 1 to [MostOrder]
	// Backward trains a model of sentences from their last word to their first.
	Backward bool
	// MinCounts leaves out sequences that occur less often: element k is for those of k+2 words, the last for all that are longer. They
	// must not fall with the length.
	MinCounts []int
}

func (s *Settings) check() error {
	if s.Order < 1 || s.Order > MostOrder {
		return fmt.Errorf("ngram: a model of order %d: it must be from 1 to %d", s.Order, MostOrder)
	}
	last := 1
	for _, n := range s.MinCounts {
		if n < last {
			return fmt.Errorf("ngram: the least count %d: it must be 1 or more, and no less than that of shorter sequences", n)
		}
		last = n
	}
	return nil
}

// least is how often a sequence of so many words must occur.
func (s *Settings) least(words int) uint32 {
	if words == 1 || len(s.MinCounts) == 0 {
		return 1
	}
	return uint32(min(s.MinCounts[min(words-2, len(s.MinCounts)-1)], math.MaxUint32))
}

// Trained is a model and what its training found.
type Trained struct {
	*Model
	// Discounts are those of each length.
	Discounts []Discounts
	// Seen are the numbers of different sequences in the text, of which MinCounts may have left out some.
	Seen []int
}

// Train estimates a model. It takes O(Order) time per word, and about 16 bytes of memory for a word and 36 for each different sequence of words
// beside the model's. The text is not changed, but for a backward model turned round while it is counted.
func Train(ctx context.Context, t *Text, set Settings) (*Trained, error) {
	if err := set.check(); err != nil {
		return nil, err
	}
	if set.Backward {
		t.turn()
		defer t.turn()
	}
	levels, err := count(ctx, t, set.Order)
	if err != nil {
		return nil, err
	}
	out := &Trained{}
	var last []float64 // probabilities of the level before
	kept := make([]logs, set.Order)
	for k := range levels {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		l := &levels[k]
		out.Seen = append(out.Seen, len(l.times))
		out.Discounts = append(out.Discounts, discounts(l.before))
		var back *logs
		if k > 0 {
			back = &kept[k-1]
		}
		if last, err = l.estimate(&out.Discounts[k], set.least(k+1), last, &kept[k], back); err != nil {
			return nil, err
		}
	}
	shrink(levels, kept, &set)
	out.Model, err = build(levels, kept)
	if err != nil {
		return nil, err
	}
	out.Model.vocabulary = t.vocabulary
	out.Backward, out.Characters = set.Backward, t.Characters
	return out, nil
}

// turn turns every sentence round.
func (t *Text) turn() {
	from := 0
	for at, w := range t.tokens {
		switch w {
		case begin:
			from = at + 1
		case end:
			for i, j := from, at-1; i < j; i, j = i+1, j-1 {
				t.tokens[i], t.tokens[j] = t.tokens[j], t.tokens[i]
			}
		}
	}
}

// logs are log10 of the probabilities and the backoffs of a level's sequences.
type logs struct{ prob, backoff []float32 }

// estimate finds the probabilities of a level's sequences, and the backoffs of their prefixes, from the probabilities of their suffixes. Sequences that
// occur less often than least are going to be left out: what their counts are goes to the backoff.
func (l *level) estimate(d *Discounts, least uint32, suffixes []float64, own, prefixes *logs) ([]float64, error) {
	n := len(l.times)
	if err := memory.Room(16 * float64(n)); err != nil {
		return nil, err
	}
	probs := make([]float64, n)
	own.prob, own.backoff = make([]float32, n), make([]float32, n)
	for from := 0; from < n; {
		to := n
		if prefixes != nil {
			for to = from + 1; to < n && l.prefix[to] == l.prefix[from]; {
				to++
			}
		}
		sum, left := 0.0, 0.0
		for k := from; k < to; k++ {
			sum += float64(l.before[k])
			left += l.taken(k, d, least)
		}
		gamma := left / sum
		for k := from; k < to; k++ {
			lower := 0.0
			switch {
			case prefixes != nil:
				lower = suffixes[l.suffix[k]]
			case k != begin:
				lower = 1 / float64(n-1)
			}
			probs[k] = (float64(l.before[k])-l.taken(k, d, least))/sum + float64(gamma*lower)
			own.prob[k] = float32(vec.Log10(probs[k]))
		}
		if prefixes != nil {
			prefixes.backoff[l.prefix[from]] = float32(vec.Log10(gamma))
		} else {
			own.prob[begin] = 0 // by convention: it is never predicted
		}
		from = to
	}
	return probs, nil
}

// taken is what goes from a sequence's count to the backoff.
func (l *level) taken(k int, d *Discounts, least uint32) float64 {
	if l.times[k] < least {
		return float64(l.before[k])
	}
	return d.of(l.before[k])
}
