package text

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Lists are the candidates that moves propose, made once from a model and shared by all chains: of each word those that follow it most
// probably and those that it follows most probably, with the probabilities of the pairs; and a distribution in which each word has a
// positive probability.
type Lists struct {
	model  Model
	after  lists     // of a word: those that follow it, with p(follower | word)
	before lists     // of a word: those that it follows, with p(word | predecessor)
	rest   []float64 // of a word: the probability of followers that are not in its list
	base   []float64 // of a word: its probability after a word that is not in its list
	share  []float64 // of a word: its probability in floor; 0 of what is never proposed
	floor  *dist.Alias
}

// lists are words in compressed rows, each row in the order of word numbers.
type lists struct {
	from  []int
	words []int32
	p     []float64
}

func (l *lists) row(w int32) (words []int32, p []float64) {
	a, b := l.from[w], l.from[w+1]
	return l.words[a:b], l.p[a:b]
}

const (
	// DefaultCandidates is the most words in each list: those after a word cover three quarters of their probability in English.
	DefaultCandidates = 64
	// allPairs is the largest vocabulary whose pairs are all looked at.
	allPairs = 256
	// evenly is the part of the floor that is the same for all words; the rest is by their own probabilities.
	evenly = 0.1
)

// NewLists makes lists of most words each; 0: [DefaultCandidates]. Pairs come from a [Paired] model, or are all of a small
// vocabulary; otherwise all proposals are from the floor.
func NewLists(m Model, most int) (*Lists, error) {
	if most == 0 {
		most = DefaultCandidates
	}
	n := m.Size()
	if most < 1 || n < 1 {
		return nil, fmt.Errorf("text: lists of %d candidates of %d words; there must be one at least", most, n)
	}
	l := &Lists{model: m, rest: make([]float64, n), base: make([]float64, n)}
	if err := l.makeFloor(); err != nil {
		return nil, err
	}
	pairs, err := l.pairs()
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Or(cmp.Compare(a.first, b.first), -cmp.Compare(a.p, b.p)) })
	l.after = rows(n, most, pairs, func(p pair) (int32, int32) { return p.first, p.second })
	slices.SortStableFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.second, b.second), -cmp.Compare(a.p*l.share[a.first], b.p*l.share[b.first]))
	})
	l.before = rows(n, most, pairs, func(p pair) (int32, int32) { return p.second, p.first })
	l.remainders()
	return l, nil
}

// usable tells whether a word may be proposed.
func usable(m Model, w int32) bool { return w != m.Begin() && w != m.End() && w != m.Unknown() }

// makeFloor finds the words' own probabilities.
func (l *Lists) makeFloor() (err error) {
	m, n := l.model, l.model.Size()
	l.share = make([]float64, n)
	_, paired := m.(Paired)
	words, sum := 0, 0.0
	for w := range int32(n) {
		if !usable(m, w) {
			continue
		}
		words++
		if paired {
			l.share[w] = vec.Exp(m.LogProb(nil, w))
			sum += l.share[w]
		}
	}
	if words == 0 {
		return fmt.Errorf("text: none of the %d words of the model can be in a sentence: all are special", n)
	}
	for w := range int32(n) {
		if !usable(m, w) {
			continue
		}
		own := 1 / float64(words)
		if sum > 0 {
			own = float64(evenly*own) + float64((1-evenly)*(l.share[w]/sum))
		}
		l.share[w] = own
	}
	l.floor, err = dist.NewAlias(l.share)
	return err
}

type pair struct {
	first, second int32
	p             float64
}

// pairs are those of the model with their probabilities, without words that are never beside each other in a sentence.
func (l *Lists) pairs() (all []pair, err error) {
	m := l.model
	add := func(a, b int32) {
		if (usable(m, a) || a == m.Begin()) && b != m.Unknown() { // Begin comes after another word in Verses
			all = append(all, pair{first: a, second: b})
		}
	}
	if p, ok := m.(Paired); ok {
		count := 0
		for range p.Pairs() {
			count++
		}
		if err := memory.Room(48 * float64(count)); err != nil {
			return nil, fmt.Errorf("the candidates of %d pairs of words: %w", count, err)
		}
		all = make([]pair, 0, count)
		for a, b := range p.Pairs() {
			add(a, b)
		}
	} else if m.Size() <= allPairs {
		for a := range int32(m.Size()) {
			for b := range int32(m.Size()) {
				add(a, b)
			}
		}
	}
	var context [1]int32
	for i := range all {
		context[0] = all[i].first
		all[i].p = vec.Exp(m.LogProb(context[:], all[i].second))
	}
	return slices.DeleteFunc(all, func(p pair) bool { return !(p.p > 0) }), nil
}

// rows keeps the first most pairs of each key, in the order of the other word.
func rows(n, most int, sorted []pair, split func(pair) (key, other int32)) lists {
	l := lists{from: make([]int, n+1)}
	at := 0
	for w := range n {
		first := len(l.words)
		for ; at < len(sorted); at++ {
			key, other := split(sorted[at])
			if int(key) != w {
				break
			}
			if len(l.words)-first < most {
				l.words, l.p = append(l.words, other), append(l.p, sorted[at].p)
			}
		}
		sort2(l.words[first:], l.p[first:])
		l.from[w+1] = len(l.words)
	}
	return l
}

// sort2 sorts words, and p with them.
func sort2(words []int32, p []float64) {
	at := make([]int, len(words))
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(a, b int) int { return cmp.Compare(words[a], words[b]) })
	w, q := slices.Clone(words), slices.Clone(p)
	for i, k := range at {
		words[i], p[i] = w[k], q[k]
	}
}

// remainders are the weights of words outside the lists: what a list leaves of the probability after a word, and a part of the
// least in the list before one. Any positive numbers would do.
func (l *Lists) remainders() {
	const least = 1e-4
	for w := range int32(l.model.Size()) {
		sum := 0.0
		_, p := l.after.row(w)
		for _, x := range p {
			sum += x
		}
		l.rest[w] = max(1-sum, least)
		smallest := least
		if _, p := l.before.row(w); len(p) > 0 {
			smallest = slices.Min(p)
		}
		l.base[w] = min(0.1*smallest, least)
	}
}

// Hints are words that one target has use for beside those that the model would expect, such as keywords and the words of a source.
// They have the same probability each.
type Hints struct{ words []int32 }

// NewHints sorts words; special ones are left out.
func NewHints(m Model, words []int32) Hints {
	h := Hints{slices.Compact(slices.Sorted(slices.Values(words)))}
	h.words = slices.DeleteFunc(h.words, func(w int32) bool { return !usable(m, w) })
	return h
}

func (h *Hints) has(w int32) bool {
	_, found := slices.BinarySearch(h.words, w)
	return found
}

func (h *Hints) draw(r *rand.Rand) int32 { return h.words[r.IntN(len(h.words))] }
