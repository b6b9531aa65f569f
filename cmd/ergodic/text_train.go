package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/report"
	"github.com/ergodic-mcmc/ergodic/text/ngram"
)

type textTrainCmd struct {
	Files       []string `arg:"" name:"file" help:"Texts in UTF-8, gzip or not: a sentence a line, its words parted by white space."`
	Order       int      `help:"Words of the longest sequences: a word depends on one word less before it (3)." default:"3" placeholder:"N"`
	Out         string   `help:"The model's file, which is mapped into memory when it is used." placeholder:"FILE"`
	ARPA        string   `name:"arpa" help:"Write the model in the ARPA format too; .gz compresses it." placeholder:"FILE"`
	Backward    bool     `help:"A model of sentences from their last word to their first."`
	Chars       bool     `help:"Every Unicode character is a word, as in Chinese verse."`
	Quantise    int      `help:"Bits of a logarithm: 8 stands for one of 256 values of its length; 0 for a float32." default:"0" placeholder:"BITS"`
	MinCount    []int    `help:"Leave out sequences that occur less often: one number for each length from two words on, the last for all longer ones." placeholder:"N"`
	SkipSpecial bool     `help:"Take <unk>, <s> and </s> in the text as white space; otherwise they are an error."`
	Force       bool     `help:"Overwrite files."`
	JSON        bool     `help:"Print the result as JSON."`
	wideFlag
}

const textTrainJob = "text train"

// textTrainResult is the result object of text train.
type textTrainResult struct {
	Order         int           `json:"order"`
	Backward      bool          `json:"backward"`
	Chars         bool          `json:"chars"`
	Sentences     int           `json:"sentences"`
	Tokens        int           `json:"tokens"` // words, without the ends of sentences
	Vocabulary    int           `json:"vocabulary"`
	Counts        []int         `json:"counts"`
	Seen          []int         `json:"seen"`
	Discounts     [][3]float64  `json:"discounts"`
	TokensPerCPUS report.Number `json:"tokens_per_cpu_s"`
	WallS         float64       `json:"wall_s"`
	CPUS          float64       `json:"cpu_s"`
	files         []string
	fallback      []ngram.Discounts
}

// check validates the flags, before the work is done.
func (c *textTrainCmd) check() error {
	switch {
	case c.Out == "" && c.ARPA == "":
		return usage("%s: the model goes to a file: give --out FILE, --arpa FILE or both", textTrainJob)
	case c.Out == c.ARPA:
		return usage("%s: --out and --arpa name the same file", textTrainJob)
	case c.Order < 1 || c.Order > ngram.MostOrder:
		return usage("%s: --order %d: it must be from 1 to %d", textTrainJob, c.Order, ngram.MostOrder)
	case c.Quantise != 0 && c.Quantise != 8:
		return usage("%s: --quantise %d: it must be 8, or 0 for float32", textTrainJob, c.Quantise)
	case len(c.MinCount) > max(c.Order-1, 0):
		return usage("%s: --min-count has %s, and there are sequences of %s in a model of --order %d", textTrainJob, wording.Count(len(c.MinCount), "number", "numbers"), lengths(c.Order), c.Order)
	}
	last := 1
	for _, n := range c.MinCount {
		if n < last {
			return usage("%s: --min-count %d: it must be 1 or more, and no less than that of shorter sequences", textTrainJob, n)
		}
		last = n
	}
	for _, path := range []string{c.Out, c.ARPA} {
		if path == "" {
			continue
		}
		if err := mayWrite(path, c.Force); err != nil {
			return err
		}
	}
	return nil
}

// lengths lists those to which --min-count applies.
func lengths(order int) string {
	switch order {
	case 1:
		return "no more than one word"
	case 2:
		return "two words"
	}
	return fmt.Sprintf("2 to %d words", order)
}

// Run trains a model.
func (c *textTrainCmd) Run() error {
	if err := c.check(); err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	r, err := c.train(ctx)
	if err != nil {
		return nothingWritten(err)
	}
	for k, d := range r.fallback {
		if d.Fallback {
			say(fmt.Sprintf("warning: the text is too small to give discounts for sequences of %s; 0.5, 1 and 1.5 are used", wording.Count(k+1, "word", "words")))
		}
	}
	if c.JSON {
		return printJSON(r)
	}
	return r.write(c.screen())
}

func (c *textTrainCmd) train(ctx context.Context) (*textTrainResult, error) {
	began := time.Now()
	text := ngram.NewText()
	text.Characters, text.SkipSpecial = c.Chars, c.SkipSpecial
	for _, path := range c.Files {
		if err := text.ReadFile(ctx, path); err != nil {
			return nil, err
		}
	}
	if text.Sentences() == 0 {
		return nil, fmt.Errorf("%s: there is no line to train on", wording.Few(c.Files, 3))
	}
	t, err := ngram.Train(ctx, text, ngram.Settings{Order: c.Order, Backward: c.Backward, MinCounts: c.MinCount})
	if err != nil {
		return nil, err
	}
	m := t.Model
	if c.Quantise > 0 {
		if m, err = m.Quantise(); err != nil {
			return nil, err
		}
	}
	r := &textTrainResult{Order: c.Order, Backward: c.Backward, Chars: c.Chars, Sentences: text.Sentences(), Tokens: text.Tokens(), Vocabulary: m.Size(),
		Counts: m.Counts(), Seen: t.Seen, fallback: t.Discounts}
	for _, d := range t.Discounts {
		r.Discounts = append(r.Discounts, d.D)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := c.save(m, r); err != nil {
		return nil, err
	}
	r.WallS, r.CPUS = time.Since(began).Seconds(), cputime.Process()
	r.TokensPerCPUS = report.Number(float64(r.Tokens) / r.CPUS)
	return r, nil
}

func (c *textTrainCmd) save(m *ngram.Model, r *textTrainResult) error {
	if c.ARPA != "" {
		if err := m.WriteARPA(c.ARPA); err != nil {
			return err
		}
		r.files = append(r.files, c.ARPA)
	}
	if c.Out != "" {
		if err := m.Write(c.Out); err != nil {
			return err
		}
		r.files = append(r.files, c.Out)
	}
	return nil
}

// write says it to a person.
func (r *textTrainResult) write(on report.Screen) error {
	fmt.Printf("%s, %s, a vocabulary of %d\n", wording.Count(r.Sentences, "sentence", "sentences"), wording.Count(r.Tokens, "word", "words"), r.Vocabulary)
	t := report.Table{Rows: [][]string{{"words", "seen", "kept", "D1", "D2", "D3+"}}}
	for k, n := range r.Counts {
		line := []string{strconv.Itoa(k + 1), strconv.Itoa(r.Seen[k]), strconv.Itoa(n)}
		for _, d := range r.Discounts[k] {
			line = append(line, strconv.FormatFloat(d, 'f', 4, 64))
		}
		t.Rows = append(t.Rows, line)
	}
	if err := t.Write(os.Stdout, on); err != nil {
		return err
	}
	for _, path := range r.files {
		if _, err := fmt.Printf("wrote %s\n", path); err != nil {
			return err
		}
	}
	return nil
}
