package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/ergodic-mcmc/ergodic/report"
)

type plotCmd struct {
	Dir    string   `arg:"" help:"Folder of a run."`
	Kind   []string `help:"Pictures: trace, density, rank, autocorrelation, forest, pairs; default all." placeholder:"KINDS"`
	Params string   `help:"Only these: beta[*],theta[1:3]; default the first 60 elements." placeholder:"NAMES"`
	Format string   `help:"png or svg." enum:"png,svg" default:"png"`
	Out    string   `help:"Folder for the pictures; default plots in the run's." placeholder:"DIR"`
	JSON   bool     `help:"Print the files as JSON."`
}

// Run draws a run and prints the names of the pictures.
func (c *plotCmd) Run() error {
	request := report.PlotRequest{Params: c.Params, Format: c.Format, Out: c.Out}
	for _, name := range c.Kind {
		kind, err := report.ParseKind(name)
		if err != nil {
			return usage("plot: %w", err)
		}
		request.Kinds = append(request.Kinds, kind)
	}
	f, err := openFolder(c.Dir)
	if err != nil {
		return err
	}
	draw := report.PlotRun
	if isAnneal(f.job) {
		draw = plotAnneal
	} else if _, err := f.posterior(); err != nil {
		return err
	}
	result, err := draw(c.Dir, request)
	for _, note := range result.Notes {
		say("note: " + note)
	}
	if c.JSON && err == nil {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		return e.Encode(result)
	}
	for _, f := range result.Files {
		if _, e := fmt.Println(f); err == nil {
			err = e
		}
	}
	return err
}
