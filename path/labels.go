package path

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Labels are unnormalised densities f_1, …, f_K over one space, each with a transition: the components of the mixture that SAMS
// and SAMC sample. They are the temperatures of one family ([Ladder]) or of several ([Models]).
type Labels[S any] interface {
	Len() int
	New() S
	Start(s S, r *rand.Rand) (label int)         // an initial state
	LogDensities(dst []float64, s S)             // log f_k(s), k < Len()
	Move(s S, label int, r *rand.Rand)           // leaves p_label invariant
	Reference(label int) (logZ float64, ok bool) // log Z where it is known exactly
}

// Ladder returns the temperatures of one family as labels.
func Ladder[S any](f Family[S], s Schedule) (Labels[S], error) { return Models([]Family[S]{f}, s) }

// Models returns the temperatures of several families over one space as labels: label m·K + k is family m at temperature k.
// Chains pass from one family to another most easily where they are alike, at the bases, whose log Z is known; so one run gives
// log Z of all models and the ratio of any two.
//
// All families must read and write the same S: the others evaluate a state that one has moved.
func Models[S any](fs []Family[S], s Schedule) (Labels[S], error) {
	if len(fs) == 0 {
		return nil, errors.New("path: no models; give one or more")
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	if len(fs) > maxLabels/len(s) {
		return nil, fmt.Errorf("path: %d models × %d temperatures are too many", len(fs), len(s))
	}
	m := &models[S]{ladder: s}
	for _, f := range fs {
		m.families = append(m.families, resolve(f))
	}
	return m, nil
}

// equalUnless is shares, or equal ones.
func equalUnless(shares []float64, k int) []float64 {
	if shares != nil {
		return shares
	}
	return slices.Repeat([]float64{1 / float64(k)}, k)
}

// checkShares checks the intended shares of k labels or temperatures.
func checkShares(shares []float64, k int) error {
	if len(shares) != k {
		return fmt.Errorf("path: %d intended shares for %d labels or temperatures; give one each", len(shares), k)
	}
	sum := 0.0
	for i, v := range shares {
		if !(v > 0) {
			return fmt.Errorf("path: the intended share %d is %v; all must be positive", i+1, v)
		}
		sum += v
	}
	if !(math.Abs(sum-1) < 1e-9) {
		return fmt.Errorf("path: the intended shares sum to %v instead of 1", sum)
	}
	return nil
}

const maxLabels = 1 << 20

type models[S any] struct {
	families []resolved[S]
	ladder   Schedule
}

func (m *models[S]) Len() int { return len(m.families) * len(m.ladder) }
func (m *models[S]) New() S   { return m.families[0].New() }

func (m *models[S]) Start(s S, r *rand.Rand) int {
	m.families[0].Base(s, r)
	return 0
}

func (m *models[S]) LogDensities(dst []float64, s S) {
	for i, w := range m.families {
		w.batch(dst[i*len(m.ladder):(i+1)*len(m.ladder)], s, m.ladder)
	}
}

func (m *models[S]) Move(s S, label int, r *rand.Rand) {
	m.families[label/len(m.ladder)].Move(s, m.ladder[label%len(m.ladder)], r)
}

func (m *models[S]) Reference(label int) (float64, bool) {
	if label%len(m.ladder) != 0 {
		return 0, false
	}
	return m.families[label/len(m.ladder)].LogZBase(), true
}
