package rbm

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// State is where a chain on both layers is. It is a value for kernels of
// package mcmc.
type State struct {
	V, H  []uint8
	input []float64 // scratch of the larger layer
}

// NewState returns a state whose units are all 0.
func (m *Model) NewState() *State {
	return &State{V: make([]uint8, m.Visible), H: make([]uint8, m.Hidden), input: make([]float64, max(m.Visible, m.Hidden))}
}

// Gibbs draws h given v, and then v given h: a sweep of block Gibbs sampling,
// which leaves p(v, h) invariant.
func (m *Model) Gibbs(s *State, r *rand.Rand) {
	m.DrawHidden(s, r)
	m.DrawVisible(s, r)
}

// DrawHidden draws the hidden layer given the visible one: its units are
// independent, on with probability σ(aⱼ + Σᵢ vᵢWᵢⱼ).
func (m *Model) DrawHidden(s *State, r *rand.Rand) {
	in := s.input[:m.Hidden]
	m.HiddenInput(in, s.V)
	bernoulli(s.H, in, r)
}

// DrawVisible draws the visible layer given the hidden one, each unit on with
// probability σ(bᵢ + Σⱼ Wᵢⱼhⱼ).
func (m *Model) DrawVisible(s *State, r *rand.Rand) {
	in := s.input[:m.Visible]
	m.VisibleInput(in, s.H)
	bernoulli(s.V, in, r)
}

func bernoulli(dst []uint8, logOdds []float64, r *rand.Rand) {
	for k, x := range logOdds {
		dst[k] = bit(r.Float64() < vec.Ilogit(x))
	}
}
