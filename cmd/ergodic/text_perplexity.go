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
	"github.com/ergodic-mcmc/ergodic/text/remote"
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
	score, done, err := c.scorer(ctx)
	if err != nil {
		return s, err
	}
	defer done()
	if c.Out == "" {
		return score(nil)
	}
	err = atomicfile.WriteFrom(c.Out, func(to io.Writer) error {
		w := bufio.NewWriter(to)
		fmt.Fprintln(w, "tokens\toov\tlog_prob\tperplexity\ttext")
		if s, err = score(func(text []byte, one ngram.Score) error {
			_, err := fmt.Fprintf(w, "%d\t%d\t%s\t%.6g\t%s\n", one.Tokens, one.OOV, strconv.FormatFloat(one.LogProb, 'g', 9, 64), one.Perplexity(), text)
			return err
		}); err != nil {
			return err
		}
		return w.Flush()
	})
	return s, err
}

// scorer opens the model. What it gives scores the text, and is done with by done.
func (c *textPerplexityCmd) scorer(ctx context.Context) (score func(each func(text []byte, one ngram.Score) error) (ngram.Score, error), done func() error, err error) {
	if remote.IsAddress(c.LM) {
		if c.Backward {
			return nil, nil, usage("text perplexity: --backward is for a model in a file")
		}
		m, err := openRemote(ctx, c.LM)
		if err != nil {
			return nil, nil, err
		}
		return func(each func([]byte, ngram.Score) error) (ngram.Score, error) {
			return m.ScoreFile(ctx, c.File, c.Chars, each)
		}, func() error { return nil }, nil
	}
	m, err := c.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	return func(each func([]byte, ngram.Score) error) (ngram.Score, error) { return m.ScoreFile(ctx, c.File, each) }, m.Close, nil
}
