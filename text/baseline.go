package text

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/importance"
	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// drawer draws one sentence from a distribution whose probability it knows.
type drawer struct {
	target *Target
	lists  *Lists
	words  []int32
	here   slot
	none   Hints
	choice []float64
}

// Importance draws sentences word by word from the lists of candidates, and weighs them by the target over the probability with which they are
// drawn. As conditions are not looked at before a sentence ends, few sentences meet hard ones; those that do not have the weight 0. With
// all weights 0 there is no sample, and an error. The mass of the sample is the sum of the target over all sentences.
func Importance(ctx context.Context, t *Target, l *Lists, seed uint64, draws, threads int) (*importance.Sample[Found], error) {
	if err := memory.Room(memory.Product(draws, 128)); err != nil {
		return nil, fmt.Errorf("text: %d weighted sentences: %w", draws, err)
	}
	all, logs := make([]Found, 0, max(draws, 0)), make([]float64, 0, max(draws, 0))
	met := false
	err := drawAll(ctx, t, l, seed, draws, threads, (*drawer).forward, func(f Found, log float64) {
		all, logs = append(all, f), append(logs, log)
		met = met || log > -inf
	})
	if err != nil {
		return nil, err
	}
	if !met {
		return nil, fmt.Errorf("text: none of %d sentences meets the conditions", draws)
	}
	return importance.New(all, logs)
}

// Rejection draws sentences from the language model itself, word by word over the whole vocabulary, and keeps each with the probability e^penalty: what is kept are
// independent draws from the target, often none.
func Rejection(ctx context.Context, t *Target, l *Lists, seed uint64, draws, threads int) ([]Found, error) {
	var kept []Found
	err := drawAll(ctx, t, l, seed, draws, threads, (*drawer).model, func(f Found, log float64) {
		if log > -inf {
			kept = append(kept, f)
		}
	})
	return kept, err
}

const drawsBlock = 1 << 12 // draws between two looks at the context and at memory

// drawAll gives draws to take, in their order.
func drawAll(ctx context.Context, t *Target, l *Lists, seed uint64, draws, threads int, one func(*drawer, *rand.Rand) (log float64, ok bool), take func(f Found, log float64)) error {
	if draws < 1 {
		return fmt.Errorf("text: %d draws; there must be one at least", draws)
	}
	found, logs := make([]Found, min(draws, drawsBlock)), make([]float64, min(draws, drawsBlock))
	for from := 0; from < draws; from += drawsBlock {
		if err := memory.Room(drawsBlock * 4 * float64(t.most)); err != nil {
			return fmt.Errorf("text: %d draws: %w", draws, err)
		}
		n := min(draws-from, drawsBlock)
		fanout.Each(threads, n, func() *drawer { return newDrawer(t, l) }, func(d *drawer, i int) {
			found[i], logs[i] = Found{}, -inf
			if ctx.Err() != nil {
				return
			}
			r := rng.New(seed, "sentence draw", uint64(from+i)).Rand
			if log, ok := one(d, r); ok {
				s := t.NewSentence(d.words)
				found[i], logs[i] = Found{Words: slices.Clone(d.words), Model: s.Model, Penalty: s.Penalty}, log
			}
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for i := range n {
			take(found[i], logs[i])
		}
	}
	return nil
}

func newDrawer(t *Target, l *Lists) *drawer {
	d := &drawer{target: t, lists: l, choice: make([]float64, t.model.Size())}
	d.here = newSlot(l, &d.none)
	return d
}

// forward draws each word from those that follow the one before; a word is the last with the probability that the model ends there, by the pair.
func (d *drawer) forward(r *rand.Rand) (log float64, ok bool) {
	t, last := d.target, d.target.model.begin
	d.words = d.words[:0]
	q := 0.0
	for {
		end := d.ending(last)
		if len(d.words) == t.most || r.Float64() < end {
			if len(d.words) < t.most {
				q += vec.Log(end)
			}
			break
		}
		q += vec.Log1p(-end)
		d.here.follow(last)
		last = d.here.draw(r)
		q += d.here.logProb(last)
		d.words = append(d.words, last)
	}
	if t.penalty(d.words) == -inf {
		return 0, false
	}
	s := t.NewSentence(d.words)
	return s.Score() - q, s.Score() > -inf
}

// ending is the probability of no further word.
func (d *drawer) ending(last int32) float64 {
	const least = 0.01
	words, p := d.lists.after.row(last)
	if at, found := slices.BinarySearch(words, d.target.model.end); found {
		return min(max(p[at], least), 1-least)
	}
	return least
}

// follow makes the candidates those after a word.
func (k *slot) follow(left int32) {
	words, p := k.lists.after.row(left)
	k.words, k.weight = k.words[:0], k.weight[:0]
	for i, w := range words {
		if k.lists.share[w] > 0 {
			k.words, k.weight = append(k.words, w), append(k.weight, p[i])
		}
	}
	k.sum()
	k.mix(floorShare)
}

// model draws each word from the model; a sentence that grows too long, or has a word that no sentence may have, is none.
func (d *drawer) model(r *rand.Rand) (log float64, ok bool) {
	m := d.target.model
	d.words = d.words[:0]
	text := append(make([]int32, 0, d.target.most+2), m.begin)
	for {
		total := 0.0
		for w := range d.choice {
			d.choice[w] = vec.Exp(m.LogProb(text, int32(w)))
			total += d.choice[w]
		}
		w := int32(pick(d.choice, total, r))
		if w == m.end {
			break
		}
		if len(d.words) == d.target.most || !usable(m.Model, w) {
			return 0, false
		}
		d.words, text = append(d.words, w), append(text, w)
	}
	penalty := d.target.penalty(d.words)
	return 0, penalty > -inf && (penalty == 0 || r.Float64() < vec.Exp(penalty))
}
