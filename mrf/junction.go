package mrf

import (
	"context"
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// CostError says that exact computation would need too large tables.
type CostError struct {
	Width   int     // that the elimination had come to
	Entries float64 // that all tables may have
}

func (e *CostError) Error() string {
	return fmt.Sprintf("mrf: exact computation is out of reach: eliminating variables joins %d others and more, and all tables together would have more than %.3g entries", e.Width, e.Entries)
}

// DefaultEntries is the most entries of all tables for which exact computation takes less than a minute of one core, whatever the factors are.
const DefaultEntries = 1 << 30

// NewJunctionTree plans the exact computation on a model, whose tables may have so many entries together (0 for [DefaultEntries]); above, the error is of type
// [*CostError]. The elimination order is the best of several by fewest added edges and smallest tables (Kjærulff, 1990), ties broken at
// random from a fixed seed. Nothing large is allocated yet.
func NewJunctionTree(m *Model, most float64) (*JunctionTree, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	if most == 0 {
		most = DefaultEntries
	}
	e, width := bestOrder(m, most)
	if e == nil {
		return nil, &CostError{width, most}
	}
	return newTree(m, e), nil
}

// Width is one less than the number of variables of the largest clique: the treewidth of the elimination order.
func (t *JunctionTree) Width() int { return t.width }

// Cliques is the number of tables.
func (t *JunctionTree) Cliques() int { return len(t.cliques) }

// Entries is the number of entries of all tables, which time is proportional to.
func (t *JunctionTree) Entries() float64 { return t.entries }

// Largest is the number of entries of the largest table.
func (t *JunctionTree) Largest() float64 { return t.largest }

// Memory is the bytes that will be held.
func (t *JunctionTree) Memory() float64 {
	block := 0.0 // of a variable with very many values
	for _, k := range t.model.Cards {
		block = max(block, float64(k))
	}
	return float64(12*t.sent) + float64(64*block)
}

// Progress is told what share is done.
type Progress func(done float64)

// LogZ is the logarithm of the sum over all states.
func (t *JunctionTree) LogZ(ctx context.Context, show Progress) (float64, error) {
	p, err := t.sums(ctx, show, 1)
	if err != nil {
		return 0, err
	}
	return p.logZ, nil
}

// Marginals are the logarithm of the sum over all states and the probabilities of the values of each variable.
func (t *JunctionTree) Marginals(ctx context.Context, show Progress) (logZ float64, marginals [][]float64, err error) {
	p, err := t.sums(ctx, show, 2)
	if err != nil {
		return 0, nil, err
	}
	marginals, err = p.down()
	return p.logZ, marginals, err
}

// sums sends messages to the roots: with products where their range allows it, otherwise with logarithms.
func (t *JunctionTree) sums(ctx context.Context, show Progress, passes int) (*pass, error) {
	if err := t.room(); err != nil {
		return nil, err
	}
	p := t.pass(ctx, show, passes, products)
	err := p.up()
	if err == errRange {
		p = t.pass(ctx, show, passes, logarithms)
		err = p.up()
	}
	return p, err
}

// MAP is a state of the greatest probability and the logarithm of the product of its factors.
func (t *JunctionTree) MAP(ctx context.Context, show Progress) (state []int, logDensity float64, err error) {
	if err := t.room(); err != nil {
		return nil, 0, err
	}
	p := t.pass(ctx, show, 1, maxima)
	if err := p.up(); err != nil {
		return nil, 0, err
	}
	state = p.trace()
	return state, t.model.LogDensity(state), nil
}

func (t *JunctionTree) room() error {
	if err := memory.Room(t.Memory()); err != nil {
		return fmt.Errorf("mrf: exact computation: %w", err)
	}
	return nil
}

// constant is the logarithm of the factors without variables.
func (m *Model) constant() float64 {
	sum := 0.0
	for _, f := range m.Factors {
		if len(f.Scope) == 0 {
			sum += vec.Log(f.Table[0])
		}
	}
	return sum
}

// impossible is the error where the sum over all states is 0.
func impossible() error {
	return &ImpossibleError{"no state has positive probability: the factors' zeros, or the evidence, contradict each other"}
}
