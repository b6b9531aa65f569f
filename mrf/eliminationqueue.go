package mrf

// eliminationEntry is a variable with its cost, which may be out of date.
type eliminationEntry struct {
	key      float64
	tie      uint32
	variable int32
}

// eliminationQueue is a heap: the least cost on top.
type eliminationQueue []eliminationEntry

func (q eliminationQueue) Len() int { return len(q) }
func (q eliminationQueue) Less(a, b int) bool {
	if q[a].key != q[b].key {
		return q[a].key < q[b].key
	}
	if q[a].tie != q[b].tie {
		return q[a].tie < q[b].tie
	}
	return q[a].variable < q[b].variable
}
func (q eliminationQueue) Swap(a, b int) { q[a], q[b] = q[b], q[a] }

// Push is for package heap.
func (q *eliminationQueue) Push(x any) { *q = append(*q, x.(eliminationEntry)) }

// Pop is for package heap.
func (q *eliminationQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
