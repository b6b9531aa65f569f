package main

import (
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/rbm"
)

// unfit names a flag that is not as usual and does nothing for any of the
// methods; "" if there is none. Auto is exact or smc.
func (f *rbmMethodFlags) unfit(usual *rbmMethodFlags, methods []string) string {
	methods = slices.Clone(methods)
	if slices.Contains(methods, string(rbm.Auto)) {
		methods = append(methods, string(rbm.Exact), string(rbm.SMC))
	}
	is := func(names ...rbm.Estimator) bool {
		return slices.ContainsFunc(names, func(n rbm.Estimator) bool { return slices.Contains(methods, string(n)) })
	}
	sums := []string{string(rbm.Auto), string(rbm.Exact), string(rbm.MeanTAP)}
	walks := slices.ContainsFunc(methods, func(m string) bool { return !slices.Contains(sums, m) })
	rounds := is(rbm.RTS, rbm.TS, rbm.MBAR, rbm.SAMS, rbm.SAMC, rbm.TI, rbm.Stepping, rbm.Bridge, rbm.PT, rbmMethodPrior)
	for _, flag := range []struct {
		name        string
		given, fits bool
	}{
		{"--runs", f.Runs != nil, walks || is(rbm.MeanTAP)},
		{"--temperatures", f.Temperatures != nil, walks},
		{"--schedule", f.Schedule != "", walks},
		{"--base", f.Base != usual.Base, walks},
		{"--straight", f.Straight, walks},
		{"--particles", f.Particles != nil, is(rbm.SMC)},
		{"--rounds", f.Rounds != nil, rounds},
		{"--beta-from-prior", f.Prior, is(rbm.RTS)},
		{"--order", f.Order != usual.Order, is(rbm.MeanTAP)},
		{"--damping", f.Damping != usual.Damping, is(rbm.MeanTAP)},
	} {
		if flag.given && !flag.fits {
			return flag.name
		}
	}
	return ""
}

// checkMethods checks the flags of methods.
func (w *rbmWork) checkMethods() error {
	job, f, methods := w.spec.Job, &w.spec.Flags, w.spec.Methods
	usual, err := usualRBMSpec(job, nil)
	if err != nil {
		return err
	}
	if name := f.unfit(&usual.Flags, methods); name != "" {
		return usage("%s: %s does nothing for the %s %s; leave it out", job, name, wording.Word(len(methods), "method", "methods"), strings.Join(methods, ", "))
	}
	switch {
	case f.Temperatures != nil && strings.Contains(f.Schedule, ":"):
		return usage("%s: the pieces of --schedule %s say how many temperatures there are; leave --temperatures out", job, f.Schedule)
	case f.Order < 1 || f.Order > 3:
		return usage("%s: --order %d: it must be 1, 2 or 3", job, f.Order)
	case !(f.Damping >= 0 && f.Damping < 1):
		return usage("%s: --damping %v: it must be from 0 to below 1", job, f.Damping)
	}
	return nil
}
