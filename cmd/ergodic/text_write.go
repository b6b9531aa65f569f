package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/progress"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/internal/textreport"
	"github.com/ergodic-mcmc/ergodic/report"
	"github.com/ergodic-mcmc/ergodic/text"
)

const (
	textLinesFile = "sentences.jsonl"
	textState     = "sentences" // in the folder of checkpoints
	textAnneal    = 0.2
	textBest      = 5
	textSteps     = 50_000
	rhatDoubtful  = 1.05 // of the score of sentences, which has few values
)

// write walks all cases in the folder, and shows what was found.
func (w *writing) write() error {
	w.Announce(&w.spec, nil)
	if err := w.Begin(&w.spec, false, map[string]any{"lm": w.spec.LM.Path}); err != nil {
		return err
	}
	ctx, stop := w.Interruptible("saving the state")
	defer stop()
	w.compile = cputime.Process()
	r := &textreport.Result{Model: filepath.Base(w.spec.LM.Path), Vocabulary: w.model.Size(), Order: w.model.Order()}
	find := w.walk
	switch given(w.spec.Walk.Method, "mh") {
	case "importance":
		find = w.weigh
	case "rejection":
		find = w.reject
	}
	err := answered(func() error { return find(ctx, r) })
	switch {
	case job.WasInterrupted(err):
		return w.Ended(nil)
	case err != nil:
		_, none := os.Stat(filepath.Join(w.Dir.Checkpoint(), textState)) // a server may be back later
		return w.Failed(err, none == nil)
	}
	r.CPUS, r.WallS = milli(cputime.Process()-w.compile), milli(time.Since(w.began).Seconds())
	if r.StepsPerS = report.Number(math.NaN()); r.CPUS > 0 {
		r.StepsPerS = report.Number(float64(r.Steps) / r.CPUS)
	}
	return w.finish(r)
}

// settings are those of the chains.
func (w *writing) settings() text.Settings {
	k := &w.spec.Walk
	set := text.Settings{Seed: w.spec.Seed, Chains: given(k.Chains, 0), Steps: given(k.Steps, textSteps), Warmup: given(k.Warmup, 0), Best: given(k.Best, textBest), Samples: given(k.Samples, 0),
		PerWord: given(k.PerWord, false), Temperature: given(k.Temperature, 0), Cold: given(k.Anneal, 0), Replicas: given(k.Replicas, 0), Hottest: given(k.Hottest, 0),
		Threads: cores(w.cmd.Threads), File: filepath.Join(w.Dir.Checkpoint(), textState), Every: w.cmd.Checkpoint, Fingerprint: w.spec.Origin, Resume: w.Resumed}
	if k.Temperature == nil && k.Samples == nil && k.Replicas == nil && k.Anneal == nil {
		set.Cold = textAnneal
	}
	return set
}

// walk finds sentences by chains.
func (w *writing) walk(ctx context.Context, r *textreport.Result) error {
	set := w.settings()
	show := progress.NewCounter(progress.Mode(w.cmd.Progress), os.Stderr, w.Name)
	defer show.Clear()
	set.Progress = func(done, total int64) { show.Show(progress.Count{Done: int(done), Total: int(total), Moves: done}) }
	found, err := text.Run(ctx, w.lists, w.cases, set)
	if err != nil {
		return err
	}
	r.Method = "Metropolis-Hastings"
	switch {
	case given(w.spec.Walk.Method, "mh") == "gibbs":
		r.Method = "Gibbs"
	case set.Cold > 0:
		r.Method = fmt.Sprintf("annealed to temperature %v", set.Cold)
	case set.Replicas > 1:
		r.Method = fmt.Sprintf("parallel tempering of %d replicas", set.Replicas)
	}
	for i := range found {
		c := textreport.NewCase(&w.cases[i], &found[i], set.Samples > 0, w.spell)
		c.Chains = given(w.spec.Walk.Chains, 4)
		r.Cases = append(r.Cases, c)
		r.Steps += found[i].Steps
	}
	return nil
}

// weigh finds sentences by importance sampling.
func (w *writing) weigh(ctx context.Context, r *textreport.Result) error {
	r.Method = "importance sampling"
	for i := range w.cases {
		n := given(w.spec.Walk.Steps, textSteps)
		s, err := text.Importance(ctx, w.cases[i].Target, w.lists, w.spec.Seed+uint64(i), n, cores(w.cmd.Threads))
		if err != nil {
			return err
		}
		c := w.drawn(i, s.Draws(), s.Weights())
		c.ESS = report.Number(s.ESS())
		if text := s.Warning(); text != "" {
			w.doubts = append(w.doubts, report.Warning{Code: "importance", Parameter: c.Name, Value: c.ESS, Message: text})
		}
		r.Cases, r.Steps = append(r.Cases, c), r.Steps+int64(n)
	}
	return nil
}

// reject finds sentences by rejection sampling.
func (w *writing) reject(ctx context.Context, r *textreport.Result) error {
	r.Method = "rejection sampling"
	for i := range w.cases {
		n := given(w.spec.Walk.Steps, textSteps)
		kept, err := text.Rejection(ctx, w.cases[i].Target, w.lists, w.spec.Seed+uint64(i), n, cores(w.cmd.Threads))
		if err != nil {
			return err
		}
		if len(kept) == 0 {
			return fmt.Errorf("none of %d sentences of the model meets the conditions; --method mh needs no such luck", n)
		}
		c := w.drawn(i, kept, nil)
		c.Accept = report.Number(float64(len(kept)) / float64(n))
		r.Cases, r.Steps = append(r.Cases, c), r.Steps+int64(n)
	}
	return nil
}

// drawn is a case of independent draws: the heaviest, or without weights the first, of those that differ.
func (w *writing) drawn(i int, draws []text.Found, weights []float64) *textreport.Case {
	order := make([]int, len(draws))
	for k := range order {
		order[k] = k
	}
	if weights != nil {
		slices.SortStableFunc(order, func(a, b int) int {
			switch {
			case weights[a] > weights[b]:
				return -1
			case weights[a] < weights[b]:
				return 1
			}
			return 0
		})
	}
	best := given(w.spec.Walk.Best, textBest)
	var found text.Result
	var kept []float64
	for _, k := range order {
		same := func(f text.Found) bool { return slices.Equal(f.Words, draws[k].Words) }
		if len(found.Best) < best && (weights == nil || weights[k] > 0) && !slices.ContainsFunc(found.Best, same) {
			found.Best = append(found.Best, draws[k])
			if weights != nil {
				kept = append(kept, weights[k])
			}
		}
	}
	found.Rhat, found.ESS = math.NaN(), math.NaN()
	c := textreport.NewCase(&w.cases[i], &found, false, w.spell)
	for k, x := range kept {
		c.Sentences[k].Weight = report.Number(x)
	}
	return c
}

// finish writes the files and the summary, and shows the sentences.
func (w *writing) finish(r *textreport.Result) error {
	if err := w.Dir.Write(textLinesFile, func(to io.Writer) error { return r.WriteLines(to) }); err != nil {
		return err
	}
	warnings := w.warnings(r)
	s := &rundir.Summary{Ergodic: version, Job: w.Name, Origin: w.spec.Origin, Result: r, Warnings: warnings, Input: rundir.Input{Model: filepath.Base(w.spec.LM.Path), SHA256: w.spec.LM.SHA256}}
	s.Input.Data = slices.Concat(job.Files(w.spec.Cases), job.Files(w.spec.Form), job.Files(w.spec.Tones), job.Files(w.spec.Vectors))
	s.Run = rundir.Run{Seed: w.spec.Seed, Chains: given(w.spec.Walk.Chains, 4), Draws: given(w.spec.Walk.Steps, textSteps), Thin: 1, Threads: cores(w.cmd.Threads), WallS: r.WallS,
		CPUS: rundir.CPU{Compile: milli(w.compile), Sampling: r.CPUS}}
	if err := w.Finish(s, map[string]any{"wall_s": r.WallS, "cpu_s": r.CPUS, "warnings": len(warnings)}); err != nil {
		return err
	}
	var err error
	if w.cmd.JSON {
		err = r.WriteLines(os.Stdout)
	} else {
		err = r.Write(os.Stdout, w.cmd.screen())
	}
	if err != nil {
		return err
	}
	w.Say.Warn(warnings)
	return warned(w.cmd.Strict, len(warnings))
}

// warnings are of chains that have not come together.
func (w *writing) warnings(r *textreport.Result) []report.Warning {
	all := w.doubts
	for _, c := range r.Cases {
		if float64(c.Rhat) > rhatDoubtful {
			of := ""
			if c.Name != "" {
				of = " of " + c.Name
			}
			all = append(all, report.Warning{Code: "sentences", Parameter: "log_prob" + of, Value: c.Rhat,
				Message: fmt.Sprintf("the chains%s disagree on the score of sentences (R-hat %.3f): run more --steps, or --replicas", of, float64(c.Rhat))})
		}
	}
	return all
}
