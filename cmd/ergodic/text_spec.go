package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/regular"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/report"
	"github.com/ergodic-mcmc/ergodic/text"
	"github.com/ergodic-mcmc/ergodic/text/ngram"
	"github.com/ergodic-mcmc/ergodic/text/remote"
)

// textSpec is what is kept in the run's folder for --resume.
type textSpec struct {
	job.Head
	LM      job.Input       `json:"lm" what:"language model/language models"`
	Cases   []job.Input     `json:"cases" what:"file of cases/files of cases"`
	Form    []job.Input     `json:"form" what:"form/forms"`
	Tones   []job.Input     `json:"tones" what:"table of tones/tables of tones"`
	Vectors []job.Input     `json:"vectors" what:"file of vectors/files of vectors"`
	Text    *string         `json:"text,omitempty" name:"the-text"`
	Chars   *bool           `json:"chars,omitempty"`
	Errors  *float64        `json:"errors,omitempty"`
	Words   textWordFlags   `json:"words"`
	Length  textLengthFlags `json:"length"`
	Source  textSourceFlags `json:"source"`
	Walk    textWalkFlags   `json:"walk"`
}

// writing is the work on sentences, with everything it needs.
type writing struct {
	*job.Run
	cmd   *textRunFlags
	asked textAsked
	began time.Time
	spec  textSpec

	model   textModel
	lists   *text.Lists
	cases   []text.Case
	verses  bool // each sentence is several of the model
	compile float64
	doubts  []report.Warning
}

// open finds what is asked for: from the flags, or from the folder of the run to resume.
func (w *writing) open() error {
	c, a := w.cmd, &w.asked
	now := textSpec{Head: job.Head{Ergodic: version, Job: a.job, Seed: given(c.Seed, 0)}, Chars: c.Chars, Errors: a.errors, Words: a.words, Length: a.length, Source: a.source, Walk: a.walk}
	now.Source.Vectors = ""
	if a.text != "" {
		now.Text = &a.text
	}
	var was textSpec
	if c.Resume != "" {
		if err := w.Reopen(c.Resume, &was); err != nil {
			return err
		}
		now.Head, now.Seed = was.Head, given(c.Seed, was.Seed)
	} else if c.Seed == nil {
		now.Seed = systemSeed()
	}
	if err := now.check(a.job); err != nil {
		return err
	}
	if err := now.read(w, &was); err != nil {
		return err
	}
	if c.Resume != "" {
		if err := w.Same(&was, &now, nil); err != nil {
			return err
		}
		now.Text, now.Chars, now.Errors, now.Words, now.Length, now.Source, now.Walk = was.Text, was.Chars, was.Errors, was.Words, was.Length, was.Source, was.Walk
	}
	w.spec = now
	w.spec.Origin = rundir.Origin(a.job, now.LM.SHA256, job.Files(now.Cases), job.Files(now.Form), job.Files(now.Tones), job.Files(now.Vectors), now.Text, now.Chars, now.Errors,
		now.Words, now.Length, now.Source, now.Walk, now.Seed)
	return nil
}

// read reads the files, or those that the run was started with.
func (s *textSpec) read(w *writing, was *textSpec) (err error) {
	if s.LM, err = w.digested(orGiven(w.cmd.LM, was.LM.Path)); err != nil {
		return err
	}
	for _, f := range []struct {
		what  string
		given string
		was   []job.Input
		to    *[]job.Input
	}{{"file of cases", w.cmd.Cases, was.Cases, &s.Cases}, {"form", w.asked.form, was.Form, &s.Form}, {"table of tones", w.asked.tones, was.Tones, &s.Tones},
		{"file of vectors", w.asked.vectors, was.Vectors, &s.Vectors}} {
		var names []string
		if f.given != "" {
			names = []string{f.given}
		}
		if *f.to, err = job.ReadAgain(f.what, names, f.was); err != nil {
			return err
		}
	}
	return nil
}

// digested identifies the model; one on a server is opened by that.
func (w *writing) digested(lm string) (job.Input, error) {
	if !remote.IsAddress(lm) {
		return digested("language model", lm)
	}
	m, err := openRemote(context.Background(), lm)
	if err != nil {
		return job.Input{}, err
	}
	w.model.Model = m
	return job.Input{Path: lm, Name: lm, SHA256: m.Digest()}, nil
}

// digested is an input that is too large to be held.
func digested(what, name string) (in job.Input, err error) {
	if in.Path, err = filepath.Abs(name); err != nil {
		return in, err
	}
	in.Name = name
	f, err := regular.Open(name)
	if err != nil {
		return in, fmt.Errorf("the %s cannot be read: %w", what, err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return in, fmt.Errorf("the %s %s cannot be read: %w", what, name, err)
	}
	in.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return in, nil
}

var textMethods = []string{"mh", "gibbs", "importance", "rejection"}

// check refuses what is wrong for every model.
func (s *textSpec) check(name string) error {
	k := &s.Walk
	method := given(k.Method, "mh")
	if !slices.Contains(textMethods, method) {
		return usage("%s: --method %s: there are %s", name, wording.Quote(method), strings.Join(textMethods, ", "))
	}
	for _, n := range []struct {
		flag        string
		value       *int
		least, most int
	}{{"chains", k.Chains, 1, 1 << 12}, {"steps", k.Steps, 1, 1 << 40}, {"warmup", k.Warmup, 1, 1 << 40}, {"best", k.Best, 1, 1 << 16}, {"samples", k.Samples, 1, 1 << 20},
		{"replicas", k.Replicas, 1, 1 << 8}, {"candidates", k.Candidates, 1, 1 << 16}} {
		if n.value != nil && (*n.value < n.least || *n.value > n.most) {
			return usage("%s: --%s %d: it must be from %d to %d", name, n.flag, *n.value, n.least, n.most)
		}
	}
	for _, x := range []struct {
		flag  string
		value *float64
		most  float64
	}{{"temperature", k.Temperature, 1e6}, {"anneal", k.Anneal, 1e6}, {"hottest", k.Hottest, 1e6}, {"soft", s.Words.Soft, 1e6}, {"errors", s.Errors, 1e6}, {"overlap", s.Source.Overlap, 1},
		{"similarity", s.Source.Similarity, 1}} {
		if x.value != nil && !(*x.value > 0 && *x.value <= x.most) {
			return usage("%s: --%s %v: it must be more than 0 and at most %v", name, x.flag, *x.value, x.most)
		}
	}
	if (method == "importance" || method == "rejection") && (k.Temperature != nil || k.Anneal != nil || k.Replicas != nil || k.Warmup != nil || k.Samples != nil || k.Chains != nil) {
		return usage("%s: --method %s draws without a chain, at temperature 1; leave --temperature, --anneal, --replicas, --warmup, --samples and --chains out", name, method)
	}
	if k.Full != nil && method != "gibbs" {
		return usage("%s: --full is for --method gibbs", name)
	}
	return s.checkPairs(name)
}

// checkPairs refuses flags that exclude each other.
func (s *textSpec) checkPairs(name string) error {
	k := &s.Walk
	switch {
	case k.Anneal != nil && (k.Samples != nil || k.Replicas != nil):
		return usage("%s: --anneal leads to the best sentences, and --samples and --replicas draw from the target: choose one", name)
	case k.Anneal != nil && *k.Anneal > given(k.Temperature, 1):
		return usage("%s: --anneal %v: the temperature falls from %v, and cannot rise", name, *k.Anneal, given(k.Temperature, 1))
	case k.Hottest != nil && given(k.Replicas, 1) < 2:
		return usage("%s: --hottest is of --replicas 2 or more", name)
	case k.Hottest != nil && *k.Hottest <= given(k.Temperature, 1):
		return usage("%s: --hottest %v: it must be above the temperature, %v", name, *k.Hottest, given(k.Temperature, 1))
	case k.Samples != nil && (k.Best != nil || k.PerWord != nil):
		return usage("%s: --samples shows draws, and --best and --per-word the best sentences: choose one", name)
	case s.Words.Ordered != nil && len(s.Words.Keywords) == 0 && name != textGenerateJob:
		return usage("%s: --ordered is of --keywords", name)
	}
	for _, r := range []struct {
		flag string
		text *string
	}{{"length", s.Length.Length}, {"edits", s.Source.Edits}} {
		if _, _, err := span(r.text); err != nil {
			return usage("%s: --%s %s: %v", name, r.flag, wording.Quote(*r.text), err)
		}
	}
	return nil
}

// span reads 5..12, or 8 for 8..8; nil is 0, 0.
func span(s *string) (least, most int, err error) {
	if s == nil {
		return 0, 0, nil
	}
	a, b, two := strings.Cut(*s, "..")
	least, err = strconv.Atoi(a)
	most = least
	if err == nil && two {
		most, err = strconv.Atoi(b)
	}
	if err != nil || least < 1 || most < least || most > text.MostWords {
		return 0, 0, fmt.Errorf("it must be a number from 1 to %d, or two as in 5..12", text.MostWords)
	}
	return least, most, nil
}

// load opens the model and makes the cases.
func (w *writing) load() (err error) {
	if err := w.openModel(); err != nil {
		return err
	}
	of := w.model.Model
	if len(w.spec.Form) > 0 && bytes.Contains(bytes.TrimSpace(w.spec.Form[0].Text), []byte("\n")) {
		of, w.verses = text.Verses(of), true
	}
	if w.lists, err = text.NewLists(of, given(w.spec.Walk.Candidates, 0)); err != nil {
		return err
	}
	return w.makeCases(of)
}

func (w *writing) openModel() error {
	w.model.characters = given(w.spec.Chars, false)
	if w.model.Model != nil { // on a server
		return nil
	}
	m, err := ngram.Open(context.Background(), w.spec.LM.Path)
	if err != nil {
		return err
	}
	w.model.Model, w.model.close = m, m.Close
	w.model.characters = w.model.characters || m.Characters
	if m.Backward {
		return fmt.Errorf("%s is a model of sentences from their last word to their first; sentences are written by one from first to last", wording.Brief(w.spec.LM.Name))
	}
	return nil
}
