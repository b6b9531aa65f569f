package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/text"
)

// makeCases makes a case of the text that is given, or one of each line of the file of cases.
func (w *writing) makeCases(m text.Model) error {
	base, err := w.task(m)
	if err != nil {
		return err
	}
	if len(w.spec.Cases) == 0 {
		return w.addCase(m, base, given(w.spec.Text, ""), "")
	}
	in := w.spec.Cases[0]
	lines, err := caseLines(in.Name, in.Text, w.asked.column)
	if err != nil {
		return err
	}
	for _, line := range lines { // a resumed run knows the file by its path alone, and names its cases the same
		if err := w.addCase(m, base, line.text, wording.At(wording.Brief(filepath.Base(in.Path)), line.number, 0, "")); err != nil {
			return err
		}
	}
	return nil
}

type caseLine struct {
	number int
	text   string
}

// caseLines are the lines of a file of cases that are not empty.
func caseLines(name string, file []byte, column string) (all []caseLine, err error) {
	at, number := 0, 0
	for line := range bytes.Lines(bytes.TrimPrefix(file, []byte("\ufeff"))) {
		number++
		fields := strings.Split(strings.TrimRight(string(line), "\r\n"), "\t")
		if !utf8.Valid(line) {
			return nil, fmt.Errorf("%s", wording.At(wording.Brief(name), number, 0, "the line is not in UTF-8"))
		}
		if i := slices.Index(fields, column); number == 1 && i >= 0 {
			at = i
			continue
		}
		if strings.TrimSpace(string(line)) == "" {
			continue
		}
		if at >= len(fields) || strings.TrimSpace(fields[at]) == "" {
			return nil, fmt.Errorf("%s", wording.At(wording.Brief(name), number, 0, fmt.Sprintf("the column %s is missing", column)))
		}
		all = append(all, caseLine{number, fields[at]})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: there is no case in it", wording.Brief(name))
	}
	return all, nil
}

// task is what all cases have in common.
func (w *writing) task(m text.Model) (t text.Task, err error) {
	s := &w.spec
	t.Keywords, t.Forbidden = w.wordsOf(m, s.Words.Keywords), w.wordsOf(m, s.Words.Forbid)
	for _, f := range []struct {
		flag         string
		given, words []string
	}{{"keywords", s.Words.Keywords, t.Keywords}, {"forbid", s.Words.Forbid, t.Forbidden}} {
		if len(f.given) > 0 && len(f.words) == 0 {
			return t, usage("%s: there is no word in --%s", w.Name, f.flag)
		}
	}
	t.Ordered, t.Soft = given(s.Words.Ordered, false), given(s.Words.Soft, 0)
	if len(s.Tones) > 0 {
		if t.Tones, err = text.ReadTones(s.Tones[0].Name, s.Tones[0].Text); err != nil {
			return t, err
		}
	}
	if len(s.Form) > 0 {
		t.Form = string(s.Form[0].Text)
	}
	if len(s.Vectors) > 0 {
		if t.Vectors, err = text.ReadVectors(s.Vectors[0].Name, bytes.NewReader(s.Vectors[0].Text), m); err != nil {
			return t, err
		}
		t.Similarity = given(s.Source.Similarity, 0.7)
	} else if s.Source.Similarity != nil {
		return t, usage("%s: --similarity needs --vectors", w.Name)
	}
	if given(s.Walk.Method, "mh") == "gibbs" {
		t.Moves, t.Full = text.Moves{Gibbs: 1, Swap: 0.1}, given(s.Walk.Full, false)
	}
	return t, nil
}

// wordsOf are the words of flags as the model spells them.
func (w *writing) wordsOf(m text.Model, flags []string) (words []string) {
	for _, f := range flags {
		words = append(words, text.Tokens(m, f, w.model.characters)...)
	}
	return words
}

// keywordsIn are the fields of a line of keywords, parted by blanks, or by commas as after --keywords.
func keywordsIn(m text.Model, line string) (all []string) {
	for _, field := range strings.Fields(line) {
		if _, ok := m.Number(field); ok {
			all = append(all, field)
			continue
		}
		all = append(all, strings.Split(field, ",")...)
	}
	return all
}

// addCase makes a case of a text: keywords, a sentence or a template.
func (w *writing) addCase(m text.Model, t text.Task, s, name string) error {
	t.Name = strings.TrimSuffix(strings.TrimSpace(name), ":")
	tokens := text.Tokens(m, s, w.model.characters)
	switch w.Name {
	case textGenerateJob:
		t.Keywords = append(slices.Clone(t.Keywords), w.wordsOf(m, keywordsIn(m, s))...)
	case textFillJob:
		t.Form = s
		if w.model.characters {
			t.Form = strings.Join(tokens, " ")
		}
	case textParaphraseJob, textCorrectJob:
		if len(tokens) == 0 {
			return fmt.Errorf("%s: there is no sentence", w.Name)
		}
		t = w.toward(t, tokens)
	}
	if least, most, err := span(w.spec.Length.Length); err == nil && most > 0 {
		t.Least, t.Most = least, most
	}
	c, err := t.Case(m)
	if err != nil {
		return err
	}
	if least, most := c.Target.Lengths(); given(w.spec.Walk.Method, "mh") == "gibbs" && least != most {
		return usage("%s: --method gibbs keeps the length: give --length as one number", w.Name)
	}
	w.cases = append(w.cases, c)
	return nil
}

// toward adds a source to what is asked for.
func (w *writing) toward(t text.Task, source []string) text.Task {
	s := &w.spec
	if w.Name == textCorrectJob {
		c := text.Correct(source)
		t.Source, t.Errors, t.Least, t.Most = c.Source, given(s.Errors, c.Errors), c.Least, c.Most
		return t
	}
	p := text.Paraphrase(source)
	t.Source, t.Least, t.Most = p.Source, p.Least, p.Most
	t.Overlap, t.Floor = given(s.Source.Overlap, p.Overlap), p.Floor
	if t.EditsLeast, t.EditsWeight = p.EditsLeast, p.EditsWeight; s.Source.Edits != nil {
		t.EditsWeight = 0
		t.EditsLeast, t.EditsMost, _ = span(s.Source.Edits) // was read before
		if !strings.Contains(*s.Source.Edits, "..") {
			t.EditsMost = 0
		}
	}
	return t
}

// spell writes words as text: verses in lines, characters without blanks.
func (w *writing) spell(words []int32) string {
	blank := " "
	if w.model.characters {
		blank = ""
	}
	var b strings.Builder
	first := true
	for _, n := range words {
		if w.verses && n == w.model.Begin() {
			b.WriteByte('\n')
			first = true
			continue
		}
		if !first {
			b.WriteString(blank)
		}
		b.WriteString(w.model.Word(n))
		first = false
	}
	return b.String()
}
