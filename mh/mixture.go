package mh

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/tunings"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Mixture is a mixture of kernels, Σ w_k P_k, as mcmc.Mixture is: it proposes by one of several
// moves, chosen with probability w_k, and takes the ratio of that move alone. Densities are not
// needed, and one move is evaluated. In [MixtureDensity] the proposal density is the mixture.
type Mixture[X any] struct{ weighted[X, Move[X]] }

// NewMixture returns the move. Weights are in proportion.
func NewMixture[X any](weights []float64, moves ...Move[X]) (*Mixture[X], error) {
	w, err := newWeighted[X](weights, moves)
	if err != nil {
		return nil, err
	}
	return &Mixture[X]{*w}, nil
}

// Propose chooses a move and proposes by it.
func (k *Mixture[X]) Propose(dst, x X, r *rand.Rand) (to X, logRatio float64) {
	return k.pick(r).Propose(dst, x, r)
}

// MixtureDensity proposes from the mixture density q(x'|x) = Σ w_k q_k(x'|x) and takes the ratio of
// it, to which every move that could have made the step contributes. With the same moves and weights
// its average acceptance rate is at least that of [Mixture], above which it stands in Peskun's order;
// it evaluates all densities twice.
type MixtureDensity[X any] struct {
	weighted[X, Conditional[X]]
	logw, terms []float64
}

// NewMixtureDensity returns the move. Weights are in proportion.
func NewMixtureDensity[X any](weights []float64, moves ...Conditional[X]) (*MixtureDensity[X], error) {
	w, err := newWeighted[X](weights, moves)
	if err != nil {
		return nil, err
	}
	k := &MixtureDensity[X]{weighted: *w, terms: make([]float64, len(moves))}
	sum := 0.0
	for _, v := range weights {
		sum += v
	}
	for _, v := range weights {
		k.logw = append(k.logw, vec.Log(v/sum))
	}
	return k, nil
}

// Propose proposes by one of the moves and takes the ratio of the mixture.
func (k *MixtureDensity[X]) Propose(dst, x X, r *rand.Rand) (to X, logRatio float64) {
	to, _ = k.pick(r).Propose(dst, x, r)
	return to, k.LogDensity(x, to) - k.LogDensity(to, x)
}

// LogDensity is the log density of the mixture.
func (k *MixtureDensity[X]) LogDensity(to, from X) float64 {
	for i, m := range k.moves {
		k.terms[i] = math.Inf(-1)
		if k.logw[i] > k.terms[i] {
			k.terms[i] = k.logw[i] + m.LogDensity(to, from)
		}
	}
	return vec.LogSumExp(k.terms)
}

// weighted are moves, each of which proposes with a probability of its own.
type weighted[X any, M Move[X]] struct {
	moves []M
	alias *dist.Alias
	dim   int // of the vectors, where a move tells it
	last  int // the move chosen last
}

func newWeighted[X any, M Move[X]](weights []float64, moves []M) (*weighted[X, M], error) {
	if len(weights) != len(moves) {
		return nil, fmt.Errorf("mh: a mixture of %d moves has %d weights; give one weight a move", len(moves), len(weights))
	}
	dim := 0
	for i, m := range moves {
		if any(m) == nil {
			return nil, fmt.Errorf("mh: move %d of a mixture is missing", i+1)
		}
		d := dimOf(m)
		if d != 0 && dim != 0 && d != dim {
			return nil, fmt.Errorf("mh: move %d of a mixture is for vectors of length %d, one before it for length %d", i+1, d, dim)
		}
		dim = max(dim, d)
	}
	alias, err := dist.NewAlias(weights)
	if err != nil {
		return nil, fmt.Errorf("mh: the weights of a mixture: %w", err)
	}
	return &weighted[X, M]{moves: moves, alias: alias, dim: dim}, nil
}

// Dim is the length of the vectors, 0 if no move tells it.
func (k *weighted[X, M]) Dim() int { return k.dim }

func (k *weighted[X, M]) pick(r *rand.Rand) M {
	k.last = k.alias.Draw(r)
	return k.moves[k.last]
}

// chooser is a mixture of moves: choice numbers the one that proposed last, and choose sets which one
// Learn applies to.
type chooser interface {
	choice() int
	choose(int)
}

func (k *weighted[X, M]) choice() int {
	if c, ok := any(k.moves[k.last]).(chooser); ok {
		return k.last + len(k.moves)*c.choice()
	}
	return k.last
}

func (k *weighted[X, M]) choose(number int) {
	k.last = number % len(k.moves)
	if c, ok := any(k.moves[k.last]).(chooser); ok {
		c.choose(number / len(k.moves))
	}
}

func (k *weighted[X, M]) stepwise() bool {
	return slices.ContainsFunc(k.moves, func(m M) bool { return stepwise(m) })
}

// Learn lets the move that was chosen last learn.
func (k *weighted[X, M]) Learn(x X, acceptProb float64, w mcmc.Warmup) {
	tuned[X]{k.moves[k.last]}.learn(x, acceptProb, w)
}

// MarshalBinary writes the tuning of all moves.
func (k *weighted[X, M]) MarshalBinary() ([]byte, error) { return tunings.MarshalAll(k.moves) }

// UnmarshalBinary reads what MarshalBinary wrote.
func (k *weighted[X, M]) UnmarshalBinary(b []byte) error { return tunings.UnmarshalAll(b, k.moves) }
