package text

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Task is what a sentence is asked for, in words. [Task.Case] makes it one for chains. The zero value asks for nothing but a sentence.
type Task struct {
	Name string // for errors

	Keywords  []string
	Ordered   bool // keywords in their order
	Forbidden []string
	Form      string // of a [Template]
	Tones     *Tones // for the form; nil: it has none

	// Least and Most are the lengths allowed, in words; 0: as the form or the source has it, or 5 to 15.
	Least, Most int
	// Soft makes keywords and form conditions of this weight, instead of hard ones; 0: they are hard.
	Soft float64

	Source []string // what a paraphrase or a correction begins from
	// Overlap is a share of the source, by information, that the sentence must have; 0: none. See [NewOverlap].
	Overlap float64
	// Floor puts sentences that are at least as probable per word as the source before others. See [Case].
	Floor bool
	// EditsLeast and EditsMost are the words that must differ from the source, and may; 0: any number.
	EditsLeast, EditsMost int
	// EditsWeight is by how much each one more than EditsLeast lowers the log density; 0: not at all.
	EditsWeight float64
	// Vectors and Similarity ask for a similarity with the source, by vectors of words; nil: none. See [NewSimilar].
	Vectors    *Vectors
	Similarity float64
	// Errors, above 0, is the weight of a [Correction] of the source.
	Errors float64

	Moves Moves
	Full  bool
}

// Paraphrase asks for a sentence that keeps the words of a source that carry most of its information and differs from it in one word of seven at least, in more where
// its probability is worth it; those at least as probable per word as the source come first. docs/text.md tells how the numbers were chosen.
func Paraphrase(source []string) Task {
	n := len(source)
	return Task{Source: source, Overlap: 0.75, EditsLeast: max(1, (3*n+10)/20), EditsWeight: 2, Floor: true, Least: max(1, n-max(2, n/4)), Most: n + max(2, n/4)}
}

// Correct asks for the most probable sentence of which the source may be a misspelt or mistaken form.
func Correct(source []string) Task {
	n := len(source)
	return Task{Source: source, Errors: 15, Least: max(1, n-3), Most: n + 3}
}

const usualLeast, usualMost = 5, 15

// Case finds the task's words in the vocabulary and checks that conditions do not exclude each other.
func (t *Task) Case(m Model) (Case, error) {
	c := Case{Name: t.Name, Moves: t.Moves, Full: t.Full}
	b := taskBuilder{task: t, model: m, weight: inf}
	if t.Soft > 0 {
		b.weight = t.Soft
	}
	err := errors.Join(b.words(), b.source())
	if err != nil {
		return c, t.named(err)
	}
	least, most := b.lengths()
	if c.Target, err = NewTarget(m, least, most, b.conditions...); err != nil {
		return c, t.named(err)
	}
	c.Hints = NewHints(m, b.hints)
	if t.Floor {
		source, err := FindAll(m, t.Source)
		if err != nil {
			return c, t.named(err)
		}
		c.Floor, c.Floored = c.Target.NewSentence(source).PerWord(), true
	}
	return c, nil
}

func (t *Task) named(err error) error {
	if t.Name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", t.Name, err)
}

type taskBuilder struct {
	task       *Task
	model      Model
	weight     float64 // of keywords and form
	conditions []Condition
	hints      []int32
	form       *Template
}

func (b *taskBuilder) add(c Constraint, weight float64) {
	b.conditions = append(b.conditions, Condition{c, weight})
}

// words adds the conditions that name words.
func (b *taskBuilder) words() error {
	t := b.task
	keywords, err := FindAll(b.model, t.Keywords)
	if err != nil {
		return err
	}
	forbidden, err := b.refused()
	if err != nil {
		return err
	}
	if len(keywords) > 0 {
		b.add(NewKeywords(b.model, keywords, t.Ordered), b.weight)
		b.hints = append(b.hints, keywords...)
	}
	if len(forbidden) > 0 {
		b.add(NewForbidden(b.model, forbidden), inf)
	}
	if t.Form == "" {
		return nil
	}
	if b.form, err = NewTemplate(b.model, t.Form, t.Tones); err != nil {
		return err
	}
	b.add(b.form, b.weight)
	if b.form.free {
		b.hints = append(b.hints, b.form.needs()...)
	}
	return nil
}

// refused are the forbidden words that the vocabulary has: the others cannot occur.
func (b *taskBuilder) refused() (words []int32, err error) {
	for _, text := range b.task.Forbidden {
		if slices.Contains(b.task.Keywords, text) {
			return nil, fmt.Errorf("text: the keyword %s is forbidden, too", wording.Quote(text))
		}
		if w, ok := b.model.Number(text); ok && usable(b.model, w) {
			words = append(words, w)
		}
	}
	return words, nil
}

// source adds the conditions that compare with a source.
func (b *taskBuilder) source() error {
	t := b.task
	if len(t.Source) == 0 {
		if t.Overlap > 0 || t.EditsLeast > 0 || t.EditsMost > 0 || t.EditsWeight > 0 || t.Floor || t.Errors > 0 || t.Vectors != nil {
			return errors.New("text: overlap, edits, similarity and errors compare with a source, and there is none")
		}
		return nil
	}
	if t.Errors > 0 {
		c, err := NewCorrection(b.model, t.Source)
		if err != nil {
			return err
		}
		b.add(c, t.Errors)
		b.hints = append(b.hints, c.Words()...)
		return nil
	}
	source, err := FindAll(b.model, t.Source)
	if err != nil {
		return err
	}
	b.hints = append(b.hints, source...)
	if t.Overlap > 0 {
		o, err := NewOverlap(b.model, source, t.Overlap)
		if err != nil {
			return err
		}
		b.add(o, inf)
	}
	if t.EditsLeast > 0 || t.EditsMost > 0 {
		most := t.EditsMost
		if most == 0 {
			most = MostWords
		}
		e, err := NewEdits(source, t.EditsLeast, most)
		if err != nil {
			return err
		}
		b.add(e, inf)
	}
	if t.EditsWeight > 0 {
		e, err := NewEdits(source, 0, t.EditsLeast)
		if err != nil {
			return err
		}
		b.add(e, t.EditsWeight)
	}
	if t.Vectors == nil {
		return nil
	}
	s, err := NewSimilar(source, t.Vectors, t.Similarity)
	if err != nil {
		return err
	}
	b.add(s, inf)
	return nil
}

// lengths are those asked for, or the usual ones.
func (b *taskBuilder) lengths() (least, most int) {
	t := b.task
	usualLeast, usualMost := usualLeast, usualMost
	if b.form != nil {
		usualLeast, usualMost = b.form.bounds()
		if b.form.free {
			usualMost = usualLeast + 15
		}
	}
	least, most = t.Least, t.Most
	if most == 0 {
		most = max(usualMost, t.Least)
	}
	if least == 0 {
		least = min(usualLeast, most)
	}
	return least, most
}
