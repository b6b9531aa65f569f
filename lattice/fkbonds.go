package lattice

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// chance is a probability as a threshold for 64 random bits: the event happens when they are below it. All ones is certainty.
type chance uint64

const certain chance = math.MaxUint64

// happens tells whether 64 random bits make the event.
func (c chance) happens(u uint64) bool { return u < uint64(c) || c == certain }

// high is the threshold of the 16 leading bits of a word: below it the event happens, above it it does not, and at it the other 48 bits
// decide.
func (c chance) high() uint32 {
	if c == certain {
		return 1 << 16
	}
	return uint32(c >> 48)
}

// tie decides where the leading 16 bits are those of the threshold, by 48 of the bits of u.
func (c chance) tie(u uint64) bool { return u>>16 < uint64(c)&(1<<48-1) }

// bondChance is 1 − exp(−β|J|·gap), with which a satisfied bond is open (Fortuin and Kasteleyn 1972), where it costs |J|·gap to break it.
func (m *Model) bondChance(beta, coupling float64) chance {
	if coupling == 0 { // β may be infinite
		return 0
	}
	gap := 1.0
	if m.Q == 0 {
		gap = 2
	}
	return newChance(-vec.Expm1(-gap * math.Abs(coupling) * beta))
}

func newChance(p float64) chance {
	if p == 1 {
		return certain
	}
	return chance(p * 0x1p64)
}

// clusterable says what is wrong with a model for the algorithms of clusters.
func (m *Model) clusterable() error {
	if err := m.Check(); err != nil {
		return err
	}
	if m.Q == 0 {
		return nil
	}
	for b := range m.Graph.All() {
		if b.Coupling < 0 {
			return fmt.Errorf("lattice: the bond of sites %d and %d has coupling %v: a Potts bond below 0 is satisfied by several pairs of colours and makes no clusters; use a single-site kernel",
				b.I, b.J, b.Coupling)
		}
	}
	return nil
}
