package main

import (
	"context"
	"errors"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/runner"
	"github.com/ergodic-mcmc/ergodic/text"
	"github.com/ergodic-mcmc/ergodic/text/ngram"
	"github.com/ergodic-mcmc/ergodic/text/remote"
)

// textModelFlags say which language model is used.
type textModelFlags struct {
	LM       string `name:"lm" help:"Language model: a file of text train, one in the ARPA format, gzip or not, or the http address of one on a server." required:"" placeholder:"FILE" json:"lm"`
	Chars    bool   `help:"The words of a model in the ARPA format or on a server are characters; a file of text train says so itself." json:"chars,omitempty"`
	Backward bool   `help:"A model in the ARPA format is of sentences from their last word to their first; a file of text train says so itself." json:"backward,omitempty"`
}

// open opens the model of a file.
func (f *textModelFlags) open(ctx context.Context) (*ngram.Model, error) {
	m, err := ngram.Open(ctx, f.LM)
	if err != nil {
		return nil, err
	}
	m.Characters = m.Characters || f.Chars
	m.Backward = m.Backward || f.Backward
	return m, nil
}

// remoteRetries bridge a server that is put off for some seconds.
const remoteRetries = 4

// openRemote opens a model on a server.
func openRemote(ctx context.Context, address string) (*remote.Model, error) {
	return remote.Open(ctx, address, remote.Settings{Retries: remoteRetries})
}

// textModel is the model that sentences are written by.
type textModel struct {
	text.Model
	characters bool
	close      func() error
}

// answered gives the error of a server that a model was asked on where nothing could return it.
func answered(f func() error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case runner.Failure:
			err = p.Err
		default:
			panic(p)
		}
	}()
	return f()
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
