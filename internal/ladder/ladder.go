// Package ladder is what all that moves along inverse temperatures has in common: the check of a ladder and the count of
// round trips.
package ladder

import (
	"fmt"
	"math"
)

// Check says what keeps inverse temperatures from rising strictly, all finite.
func Check(betas []float64) error {
	for i, b := range betas {
		if math.IsNaN(b) || math.IsInf(b, 0) {
			return fmt.Errorf("inverse temperature %d is %v; it must be finite", i+1, b)
		}
		if i > 0 && b <= betas[i-1] {
			return fmt.Errorf("inverse temperature %d is %v, after %v; they must rise", i+1, b, betas[i-1])
		}
	}
	return nil
}

// Leg is the part of a round trip, from the first temperature to the last and back, that a walker is on.
type Leg int8

// The legs.
const (
	Unstarted Leg = iota // has not been at the first temperature
	Up                   // was at the first, not yet at the last
	Down                 // was at the first and then at the last
)

// Visit follows the walker to a temperature, and says whether a round trip ends there.
func (l *Leg) Visit(first, last bool) (trip bool) {
	switch {
	case first:
		trip = *l == Down
		*l = Up
	case last && *l == Up:
		*l = Down
	}
	return trip
}
