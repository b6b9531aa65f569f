package main

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/lda"
)

type ldaInferCmd struct {
	ldaNewFlags
	Out    string  `help:"Write the shares to this file; default: to standard output." placeholder:"FILE"`
	Least  float64 `help:"Leave out topics with fewer expected tokens in a document." default:"0.5" placeholder:"N"`
	Chains int     `help:"Chains for each document, which are averaged." default:"2"`
	Sweeps int     `help:"Sweeps of each chain." default:"50"`
	BurnIn int     `help:"Sweeps at the beginning that the average leaves out." default:"10"`
}

const ldaInferJob = "lda infer"

// ldaInferResult is the result object of lda infer.
type ldaInferResult struct {
	ldaDocuments
	Topics int     `json:"topics"`
	Chains int     `json:"chains"`
	Sweeps int     `json:"sweeps"`
	BurnIn int     `json:"burn_in"`
	File   string  `json:"file"`
	WallS  float64 `json:"wall_s"`
	CPUS   float64 `json:"cpu_s"`
}

// Run finds the topics of new documents.
func (c *ldaInferCmd) Run() error { return noticed(c.Progress, c.run) }

func (c *ldaInferCmd) run(v *job.Notices) error {
	if err := c.check(); err != nil {
		return err
	}
	n, err := c.open(ldaInferJob, c.Out, v)
	if err != nil {
		return err
	}
	defer n.done()
	var shares *lda.DocumentShares
	err = n.work("inferring", func(ctx context.Context, threads int, tell func(int, int64)) (err error) {
		shares, err = n.model.Infer(ctx, n.docs, lda.Inference{Chains: c.Chains, Sweeps: c.Sweeps, BurnIn: c.BurnIn, Seed: n.seed, Threads: threads, Progress: tell})
		return err
	})
	if err != nil {
		return err
	}
	r := &ldaInferResult{ldaDocuments: n.documents(), Topics: n.model.K(), Chains: c.Chains, Sweeps: c.Sweeps, BurnIn: c.BurnIn, File: c.Out}
	if c.Out == "" {
		v.Note(r.String())
		return shares.Write(os.Stdout, c.Least)
	}
	var b bytes.Buffer
	if err := shares.Write(&b, c.Least); err != nil {
		return err
	}
	if err := atomicfile.Write(c.Out, b.Bytes(), int64(b.Len()), false); err != nil {
		return err
	}
	r.WallS, r.CPUS = n.spent()
	if c.JSON {
		return printJSON(r)
	}
	_, err = fmt.Printf("%s\nseed %d, wrote %s\n", &r.ldaDocuments, r.Seed, c.Out)
	return err
}

// check refuses what is wrong for every model.
func (c *ldaInferCmd) check() error {
	switch {
	case c.JSON && c.Out == "":
		return usage("%s: --json prints what there is to say of all documents, and their shares go to a file; name one with --out", ldaInferJob)
	case c.Chains < 1 || c.Chains > ldaMost:
		return usage("%s: --chains %d: it must be from 1 to %d", ldaInferJob, c.Chains, ldaMost)
	}
	if !(c.Least >= 0) {
		return usage("%s: --least %v: it must be 0 or more", ldaInferJob, c.Least)
	}
	return checkSweeps(ldaInferJob, c.Sweeps, c.BurnIn)
}

// ldaMost bounds what is counted on new documents.
const ldaMost = 1 << 20

func checkSweeps(name string, sweeps, burnIn int) error {
	switch {
	case sweeps < 1 || sweeps > ldaMost:
		return usage("%s: --sweeps %d: it must be from 1 to %d", name, sweeps, ldaMost)
	case burnIn < 0 || burnIn >= sweeps:
		return usage("%s: --burn-in %d: it must be from 0 to below the %d of --sweeps", name, burnIn, sweeps)
	}
	return nil
}
