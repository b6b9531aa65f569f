package markov

// transpose lists for each state the states that it can be entered from, without probabilities.
func (s *Sparse) transpose() *Sparse {
	n := s.Len()
	t := &Sparse{start: make([]int, n+1), to: make([]int32, len(s.to))}
	for _, j := range s.to {
		t.start[j+1]++
	}
	for i := range n {
		t.start[i+1] += t.start[i]
	}
	for i := range n {
		to, _ := s.row(i)
		for _, j := range to {
			t.to[t.start[j]] = int32(i)
			t.start[j]++
		}
	}
	copy(t.start[1:], t.start)
	t.start[0] = 0
	return t
}

// search marks what can be reached from some states without entering those of stop.
func (s *Sparse) search(from []int, stop []bool) []bool {
	seen := make([]bool, s.Len())
	var queue []int32
	for _, i := range from {
		if !seen[i] {
			seen[i] = true
			queue = append(queue, int32(i))
		}
	}
	for len(queue) > 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, j := range s.to[s.start[i]:s.start[i+1]] {
			if !seen[j] && (stop == nil || !stop[j]) {
				seen[j] = true
				queue = append(queue, j)
			}
		}
	}
	return seen
}
