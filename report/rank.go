package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/draws"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// rankBins is how many bars a chain's ranks are counted in at most.
const rankBins = 20

// rankChains is how many chains have a strip.
const rankChains = 16

// Ranks draws, for each chain, where its draws rank among those of all
// chains: flat where the chains agree (Vehtari et al. 2021, section 4.3).
// The grey band holds 95 % of the bars of well mixed, independent draws.
// Only the first 16 chains have a strip, but all count for the ranks.
func Ranks(set *draws.Set) []Page {
	var panels []panel
	for _, s := range allSeries(set) {
		panels = append(panels, s.ranks)
	}
	title := "Ranks among all draws"
	if set.Chains() > rankChains {
		title = fmt.Sprintf("Ranks among all draws, first %d of %d chains", rankChains, set.Chains())
	}
	return sheet{Rank, title, 3, 4, 140}.pages(panels, min(set.Chains(), rankChains))
}

func (s series) ranks(c draw.Canvas, t typist) {
	size := len(s.sorted)
	strips := min(len(s.chains), rankChains)
	f := framed(c, t, s.name, s.remark(), newAxis(0, float64(max(size, 1)), 4), axis{lo: 0, hi: float64(max(strips, 1))})
	switch {
	case s.empty():
		f.say(t, s.why())
		return
	case s.constant():
		f.say(t, "constant: no ranks")
		return
	}
	bins := max(min(rankBins, s.draws/5), 1)
	counts := s.rankCounts(bins)
	expected := float64(size) / float64(len(s.chains)) / float64(bins)
	band := 1.96 * math.Sqrt(expected*(1-1/float64(bins))*(1-1/float64(len(s.chains))))
	most := expected + 3*band
	for _, chain := range counts[:strips] {
		most = max(most, slices.Max(chain))
	}
	for i, chain := range counts[:strips] {
		bottom := float64(strips - 1 - i)
		level := func(count float64) float64 { return bottom + 0.92*min(count/most, 1) }
		step := float64(size) / float64(bins)
		for b, count := range chain {
			f.box(veiled(chainColor(i), 0.8), (float64(b)+0.06)*step, bottom, (float64(b)+0.94)*step, level(count))
		}
		f.box(veiled(inkColor, 0.13), 0, level(max(expected-band, 0)), float64(size), level(expected+band))
		line := f.at(0, level(expected)).Y
		f.StrokeLine2(draw.LineStyle{Color: inkColor, Width: 0.5, Dashes: []vg.Length{2, 2}}, f.Min.X, line, f.Max.X, line)
		base := f.at(0, bottom).Y
		f.StrokeLine2(draw.LineStyle{Color: axisColor, Width: 0.5}, f.Min.X, base, f.Max.X, base)
	}
}

// rankCounts counts the ranks of each chain in equal bins; ties are shared out
// evenly over the ranks that they span.
func (s series) rankCounts(bins int) [][]float64 {
	size := float64(len(s.sorted))
	counts := make([][]float64, len(s.chains))
	for i, chain := range s.chains {
		counts[i] = make([]float64, bins)
		sorted := make([]float64, 0, len(chain))
		for _, x := range chain {
			if drawable(x) {
				sorted = append(sorted, x)
			}
		}
		slices.Sort(sorted)
		for from := 0; from < len(sorted); {
			to := from + 1
			for to < len(sorted) && sorted[to] == sorted[from] {
				to++
			}
			first, _ := slices.BinarySearch(s.sorted, sorted[from])
			last, _ := slices.BinarySearch(s.sorted[first:], math.Nextafter(sorted[from], math.Inf(1)))
			shareOut(counts[i], float64(first)/size*float64(bins), float64(first+last)/size*float64(bins), float64(to-from))
			from = to
		}
	}
	return counts
}

// shareOut adds weight to the bins between from and to, evenly.
func shareOut(counts []float64, from, to, weight float64) {
	for b := int(from); b < len(counts) && float64(b) < to; b++ {
		overlap := min(to, float64(b+1)) - max(from, float64(b))
		counts[b] += weight * max(overlap, 0) / (to - from)
	}
}
