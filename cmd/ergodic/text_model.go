package main

import (
	"context"
	"errors"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/text/ngram"
)

// textModelFlags say which language model is used.
type textModelFlags struct {
	LM       string `name:"lm" help:"Language model: a file of text train, or one in the ARPA format, gzip or not." required:"" placeholder:"FILE" json:"lm"`
	Chars    bool   `help:"The words of a model in the ARPA format are characters; a file of text train says so itself." json:"chars,omitempty"`
	Backward bool   `help:"A model in the ARPA format is of sentences from their last word to their first; a file of text train says so itself." json:"backward,omitempty"`
}

// open opens the model.
func (f *textModelFlags) open(ctx context.Context) (*ngram.Model, error) {
	m, err := ngram.Open(ctx, f.LM)
	if err != nil {
		return nil, err
	}
	m.Characters = m.Characters || f.Chars
	m.Backward = m.Backward || f.Backward
	return m, nil
}

// nothingWritten is the error of an interrupted command that leaves nothing behind; other errors stay.
func nothingWritten(err error) error {
	if job.WasInterrupted(err) {
		return job.Exit{Code: job.Interrupted, Err: errors.New("interrupted: nothing is written")}
	}
	return err
}

// interruptible gives a context that Ctrl-C ends.
func interruptible() (ctx context.Context, stop func()) {
	return job.Interruptible(func() { say("stopping; once more kills at once") })
}
