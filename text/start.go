package text

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// starting is a constraint that knows a sentence to begin with; −1 stands for any word.
type starting interface{ skeleton() []int32 }

const (
	startSteps  = 50_000 // most steps until all hard conditions are met
	startWeight = 20     // of a hard condition at first, while it may still be unmet
	startRound  = 2_500  // steps until that is doubled: little may be lacking of a share
	leastTerm   = -50    // of a word that the model excludes, so that a start is found from there
)

// Start finds words for which the target is positive: from those that a template, the keywords or a source give, it walks toward hard
// conditions as if they were soft. The error names the conditions that it could not meet.
func (t *Target) Start(l *Lists, h Hints, r *rand.Rand) ([]int32, error) {
	relaxed := &Target{model: newScorer(floored{t.model.Model}, t.most), least: t.least, most: t.most}
	for _, c := range t.conditions {
		if c.hard() {
			c.Weight = startWeight
		}
		relaxed.conditions = append(relaxed.conditions, c)
	}
	words := relaxed.fit(t.begin(l, r), l, h, r)
	moves := Moves{Replace: 1, Swap: 0.3, Shift: 0.3, Gibbs: 0.05, Pair: 0.3, Group: 0.3}
	if t.least < t.most {
		moves.Insert, moves.Delete = 0.5, 0.5
	}
	k, err := NewWalk(relaxed, l, h, moves)
	if err != nil {
		return nil, err
	}
	s := relaxed.NewSentence(words)
	for i := range startSteps {
		if t.positive(s) {
			return slices.Clone(s.Words()), nil
		}
		if i%startRound == startRound-1 {
			relaxed.harden(t)
			s.Penalty = relaxed.penalty(s.Words())
		}
		k.Step(s, r)
	}
	if names := t.unmet(s.Words()); len(names) > 0 {
		return nil, fmt.Errorf("text: no sentence was found that meets %s, together with the other conditions; ask for less", strings.Join(names, " and "))
	}
	return nil, fmt.Errorf("text: no sentence was found that meets all conditions and that the model does not exclude; ask for less")
}

// harden doubles the weights of what is hard in t.
func (t *Target) harden(of *Target) {
	for i, c := range of.conditions {
		if c.hard() {
			t.conditions[i].Weight *= 2
		}
	}
}

// positive tells whether the target is.
func (t *Target) positive(s *Sentence) bool {
	return t.penalty(s.Words()) > -inf && t.NewSentence(s.Words()).Model > -inf
}

// begin is the longest list of words that a condition gives, a hard template's before all; blanks are filled at random.
func (t *Target) begin(l *Lists, r *rand.Rand) (words []int32) {
	for _, c := range t.conditions {
		s, ok := c.Constraint.(starting)
		if !ok {
			continue
		}
		if p, ok := c.Constraint.(*Template); ok && c.hard() {
			words = p.skeleton()
			break
		}
		if given := s.skeleton(); len(given) > len(words) {
			words = given
		}
	}
	words = slices.Clone(words)
	for i, w := range words {
		if w < 0 {
			words[i] = int32(l.floor.Draw(r))
		}
	}
	return words
}

// fit brings the words to a length that the target allows.
func (t *Target) fit(words []int32, l *Lists, h Hints, r *rand.Rand) []int32 {
	k := newSlot(l, &h)
	for len(words) > t.most {
		at := r.IntN(len(words))
		words = slices.Delete(words, at, at+1)
	}
	for len(words) < t.least {
		at := r.IntN(len(words) + 1)
		left, right := t.model.begin, t.model.end
		if at > 0 {
			left = words[at-1]
		}
		if at < len(words) {
			right = words[at]
		}
		k.look(left, right)
		words = slices.Insert(words, at, k.draw(r))
	}
	return words
}

// floored is a model that excludes no word.
type floored struct{ Model }

func (f floored) LogProb(context []int32, word int32) float64 {
	return max(f.Model.LogProb(context, word), leastTerm)
}
