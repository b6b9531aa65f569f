package text

import (
	"errors"
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Constraint is a condition on a sentence. It is not changed by its use, and may be used by several goroutines.
type Constraint interface {
	// Lacking is how far the words are from meeting the condition, 0 where they do.
	Lacking(words []int32) float64
	// String says what is asked for: it follows "the condition" in messages.
	String() string
}

// Holder is a constraint that knows words that no replacement may change; a kernel then need not propose one. It must hold
// no word whose replacement by another would leave the condition met.
type Holder interface {
	Holds(words []int32, at int) bool
}

// Condition is a constraint with its weight: a sentence that lacks x has its log density lowered by Weight x. Where Weight is +Inf, the
// condition is hard, and the density of a sentence that does not meet it is 0.
type Condition struct {
	Constraint
	Weight float64
}

// Hard is the condition that must be met.
func Hard(c Constraint) Condition { return Condition{c, inf} }

func (c Condition) hard() bool { return math.IsInf(c.Weight, 1) }

// MostWords is the most words that a sentence may have.
const MostWords = 250

// Target is the distribution of sentences of Least to Most words whose density is that of the model times e^penalty:
// log π(x) = log p(x) − Σ Weight Lacking(x) + constant, 0 where a hard condition is not met. Special words are never inserted.
type Target struct {
	model       *scorer
	conditions  []Condition // hard ones first
	least, most int
}

// NewTarget checks that lengths, weights and conditions do not exclude each other from the beginning.
func NewTarget(m Model, least, most int, conditions ...Condition) (*Target, error) {
	switch {
	case m == nil:
		return nil, errors.New("text: a target needs a language model")
	case least < 0 || most < least || most > MostWords:
		return nil, fmt.Errorf("text: a length from %d to %d words; it must be from 0 to %d, and the first not more than the second", least, most, MostWords)
	}
	t := &Target{model: newScorer(m, most), least: least, most: most}
	for _, hard := range []bool{true, false} {
		for _, c := range conditions {
			if !(c.Weight >= 0) {
				return nil, fmt.Errorf("text: the condition %s has the weight %v; it must be 0 or more", c, c.Weight)
			}
			if c.hard() == hard {
				t.conditions = append(t.conditions, c)
			}
		}
	}
	return t, t.possible()
}

// Model is the language model.
func (t *Target) Model() Model { return t.model.Model }

// Lengths are the fewest and the most words.
func (t *Target) Lengths() (least, most int) { return t.least, t.most }

// Conditions are all of them, hard ones first.
func (t *Target) Conditions() []Condition { return t.conditions }

// NewSentence is a state with these words, which are copied. Its Penalty is −Inf where the target is 0.
func (t *Target) NewSentence(words []int32) *Sentence {
	s := new(Sentence)
	s.resize(max(t.most, len(words)))
	s.set(t.model, words)
	s.Penalty = t.penalty(s.Words())
	return s
}

// penalty is what conditions add to the log density.
func (t *Target) penalty(words []int32) float64 {
	if len(words) < t.least || len(words) > t.most {
		return -inf
	}
	sum := 0.0
	for i := range t.conditions {
		c := &t.conditions[i]
		lack := c.Lacking(words)
		if !(lack > 0) {
			continue
		}
		if c.hard() {
			return -inf
		}
		sum -= float64(c.Weight * lack)
	}
	return sum
}

// Met counts the conditions, and those of them that the words meet. A distance from a source to be corrected is none, as only the source itself would meet it.
func (t *Target) Met(words []int32) (met, of int) {
	for _, c := range t.conditions {
		if _, distance := c.Constraint.(*Correction); distance {
			continue
		}
		of++
		if !(c.Lacking(words) > 0) {
			met++
		}
	}
	return met, of
}

// held tells whether no replacement of a word can meet the hard conditions.
func (t *Target) held(words []int32, at int) bool {
	for i := range t.conditions {
		c := &t.conditions[i]
		if !c.hard() {
			return false // those that follow are soft
		}
		if h, ok := c.Constraint.(Holder); ok && h.Holds(words, at) {
			return true
		}
	}
	return false
}

// unmet names the hard conditions that the words do not meet.
func (t *Target) unmet(words []int32) (names []string) {
	if n := len(words); n < t.least || n > t.most {
		names = append(names, fmt.Sprintf("length from %d to %d", t.least, t.most))
	}
	for _, c := range t.conditions {
		if c.hard() && c.Lacking(words) > 0 {
			names = append(names, c.String())
		}
	}
	return names
}

// possible finds hard conditions that no sentence meets, of those that can be seen without a search.
func (t *Target) possible() error {
	for _, c := range t.conditions {
		if !c.hard() {
			break
		}
		b, ok := c.Constraint.(bounded)
		if !ok {
			continue
		}
		least, most := b.bounds()
		if least > t.most {
			return fmt.Errorf("text: the condition %s needs %s, and the sentence may have %d at most", c, wording.Count(least, "word", "words"), t.most)
		}
		if most < t.least {
			return fmt.Errorf("text: the condition %s leaves room for %s, and the sentence must have %d at least", c, wording.Count(most, "word", "words"), t.least)
		}
		if err := t.excluded(c); err != nil {
			return err
		}
	}
	return nil
}

// bounded is a constraint that only sentences of some lengths meet.
type bounded interface{ bounds() (least, most int) }

// needing is a constraint that needs words to be in the sentence.
type needing interface{ needs() []int32 }

// allowing is a constraint that can tell of words whether they may all be in one sentence; the error says why they may not.
type allowing interface {
	allows(words []int32) (refused int32, ok bool)
}

// excluded finds words that one condition needs and another one refuses.
func (t *Target) excluded(c Condition) error {
	n, ok := c.Constraint.(needing)
	if !ok {
		return nil
	}
	for _, other := range t.conditions {
		a, ok := other.Constraint.(allowing)
		if !ok || !other.hard() {
			continue
		}
		if w, ok := a.allows(n.needs()); !ok {
			return fmt.Errorf("text: the condition %s and the condition %s exclude each other: %s has no place", c, other, wording.Quote(t.model.Word(w)))
		}
	}
	return nil
}
