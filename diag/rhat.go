package diag

import "math"

// Rhat is the rank-normalised split R-hat: the greater of [RhatBulk] and
// [RhatFolded]. Above 1.01 the chains have not mixed. Where the folded draws
// are constant (a fair coin), they have no scale to compare and the bulk
// value stands.
func Rhat(chains [][]float64) float64 {
	w := loaded(chains)
	bulk, folded := w.rhats()
	return greater(bulk, folded)
}

// RhatBulk compares the locations of the half chains: split R-hat of the
// normal scores.
func RhatBulk(chains [][]float64) float64 {
	bulk, _ := loaded(chains).rhats()
	return bulk
}

// RhatFolded compares the scales of the half chains: split R-hat of the
// normal scores of |x - median|.
func RhatFolded(chains [][]float64) float64 {
	_, folded := loaded(chains).rhats()
	return folded
}

// RhatSplit is the split R-hat of the draws as they are (Gelman et al.,
// Bayesian Data Analysis, 3rd edition, section 11.4).
func RhatSplit(chains [][]float64) float64 {
	w := loaded(chains)
	return w.rhat(w.halves(w.x), 2*w.chains, w.half(), w.mean)
}

// RhatBasic is the R-hat of whole chains (Gelman and Rubin 1992, without the
// correction for the degrees of freedom).
func RhatBasic(chains [][]float64) float64 {
	w := loaded(chains)
	return w.rhat(w.x, w.chains, w.n, w.mean)
}

// RhatNested is the R-hat of groups of chains, each started from one point
// (Margossian et al. 2024, "Nested R-hat", equation 8): it is for many short
// chains. Chain c belongs to group[c]; groups have equally many chains. It
// is NaN for fewer than two groups and for groups of unequal size.
func RhatNested(chains [][]float64, group []int) float64 {
	if len(group) != len(chains) {
		return math.NaN()
	}
	w := loaded(chains)
	if !w.valued() {
		return math.NaN()
	}
	members := make(map[int][]int)
	var names []int
	for c, g := range group {
		if members[g] == nil {
			names = append(names, g)
		}
		members[g] = append(members[g], c)
	}
	means := make([]float64, len(names))
	within := 0.0
	for k, g := range names {
		if len(members[g]) != len(members[names[0]]) {
			return math.NaN()
		}
		chainMeans, inside := make([]float64, len(members[g])), 0.0
		for j, c := range members[g] {
			draws := w.x[c*w.n : (c+1)*w.n]
			chainMeans[j] = mean(draws)
			if w.n > 1 {
				inside += variance(draws, chainMeans[j]) / float64(len(chainMeans))
			}
		}
		means[k] = mean(chainMeans)
		if len(chainMeans) > 1 {
			inside += variance(chainMeans, means[k])
		}
		within += inside / float64(len(names))
	}
	return math.Sqrt(1 + variance(means, mean(means))/within)
}

// greater is the maximum of those that exist; NaN only without a.
func greater(a, b float64) float64 {
	if b > a {
		return b
	}
	return a
}

func (w *Work) rhats() (bulk, folded float64) {
	bulk, _ = w.bulk()
	if w.hasNaN || len(w.x) == 0 {
		return bulk, math.NaN()
	}
	return bulk, w.folded(quantile(w.sorted, 0.5))
}

// rhat is √((B/W + h - 1)/h) for m sequences of length h: B the variance of
// their means times h, W the mean of their variances. Sequences that are
// constant, each at its own value, give +Inf; shift is a number near the mean.
func (w *Work) rhat(seq []float64, m, h int, shift float64) float64 {
	if m < 2 || h < 2 || !varies(seq) {
		return math.NaN()
	}
	w.centre(seq, m, h, shift)
	within := dot(w.centred, w.centred) / float64(h-1) / float64(m)
	between := float64(h) * variance(w.means, mean(w.means))
	return math.Sqrt((between/within + float64(h) - 1) / float64(h))
}
