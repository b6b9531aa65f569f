package partition

import (
	"container/heap"
)

// Differencing is the division by largest differences: again and again the two largest numbers are put into different parts and replaced by
// their difference (Karmarkar and Karp, 1982). Its difference is typically n^{−Θ(log n)} of the largest number (Yakir, 1996), where
// annealing, whose moves see little of it, is no better; it is a solution to start from, in O(n log n).
func (p *Problem) Differencing() (solution []float64) {
	n := len(p.numbers)
	h := make(differences, n)
	for i, a := range p.numbers {
		h[i] = difference{a, int32(i)}
	}
	heap.Init(&h)
	apart := make([][]int32, n) // a tree: neighbours are in different parts
	for len(h) > 1 {
		a := heap.Pop(&h).(difference)
		b := &h[0]
		apart[a.at], apart[b.at] = append(apart[a.at], b.at), append(apart[b.at], a.at)
		*b = difference{a.size - b.size, a.at}
		heap.Fix(&h, 0)
	}
	solution = make([]float64, n)
	solution[0] = 1
	for todo := []int32{0}; len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, j := range apart[i] {
			if solution[j] == 0 {
				solution[j] = -solution[i]
				todo = append(todo, j)
			}
		}
	}
	return solution
}

// difference is a number that is left, which lies on the side of one of the first ones.
type difference struct {
	size uint64
	at   int32
}

// differences are a heap, the largest on top; of equal ones that of the least number.
type differences []difference

func (h differences) Len() int      { return len(h) }
func (h differences) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h differences) Less(i, j int) bool {
	return h[i].size > h[j].size || h[i].size == h[j].size && h[i].at < h[j].at
}
func (h *differences) Push(x any) { *h = append(*h, x.(difference)) }
func (h *differences) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
