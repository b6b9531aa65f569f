package path

import (
	"errors"
	"fmt"
	"math/rand/v2"
)

// Labels are densities f_1, …, f_K over one space, unnormalised, each with a transition: what SAMS and SAMC walk.
// The densities of a ladder of temperatures are such ([Ladder]), and so are those of several models ([Models]).
type Labels[S any] interface {
	Len() int
	New() S
	Start(s S, r *rand.Rand) (label int)         // a state to begin with
	LogDensities(dst []float64, s S)             // log f_k(s), k < Len()
	Move(s S, label int, r *rand.Rand)           // leaves p_label invariant
	Reference(label int) (logZ float64, ok bool) // log Z where it is known exactly
}

// Ladder are the temperatures of one family.
func Ladder[S any](f Family[S], s Schedule) (Labels[S], error) { return Models([]Family[S]{f}, s) }

// Models are the temperatures of several families over one space: label m·K + k is family m at temperature k. The chain passes
// from one family to another most easily where they are alike, at the bases, and log Z of every base is known; so
// log Z of all models comes from one run, each against each.
//
// All families must read and write the same S: a state moved by one is valued by the others.
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
		m.walks = append(m.walks, newWalk(f))
	}
	return m, nil
}

const maxLabels = 1 << 20

type models[S any] struct {
	walks  []walk[S]
	ladder Schedule
}

func (m *models[S]) Len() int { return len(m.walks) * len(m.ladder) }
func (m *models[S]) New() S   { return m.walks[0].New() }

func (m *models[S]) Start(s S, r *rand.Rand) int {
	m.walks[0].Base(s, r)
	return 0
}

func (m *models[S]) LogDensities(dst []float64, s S) {
	for i, w := range m.walks {
		w.batch(dst[i*len(m.ladder):(i+1)*len(m.ladder)], s, m.ladder)
	}
}

func (m *models[S]) Move(s S, label int, r *rand.Rand) {
	m.walks[label/len(m.ladder)].Move(s, m.ladder[label%len(m.ladder)], r)
}

func (m *models[S]) Reference(label int) (float64, bool) {
	if label%len(m.ladder) != 0 {
		return 0, false
	}
	return m.walks[label/len(m.ladder)].LogZBase(), true
}
