package ngram

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// codes is how many values a code may stand for.
const codes = 256

// Quantise is the model with its logarithms as codes of 8 bits. The values of the codes are found for each length, for probabilities and backoffs apart, so
// that the sum of squared differences is small (Lloyd 1982, "Least squares quantization in PCM"). A backoff of 0 stays 0.
func (m *Model) Quantise() (*Model, error) {
	if m.quantised {
		return m, nil
	}
	t := newTree(m.counts, true)
	if err := t.room(memory.Product(slices.Max(m.counts), 24)); err != nil {
		return nil, err
	}
	copy(t.words, m.tree.words)
	for k := range m.counts {
		t.books[2*k] = book(m.logs(k, m.log10), false)
		t.books[2*k+1] = make([]float32, codes)
		if k < len(m.counts)-1 {
			t.books[2*k+1] = book(m.logs(k, func(node uint32) float64 { return m.backoff(m.inner(node), node) }), true)
		}
	}
	for node := range t.outer + 1 {
		r := t.inner(node)
		copy(r[:innerProbAt], m.inner(node))
		if node == root || node == t.outer {
			continue
		}
		k := m.length(node) - 1
		r[innerProbAt] = nearest(t.books[2*k], m.log10(node))
		r[innerProbAt+1] = nearest(t.books[2*k+1], m.backoff(m.inner(node), node))
	}
	probs := t.books[2*len(m.counts)-2]
	for node := t.outer; node < t.nodes(); node++ {
		r := t.outerAt(node)
		copy(r[:outerProbAt], m.outerAt(node))
		r[outerProbAt] = nearest(probs, m.log10(node))
	}
	return &Model{vocabulary: m.vocabulary, tree: t, Backward: m.Backward, Characters: m.Characters}, nil
}

// logs are the logarithms of the sequences of k+1 words that count, in order.
func (m *Model) logs(k int, value func(node uint32) float64) []float64 {
	all := make([]float64, 0, m.counts[k])
	for node := m.starts[k+1]; node < m.starts[k+2]; node++ {
		all = append(all, value(node))
	}
	slices.Sort(all)
	return all
}

// book finds the values of codes for sorted logarithms, in order. With zero one of them is 0, which stands for 0 alone.
func book(sorted []float64, zero bool) []float32 {
	n := codes
	if zero {
		n--
		sorted = slices.DeleteFunc(sorted, func(x float64) bool { return x == 0 })
	}
	values := lloyd(sorted, n)
	if zero {
		values = append(values, 0)
	}
	out := make([]float32, codes)
	for k := range out {
		out[k] = float32(values[min(k, len(values)-1)])
	}
	slices.Sort(out)
	return out
}

// lloyd finds up to n values that are the means of the numbers nearest to them.
func lloyd(sorted []float64, n int) []float64 {
	different := slices.Compact(slices.Clone(sorted))
	if len(different) <= n {
		if len(different) == 0 {
			return []float64{0}
		}
		return different
	}
	sums := make([]float64, len(sorted)+1)
	for k, x := range sorted {
		sums[k+1] = sums[k] + x
	}
	values := make([]float64, n)
	lo, hi := sorted[0], sorted[len(sorted)-1]
	for k := range values { // half of them as dense as the numbers, half evenly: the few large probabilities are asked for most often
		if k%2 == 0 {
			values[k] = sorted[k*len(sorted)/n]
		} else {
			values[k] = lo + float64((hi-lo)*float64(k))/float64(n)
		}
	}
	slices.Sort(values)
	const rounds = 50
	for range rounds {
		from := 0
		for k := range values {
			to := len(sorted)
			if k < n-1 {
				to, _ = slices.BinarySearch(sorted, (values[k]+values[k+1])/2)
			}
			if to > from {
				values[k] = (sums[to] - sums[from]) / float64(to-from)
			}
			from = max(from, to)
		}
	}
	return values
}

// nearest is the code of the value nearest to x.
func nearest(book []float32, x float64) byte {
	k, _ := slices.BinarySearchFunc(book, x, func(v float32, x float64) int {
		if float64(v) < x {
			return -1
		}
		return 1
	})
	if k == codes || k > 0 && x-float64(book[k-1]) < float64(book[k])-x {
		k--
	}
	return byte(k)
}
