package mh

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Univariate is random-walk Metropolis of one variable, x' = x + σ z with z standard
// normal. Its zero value works: σ = 1. It does not allocate.
type Univariate struct {
	Scale Scale
}

// Step1 moves x, at which the log density is fx, within the support [lo, hi]; a proposal
// outside is rejected without asking logp.
func (u *Univariate) Step1(r *rand.Rand, x, fx, lo, hi float64, logp func(float64) float64) (x1, fx1 float64, info mcmc.Info) {
	p := x + float64(u.Scale.Sigma()*dist.StdNormal(r))
	f := math.Inf(-1)
	if p >= lo && p <= hi {
		f = logp(p)
		info.Evals = 1
	}
	info.Accepted, info.AcceptProb = Accept(r, LogRatio(f, fx))
	if !info.Accepted {
		return x, fx, info
	}
	return p, f, info
}

// Adapt1 is Step1 in warm-up: it tunes the scale.
func (u *Univariate) Adapt1(r *rand.Rand, x, fx, lo, hi float64, logp func(float64) float64) (x1, fx1 float64, info mcmc.Info) {
	x1, fx1, info = u.Step1(r, x, fx, lo, hi, logp)
	u.Scale.Update(info.AcceptProb, OptimalAcceptance(1))
	return x1, fx1, info
}

const univariateSize = 2 * 8

// MarshalBinary writes the tuning.
func (u *Univariate) MarshalBinary() ([]byte, error) { return u.AppendBinary(nil) }

// AppendBinary appends what MarshalBinary writes.
func (u *Univariate) AppendBinary(b []byte) ([]byte, error) {
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(u.Scale.Log))
	return binary.LittleEndian.AppendUint64(b, uint64(u.Scale.N)), nil
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (u *Univariate) UnmarshalBinary(b []byte) error {
	if len(b) != univariateSize {
		return errors.New("mh: these bytes are not the tuning of a random walk; pass what MarshalBinary returned")
	}
	u.Scale.Log = math.Float64frombits(binary.LittleEndian.Uint64(b))
	u.Scale.N = int(binary.LittleEndian.Uint64(b[8:]))
	return nil
}
