package mrf

import (
	"container/heap"
	"math/rand/v2"
	"slices"
)

// limits bound the tables of an elimination.
type limits struct {
	entries   int // of one table, over a variable and its separator
	separator int // variables in a separator; 1: trees. 0: any number
	total     int // of entries of all tables together; 0: any number
}

func (l limits) allow(entries float64, separator int) bool {
	return entries <= float64(l.entries) && (l.separator == 0 || separator <= l.separator)
}

// turn is a variable that is eliminated and those that it then still interacts with, ascending.
type turn struct {
	variable  int32
	separator []int32
}

// elimination eliminates the variables of some factors, that with the smallest table first. Where no table keeps to the limits, a
// variable is cut: it will be conditioned on.
type elimination struct {
	f      *Field
	limits limits
	near   [][]int32
	live   []bool
	queue  eliminationQueue
	last   []int // version of a variable's entry in the queue
	tie    []uint32
	turns  []turn
	cut    []int32
	total  float64
}

type eliminationEntry struct {
	entries  float64
	tie      uint32
	variable int32
	version  int
}

type eliminationQueue []eliminationEntry

func (q eliminationQueue) Len() int { return len(q) }
func (q eliminationQueue) Less(i, j int) bool {
	if q[i].entries != q[j].entries {
		return q[i].entries < q[j].entries
	}
	if q[i].tie != q[j].tie {
		return q[i].tie < q[j].tie
	}
	return q[i].variable < q[j].variable
}
func (q eliminationQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *eliminationQueue) Push(x any)   { *q = append(*q, x.(eliminationEntry)) }
func (q *eliminationQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// newElimination is one of all free variables. Ties are broken at random, or by the number of a variable where r is nil.
func newElimination(f *Field, factors []int32, lim limits, r *rand.Rand) *elimination {
	n := len(f.cards)
	e := &elimination{f: f, limits: lim, near: make([][]int32, n), live: make([]bool, n), last: make([]int, n), tie: make([]uint32, n)}
	for _, a := range factors {
		for _, i := range f.factors[a].scope {
			for _, j := range f.factors[a].scope {
				if i != j {
					e.near[i] = append(e.near[i], j)
				}
			}
		}
	}
	for _, i := range f.free {
		slices.Sort(e.near[i])
		e.near[i] = slices.Compact(e.near[i])
		if e.live[i] = true; r != nil {
			e.tie[i] = r.Uint32()
		}
		e.push(i)
	}
	return e
}

func (e *elimination) push(i int32) {
	e.last[i]++
	heap.Push(&e.queue, eliminationEntry{e.entries(i), e.tie[i], i, e.last[i]})
}

// entries is the size of the table over a variable and what it interacts with.
func (e *elimination) entries(i int32) float64 {
	n := float64(e.f.cards[i])
	for _, j := range e.near[i] {
		n *= float64(e.f.cards[j])
	}
	return n
}

// run eliminates or cuts all variables; choose picks one to be cut among those that are live.
func (e *elimination) run(choose func(e *elimination) int32) {
	for len(e.queue) > 0 {
		top := e.queue[0]
		if i := top.variable; !e.live[i] || top.version != e.last[i] {
			heap.Pop(&e.queue)
			continue
		}
		if i := top.variable; e.fits(top) {
			e.eliminate(i, top.entries)
		} else {
			e.cutOut(choose(e))
		}
	}
	isCut := make([]bool, len(e.live))
	for _, i := range e.cut {
		isCut[i] = true
	}
	for t := range e.turns {
		e.turns[t].separator = slices.DeleteFunc(e.turns[t].separator, func(i int32) bool { return isCut[i] })
	}
}

func (e *elimination) fits(top eliminationEntry) bool {
	return e.limits.allow(top.entries, len(e.near[top.variable])) && (e.limits.total == 0 || e.total+top.entries <= float64(e.limits.total) || top.entries <= float64(e.f.cards[top.variable]))
}

func (e *elimination) eliminate(v int32, entries float64) {
	around := e.near[v]
	e.turns = append(e.turns, turn{v, around})
	e.total += entries
	e.live[v] = false
	for _, u := range around {
		e.near[u] = union(e.near[u], around, u, v)
		e.push(u)
	}
}

func (e *elimination) cutOut(c int32) {
	e.cut = append(e.cut, c)
	e.live[c] = false
	for _, u := range e.near[c] {
		if at, ok := slices.BinarySearch(e.near[u], c); ok {
			e.near[u] = slices.Delete(slices.Clone(e.near[u]), at, at+1)
			e.push(u)
		}
	}
}

// union is all of a and b, both ascending, without u and v.
func union(a, b []int32, u, v int32) []int32 {
	all := make([]int32, 0, len(a)+len(b))
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

// manyVariables is from how many on a variable to be cut is not looked for among all.
const manyVariables = 4096

// busiest picks, of the live variables that are not kept, the one of the largest table, those that others can spare first. Of very many
// it looks only at the variable that is next and those that it interacts with.
func busiest(keep int32, spare []bool) func(e *elimination) int32 {
	return func(e *elimination) int32 {
		among := e.f.free
		if len(among) > manyVariables {
			next := e.queue[0].variable
			among = append([]int32{next}, e.near[next]...)
		}
		best, most := int32(-1), eliminationEntry{}
		for _, i := range among {
			if !e.live[i] || i == keep {
				continue
			}
			now := eliminationEntry{entries: e.entries(i), tie: e.tie[i]}
			if best < 0 || spare[i] && !spare[best] || spare[i] == spare[best] && (now.entries > most.entries || now.entries == most.entries && now.tie > most.tie) {
				best, most = i, now
			}
		}
		if best < 0 {
			return keep
		}
		return best
	}
}
