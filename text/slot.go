package text

import (
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// slot is the distribution from which a word is proposed for a place between others: a mixture of candidates, of hints and of the floor.
// It depends on the words around the place and not on the one in it, so that the way back has the same one.
type slot struct {
	lists *Lists
	hints *Hints

	words  []int32   // candidates, in order
	weight []float64 // of each, not normalised
	total  float64

	candidates, hinted, floor float64 // the shares of the mixture
}

// The shares of hints, where there are any, and of the floor.
const (
	hintShare  = 0.1
	floorShare = 0.02
)

func newSlot(l *Lists, h *Hints) slot {
	return slot{lists: l, hints: h, words: make([]int32, 0, 2*DefaultCandidates), weight: make([]float64, 0, 2*DefaultCandidates)}
}

// look makes the candidates those of the lists between the words left and right, with weights p(w | left) p(right | w) as far as the lists
// know them: the forward probability times the backward one over the word's own.
func (k *slot) look(left, right int32) {
	l := k.lists
	after, pa := l.after.row(left)
	before, pb := l.before.row(right)
	rest, base := l.rest[left], l.base[right]
	k.words, k.weight = k.words[:0], k.weight[:0]
	i, j := 0, 0
	for i < len(after) || j < len(before) {
		switch {
		case j == len(before) || i < len(after) && after[i] < before[j]:
			if right := after[i]; right >= 0 && l.share[right] > 0 {
				k.words, k.weight = append(k.words, after[i]), append(k.weight, float64(pa[i]*base))
			}
			i++
		case i == len(after) || before[j] < after[i]:
			if w := before[j]; l.share[w] > 0 {
				k.words, k.weight = append(k.words, w), append(k.weight, float64(float64(rest*l.share[w])*pb[j]))
			}
			j++
		default:
			if l.share[after[i]] > 0 {
				k.words, k.weight = append(k.words, after[i]), append(k.weight, float64(pa[i]*pb[j]))
			}
			i, j = i+1, j+1
		}
	}
	k.sum()
	k.mix(floorShare)
}

// sum adds the weights up.
func (k *slot) sum() {
	k.total = 0
	for _, x := range k.weight {
		k.total += x
	}
}

// mix sets the shares; those without a word in them go to the floor.
func (k *slot) mix(floor float64) {
	k.hinted, k.floor = 0, floor
	if len(k.hints.words) > 0 {
		k.hinted = hintShare
	}
	k.candidates = 1 - k.hinted - k.floor
	if !(k.total > 0) {
		k.candidates, k.floor = 0, 1-k.hinted
	}
}

// draw proposes a word.
func (k *slot) draw(r *rand.Rand) int32 {
	u := r.Float64()
	switch {
	case u < k.floor || k.floor == 1:
		return int32(k.lists.floor.Draw(r))
	case u < k.floor+k.hinted || k.candidates == 0:
		return k.hints.draw(r)
	}
	left := float64(r.Float64() * k.total)
	last := 0
	for i, x := range k.weight {
		if left -= x; left < 0 {
			return k.words[i]
		}
		if x > 0 {
			last = i
		}
	}
	return k.words[last]
}

// logProb is the logarithm of the probability with which draw gives w.
func (k *slot) logProb(w int32) float64 {
	p := float64(k.floor * k.lists.share[w])
	if k.hinted > 0 && k.hints.has(w) {
		p += k.hinted / float64(len(k.hints.words))
	}
	if k.candidates > 0 {
		if i, found := slices.BinarySearch(k.words, w); found {
			p += float64(k.candidates * (k.weight[i] / k.total))
		}
	}
	return vec.Log(p)
}

// all makes the candidates all words that may be proposed.
func (k *slot) all() {
	k.words, k.weight = k.words[:0], k.weight[:0]
	for w, p := range k.lists.share {
		if p > 0 {
			k.words, k.weight = append(k.words, int32(w)), append(k.weight, p)
		}
	}
}
