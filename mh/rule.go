package mh

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Rule is how a proposal x' from x is accepted. Each makes the chain reversible with
// respect to π. The zero value is the one to use: of all rules it accepts most, so that
// means over its chain have the least variance (Peskun, 1973).
type Rule int

const (
	// MetropolisHastings accepts with min(1, h), h = π(x') q(x|x') / (π(x) q(x'|x))
	// (Hastings, 1970).
	MetropolisHastings Rule = iota
	// Barker accepts with h/(1 + h) (Barker, 1965), at least half as often.
	Barker
	// Plain accepts with π(x') q(x|x'), for a discrete target that is normalised: the flow from
	// x to x', π(x) q(x'|x) π(x') q(x|x'), is symmetric. It needs no division, and accepts seldom.
	Plain
)

func (rule Rule) String() string {
	switch rule {
	case MetropolisHastings:
		return "Metropolis–Hastings"
	case Barker:
		return "Barker"
	case Plain:
		return "plain"
	}
	return fmt.Sprintf("mh.Rule(%d)", int(rule))
}

// Ends are the log densities at the ends of a proposed move from x to x'. Where only the
// ratio of the proposal densities is known, Back is its logarithm and There is 0.
type Ends struct {
	From, To    float64 // log π(x), log π(x')
	There, Back float64 // log q(x'|x), log q(x|x')
}

// Prob is the probability of accepting the move. A To that is not finite gives 0, a From
// that is not finite 1 (except under Plain, which does not look at it), NaN anywhere else 0. Under
// Plain the result exceeds 1 if the target or the proposal is not normalised.
func (rule Rule) Prob(e Ends) float64 {
	if !vec.Finite(e.To) {
		return 0
	}
	log := e.To + e.Back
	if rule != Plain {
		if !vec.Finite(e.From) {
			return 1
		}
		log = e.To - e.From + (e.Back - e.There)
	}
	switch {
	case log != log:
		return 0
	case rule == Barker:
		return vec.Ilogit(log)
	case rule == MetropolisHastings && log >= 0:
		return 1
	}
	return vec.Exp(log)
}
