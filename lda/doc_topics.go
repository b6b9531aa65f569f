package lda

// docTopics is the topics of one document, with their counts.
type docTopics struct {
	n      []int32  // n_dk
	topics []uint16 // those whose count is not zero
	place  []uint16 // of those in topics
}

func newDocTopics(k int) docTopics {
	return docTopics{n: make([]int32, k), topics: make([]uint16, 0, k), place: make([]uint16, k)}
}

// fill counts the topics of a document's tokens, where there was none.
func (d *docTopics) fill(topics []uint16) {
	for _, z := range topics {
		d.add(z, 1)
	}
}

func (d *docTopics) clear() {
	for _, z := range d.topics {
		d.n[z] = 0
	}
	d.topics = d.topics[:0]
}

// add counts by, 1 or −1, more tokens of topic z.
func (d *docTopics) add(z uint16, by int32) {
	was := d.n[z]
	d.n[z] += by
	switch {
	case was == 0:
		d.place[z] = uint16(len(d.topics))
		d.topics = append(d.topics, z)
	case d.n[z] == 0: // the last takes the place
		last := d.topics[len(d.topics)-1]
		d.topics[d.place[z]] = last
		d.place[last] = d.place[z]
		d.topics = d.topics[:len(d.topics)-1]
	}
}
