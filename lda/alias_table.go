package lda

import "math/bits"

// topicCell is a cell of Walker's (1977) table: all cells are as likely, and a cell stands for its own topic where 32 random
// bits are below keep, for the other elsewhere.
type topicCell struct {
	keep       uint32
	own, other uint16
}

// pickCell is a topic from a table.
func pickCell(table []topicCell, u uint64) uint16 {
	i, rest := bits.Mul64(u, uint64(len(table)))
	c := table[i]
	if uint32(rest>>32) < c.keep {
		return c.own
	}
	return c.other
}

// tableBuilder makes tables in memory that it keeps.
type tableBuilder struct {
	topics       []uint16
	weight       []float64
	small, large []int32
	total        []int64 // for callers
}

func newTableBuilder(topics int) tableBuilder {
	return tableBuilder{
		topics: make([]uint16, 0, topics), weight: make([]float64, 0, topics),
		small: make([]int32, 0, topics), large: make([]int32, 0, topics), total: make([]int64, topics),
	}
}

// begin forgets the topics that were put.
func (b *tableBuilder) begin() { b.topics, b.weight = b.topics[:0], b.weight[:0] }

// put adds a topic with a positive weight.
func (b *tableBuilder) put(z uint16, weight float64) {
	b.topics, b.weight = append(b.topics, z), append(b.weight, weight)
}

// build fills the table as Vose (1991) does, in O(topics), and returns the sum of the weights.
func (b *tableBuilder) build(table []topicCell) (sum float64) {
	for _, v := range b.weight {
		sum += v
	}
	scale := float64(len(b.weight)) / sum
	small, large := b.small[:0], b.large[:0]
	for i, v := range b.weight {
		if b.weight[i] = float64(v * scale); b.weight[i] < 1 {
			small = append(small, int32(i))
		} else {
			large = append(large, int32(i))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		table[s] = topicCell{uint32(float64(max(b.weight[s], 0) * 0x1p32)), b.topics[s], b.topics[l]}
		if b.weight[l] -= 1 - b.weight[s]; b.weight[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	for _, rest := range [2][]int32{small, large} { // full, but for rounding
		for _, i := range rest {
			table[i] = topicCell{1<<32 - 1, b.topics[i], b.topics[i]}
		}
	}
	return sum
}
