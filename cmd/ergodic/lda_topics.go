package main

import (
	"os"

	"github.com/ergodic-mcmc/ergodic/internal/ldareport"
)

type ldaTopicsCmd struct {
	Dir    string   `arg:"" help:"Folder of a finished lda train."`
	Words  int      `help:"Words of a topic." default:"10" placeholder:"N"`
	By     string   `help:"probability: the most frequent words first; relevance: those that other topics have less of, too." enum:"probability,relevance" default:"probability"`
	Lambda *float64 `help:"With --by relevance: its λ, from 0, the words that are the topic's alone, to 1, the most frequent (0.6)." placeholder:"L"`
	JSON   bool     `help:"Print the topics as JSON."`
	wideFlag
}

// relevanceLambda is Sievert and Shirley's (2014) choice, by what readers made of topics.
const relevanceLambda = 0.6

// Run prints the topics of a run.
func (c *ldaTopicsCmd) Run() error {
	lambda := 1.0
	switch {
	case c.Words < 1:
		return usage("lda topics: --words %d: it must be 1 or more", c.Words)
	case c.By == "relevance":
		lambda = given(c.Lambda, relevanceLambda)
	case c.Lambda != nil:
		return usage("lda topics: --lambda needs --by relevance")
	}
	if !(lambda >= 0 && lambda <= 1) {
		return usage("lda topics: --lambda %v: it must be from 0 to 1", lambda)
	}
	f, err := openLDA(c.Dir)
	if err != nil {
		return err
	}
	topics := ldareport.NewTopics(f.model, f.result, c.Words, lambda)
	if c.JSON {
		return printJSON(topics)
	}
	return topics.Write(os.Stdout, c.screen())
}
