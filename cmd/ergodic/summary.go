package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/ergodic-mcmc/ergodic/diag/labels"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/latticereport"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/report"
)

type summaryCmd struct {
	Dirs    []string `arg:"" name:"dir" help:"Folders of runs, also unfinished ones, or draws.zarr of any program."`
	Monitor string   `help:"Only these: beta,theta[1:3]." placeholder:"NAMES" default:"*"`
	Relabel []string `help:"Undo label switching first: put each draw's elements of these arrays, and values that are their numbers, in the order nearest the other draws: mu,p,z." placeholder:"NAMES"`
	Threads int      `help:"Threads; 0 for all cores."`
	Strict  bool     `help:"Exit with status 3 when a diagnostic warns."`
	JSON    bool     `help:"Print JSON as in summary.json; of several runs, a list."`
	wideFlag
}

// Run summarises the draws of runs anew.
func (c *summaryCmd) Run() error {
	if err := checkThreads("summary", c.Threads); err != nil {
		return err
	}
	var all []*rundir.Summary
	warnings := 0
	for i, dir := range c.Dirs {
		s, err := c.summarize(dir)
		if err != nil {
			return err
		}
		warnings += len(s.Warnings)
		all = append(all, s)
		if c.JSON {
			continue
		}
		if len(c.Dirs) > 1 {
			head := dir
			if i > 0 {
				head = "\n" + dir
			}
			if _, err := fmt.Println(head); err != nil {
				return err
			}
		}
		if err := printSummary(s, c.screen()); err != nil {
			return err
		}
	}
	if c.JSON {
		var v any = all
		if len(all) == 1 {
			v = all[0]
		}
		if err := printJSON(v); err != nil {
			return err
		}
	}
	return warned(c.Strict, warnings)
}

// summarize is the summary of a folder with parameters and warnings as its draws
// say now.
func (c *summaryCmd) summarize(dir string) (*rundir.Summary, error) {
	f, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	s := f.summary
	if s == nil {
		s = &rundir.Summary{Ergodic: version, Job: f.job}
		s.Run.Chains, s.Run.Draws, s.Run.Thin = f.draws.Chains(draws.Posterior), f.draws.Draws(draws.Posterior), 1
		if s.Run.Draws == 0 {
			return nil, fmt.Errorf("%s: the run has no draws yet; it is at work, or was ended and goes on with\n  ergodic %s --resume %s", dir, f.job, job.Quoted(dir))
		}
		say(fmt.Sprintf("%s: the run is not finished; %s of %s so far", dir,
			wording.Count(s.Run.Draws, "draw", "draws"), wording.Count(s.Run.Chains, "chain", "chains")))
	}
	if f.draws == nil {
		return s, nil
	}
	j, err := c.parameters(f.draws)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	for _, w := range s.Warnings {
		if !report.FromDraws(w.Code) && !(c.Relabel != nil && (w.Code == report.CodeLabels || w.Code == report.CodeSwitching)) {
			j.Warnings = append(j.Warnings, w)
		}
	}
	s.Parameters = j.Parameters
	if !measuresSpins(s.Job) {
		s.Warnings = warningsInFlags(j.Warnings)
	}
	if s.Warnings == nil {
		s.Warnings = []report.Warning{}
	}
	return s, nil
}

// parameters summarises the draws, relabelled if that is asked for.
func (c *summaryCmd) parameters(r *draws.Reader) (report.Summary, error) {
	if c.Relabel == nil {
		return report.SummarizeSelected(r, c.Monitor, c.Threads)
	}
	all, err := r.ReadGroup(draws.Posterior)
	if err != nil {
		return report.Summary{}, err
	}
	var stats *draws.Set
	if r.Has(draws.SampleStats) {
		if stats, err = r.ReadGroup(draws.SampleStats); err != nil {
			return report.Summary{}, err
		}
	}
	set, how, err := labels.Relabel(all, c.Relabel)
	if err != nil {
		return report.Summary{}, fmt.Errorf("--relabel: %w", err)
	}
	text := "elements of " + strings.Join(how.Arrays, ", ")
	if how.Indices != nil {
		text += " and values of " + strings.Join(how.Indices, ", ")
	}
	say(fmt.Sprintf("note: %s are in the order nearest the other draws (Stephens 2000): %d of %d draws were in another; those on disk are as they were", text, how.Moved, how.Draws))
	if set, err = set.Select(c.Monitor); err != nil {
		return report.Summary{}, err
	}
	return report.SummarizeSet(set, stats, c.Threads)
}

// printSummary prints the table, or the result of a job without draws, and
// on standard error the warnings.
func printSummary(s *rundir.Summary, on report.Screen) error {
	if err := printTable(s, on); err != nil {
		return err
	}
	if measuresSpins(s.Job) {
		return report.WriteWarnings(os.Stderr, latticereport.Few(s.Warnings, false), inFlags)
	}
	return report.WriteWarnings(os.Stderr, s.Warnings, inFlags)
}

// printTable prints what printSummary does without the warnings.
func printTable(s *rundir.Summary, on report.Screen) error {
	if len(s.Parameters) > 0 {
		if err := report.WriteTable(os.Stdout, s.Parameters, on); err != nil {
			return err
		}
	}
	if len(s.Criteria) > 0 {
		fmt.Println()
		if err := report.WriteCriteria(os.Stdout, s.Criteria, on); err != nil {
			return err
		}
	}
	if s.Result != nil {
		return printResult(s, on)
	}
	return nil
}

func printJSON(v any) error {
	e := json.NewEncoder(os.Stdout)
	e.SetIndent("", " ")
	return e.Encode(v)
}
