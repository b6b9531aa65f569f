package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/report"
	"github.com/ergodic-mcmc/ergodic/text/ngram"
)

type textPerplexityCmd struct {
	File string `arg:"" help:"A text in UTF-8, gzip or not: a sentence a line, as for text train."`
	textModelFlags
	Out   string `help:"Write what each sentence has to this file." placeholder:"FILE"`
	Force bool   `help:"Overwrite that file."`
	JSON  bool   `help:"Print the result as JSON."`
}

// textPerplexityResult is the result object of text perplexity. The logarithm is natural.
type textPerplexityResult struct {
	Sentences            int           `json:"sentences"`
	Tokens               int           `json:"tokens"` // the ends of sentences among them
	OOV                  int           `json:"oov"`
	LogProb              report.Number `json:"log_prob"`
	Perplexity           report.Number `json:"perplexity"`
	PerplexityWithoutOOV report.Number `json:"perplexity_without_oov"`
}

// Run scores a text.
func (c *textPerplexityCmd) Run() error {
	if c.Out != "" {
		if err := mayWrite(c.Out, c.Force); err != nil {
			return err
		}
	}
	ctx, stop := interruptible()
	defer stop()
	s, err := c.score(ctx)
	if err != nil {
		return nothingWritten(err)
	}
	if s.Sentences == 0 {
		return fmt.Errorf("%s: there is no line", wording.Brief(c.File))
	}
	r := &textPerplexityResult{Sentences: s.Sentences, Tokens: s.Tokens, OOV: s.OOV, LogProb: report.Number(s.LogProb),
		Perplexity: report.Number(s.Perplexity()), PerplexityWithoutOOV: report.Number(s.PerplexityWithoutOOV())}
	if c.JSON {
		return printJSON(r)
	}
	_, err = fmt.Printf("%s, %s with the ends of sentences, %d of them not in the vocabulary\nperplexity %.4f, without what is not in the vocabulary %.4f\n",
		wording.Count(s.Sentences, "sentence", "sentences"), wording.Count(s.Tokens, "token", "tokens"), s.OOV, s.Perplexity(), s.PerplexityWithoutOOV())
	return err
}

func (c *textPerplexityCmd) score(ctx context.Context) (s ngram.Score, err error) {
	m, err := c.open(ctx)
	if err != nil {
		return s, err
	}
	defer m.Close()
	if c.Out == "" {
		return m.ScoreFile(ctx, c.File, nil)
	}
	err = atomicfile.WriteFrom(c.Out, func(to io.Writer) error {
		w := bufio.NewWriter(to)
		fmt.Fprintln(w, "tokens\toov\tlog_prob\tperplexity\ttext")
		if s, err = m.ScoreFile(ctx, c.File, func(text []byte, one ngram.Score) error {
			_, err := fmt.Fprintf(w, "%d\t%d\t%s\t%.6g\t%s\n", one.Tokens, one.OOV, strconv.FormatFloat(one.LogProb, 'g', 9, 64), one.Perplexity(), text)
			return err
		}); err != nil {
			return err
		}
		return w.Flush()
	})
	return s, err
}
