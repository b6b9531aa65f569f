package rbm

import (
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Model is a machine of Visible binary units below Hidden ones. Weights are by
// rows: the one between visible unit i and hidden unit j is W[i*Hidden+j].
type Model struct {
	Visible, Hidden int
	W               []float64
	VisibleBias     []float64 // b
	HiddenBias      []float64 // a
}

// New returns a machine whose weights and biases are zero.
func New(visible, hidden int) *Model {
	return &Model{Visible: visible, Hidden: hidden, W: make([]float64, visible*hidden),
		VisibleBias: make([]float64, visible), HiddenBias: make([]float64, hidden)}
}

// maxReach bounds what weights and biases may sum to in absolute value, and with it every
// energy: beyond 2⁵³ float64 has no digit left for the entropy.
const maxReach = 1 << 50

// Check reports what makes a machine unusable: a layer without units, arrays
// of another size, numbers that are not finite, or so large that energies have no
// digits left. Indices count from 1.
func (m *Model) Check() error {
	switch {
	case m.Visible < 1 || m.Hidden < 1:
		return fmt.Errorf("the machine has %d visible and %d hidden units; it needs one of each", m.Visible, m.Hidden)
	case len(m.W) != m.Visible*m.Hidden:
		return fmt.Errorf("%s has %d elements; %d visible and %d hidden units need %d", arrayW, len(m.W), m.Visible, m.Hidden, m.Visible*m.Hidden)
	}
	if k := notFinite(m.W); k >= 0 {
		return fmt.Errorf("%s[%d,%d] is %v", arrayW, k/m.Hidden+1, k%m.Hidden+1, m.W[k])
	}
	for _, l := range []struct {
		array, name string
		bias        []float64
		units       int
	}{{arrayA, "hidden", m.HiddenBias, m.Hidden}, {arrayB, "visible", m.VisibleBias, m.Visible}} {
		if len(l.bias) != l.units {
			return fmt.Errorf("%s, the %s bias, has %d elements; there are %d %s units", l.array, l.name, len(l.bias), l.units, l.name)
		}
		if k := notFinite(l.bias); k >= 0 {
			return fmt.Errorf("%s[%d] is %v", l.array, k+1, l.bias[k])
		}
	}
	reach := 0.0
	for _, x := range [][]float64{m.W, m.HiddenBias, m.VisibleBias} {
		for _, v := range x {
			reach += math.Abs(v)
		}
	}
	if reach > maxReach {
		return fmt.Errorf("weights and biases sum to %.3g in absolute value: above %.3g energies have no digits left; were they scaled by mistake?", reach, float64(maxReach))
	}
	return nil
}

// notFinite is the index of the first element that is no finite number, or -1.
func notFinite(x []float64) int {
	return slices.IndexFunc(x, func(v float64) bool { return !vec.Finite(v) })
}

// Transpose is the same machine with its layers exchanged.
func (m *Model) Transpose() *Model {
	t := New(m.Hidden, m.Visible)
	copy(t.VisibleBias, m.HiddenBias)
	copy(t.HiddenBias, m.VisibleBias)
	for i := range m.Visible {
		for j := range m.Hidden {
			t.W[j*m.Visible+i] = m.W[i*m.Hidden+j]
		}
	}
	return t
}
