package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/ldareport"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/report"
)

type ldaSummaryCmd struct {
	Dirs []string `arg:"" name:"dir" help:"Folders of finished trainings."`
	JSON bool     `help:"Print JSON: of several runs, with R-hat of their likelihoods."`
	wideFlag
}

// Run shows what trainings found, and whether several of the same collection came to the same likelihood.
func (c *ldaSummaryCmd) Run() error {
	all := &ldareport.Trainings{}
	for _, dir := range c.Dirs {
		r, summary, err := readLDATraining(dir)
		if err != nil {
			return err
		}
		all.Runs = append(all.Runs, ldareport.Named{Name: dir, Corpus: summary.Input.Data[0].SHA256, Training: r})
	}
	if len(all.Runs) == 1 {
		return c.print(all.Runs[0].Training, all.Runs[0].Training.Write)
	}
	if err := all.Compare(); err != nil {
		return err
	}
	return c.print(all, all.Write)
}

func (c *ldaSummaryCmd) print(result any, write func(io.Writer, report.Screen) error) error {
	if c.JSON {
		return printJSON(result)
	}
	return write(os.Stdout, c.screen())
}

// unfinishedLDA is the error of a run that has no result, or lacks a file of it.
func unfinishedLDA(dir string) error {
	return fmt.Errorf("%s is not finished, or lacks a file that its end writes; go on with\n  ergodic %s --resume %s", dir, ldaTrainJob, job.Quoted(dir))
}

// readLDATraining is the summary in a folder, and the result in it.
func readLDATraining(dir string) (*ldareport.Training, *rundir.Summary, error) {
	f, err := openFolder(dir)
	var head job.Head
	if err != nil && rundir.ReadSpec(dir, &head) == nil && head.Job == ldaTrainJob && !exists(filepath.Join(dir, rundir.SummaryFile)) {
		return nil, nil, unfinishedLDA(dir)
	}
	if err != nil {
		return nil, nil, err
	}
	if f.summary == nil || f.summary.Job != ldaTrainJob || len(f.summary.Input.Data) != 1 {
		return nil, nil, fmt.Errorf("%s is not the folder of a finished %s", dir, ldaTrainJob)
	}
	b, err := json.Marshal(f.summary.Result)
	if err != nil {
		return nil, nil, err
	}
	var r *ldareport.Training
	if err = json.Unmarshal(b, &r); err == nil && r == nil {
		err = errors.New("it is null")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: the result cannot be read: %w", dir, err)
	}
	return r, f.summary, nil
}
