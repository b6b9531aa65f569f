package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

func (s *sampling) finish(c *sampleCmd, res *mcmc.Result, started time.Time) error {
	r, err := draws.Open(filepath.Join(s.dir, "draws.zarr"))
	if err != nil {
		return err
	}
	g, err := r.Read()
	if err != nil {
		return err
	}
	var w diag.Work
	for i, n := range g.Posterior.Names() {
		z := diag.Summarize(g.Posterior.Element(i), &w)
		fmt.Printf("%-20s %12.5g %12.5g %10.3g %8.0f %8.0f %7.4f\n", n, z.Mean, z.SD, z.MCSEMean, z.ESSBulk, z.ESSTail, z.Rhat)
	}
	fmt.Fprintf(os.Stderr, "%.3fs compile %.3fs cpu %+v\n", time.Since(started).Seconds(), s.compiled.Seconds(), res.CPU)
	return nil
}
