package mh

import (
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Scale tunes the scale of a proposal so that a given share of proposals is accepted, by
// the Robbins–Monro recursion log σ ← log σ + c n^(−0.6) (α − target) (Andrieu and Thoms
// 2008, algorithm 4). The exponent is above 1/2, so that it converges, and below 1, so that a
// thousand steps correct a first scale wrong by 10⁶. Its zero value is σ = 1.
type Scale struct {
	Log float64 // log σ
	N   int     // updates made
}

const (
	gainFirst    = 2.0
	gainExponent = -0.6
	logScaleMax  = 600 // exp of it is a finite float
)

// Sigma is the scale.
func (s *Scale) Sigma() float64 { return vec.Exp(s.Log) }

// Update learns from a proposal that was accepted with probability prob.
func (s *Scale) Update(prob, target float64) {
	s.N++
	gain := float64(gainFirst * vec.Pow(float64(s.N), gainExponent))
	s.Log += float64(gain * (prob - target))
	s.Log = min(max(s.Log, -logScaleMax), logScaleMax)
}

// OptimalAcceptance is the acceptance rate at which a normal random walk mixes fastest on
// a normal target of dimension d (Gelman, Roberts and Gilks 1996, table 1; its limit for
// large d, 0.234, from 5 on).
func OptimalAcceptance(d int) float64 {
	small := [...]float64{0.441, 0.352, 0.316, 0.279}
	if d >= 1 && d <= len(small) {
		return small[d-1]
	}
	return 0.234
}
