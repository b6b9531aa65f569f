package lattice

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/ladder"
)

// TwoLevels is two phases of different energy that a series was in.
type TwoLevels struct {
	Low, High  float64 // mean energies per site
	Share      float64 // of the measurements in the low one
	RoundTrips int     // from the one to the other and back, of all chains
}

const (
	levelBins     = 32
	distinctMost  = 6 * levelBins
	distinctLeast = 8 * 6 // values of the energy, below which a histogram is too coarse to judge
	valleyMost    = 0.5   // of the lower peak
	phaseLeast    = 0.02  // of the measurements
	farApart      = 4     // Ashman's D: 3.5 for a uniform distribution cut in the middle, 2.7 for a normal one
)

// twoLevels is nil unless the histogram of the energy has two peaks with a valley between them and the parts on both sides of it lie
// far from each other: √2 |μ₁ − μ₂|/√(σ₁² + σ₂²) > 4 (Ashman, Bird and Zepf 1994, D). A slow series of one phase has no valley so wide.
func twoLevels(energy [][]float64) *TwoLevels {
	lo, hi := math.Inf(1), math.Inf(-1)
	n := 0
	for _, chain := range energy {
		for _, e := range chain {
			lo, hi = min(lo, e), max(hi, e)
		}
		n += len(chain)
	}
	bins := min(levelBins, distinct(energy)/6)
	if bins*6 < distinctLeast {
		return nil
	}
	h := make([]float64, bins)
	for _, chain := range energy {
		for _, e := range chain {
			h[min(int((e-lo)/(hi-lo)*float64(bins)), bins-1)] += 1 / float64(n)
		}
	}
	valley := deepest(smoothed(h))
	if valley < 0 {
		return nil
	}
	return phases(energy, lo+float64((float64(valley)+0.5)*(hi-lo)/float64(bins)))
}

// distinct is the number of different values, counted up to distinctMost.
func distinct(chains [][]float64) int {
	var seen []float64
	for _, chain := range chains {
		for _, e := range chain {
			i, ok := slices.BinarySearch(seen, e)
			if ok {
				continue
			}
			if seen = slices.Insert(seen, i, e); len(seen) == distinctMost {
				return distinctMost
			}
		}
	}
	return len(seen)
}

// smoothed takes a half of each bin from its neighbours.
func smoothed(h []float64) []float64 {
	out := make([]float64, len(h))
	for i, v := range h {
		before, after := h[max(i-1, 0)], h[min(i+1, len(h)-1)]
		out[i] = (v + v + before + after) / 4
	}
	return out
}

// deepest is the lowest bin between the highest peak and the one that stands highest above the bins between; −1 where that is no
// valley.
func deepest(h []float64) int {
	top := slices.Index(h, slices.Max(h))
	best, at := 0.0, -1
	for _, step := range []int{-1, 1} {
		low := top
		for i := top + step; i >= 0 && i < len(h); i += step {
			if h[i] < h[low] {
				low = i
			}
			if h[low] < valleyMost*h[i] && h[i]-h[low] > best {
				best, at = h[i]-h[low], low
			}
		}
	}
	return at
}

// phases are the parts of the series on both sides of an energy, nil where they do not lie apart.
func phases(energy [][]float64, cut float64) *TwoLevels {
	var n, sum, squares [2]float64
	side := func(e float64) int {
		if e < cut {
			return 0
		}
		return 1
	}
	for _, chain := range energy {
		for _, e := range chain {
			k := side(e)
			n[k]++
			sum[k] += e - cut
			squares[k] += float64((e - cut) * (e - cut))
		}
	}
	if min(n[0], n[1]) < phaseLeast*(n[0]+n[1]) {
		return nil
	}
	low, high := sum[0]/n[0], sum[1]/n[1]
	variance := max(squares[0]/n[0]-float64(low*low)+squares[1]/n[1]-float64(high*high), 0)
	if math.Sqrt(2/variance)*(high-low) <= farApart {
		return nil
	}
	t := &TwoLevels{Low: low + cut, High: high + cut, Share: n[0] / (n[0] + n[1])}
	for _, chain := range energy {
		var leg ladder.Leg
		for _, e := range chain {
			if leg.Visit(e <= t.Low, e >= t.High) {
				t.RoundTrips++
			}
		}
	}
	return t
}
