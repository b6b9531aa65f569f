package main

import (
	"fmt"
	"os"

	"github.com/ergodic-mcmc/ergodic/report"
)

type compareCmd struct {
	Dirs    []string `arg:"" name:"dir" help:"Folders of two runs or more; parameters are compared with the first's."`
	Monitor string   `help:"Only these: beta,theta[1:3]." placeholder:"NAMES" default:"*"`
	Threads int      `help:"Threads; 0 for all cores."`
	JSON    bool     `help:"Print JSON."`
	wideFlag
}

// Run compares runs: parameters, and where the log likelihood was kept,
// predictions.
func (c *compareCmd) Run() error {
	if len(c.Dirs) < 2 {
		return usage("compare: name two runs or more")
	}
	if err := checkThreads("compare", c.Threads); err != nil {
		return err
	}
	var runs []report.Compared
	for _, dir := range c.Dirs {
		f, err := openFolder(dir)
		if err != nil {
			return err
		}
		r, err := f.posterior()
		if err != nil {
			return err
		}
		j, err := report.SummarizeSelected(r, c.Monitor, c.Threads)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		p, err := report.Predict(r, c.Threads)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		runs = append(runs, report.Compared{Name: dir, Parameters: j.Parameters, Predictive: p})
	}
	cmp, err := report.Compare(runs)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(cmp)
	}
	return cmp.WriteText(os.Stdout, c.screen())
}
