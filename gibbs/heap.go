package gibbs

// maxHeap is a binary heap of numbers, the largest first. container/heap would box each
// of a million entries.
type maxHeap []uint64

func (h maxHeap) init() {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
}

func (h *maxHeap) push(v uint64) {
	*h = append(*h, v)
	s := *h
	i := len(s) - 1
	for up := (i - 1) / 2; i > 0 && s[up] < v; up = (i - 1) / 2 {
		s[i] = s[up]
		i = up
	}
	s[i] = v
}

func (h *maxHeap) pop() uint64 {
	s := *h
	top, last := s[0], len(s)-1
	s[0] = s[last]
	*h = s[:last]
	s[:last].down(0)
	return top
}

func (h maxHeap) down(i int) {
	if i >= len(h) {
		return
	}
	v := h[i]
	for {
		c := 2*i + 1
		if c >= len(h) {
			break
		}
		if c+1 < len(h) && h[c+1] > h[c] {
			c++
		}
		if h[c] <= v {
			break
		}
		h[i] = h[c]
		i = c
	}
	h[i] = v
}
