package mrf

import (
	"container/heap"
	"math/rand/v2"
	"slices"
)

// criterion is what the variable that is eliminated next has least of.
type criterion int

const (
	minFill         criterion = iota // edges that its elimination adds (Kjærulff, 1990)
	minWeight                        // entries of the table of it and its neighbours
	minWeightedFill                  // added edges, each as many as the products of the numbers of values of its ends
	criteria
)

// limits bound the tables of an elimination. 0: no limit.
type limits struct {
	entries   float64 // of one table, over a variable and its separator
	separator int     // variables in a separator; 1: trees
	total     float64 // of entries of all tables together
}

func (l limits) allow(entries float64, separator int) bool {
	return (l.entries == 0 || entries <= l.entries) && (l.separator == 0 || separator <= l.separator)
}

// turn is a variable that is eliminated and its separator: those that it then still interacts with, ascending.
type turn struct {
	variable  int32
	separator []int32
}

// elimination eliminates the variables of a graph one after another, by a criterion. Where the next table does not keep to the limits,
// it gives up, or a variable is cut: it will be conditioned on.
type elimination struct {
	interactions
	by     criterion
	limits limits
	tie    []uint32
	key    []float64
	live   []bool
	mark   []bool
	queue  eliminationQueue
	work   float64 // steps through lists of near variables
	merged []int32 // scratch

	turns   []turn
	cut     []int32
	width   int     // the largest separator
	entries float64 // of all tables
}

// newElimination leaves the interactions as they are. Ties are broken at random, or by the number of a variable where r is nil.
func newElimination(g interactions, by criterion, lim limits, r *rand.Rand) *elimination {
	n := len(g.cards)
	e := &elimination{interactions: g, by: by, limits: lim, tie: make([]uint32, n), key: make([]float64, n), live: make([]bool, n), mark: make([]bool, n)}
	e.near = make([][]int32, n)
	for _, i := range g.variables {
		e.near[i], e.live[i] = slices.Clone(g.near[i]), true
		if r != nil {
			e.tie[i] = r.Uint32()
		}
	}
	for _, i := range g.variables {
		e.judge(i)
	}
	return e
}

// run eliminates all variables but those that choose cuts. Where choose is nil none is cut: run is false where a table does not fit.
func (e *elimination) run(choose func(e *elimination) int32) bool {
	for len(e.queue) > 0 {
		top := e.queue[0]
		v := top.variable
		if !e.live[v] || top.key != e.key[v] { // an entry that another has replaced
			heap.Pop(&e.queue)
			continue
		}
		size := e.tableSize(v)
		alone := size <= e.cards[v] // cutting others makes no smaller table
		total := e.limits.total == 0 || e.entries+size <= e.limits.total || alone && choose != nil
		switch fits := total && e.limits.allow(size, len(e.near[v])); {
		case fits:
			e.eliminate(v, size)
		case choose == nil:
			e.width = max(e.width, len(e.near[v]))
			return false
		default:
			e.cutOut(choose(e))
		}
	}
	e.separateFromCut()
	return true
}

// separateFromCut takes those that are cut out of the separators.
func (e *elimination) separateFromCut() {
	if len(e.cut) == 0 {
		return
	}
	isCut := make([]bool, len(e.live))
	for _, i := range e.cut {
		isCut[i] = true
	}
	for t := range e.turns {
		e.turns[t].separator = slices.DeleteFunc(e.turns[t].separator, func(i int32) bool { return isCut[i] })
	}
}

// tableSize is the number of entries of the table over a variable and what it interacts with.
func (e *elimination) tableSize(i int32) float64 {
	n := e.cards[i]
	for _, j := range e.near[i] {
		n *= e.cards[j]
	}
	return n
}

// judge computes what a variable's elimination would cost.
func (e *elimination) judge(v int32) {
	if e.by == minWeight {
		e.work += float64(len(e.near[v]))
		e.rank(v, e.tableSize(v))
		return
	}
	e.rank(v, e.fill(v))
}

// fill sums twice the weights of the edges that the elimination of a variable adds.
func (e *elimination) fill(v int32) float64 {
	near, sum := e.near[v], 0.0
	for _, i := range near {
		e.mark[i] = true
	}
	for _, i := range near {
		missing := -e.end(i)
		for _, j := range near {
			missing += e.end(j)
		}
		for _, j := range e.near[i] {
			if e.mark[j] {
				missing -= e.end(j)
			}
		}
		e.work += float64(len(near) + len(e.near[i]))
		sum += float64(missing * e.end(i))
	}
	for _, i := range near {
		e.mark[i] = false
	}
	return sum
}

// end is the weight of a variable as an end of an edge, whose own is the product.
func (e *elimination) end(i int32) float64 {
	if e.by == minWeightedFill {
		return e.cards[i]
	}
	return 1
}

func (e *elimination) rank(v int32, key float64) {
	e.key[v] = key
	heap.Push(&e.queue, eliminationEntry{key, e.tie[v], v})
}

// eliminate takes a variable out and joins those that it interacts with.
func (e *elimination) eliminate(v int32, size float64) {
	around := e.near[v]
	e.turns = append(e.turns, turn{v, around})
	e.width, e.entries = max(e.width, len(around)), e.entries+size
	e.live[v], e.near[v] = false, nil
	if e.key[v] == 0 && e.by != minWeight { // nothing to join, and no other variable misses fewer edges but for those of v
		for _, i := range around {
			e.part(i, v)
		}
	} else {
		for _, i := range around {
			e.join(i, around, v)
		}
	}
	for _, i := range around {
		e.judge(i)
	}
}

// cutOut takes a variable out and joins nothing.
func (e *elimination) cutOut(c int32) {
	e.cut = append(e.cut, c)
	e.live[c] = false
	for _, i := range e.near[c] {
		e.part(i, c)
	}
	for _, i := range e.near[c] {
		e.judge(i)
	}
}

// part takes v from those that i interacts with.
func (e *elimination) part(i, v int32) {
	list := e.near[i]
	if k, ok := slices.BinarySearch(list, v); ok {
		e.near[i] = slices.Delete(list, k, k+1)
	}
	e.work += float64(len(list))
}

// join makes i interact with the others around v, and no longer with v.
func (e *elimination) join(i int32, around []int32, v int32) {
	old := e.near[i]
	if e.by != minWeight {
		for _, j := range around {
			if _, ok := slices.BinarySearch(old, j); !ok && i < j {
				e.joined(i, j, around)
			}
		}
	}
	e.work += float64(len(old) + len(around))
	e.merged = appendUnion(e.merged[:0], old, around, i, v)
	e.near[i] = append(old[:0], e.merged...)
}

// joined tells the variables that interact with both i and j, and not with the one that is eliminated, that they miss this edge no longer.
func (e *elimination) joined(i, j int32, around []int32) {
	p, q := e.near[i], e.near[j]
	less := float64(2 * e.end(i) * e.end(j))
	for a, b := 0, 0; a < len(p) && b < len(q); {
		switch {
		case p[a] < q[b]:
			a++
		case q[b] < p[a]:
			b++
		default:
			if w := p[a]; e.live[w] {
				if _, ok := slices.BinarySearch(around, w); !ok {
					e.rank(w, e.key[w]-less)
				}
			}
			a++
			b++
		}
	}
	e.work += float64(len(p) + len(q))
}

// appendUnion appends all of a and b, both ascending, without u and v.
func appendUnion(all, a, b []int32, u, v int32) []int32 {
	for i, j := 0, 0; i < len(a) || j < len(b); {
		var x int32
		switch {
		case j == len(b) || i < len(a) && a[i] < b[j]:
			x = a[i]
			i++
		case i == len(a) || b[j] < a[i]:
			x = b[j]
			j++
		default:
			x = a[i]
			i++
			j++
		}
		if x != u && x != v {
			all = append(all, x)
		}
	}
	return all
}
