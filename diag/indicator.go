package diag

import "math/bits"

// indicator is 0-1 sequences, a bit a draw: their products are counts of
// bits, 64 at a time and exact.
type indicator struct {
	bits []uint64 // of each sequence from a new word on
	ones []int    // in each sequence
	head []int    // of which among as many first values as lags are known
	tail []int    // and among the last
}

// indicate makes the indicator of some positions in m sequences.
func (w *Work) indicate(positions []int32, m, h int) {
	b := &w.indicator
	stride := (h + 63) / 64
	b.bits, b.ones = resize(b.bits, m*stride), resize(b.ones, m)
	b.head, b.tail = resize(b.head, m), resize(b.tail, m)
	clear(b.bits)
	clear(b.ones)
	clear(b.head)
	clear(b.tail)
	for _, pos := range positions {
		j := int(uint32(pos) / uint32(h))
		t := int(pos) - j*h
		b.bits[j*stride+t/64] |= 1 << (t & 63)
		b.ones[j]++
	}
	w.means = resize(w.means, m)
	for j, n := range b.ones {
		w.means[j] = float64(n) / float64(h)
	}
}

// counted adds the autocovariance at the next lag to w.acov: of the
// indicators I with mean p,
// Σ (I_t - p)(I_{t+k} - p) = Σ I_t·I_{t+k} - p·Σ (I_t + I_{t+k}) + (h-k)·p².
func (w *Work) counted(m, h int) {
	b := &w.indicator
	lag, stride := len(w.acov), (h+63)/64
	total := 0.0
	for j := range m {
		words, p := b.bits[j*stride:(j+1)*stride], w.means[j]
		both := coincidences(words, lag)
		once := 2*b.ones[j] - b.head[j] - b.tail[j]
		total += float64(both) - p*float64(once) + float64(h-lag)*p*p
		b.head[j] += bitAt(words, lag)
		b.tail[j] += bitAt(words, h-1-lag)
	}
	w.acov = append(w.acov, total/float64(m)/float64(h))
}

func bitAt(words []uint64, i int) int { return int(words[i/64] >> (i & 63) & 1) }

// coincidences is the number of ones that a one follows lag places later.
func coincidences(words []uint64, lag int) (n int) {
	later := words[lag/64:]
	words = words[:len(later)]
	s := lag & 63
	last := len(later) - 1
	for i, next := range later[1:] {
		n += bits.OnesCount64(words[i] & (later[i]>>(s&63) | next<<1<<(63-s&63)))
	}
	return n + bits.OnesCount64(words[last]&(later[last]>>(s&63)))
}

// uncount writes the indicators out as centred sequences of numbers.
func (w *Work) uncount(m, h int) {
	b := &w.indicator
	w.centred = resize(w.centred, m*h)
	stride := (h + 63) / 64
	for j := range m {
		words := b.bits[j*stride : (j+1)*stride]
		dst := w.centred[j*h : (j+1)*h]
		for i := range dst {
			dst[i] = float64(bitAt(words, i)) - w.means[j]
		}
	}
	w.counting = false
}
