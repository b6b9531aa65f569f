package markov

import (
	"math"
	"slices"
)

// Class is a communicating class: a largest set of states that can all reach each other.
type Class struct {
	States []int32 // ascending
	// Closed classes are never left. The states of the others are transient.
	Closed bool
	// Period is the greatest common divisor of the lengths of all ways back to a state; 0 where there is none.
	Period int
}

// Classes are the communicating classes of a chain, in the order of their first states.
type Classes struct {
	List []Class
	Of   []int32 // the class of each state
}

// Classify finds the communicating classes as strongly connected components (Tarjan, 1972) and their periods from
// the levels of a breadth-first search (Denardo, 1977), in time linear in the transitions.
func Classify(c Chain) *Classes {
	if d, ok := c.(*Dense); ok && d.stays() && d.connected(math.SmallestNonzeroFloat64) {
		return &Classes{List: []Class{{States: allStates(d.n), Closed: true, Period: 1}}, Of: make([]int32, d.n)}
	}
	s := AsSparse(c)
	cl := &Classes{Of: make([]int32, s.Len())}
	number := components(s, cl.Of)
	cl.gather(number)
	for k := range cl.List {
		cl.List[k].Closed = true
	}
	for i := range s.Len() {
		to, _ := s.row(i)
		for _, j := range to {
			if cl.Of[i] != cl.Of[j] {
				cl.List[cl.Of[i]].Closed = false
			}
		}
	}
	level := make([]int32, s.Len())
	for k := range cl.List {
		cl.List[k].Period = cl.period(s, level, int32(k))
	}
	return cl
}

// gather numbers classes by their first states and lists their states in one array.
func (cl *Classes) gather(number int) {
	rank := make([]int32, number)
	for k := range rank {
		rank[k] = -1
	}
	size := make([]int, 0, number)
	for i, k := range cl.Of {
		if rank[k] < 0 {
			rank[k] = int32(len(size))
			size = append(size, 0)
		}
		cl.Of[i] = rank[k]
		size[rank[k]]++
	}
	cl.List = make([]Class, number)
	states := make([]int32, len(cl.Of))
	at := 0
	for k, m := range size {
		cl.List[k].States = states[at : at : at+m]
		at += m
	}
	for i, k := range cl.Of {
		cl.List[k].States = append(cl.List[k].States, int32(i))
	}
}

// components writes the number of each state's strongly connected component to of. The stack of the search is
// explicit: a path may be as long as the chain.
func components(s *Sparse, of []int32) int {
	n := s.Len()
	index := make([]int32, n) // order of discovery from 1; 0 unseen
	low := make([]int32, n)
	next := make([]int, n)
	var path, open []int32
	found, number := int32(0), int32(0)
	for i := range of {
		of[i] = -1
	}
	enter := func(v int32) {
		found++
		index[v], low[v], next[v] = found, found, s.start[v]
		path, open = append(path, v), append(open, v)
	}
	for root := range int32(n) {
		if index[root] != 0 {
			continue
		}
		enter(root)
		for len(path) > 0 {
			v := path[len(path)-1]
			if next[v] < s.start[v+1] {
				w := s.to[next[v]]
				next[v]++
				if index[w] == 0 {
					enter(w)
				} else if of[w] < 0 {
					low[v] = min(low[v], index[w])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				u := path[len(path)-1]
				low[u] = min(low[u], low[v])
			}
			if low[v] != index[v] {
				continue
			}
			for {
				w := open[len(open)-1]
				open = open[:len(open)-1]
				of[w] = number
				if w == v {
					break
				}
			}
			number++
		}
	}
	return int(number)
}

// period is gcd over transitions i→j inside the class of level(i) + 1 − level(j).
func (cl *Classes) period(s *Sparse, level []int32, k int32) int {
	states := cl.List[k].States
	for _, i := range states {
		level[i] = -1
	}
	queue := make([]int32, 1, len(states))
	queue[0] = states[0]
	level[states[0]] = 0
	g := 0
	for at := 0; at < len(queue) && g != 1; at++ {
		i := queue[at]
		to, _ := s.row(int(i))
		for _, j := range to {
			switch {
			case cl.Of[j] != k:
			case level[j] < 0:
				level[j] = level[i] + 1
				queue = append(queue, j)
			default:
				g = gcd(g, int(level[i]+1-level[j]))
			}
		}
	}
	return g
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// Irreducible reports whether all states communicate.
func (cl *Classes) Irreducible() bool { return len(cl.List) == 1 }

// Closed are the numbers of the closed classes: there is one stationary distribution on each, and the stationary
// distribution of the chain is unique when there is one of them.
func (cl *Classes) Closed() (closed []int) {
	for k, c := range cl.List {
		if c.Closed {
			closed = append(closed, k)
		}
	}
	return closed
}

// Transient are the states outside all closed classes, ascending.
func (cl *Classes) Transient() (states []int32) {
	for i, k := range cl.Of {
		if !cl.List[k].Closed {
			states = append(states, int32(i))
		}
	}
	return states
}

// Absorbing are the states that are never left, ascending.
func (cl *Classes) Absorbing() (states []int32) {
	for _, c := range cl.List {
		if c.Closed && len(c.States) == 1 {
			states = append(states, c.States[0])
		}
	}
	slices.Sort(states)
	return states
}
