package mrf

import (
	"container/heap"
	"slices"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// criterion is what the variable that is eliminated next has least of.
type criterion int

const (
	minFill         criterion = iota // edges that its elimination adds (Kjærulff, 1990)
	minWeight                        // entries of the table of it and its neighbours
	minWeightedFill                  // added edges, each as many as the products of the numbers of values of its ends
	criteria
)

// order is an elimination order with what it costs.
type order struct {
	variables []int
	cliques   [][]int32 // of each variable in the order: its neighbours when it is eliminated
	width     int       // the most neighbours
	entries   float64   // of the tables of all variables with their neighbours
	largest   float64   // of the largest of them
}

// bestOrder tries criteria with ties broken at random until the search has taken about as long as the elimination will. Orders whose tables
// have more than most entries are given up. It is nil where all are; width is then what the last one had come to.
func bestOrder(m *Model, most float64) (best *order, width int) {
	neighbours := m.neighbours()
	r := rng.New(0, "mrf elimination order")
	work := 0.0
	for try := 0; try < maxTries; try++ {
		e := newGreedyOrder(m, neighbours, criterion(try)%criteria, most)
		for i := range e.tie {
			e.tie[i] = r.Uint32()
		}
		done := e.run()
		work += e.work
		switch {
		case done && (best == nil || e.order.entries < best.entries):
			best, most = &e.order, e.order.entries
		case best == nil:
			width = max(width, e.order.width)
		}
		if limit := orderWork; try+1 >= int(criteria) && (work > limit || best != nil && work > min(limit, best.entries)) {
			break
		}
	}
	return best, width
}

const (
	maxTries  = 300
	orderWork = 3e8 // steps through lists of neighbours: about a second
)

// neighbours are the variables that are in a factor together, ascending.
func (m *Model) neighbours() [][]int32 {
	all := make([][]int32, len(m.Cards))
	for _, f := range m.Factors {
		for _, i := range f.Scope {
			for _, j := range f.Scope {
				if i != j {
					all[i] = append(all[i], int32(j))
				}
			}
		}
	}
	for i, list := range all {
		slices.Sort(list)
		all[i] = slices.Compact(list)
	}
	return all
}

// greedyOrder is an order on the way.
type greedyOrder struct {
	cards      []float64
	neighbours [][]int32
	by         criterion
	most       float64
	tie        []uint32
	key        []float64
	gone, mark []bool
	queue      candidates
	order      order
	work       float64
	merged     []int32 // scratch
}

func newGreedyOrder(m *Model, neighbours [][]int32, by criterion, most float64) *greedyOrder {
	n := len(m.Cards)
	e := &greedyOrder{cards: make([]float64, n), neighbours: make([][]int32, n), by: by, most: most, tie: make([]uint32, n), key: make([]float64, n), gone: make([]bool, n), mark: make([]bool, n)}
	for i, k := range m.Cards {
		e.cards[i] = float64(k)
		e.neighbours[i] = slices.Clone(neighbours[i])
	}
	return e
}

// run eliminates all variables; false where that costs too much.
func (e *greedyOrder) run() bool {
	n := len(e.cards)
	e.order.cliques = make([][]int32, 0, n)
	for i := range n {
		e.judge(i)
	}
	for len(e.order.variables) < n {
		c := heap.Pop(&e.queue).(candidate)
		if v := int(c.variable); e.gone[v] || c.key != e.key[v] {
			continue // an entry that another has replaced
		}
		if !e.eliminate(int(c.variable)) {
			return false
		}
	}
	return true
}

// judge computes what a variable's elimination would cost.
func (e *greedyOrder) judge(v int) {
	near := e.neighbours[v]
	key := 0.0
	switch e.by {
	case minWeight:
		key = e.cards[v]
		for _, i := range near {
			key *= e.cards[i]
		}
		e.work += float64(len(near))
	default:
		for _, i := range near {
			e.mark[i] = true
		}
		for _, i := range near {
			missing := -1.0
			if e.by == minWeightedFill {
				missing = -e.cards[i]
			}
			for _, j := range near {
				missing += e.edge(j)
			}
			for _, j := range e.neighbours[i] {
				if e.mark[j] {
					missing -= e.edge(j)
				}
			}
			e.work += float64(len(near) + len(e.neighbours[i]))
			if e.by == minWeightedFill {
				missing *= e.cards[i]
			}
			key += missing
		}
		for _, i := range near {
			e.mark[i] = false
		}
	}
	e.rank(v, key)
}

func (e *greedyOrder) edge(j int32) float64 {
	if e.by == minWeightedFill {
		return e.cards[j]
	}
	return 1
}

func (e *greedyOrder) rank(v int, key float64) {
	e.key[v] = key
	heap.Push(&e.queue, candidate{key, e.tie[v], int32(v)})
}

// eliminate takes a variable out and joins its neighbours; false where the tables so far are too much.
func (e *greedyOrder) eliminate(v int) bool {
	near := e.neighbours[v]
	entries := e.cards[v]
	for _, i := range near {
		entries *= e.cards[i]
	}
	o := &e.order
	o.width, o.largest, o.entries = max(o.width, len(near)), max(o.largest, entries), o.entries+entries
	if o.entries > e.most {
		return false
	}
	o.variables = append(o.variables, v)
	o.cliques = append(o.cliques, near)
	e.gone[v], e.neighbours[v] = true, nil
	if e.key[v] == 0 && e.by != minWeight { // nothing to join, and no other variable misses fewer edges but for those of v
		for _, i := range near {
			e.drop(i, v)
		}
	} else {
		for _, i := range near {
			e.join(i, near, v)
		}
	}
	for _, i := range near {
		e.judge(int(i))
	}
	return true
}

// drop takes a neighbour away.
func (e *greedyOrder) drop(i int32, v int) {
	list := e.neighbours[i]
	if k, ok := slices.BinarySearch(list, int32(v)); ok {
		e.neighbours[i] = slices.Delete(list, k, k+1)
	}
	e.work += float64(len(list))
}

// join makes the others of near neighbours of i. Variables outside that have both ends of a new edge as neighbours miss it no longer.
func (e *greedyOrder) join(i int32, near []int32, v int) {
	old := e.neighbours[i]
	out := e.merged[:0]
	a, b := 0, 0
	for a < len(old) || b < len(near) {
		switch {
		case b == len(near) || a < len(old) && old[a] < near[b]:
			if old[a] != int32(v) {
				out = append(out, old[a])
			}
			a++
		case a == len(old) || near[b] < old[a]:
			if j := near[b]; j != i {
				if out = append(out, j); i < j && e.by != minWeight {
					e.filled(i, j, near)
				}
			}
			b++
		default:
			out = append(out, old[a])
			a++
			b++
		}
	}
	e.work += float64(len(old) + len(near))
	e.merged = out
	e.neighbours[i] = append(old[:0], out...)
}

// filled tells the common neighbours of i and j, which are about to become neighbours.
func (e *greedyOrder) filled(i, j int32, near []int32) {
	p, q := e.neighbours[i], e.neighbours[j]
	less := 2.0
	if e.by == minWeightedFill {
		less = 2 * e.cards[i] * e.cards[j]
	}
	for a, b := 0, 0; a < len(p) && b < len(q); {
		switch {
		case p[a] < q[b]:
			a++
		case q[b] < p[a]:
			b++
		default:
			if w := p[a]; !e.gone[w] {
				if _, ok := slices.BinarySearch(near, w); !ok {
					e.rank(int(w), e.key[w]-less)
				}
			}
			a++
			b++
		}
	}
	e.work += float64(len(p) + len(q))
}

// candidate is a variable with its cost, which may be out of date.
type candidate struct {
	key      float64
	tie      uint32
	variable int32
}

// candidates are a heap: the least cost on top.
type candidates []candidate

func (c candidates) Len() int { return len(c) }
func (c candidates) Less(a, b int) bool {
	if c[a].key != c[b].key {
		return c[a].key < c[b].key
	}
	if c[a].tie != c[b].tie {
		return c[a].tie < c[b].tie
	}
	return c[a].variable < c[b].variable
}
func (c candidates) Swap(a, b int) { c[a], c[b] = c[b], c[a] }

// Push is for package heap.
func (c *candidates) Push(x any) { *c = append(*c, x.(candidate)) }

// Pop is for package heap.
func (c *candidates) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}
