package main

import (
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/rbm"
)

// unfit names a flag that is not as usual and does nothing for any of the methods; "" if there is none.
func (f *rbmMethodFlags) unfit(usual *rbmMethodFlags, methods []rbm.Estimator) string {
	for _, flag := range []struct {
		name, fills string
		given       bool
	}{
		{"--runs", "Runs", f.Runs != nil},
		{"--temperatures", "Temperatures", f.Temperatures != nil},
		{"--schedule", "Schedule", f.Schedule != ""},
		{"--base", "Base", f.Base != usual.Base},
		{"--straight", "Geometric", f.Straight},
		{"--particles", "Particles", f.Particles != nil},
		{"--rounds", "Rounds", f.Rounds != nil},
		{"--beta-from-prior", "FromPrior", f.Prior},
		{"--order", "TAP", f.Order != usual.Order},
		{"--damping", "TAP", f.Damping != usual.Damping},
	} {
		if flag.given && !slices.ContainsFunc(methods, func(e rbm.Estimator) bool { return e.Uses(flag.fills) }) {
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
		var names []string
		for _, m := range methods {
			names = append(names, string(m))
		}
		return usage("%s: %s does nothing for the %s %s; leave it out", job, name, wording.Word(len(methods), "method", "methods"), strings.Join(names, ", "))
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
