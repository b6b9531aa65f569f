package main

import (
	"strings"

	"github.com/ergodic-mcmc/ergodic/report"
)

// inFlags names the command's flags where a message of a package names the setting that a flag fills.
func inFlags(text string) string {
	return strings.NewReplacer(
		"Settings.Seed", "--seed",
		"Settings.Warmup", "--warmup",
		"Settings.Draws", "--draws",
		"Settings.Resume", "--resume",
		"bugs.Data", "--data",
		"Job.Inits", "--inits",
		"Job.LogLik", "--log-lik",
		"Job.Monitors", "--monitor",
		"plan.Override", "--sampler",
		"labels.Relabel", "ergodic summary --relabel",
		"plan.Tempered", "--sampler tempered",
		"ReadSettings.Normalise", "--normalise",
		"AnalysisSettings.Spectrum", "--spectrum",
		"Analysis.AbsorbFrom", "--from START",
		"Search.Iterations", "--iterations",
		"Search.Inits", "--inits",
		"Search.Starts", "--starts",
		"Binary.Threshold", "--threshold",
		"Binary.Draw", "--draw",
		"PlotRequest.Params", "--params",
		"Text.SkipSpecial", "--skip-special",
		"rundir.Create(path)", "--out",
		"rundir.Create(force)", "--force",
		"rundir.Resume", "--resume",
	).Replace(text)
}

// warningsInFlags is inFlags of their messages.
func warningsInFlags(all []report.Warning) []report.Warning {
	for k := range all {
		all[k].Message = inFlags(all[k].Message)
	}
	return all
}
