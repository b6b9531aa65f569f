package lattice

import (
	"math"
	"slices"
)

// Histogram is how many measurements had each energy.
type Histogram struct {
	Energy []float64 // per site, rising
	Count  []float64
}

// EnergyHistogram counts the energies of all chains: each by itself as far as there are at most so many different ones, and in so many
// bins of equal width beyond, by their mean energies.
func EnergyHistogram(s *Series, bins int) Histogram {
	l := newLevels(bins, s)
	h := Histogram{Energy: l.energy, Count: make([]float64, len(l.energy))}
	sums := make([]float64, len(l.energy))
	for _, chain := range s.Energy {
		for _, e := range chain {
			k := l.of(e)
			h.Count[k]++
			sums[k] += e
		}
	}
	var out Histogram
	for k, n := range h.Count {
		if n > 0 {
			out.Energy, out.Count = append(out.Energy, sums[k]/n), append(out.Count, n)
		}
	}
	return out
}

// levels are energies in order, which stand for those about them.
type levels struct {
	energy []float64
	edge   []float64 // between them
}

// newLevels finds the different energies of series, or bins for them where there are more than so many. Energies that differ by no more
// than rounding are one.
func newLevels(most int, all ...*Series) *levels {
	l := &levels{}
	var values []float64
	for _, s := range all {
		for _, chain := range s.Energy {
			values = append(values, chain...)
		}
	}
	slices.Sort(values)
	if len(values) == 0 {
		return l
	}
	lo, hi := values[0], values[len(values)-1]
	same := float64(1e-9 * max(hi-lo, math.Abs(hi), math.Abs(lo)))
	for _, e := range values {
		if n := len(l.energy); n == 0 || e > l.energy[n-1]+same {
			if n == most {
				return bins(lo, hi, most)
			}
			l.energy = append(l.energy, e)
		}
	}
	for k := 1; k < len(l.energy); k++ {
		l.edge = append(l.edge, (l.energy[k-1]+l.energy[k])/2)
	}
	return l
}

func bins(lo, hi float64, n int) *levels {
	l := &levels{}
	for k := range n {
		l.energy = append(l.energy, lo+float64((hi-lo)*(float64(k)+0.5)/float64(n)))
		if k > 0 {
			l.edge = append(l.edge, lo+float64((hi-lo)*float64(k)/float64(n)))
		}
	}
	return l
}

// of is the level that stands for an energy.
func (l *levels) of(e float64) int {
	k, _ := slices.BinarySearch(l.edge, e)
	return k
}
