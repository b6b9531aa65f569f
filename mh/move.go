package mh

import (
	"encoding"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/tunings"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Move is a random change to propose. A chain needs one of its own if it tunes itself.
type Move[X any] interface {
	// Propose returns a state x' drawn from q(·|x) and log q(x|x') − log q(x'|x): 0 if the
	// move is symmetric; for a random map of x, with the logarithm of its Jacobian (Green, 1995).
	// It may build x' in what dst holds, the zero value or a state that an earlier call
	// returned, and leaves x as it is. A log ratio of −Inf says that there is no proposal: to
	// is only storage then.
	Propose(dst, x X, r *rand.Rand) (to X, logRatio float64)
}

// Conditional is a move whose density is known.
type Conditional[X any] interface {
	Move[X]
	// LogDensity is log q(to|from), normalised, −Inf where the move does not go. Propose of such a move
	// returns a state also with a log ratio of −Inf, where there is no way back: by a [MixtureDensity] or in
	// [DelayedRejection] there may be.
	LogDensity(to, from X) float64
}

// Learner is a move that tunes itself in warm-up. Its tuning marshals.
type Learner[X any] interface {
	// Learn is called after each step of the warm-up with the state of the chain and the
	// probability with which the move's last proposal was accepted, magnified for kernels that accept
	// little by their nature ([PseudoMarginal]).
	Learn(x X, acceptProb float64, w mcmc.Warmup)
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// Symmetric is a function as a move that is said to be symmetric, q(x'|x) = q(x|x').
// [CheckMove] finds out whether it is.
type Symmetric[X any] func(dst, x X, r *rand.Rand) X

// Propose calls the function.
func (f Symmetric[X]) Propose(dst, x X, r *rand.Rand) (to X, logRatio float64) {
	return f(dst, x, r), 0
}

// tuned is the part of a kernel that passes tuning to its move.
type tuned[X any] struct{ move Move[X] }

func (t tuned[X]) learn(x X, acceptProb float64, w mcmc.Warmup) {
	if l, ok := t.move.(Learner[X]); ok {
		l.Learn(x, acceptProb, w)
	}
}

// Dim is the length of the vectors that the move is for, 0 if it has no method Dim.
func (t tuned[X]) Dim() int { return dimOf(t.move) }

func dimOf(v any) int {
	if v, ok := v.(interface{ Dim() int }); ok {
		return v.Dim()
	}
	return 0
}

// Freeze has nothing to do: a move changes in Adapt only.
func (t tuned[X]) Freeze() {}

// MarshalBinary writes the tuning of the move, nothing if it has none.
func (t tuned[X]) MarshalBinary() ([]byte, error) { return tunings.Marshal(t.move) }

// UnmarshalBinary reads what MarshalBinary wrote.
func (t tuned[X]) UnmarshalBinary(b []byte) error { return tunings.Unmarshal(t.move, b) }
