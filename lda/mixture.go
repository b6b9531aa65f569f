package lda

import "math/bits"

// fraction is the binary digits that the mass of a prior has behind the point, where a token has mass 1.
const fraction = 16

// mixture draws a topic from a prior whose mass stands beside that of tokens.
type mixture struct {
	mass  uint64      // the prior's sum, in units of 2^-fraction
	k     uint64      // topics
	table []topicCell // nil where all topics are as likely
}

func newMixture(prior []float64, sum float64) mixture {
	x := mixture{mass: uint64(float64(sum*(1<<fraction)) + 0.5), k: uint64(len(prior))}
	b := newTableBuilder(len(prior))
	for k, a := range prior {
		if a != prior[0] {
			x.table = make([]topicCell, len(prior))
		}
		b.put(uint16(k), a)
	}
	if x.table != nil {
		b.build(x.table)
	}
	return x
}

// topic is the topic of random bits.
func (x *mixture) topic(u uint64) uint16 {
	if x.table == nil {
		i, _ := bits.Mul64(u, x.k)
		return uint16(i)
	}
	return pickCell(x.table, u)
}
