package spins

import (
	"math"
	"math/bits"

	"github.com/ergodic-mcmc/ergodic/internal/spinlanes"
)

// integers are the coefficients of an Ising model in a unit that makes them so.
type integers struct {
	unit      float64
	fields    []int32
	couplings []int32 // in the order of the model's
	rounded   bool    // they are not the model's to the last bit
}

// toIntegers looks for the largest unit of which all coefficients are multiples: a power of two, or one of ten where they were decimals,
// times what the multiples have in common. Where the multiples do not fit 31 bits, coefficients are rounded to multiples of at most 2⁻²⁸
// of the largest Σ_j |J_ij| + |h_i|.
func toIntegers(m *Model) integers {
	largest := largestField(m)
	if largest == 0 {
		return in(m, 1)
	}
	if unit := common(m, dyadic(m), largest); largest/unit <= spinlanes.MaxField {
		return in(m, unit)
	}
	for _, power := range []float64{1e1, 1e2, 1e3, 1e4, 1e5, 1e6} {
		unit := 0.25 / power // QUBO's coefficients were divided by 4
		if largest/unit > spinlanes.MaxField {
			break
		}
		if near(m, unit, 1e-14*largest) {
			return in(m, common(m, unit, largest))
		}
	}
	_, e := math.Frexp(largest)
	all := in(m, math.Ldexp(1, e-29)) // half of what fits: roundings add up
	all.rounded = true
	return all
}

// each calls f with all coefficients.
func each(m *Model, f func(v float64)) {
	for _, h := range m.Linear {
		f(h)
	}
	for _, c := range m.Couplings {
		f(c.Value)
	}
}

// largestField is max_i Σ_j |J_ij| + |h_i|.
func largestField(m *Model) float64 {
	sums := make([]float64, m.Variables)
	for i, h := range m.Linear {
		sums[i] = math.Abs(h)
	}
	largest := 0.0
	for _, c := range m.Couplings {
		sums[c.I] += math.Abs(c.Value)
		sums[c.J] += math.Abs(c.Value)
	}
	for _, s := range sums {
		largest = max(largest, s)
	}
	return largest
}

// dyadic is the largest power of two of which all coefficients are multiples.
func dyadic(m *Model) float64 {
	low := math.MaxInt
	each(m, func(v float64) {
		if v != 0 {
			f, e := math.Frexp(v)
			low = min(low, e-53+bits.TrailingZeros64(uint64(math.Abs(f)*0x1p53)))
		}
	})
	return math.Ldexp(1, low)
}

// near says whether all coefficients are multiples of the unit but for errors of rounding.
func near(m *Model, unit, slack float64) bool {
	yes := true
	each(m, func(v float64) {
		yes = yes && math.Abs(v-float64(math.Round(v/unit)*unit)) <= slack
	})
	return yes
}

func in(m *Model, unit float64) integers {
	all := integers{unit: unit, fields: make([]int32, m.Variables), couplings: make([]int32, len(m.Couplings))}
	for i, h := range m.Linear {
		all.fields[i] = int32(math.Round(h / unit))
	}
	for k, c := range m.Couplings {
		all.couplings[k] = int32(math.Round(c.Value / unit))
	}
	return all
}

// common is the largest multiple of a unit of which all coefficients are multiples, where those are numbers of 62 bits.
func common(m *Model, unit, largest float64) float64 {
	if largest/unit > 1<<62 {
		return unit
	}
	divisor := int64(0)
	each(m, func(v float64) {
		for a := int64(math.Round(math.Abs(v) / unit)); a != 0; {
			divisor, a = a, divisor%a
		}
	})
	return unit * float64(divisor)
}

// graph is the integers as a system of spins.
func (z integers) graph(m *Model) *spinlanes.Graph {
	first := make([]uint32, m.Variables+1)
	for k, c := range m.Couplings {
		if z.couplings[k] != 0 {
			first[c.I+1]++
			first[c.J+1]++
		}
	}
	for i := range m.Variables {
		first[i+1] += first[i]
	}
	at, weight, next := make([]uint32, first[m.Variables]), make([]int32, first[m.Variables]), append([]uint32(nil), first...)
	put := func(i, j int, w int32) {
		at[next[i]], weight[next[i]] = uint32(j), w
		next[i]++
	}
	for k, c := range m.Couplings {
		if w := z.couplings[k]; w != 0 {
			put(c.I, c.J, w)
			put(c.J, c.I, w)
		}
	}
	return spinlanes.NewGraph(z.fields, first, at, weight)
}
