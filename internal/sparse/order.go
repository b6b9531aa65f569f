package sparse

import (
	"container/heap"
	"slices"
)

// minimumDegree orders variables so that elimination fills little (Rose 1972):
// always the one with fewest neighbours next, ties by number. It returns nil
// where the fill passes MaxFill.
func minimumDegree(n int, adj [][]int32) []int32 {
	g := make([]map[int32]bool, n)
	q := &degrees{at: make([]int32, n)}
	for i := range g {
		g[i] = make(map[int32]bool, len(adj[i]))
		for _, k := range adj[i] {
			g[i][k] = true
		}
		q.item = append(q.item, int32(i))
		q.at[i] = int32(i)
	}
	q.size = func(i int32) int { return len(g[i]) }
	heap.Init(q)
	order := make([]int32, 0, n)
	fill := 0
	for q.Len() > 0 {
		v := heap.Pop(q).(int32)
		order = append(order, v)
		var nb []int32
		for k := range g[v] {
			nb = append(nb, k)
		}
		slices.Sort(nb)
		if fill += len(nb); fill > MaxFill || len(nb) > maxFront {
			return nil
		}
		if q.complete(len(nb)) { // where numbers alone decide
			if fill += len(nb) * (len(nb) - 1) / 2; fill > MaxFill {
				return nil
			}
			return append(order, nb...)
		}
		for _, a := range nb {
			delete(g[a], v)
			for _, b := range nb {
				if a != b {
					g[a][b] = true
				}
			}
		}
		for _, a := range nb {
			heap.Fix(q, int(q.at[a]))
		}
		g[v] = nil
	}
	return order
}

// complete tells whether each variable left is a neighbour of all others, the
// one just taken included.
func (d *degrees) complete(neighbours int) bool {
	if neighbours != d.Len() {
		return false
	}
	for _, i := range d.item {
		if d.size(i) != neighbours {
			return false
		}
	}
	return true
}

// maxFront bounds the neighbours a variable may have when it is eliminated:
// beyond it the factor is as good as dense and single-site moves are cheaper.
const maxFront = 1200

// degrees is a heap of variables by their number of neighbours.
type degrees struct {
	item []int32
	at   []int32
	size func(i int32) int
}

func (d *degrees) Len() int { return len(d.item) }
func (d *degrees) Less(a, b int) bool {
	x, y := d.item[a], d.item[b]
	if s, t := d.size(x), d.size(y); s != t {
		return s < t
	}
	return x < y
}
func (d *degrees) Swap(a, b int) {
	d.item[a], d.item[b] = d.item[b], d.item[a]
	d.at[d.item[a]], d.at[d.item[b]] = int32(a), int32(b)
}
func (d *degrees) Push(x any) { d.item = append(d.item, x.(int32)) }
func (d *degrees) Pop() any {
	n := len(d.item) - 1
	x := d.item[n]
	d.item = d.item[:n]
	return x
}
