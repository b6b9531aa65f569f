package text

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Walk is Metropolis–Hastings over sentences, one change of a [Moves] in a step: a kernel that leaves the density
// π(x)^Beta invariant, π that of its [Target]. Words are proposed as CGMH does (Miao, Zhou, Mou, Yan and Li 2019), from the words that are likely
// between their neighbours, and the probabilities of a proposal and of the way back are those with which they are drawn, so that the
// density is left invariant whatever the lists of candidates are. A chain needs a Walk of its own.
type Walk struct {
	// Beta is the inverse temperature; it may be changed between steps.
	Beta float64
	// Full makes the Gibbs moves look at the whole vocabulary: a draw from the full conditional, always accepted.
	Full bool
	// Counts are the moves of each kind so far, in the order of [MoveNames].
	Counts [moveKinds]Count

	target *Target
	lists  *Lists
	hints  Hints
	moves  [moveKinds]float64 // cumulated shares
	groups *Template          // of the rhymes that Group moves change

	next    Sentence // the proposal
	here    slot
	members []float64 // scratch of Group moves
}

// Count is how often a move was proposed and accepted.
type Count struct{ Proposed, Accepted int64 }

// NewWalk makes a kernel of inverse temperature 1. Hints may be none.
func NewWalk(t *Target, l *Lists, h Hints, m Moves) (*Walk, error) {
	if t == nil || l == nil {
		return nil, errors.New("text: a walk needs a target and lists of candidates")
	}
	if l.model.Size() != t.model.Size() {
		return nil, fmt.Errorf("text: the candidates are of a vocabulary of %d words, and the model has %d", l.model.Size(), t.model.Size())
	}
	k := &Walk{Beta: 1, target: t, lists: l, hints: h}
	k.here = newSlot(l, &k.hints)
	shares, sum := m.shares(), 0.0
	if k.groups = t.rhyming(); k.groups == nil {
		shares[groupMove] = 0
	}
	for i, x := range shares {
		if !(x >= 0) || x > 1e100 {
			return nil, fmt.Errorf("text: the share of the move %s is %v; it must be 0 or more", MoveNames()[i], x)
		}
		sum += x
	}
	if sum == 0 {
		return nil, errors.New("text: no move has a positive share")
	}
	part := 0.0
	for i, x := range shares {
		part += x / sum
		k.moves[i] = part
	}
	k.next.resize(t.most + 1)
	return k, nil
}

// Step proposes one change.
func (k *Walk) Step(s *Sentence, r *rand.Rand) mcmc.Info {
	kind, u := 0, r.Float64()
	for kind < moveKinds-1 && u >= k.moves[kind] {
		kind++
	}
	k.Counts[kind].Proposed++
	ratio, possible := k.propose(kind, s, r)
	if !possible {
		return mcmc.Info{}
	}
	info := mcmc.Info{Evals: 1, AcceptProb: 1}
	if ratio < 0 {
		info.AcceptProb = vec.Exp(ratio)
	}
	if !(ratio >= 0 || r.Float64() < info.AcceptProb) { // NaN is no
		return info
	}
	*s, k.next = k.next, *s
	k.Counts[kind].Accepted++
	info.Accepted = true
	return info
}

// propose makes next the proposal, and gives the logarithm of the ratio by which it is accepted; it is not possible where the
// target is 0 there or the move cannot be made.
func (k *Walk) propose(kind int, s *Sentence, r *rand.Rand) (ratio float64, possible bool) {
	switch kind {
	case insertMove:
		return k.insert(s, r)
	case swapMove:
		return k.swap(s, r)
	case shiftMove:
		return k.shift(s, r)
	}
	n := len(s.text) - 2
	if n == 0 {
		return 0, false
	}
	switch kind {
	case pairMove:
		return k.pair(s, r)
	case groupMove:
		return k.group(s, r)
	}
	at := r.IntN(n)
	if k.target.held(s.Words(), at) {
		return 0, false
	}
	switch kind {
	case deleteMove:
		return k.remove(s, at)
	case gibbsMove:
		return k.gibbs(s, at, r)
	}
	return k.replace(s, at, r)
}

// replace proposes a word for the one at a place.
func (k *Walk) replace(s *Sentence, at int, r *rand.Rand) (ratio float64, possible bool) {
	k.here.look(s.text[at], s.text[at+2])
	w := k.here.draw(r)
	ratio = k.here.logProb(s.text[at+1]) - k.here.logProb(w)
	k.like(s)
	k.next.text[at+1] = w
	return k.ratio(s, ratio, at+1, at+1)
}

// insert puts a word into one of n+1 gaps; the way back removes it, one of n+1 words.
func (k *Walk) insert(s *Sentence, r *rand.Rand) (ratio float64, possible bool) {
	n := len(s.text) - 2
	if n >= k.target.most {
		return 0, false
	}
	at := r.IntN(n + 1)
	k.here.look(s.text[at], s.text[at+1])
	w := k.here.draw(r)
	k.next.spread(s, at+1, 1)
	k.next.text[at+1] = w
	return k.ratio(s, k.odds(deleteMove, insertMove)-k.here.logProb(w), at+1, at+1)
}

// remove takes a word out; the way back inserts it.
func (k *Walk) remove(s *Sentence, at int) (ratio float64, possible bool) {
	n := len(s.text) - 2
	if n <= k.target.least {
		return 0, false
	}
	k.here.look(s.text[at], s.text[at+2])
	k.next.spread(s, at+1, -1)
	return k.ratio(s, k.odds(insertMove, deleteMove)+k.here.logProb(s.text[at+1]), at+1, at)
}

// odds is the logarithm of how much more often one kind of move is proposed than another.
func (k *Walk) odds(a, b int) float64 { return vec.Log(k.portion(a) / k.portion(b)) }

func (k *Walk) portion(kind int) float64 {
	if kind == 0 {
		return k.moves[0]
	}
	return k.moves[kind] - k.moves[kind-1]
}

// swap exchanges two words.
func (k *Walk) swap(s *Sentence, r *rand.Rand) (ratio float64, possible bool) {
	n := len(s.text) - 2
	if n < 2 {
		return 0, false
	}
	i, j := r.IntN(n), r.IntN(n-1)
	if j >= i {
		j++
	}
	if s.text[i+1] == s.text[j+1] {
		return 0, false
	}
	k.like(s)
	k.next.text[i+1], k.next.text[j+1] = s.text[j+1], s.text[i+1]
	return k.ratio(s, 0, min(i, j)+1, max(i, j)+1)
}

// shift takes a word out and puts it into another place.
func (k *Walk) shift(s *Sentence, r *rand.Rand) (ratio float64, possible bool) {
	n := len(s.text) - 2
	if n < 2 {
		return 0, false
	}
	i, j := r.IntN(n), r.IntN(n)
	if i == j {
		return 0, false
	}
	k.like(s)
	w := s.text[i+1]
	if i < j {
		copy(k.next.text[i+1:], s.text[i+2:j+2])
	} else {
		copy(k.next.text[j+2:], s.text[j+1:i+1])
	}
	k.next.text[j+1] = w
	return k.ratio(s, 0, min(i, j)+1, max(i, j)+1)
}

// gibbs draws a word from the target among candidates; the way back has the same ones.
func (k *Walk) gibbs(s *Sentence, at int, r *rand.Rand) (ratio float64, possible bool) {
	k.here.look(s.text[at], s.text[at+2])
	floor := floorShare
	if k.Full {
		k.here.all()
		floor = 0
	}
	k.like(s)
	k.weigh(at + 1)
	k.here.mix(floor)
	if k.Full {
		k.here.candidates, k.here.hinted = 1, 0
	}
	if !(k.here.total > 0) {
		return 0, false
	}
	w := k.here.draw(r)
	ratio = k.here.logProb(s.text[at+1]) - k.here.logProb(w)
	k.next.text[at+1] = w
	return k.ratio(s, ratio, at+1, at+1)
}

// weigh gives each candidate for a place of next the weight of the target with it there.
func (k *Walk) weigh(place int) {
	t, x := k.target, &k.next
	top := -inf
	for i, w := range k.here.words {
		x.text[place] = w
		log := t.penalty(x.Words())
		if log > -inf {
			log += x.part(t.model, place, place+t.model.reach)
		}
		if log > -inf { // at Beta 0 the product would be NaN
			log *= k.Beta
		}
		k.here.weight[i], top = log, max(top, log)
	}
	for i, log := range k.here.weight {
		if k.here.weight[i] = 0; log > -inf {
			k.here.weight[i] = vec.Exp(log - top)
		}
	}
	k.here.sum()
}

// pair replaces two words. On the way back, too, the first of them is proposed where the second is still as it was.
func (k *Walk) pair(s *Sentence, r *rand.Rand) (ratio float64, possible bool) {
	n := len(s.text) - 2
	if n < 2 {
		return 0, false
	}
	i, j := r.IntN(n)+1, r.IntN(n-1)+1
	if j >= i {
		j++
	}
	k.like(s)
	places := [...]int{i, j}
	for _, p := range places {
		k.here.look(k.next.text[p-1], k.next.text[p+1])
		k.next.text[p] = k.here.draw(r)
		ratio -= k.here.logProb(k.next.text[p])
	}
	for q, p := range places {
		left, right := k.partly(s, places[:], q, p-1), k.partly(s, places[:], q, p+1)
		k.here.look(left, right)
		ratio += k.here.logProb(s.text[p])
	}
	return k.ratio(s, ratio, min(i, j), max(i, j))
}

// partly is a word on the way back from next to s, when the first q of the places are as in s again.
func (k *Walk) partly(s *Sentence, places []int, q, at int) int32 {
	for _, p := range places[:q] {
		if p == at {
			return s.text[at]
		}
	}
	return k.next.text[at]
}

// like makes next a copy of the text, with its terms.
func (k *Walk) like(s *Sentence) {
	k.next.spread(s, len(s.text), 0)
}

// ratio completes next, whose words from to last may be other ones than in s, and gives the logarithm of the Metropolis–Hastings ratio.
// The other part of it is that of proposals, the way back over the way there.
func (k *Walk) ratio(s *Sentence, proposals float64, from, last int) (ratio float64, possible bool) {
	x := &k.next
	if x.Penalty = k.target.penalty(x.Words()); x.Penalty == -inf {
		return 0, false
	}
	x.score(k.target.model, from, last+k.target.model.reach)
	if x.Model == -inf {
		return 0, false
	}
	return float64(k.Beta*(x.Score()-s.Score())) + proposals, true
}
