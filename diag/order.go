package diag

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

const (
	digitBits   = 11
	digitValues = 1 << digitBits
	digitsMost  = 3
)

// histogram counts the values of each digit of the keys.
type histogram [digitsMost][digitValues]int32

// sorter orders numbers that are not NaN.
type sorter struct {
	values        []float64
	least, most   float64
	sorted        []float64
	order         []int32 // the positions in x of what is sorted
	words, words2 []uint64
	count         *histogram
}

// sort orders x, whose limits are lo and hi, ties by position. Each number
// becomes one word, a rough key above its position, and the words are sorted
// by radix; what the key does not tell apart is put right at the end. There
// are two ways to the key: the place between the limits, which needs few
// digits but wastes them on long tails, and the leading bits of the number
// itself.
func (s *sorter) sort(x []float64, lo, hi float64) {
	s.values, s.least, s.most = x, lo, hi
	s.sorted, s.order = resize(s.sorted, len(x)), resize(s.order, len(x))
	s.words, s.words2 = resize(s.words, len(x)), resize(s.words2, len(x))
	if s.count == nil {
		s.count = new(histogram)
	}
	if !s.byPlace() && !s.byBits() {
		s.byComparison()
	}
}

// byPlace takes a number's place in the bulk for the key: t/(1 + |t|), where t
// counts quartile distances from the median, both guessed. It is even for
// tails up to those of a Cauchy distribution, and fails where the numbers are
// too uneven.
func (s *sorter) byPlace() bool {
	const digits = 2
	if !varied(s.least, s.most) {
		return false
	}
	centre, unit := s.guess()
	scale := 1 / unit
	if math.IsInf(scale, 0) || math.IsInf((s.most-s.least)*scale, 0) {
		return false
	}
	*s.count = histogram{}
	words := s.words[:len(s.values)]
	for i, x := range s.values {
		t := (x - centre) * scale
		key := uint64((1 + t/(1+math.Abs(t))) * (1<<(digits*digitBits-1) - 1))
		s.count[0][key&(digitValues-1)]++
		s.count[1][key>>digitBits&(digitValues-1)]++
		words[i] = key<<32 | uint64(i)
	}
	moves := 0
	for _, c := range s.count[digits-1] {
		moves += int(c) * int(c) / digitValues
	}
	if moves > len(s.values) { // about the moves that reorder will need
		return false
	}
	s.radix(32, digits)
	return s.reorder(1<<32 - 1)
}

// guess is about the median and the distance of the quartiles, from a few of
// the numbers.
func (s *sorter) guess() (centre, unit float64) {
	var few [64]float64
	for i := range few {
		few[i] = s.values[i*len(s.values)/len(few)]
	}
	slices.Sort(few[:])
	unit = few[48] - few[16]
	if unit == 0 {
		unit = s.most - s.least
	}
	return few[32], unit
}

// byBits fails where many numbers differ in their last bits only.
func (s *sorter) byBits() bool {
	const keyBits, posBits = digitsMost * digitBits, 31
	least := sortKey(s.least)
	shift := max(bits.Len64(sortKey(s.most)-least)-keyBits, 0)
	*s.count = histogram{}
	for i, x := range s.values {
		key := (sortKey(x) - least) >> (shift & 63)
		s.count[0][key&(digitValues-1)]++
		s.count[1][key>>digitBits&(digitValues-1)]++
		s.count[2][key>>(2*digitBits)&(digitValues-1)]++
		s.words[i] = key<<posBits | uint64(i)
	}
	s.radix(posBits, digitsMost)
	return s.reorder(1<<posBits - 1)
}

func (s *sorter) byComparison() {
	for i := range s.order {
		s.order[i] = int32(i)
	}
	slices.SortFunc(s.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.values[a], s.values[b]), cmp.Compare(a, b))
	})
	for i, pos := range s.order {
		s.sorted[i] = s.values[pos]
	}
}

// radix sorts the words by their key, which starts at a bit, with the least
// digit first. Digits that all keys share cost nothing.
func (s *sorter) radix(bit, digits int) {
	for d := range digits {
		c := &s.count[d]
		at := (bit + d*digitBits) & 63
		if len(s.words) == 0 || int(c[s.words[0]>>at&(digitValues-1)]) == len(s.words) {
			continue
		}
		sum := int32(0)
		for v := range c {
			sum, c[v] = sum+c[v], sum
		}
		to := s.words2
		for _, word := range s.words {
			v := word >> at & (digitValues - 1)
			to[c[v]] = word
			c[v]++
		}
		s.words, s.words2 = to, s.words
	}
}

// reorder takes the numbers in the order of the words and moves those that are
// not in their own place yet. It gives up when they are many.
func (s *sorter) reorder(mask uint64) bool {
	moves := 4 * len(s.words)
	last := math.Inf(-1)
	sorted, order := s.sorted[:len(s.words)], s.order[:len(s.words)]
	for i, word := range s.words {
		pos := int32(word & mask)
		x := s.values[pos]
		if x >= last {
			sorted[i], order[i], last = x, pos, x
			continue
		}
		j := i
		for ; j > 0 && sorted[j-1] > x; j-- {
			sorted[j], order[j] = sorted[j-1], order[j-1]
		}
		sorted[j], order[j] = x, pos
		if moves -= i - j; moves < 0 {
			return false
		}
	}
	return true
}

// sortKey maps floats to integers in the same order, both zeros to one.
func sortKey(x float64) uint64 {
	b := math.Float64bits(x + 0)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}
