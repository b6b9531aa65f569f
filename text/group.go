package text

import (
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// group gives the words of a rhyme another class of rhymes: the class is drawn evenly, then a word of it for each place, by its weight between
// its neighbours. A word may be in several classes, so that probabilities are sums over the classes that all words are in.
func (k *Walk) group(s *Sentence, r *rand.Rand) (ratio float64, possible bool) {
	g := &k.groups.groups[r.IntN(len(k.groups.groups))]
	if len(s.text)-2 != len(k.groups.parts) {
		return 0, false
	}
	k.like(s)
	c := &g.classes[r.IntN(len(g.classes))]
	for i, place := range g.places {
		total := k.rhymes(c.members[i], k.next.text[place], k.next.text[place+2])
		if !(total > 0) {
			return 0, false
		}
		k.next.text[place+1] = c.members[i][pick(k.members, total, r)]
	}
	there, back := 0.0, 0.0
	for i := range g.classes {
		there += k.rhymeProb(g, &g.classes[i], s, true)
		back += k.rhymeProb(g, &g.classes[i], s, false)
	}
	return k.ratio(s, vec.Log(back)-vec.Log(there), slices.Min(g.places)+1, slices.Max(g.places)+1)
}

// rhymeProb is the probability, given a class, of the words of next where those of s are replaced one after the other, or of those of s
// on the way back.
func (k *Walk) rhymeProb(g *group, c *class, s *Sentence, there bool) float64 {
	from, to := s.text, k.next.text
	if !there {
		from, to = to, from
	}
	for i, place := range g.places {
		if _, found := slices.BinarySearch(c.members[i], to[place+1]); !found {
			return 0
		}
	}
	p := 1.0
	for i, place := range g.places {
		left, right := to[place], to[place+2]
		for _, later := range g.places[i+1:] {
			switch later + 1 {
			case place:
				left = from[place]
			case place + 2:
				right = from[place+2]
			}
		}
		total := k.rhymes(c.members[i], left, right)
		at, _ := slices.BinarySearch(c.members[i], to[place+1])
		p *= k.members[at] / total
	}
	return p
}

// rhymes fills members with the weights of words between two others, and sums them.
func (k *Walk) rhymes(words []int32, left, right int32) (total float64) {
	k.members = k.members[:0]
	after, pa := k.lists.after.row(left)
	before, pb := k.lists.before.row(right)
	for _, w := range words {
		forward, backward := float64(k.lists.rest[left]*k.lists.share[w]), k.lists.base[right]
		if i, found := slices.BinarySearch(after, w); found {
			forward = pa[i]
		}
		if i, found := slices.BinarySearch(before, w); found {
			backward = pb[i]
		}
		x := float64(forward * backward)
		k.members = append(k.members, x)
		total += x
	}
	return total
}

// pick draws an index in proportion to weights.
func pick(weights []float64, total float64, r *rand.Rand) (at int) {
	left := float64(r.Float64() * total)
	for i, x := range weights {
		if x > 0 {
			at = i
		}
		if left -= x; left < 0 {
			break
		}
	}
	return at
}
