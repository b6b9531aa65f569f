package ngram

import "math"

// sound tells whether the records are those of a tree, so that no search leaves them and every one ends.
func (t *tree) sound() bool {
	for k := range t.counts {
		if t.first(t.starts[k]) != t.starts[k+1] {
			return false
		}
	}
	if t.first(t.outer) != t.nodes() {
		return false
	}
	for node := uint32(root); node < t.outer; node++ {
		if from, to := t.family(node); from > to || !t.ordered(from, to) {
			return false
		}
	}
	for k := range t.counts {
		for node := t.starts[k+1]; node < t.starts[k+2]; node++ {
			if !t.soundNode(node, k) {
				return false
			}
		}
	}
	return true
}

// ordered tells whether the last words of a family are in order.
func (t *tree) ordered(from, to uint32) bool {
	last := -1
	for node := from; node < to; node++ {
		w := int(t.word(node))
		if w <= last || w >= t.counts[0] {
			return false
		}
		last = w
	}
	return true
}

// soundNode checks the numbers of a node of k+1 words.
func (t *tree) soundNode(node uint32, k int) bool {
	var r []byte
	if node < t.outer {
		r = t.inner(node)
		if !t.quantised && !finite(t.backoff(r, node)) {
			return false
		}
	} else {
		r = t.outerAt(node)
	}
	if !t.quantised {
		if p := t.log10(node); !finite(p) || p > 0 {
			return false
		}
	}
	s := suffix(r)
	return s < t.starts[k+1] && s < t.outer
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
