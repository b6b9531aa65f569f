package lda

// totals is the tokens of each topic, n_k, and 1/(n_k + Vβ). The inverse is computed from the count each time: a sum kept
// in floating point would depend on the way to it, and a resumed run would differ in the last bit.
type totals struct {
	n       []int64
	inverse []float64
	vb      float64 // Vβ
}

func newTotals(topics int) totals {
	return totals{n: make([]int64, topics), inverse: make([]float64, topics)}
}

// count takes the totals of the model's topics.
func (t *totals) count(m *Model) {
	clear(t.n)
	for _, z := range m.topics {
		t.n[z]++
	}
	t.invert(m)
}

// invert computes all inverses.
func (t *totals) invert(m *Model) {
	t.vb = float64(float64(m.corpus.Words) * m.beta)
	for k, n := range t.n {
		t.inverse[k] = 1 / (float64(n) + t.vb)
	}
}

// add counts by more tokens of topic z.
func (t *totals) add(z uint16, by int64) {
	n := t.n[z] + by
	t.n[z], t.inverse[z] = n, 1/(float64(n)+t.vb)
}
