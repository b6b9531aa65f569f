package main

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/lda"
	"github.com/ergodic-mcmc/ergodic/report"
)

type ldaEvaluateCmd struct {
	ldaNewFlags
	Method    string `help:"left-to-right: the probability of each document, in time that grows with the square of its length; completion: that of half of its tokens, drawn at random, given the others." enum:"left-to-right,completion" default:"left-to-right"`
	Runs      int    `help:"Independent estimates for each document; the error comes from how they differ." default:"2"`
	Particles *int   `help:"left-to-right: particles of each run (50)." placeholder:"N"`
	Sweeps    *int   `help:"completion: sweeps of each run's chain (50)." placeholder:"N"`
	BurnIn    *int   `help:"completion: sweeps at the beginning that the average leaves out (10)." placeholder:"N"`
	Out       string `help:"Write the log likelihood of each document to this file." placeholder:"FILE"`
}

const ldaEvaluateJob = "lda evaluate"

// ldaEvaluateResult is the result object of lda evaluate. SE is the Monte Carlo error of the log likelihood per token.
type ldaEvaluateResult struct {
	Method                string        `json:"method"`
	LogLikelihoodPerToken report.Number `json:"log_likelihood_per_token"`
	Perplexity            report.Number `json:"perplexity"`
	SE                    report.Number `json:"se"`
	ldaDocuments
	Scored    int64   `json:"scored"` // tokens
	Runs      int     `json:"runs"`
	Particles int     `json:"particles,omitempty"`
	Sweeps    int     `json:"sweeps,omitempty"`
	BurnIn    int     `json:"burn_in,omitempty"`
	WallS     float64 `json:"wall_s"`
	CPUS      float64 `json:"cpu_s"`
}

// Run estimates how likely new documents are.
func (c *ldaEvaluateCmd) Run() error { return noticed(c.Progress, c.run) }

func (c *ldaEvaluateCmd) run(v *job.Notices) error {
	e, err := c.evaluation()
	if err != nil {
		return err
	}
	n, err := c.open(ldaEvaluateJob, c.Out, v)
	if err != nil {
		return err
	}
	defer n.done()
	if len(n.docs.Tokens) == 0 {
		return fmt.Errorf("%s: no document has a word that the model knows", c.Corpus)
	}
	var h *lda.HeldOut
	err = n.work("evaluating", func(ctx context.Context, threads int, tell func(int, int64)) (err error) {
		e.Seed, e.Threads, e.Progress = n.seed, threads, tell
		h, err = n.model.Evaluate(ctx, n.docs, e)
		return err
	})
	if err != nil {
		return err
	}
	if c.Out != "" {
		if err := writeDocumentScores(c.Out, n, h); err != nil {
			return err
		}
	}
	logp, se := h.PerToken()
	r := &ldaEvaluateResult{Method: c.Method, LogLikelihoodPerToken: report.Number(logp), Perplexity: report.Number(h.Perplexity()), SE: report.Number(se),
		ldaDocuments: n.documents(), Scored: h.Tokens, Runs: e.Runs, Particles: e.Particles, Sweeps: e.Sweeps, BurnIn: e.BurnIn}
	r.WallS, r.CPUS = n.spent()
	if c.JSON {
		return printJSON(r)
	}
	return r.print()
}

// print says it to a person.
func (r *ldaEvaluateResult) print() error {
	scored := ""
	if r.Scored < r.Tokens {
		scored = fmt.Sprintf(" over %d of them", r.Scored)
	}
	within := ""
	if r.Runs > 1 {
		within = fmt.Sprintf(" ± %.4f", float64(r.SE))
	}
	_, err := fmt.Printf("%s\nlog likelihood per token%s %.4f%s, perplexity %.2f, by %s\n",
		&r.ldaDocuments, scored, float64(r.LogLikelihoodPerToken), within, float64(r.Perplexity), r.Method)
	return err
}

// evaluation is what the flags ask for.
func (c *ldaEvaluateCmd) evaluation() (e lda.Evaluation, err error) {
	e = lda.Evaluation{Method: c.Method, Runs: c.Runs}
	for _, f := range []struct {
		flag, method string
		value        *int
	}{{"particles", "left-to-right", c.Particles}, {"sweeps", "completion", c.Sweeps}, {"burn-in", "completion", c.BurnIn}} {
		if f.value != nil && f.method != c.Method {
			return e, usage("%s: --%s is for --method %s, and does nothing for %s; leave it out", ldaEvaluateJob, f.flag, f.method, c.Method)
		}
	}
	if c.Runs < 1 || c.Runs > ldaMost {
		return e, usage("%s: --runs %d: it must be from 1 to %d", ldaEvaluateJob, c.Runs, ldaMost)
	}
	if c.Method == "completion" {
		e.Sweeps, e.BurnIn = given(c.Sweeps, 50), given(c.BurnIn, 10)
		return e, checkSweeps(ldaEvaluateJob, e.Sweeps, e.BurnIn)
	}
	if e.Particles = given(c.Particles, 50); e.Particles < 1 || e.Particles > ldaMost {
		return e, usage("%s: --particles %d: it must be from 1 to %d", ldaEvaluateJob, e.Particles, ldaMost)
	}
	return e, nil
}

// writeDocumentScores writes a line per document. A document without scored tokens has the log likelihood 0.
func writeDocumentScores(file string, n *ldaNew, h *lda.HeldOut) error {
	b := bytes.NewBufferString("document\ttokens\tlog_likelihood\tse\n")
	for d, s := range h.Documents {
		name := strconv.Itoa(d + 1)
		if n.docs.Documents != nil {
			name = n.docs.Documents[d]
		}
		fmt.Fprintf(b, "%s\t%d\t%.8g\t%.3g\n", name, s.Tokens, s.LogP, s.SE)
	}
	return atomicfile.Write(file, b.Bytes(), int64(b.Len()), false)
}
