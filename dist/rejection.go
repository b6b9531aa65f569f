package dist

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Rejection draws independently from a density p known up to a constant, by von Neumann's (1951) method: a proposal x
// from a density q is taken with probability p(x)/(M q(x)), where M bounds p/q. States are of any kind.
type Rejection[S any] struct {
	// MaxTries is how many proposals in a row may be rejected before Draw gives up; 0: a million.
	MaxTries int

	propose      func(r *rand.Rand) S
	logP, logQ   func(x S) float64 // logQ is nil where p/q is what logP gives
	logM         float64
	tried, taken int
}

// NewRejection is the sampler with proposals from propose, whose log density is logQ, for the density exp(logP)/Z. The
// bound is logM, with logP(x) ≤ logM + logQ(x) for all x; where it does not hold, draws would be wrong, and Draw refuses.
func NewRejection[S any](propose func(r *rand.Rand) S, logP, logQ func(x S) float64, logM float64) (*Rejection[S], error) {
	if propose == nil || logP == nil || logQ == nil {
		return nil, errors.New("dist: rejection needs a proposal, its log density and that of the target; give all three")
	}
	return newRejection(propose, logP, logQ, logM)
}

// NewPosterior draws from a posterior by rejection from its prior: p/q is then the likelihood, and the bound its maximum,
// or anything above. Report's LogMass is the log of the evidence.
func NewPosterior[S any](prior func(r *rand.Rand) S, logLikelihood func(x S) float64, maxLogLikelihood float64) (*Rejection[S], error) {
	if prior == nil || logLikelihood == nil {
		return nil, errors.New("dist: rejection from a prior needs draws of the prior and a log likelihood; give both")
	}
	return newRejection(prior, logLikelihood, nil, maxLogLikelihood)
}

func newRejection[S any](propose func(r *rand.Rand) S, logP, logQ func(x S) float64, logM float64) (*Rejection[S], error) {
	if !finite(logM) {
		return nil, fmt.Errorf("dist: the log of the bound of rejection is %v; it must be a finite number", logM)
	}
	return &Rejection[S]{propose: propose, logP: logP, logQ: logQ, logM: logM}, nil
}

// Draw is one draw: the value of propose that was taken. It is an error that a proposal x breaks the bound, p(x) >
// M q(x) by more than rounding, or has log densities that are NaN or +Inf, or a density 0 under q; and that MaxTries
// proposals are rejected. The draws before are then from the smaller of p and M q, normalised.
func (j *Rejection[S]) Draw(r *rand.Rand) (S, error) {
	limit := j.MaxTries
	if limit == 0 {
		limit = 1_000_000
	}
	for range limit {
		x := j.propose(r)
		j.tried++
		l, err := j.logAccept(x)
		if err != nil {
			var none S
			return none, err
		}
		if l >= 0 || StdExp(r) >= -l {
			j.taken++
			return x, nil
		}
	}
	var none S
	return none, fmt.Errorf("dist: %d proposals in a row were rejected; propose closer to the target, lower M to the least bound, or raise MaxTries", limit)
}

// logAccept is log p(x)/(M q(x)).
func (j *Rejection[S]) logAccept(x S) (float64, error) {
	p, q := j.logP(x), 0.0
	if j.logQ != nil {
		q = j.logQ(x)
		if !finite(q) {
			return 0, fmt.Errorf("dist: the proposal made x = %v, where its log density is %v; it must be finite there", x, q)
		}
	}
	l := p - (j.logM + q)
	// A bound that is attained may be passed by the rounding of the three logarithms.
	attained := 0x1p-50 * (math.Abs(p) + math.Abs(q) + math.Abs(j.logM))
	switch {
	case math.IsNaN(p) || math.IsInf(p, 1):
		return 0, fmt.Errorf("dist: the log density of the target is %v at x = %v; it must be a number below +Inf", p, x)
	case l > 0 && l > attained:
		return 0, fmt.Errorf("dist: the bound is broken at x = %v: log p(x) = %v is above log M + log q(x) = %v + %v; raise log M by %v or more", x, p, j.logM, q, l)
	}
	return l, nil
}

// RejectionReport is what a Rejection has done.
type RejectionReport struct {
	Proposed, Accepted int
	Rate, SE           float64 // accepted by proposed, and its standard error
	InverseM           float64 // 1/M: what Rate estimates where p and q are normalised
	LogMass            float64 // log (M Rate): an estimate of log ∫p where q is normalised
}

// Report says how many proposals were taken. Rate and LogMass are NaN before the first proposal.
func (j *Rejection[S]) Report() RejectionReport {
	n := float64(j.tried)
	rate := float64(j.taken) / n
	return RejectionReport{
		Proposed: j.tried, Accepted: j.taken,
		Rate: rate, SE: math.Sqrt(rate * (1 - rate) / n),
		InverseM: vec.Exp(-j.logM),
		LogMass:  j.logM + vec.Log(rate),
	}
}
