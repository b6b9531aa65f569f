package bugs

import (
	"fmt"
	"math"
)

// neighbours is a graph as GeoBUGS writes it: num[i] neighbours of each i, listed in adj.
type neighbours struct {
	n        int
	from, to []float64 // of the edges, from < to
	at       []float64 // where each stands in adj, in the list of from
	island   []float64 // of each node, from 1; 0 for a node without neighbours
	members  []float64 // island by island
	first    []float64 // place in members where an island begins; one more than islands
}

// graphOf reads the neighbours that two arguments of a distribution give, which are data.
func (c *compiler) graphOf(d *DistCall, adj, num Expr) *neighbours {
	a, ok := c.given(adj)
	k, ok2 := c.given(num)
	for i, known := range []bool{ok, ok2} {
		if !known {
			e := []Expr{adj, num}[i]
			c.fail(e.Position(), "Give it in the data, or compute it in a data { } block.", "the neighbours of %s must be data, and %s is not", d.Name, e)
		}
	}
	for _, e := range []Expr{adj, num} {
		if v, is := e.(*VarRef); is {
			c.lookedAt[v.Name] = true
		}
	}
	g := &neighbours{n: len(k), island: make([]float64, len(k))}
	where := make([]map[int]int, len(k)) // by area, of each neighbour its place in adj
	next := 0
	for i, m := range k {
		if !(m >= 0 && m <= float64(len(a)-next)) || m != math.Trunc(m) {
			c.fail(num.Position(), sumOfNum, "num[%d] = %v does not go with the %d elements of adj", i+1, m, len(a))
		}
		where[i] = make(map[int]int, int(m))
		for range int(m) {
			x := a[next]
			if !(x >= 1 && x <= float64(len(k))) || x != math.Trunc(x) || int(x) == i+1 || where[i][int(x)-1] > 0 {
				c.fail(adj.Position(), fmt.Sprintf("The neighbours of each area are others of 1:%d, each once.", len(k)), "%v cannot be a neighbour of area %d", x, i+1)
			}
			next++
			where[i][int(x)-1] = next
		}
	}
	if next != len(a) {
		c.fail(num.Position(), sumOfNum, "num gives %d neighbours, and adj has %d", next, len(a))
	}
	c.spend(d.Pos, len(a)+len(k))
	next = 0
	for i, m := range k {
		for range int(m) {
			j := int(a[next]) - 1
			next++
			if where[j][i] == 0 {
				c.fail(adj.Position(), "Neighbourhood is mutual.", "area %d has the neighbour %d, which does not have it", i+1, j+1)
			}
			if i < j {
				g.from, g.to, g.at = append(g.from, float64(i+1)), append(g.to, float64(j+1)), append(g.at, float64(next))
			}
		}
	}
	return g
}

const sumOfNum = "Each element of num is the number of neighbours of an area, and their sum is the length of adj."

// islands numbers the connected parts of a graph, and picks a tree in each: tree holds the
// edges that are in one, as child and parent, by their numbers among the edges.
func (g *neighbours) islands() (roots, child, parent, edge, rest []float64) {
	type end struct{ node, edge int }
	ends := make([][]end, g.n)
	for e := range g.from {
		i, j := int(g.from[e])-1, int(g.to[e])-1
		ends[i], ends[j] = append(ends[i], end{j, e}), append(ends[j], end{i, e})
	}
	used := make([]bool, len(g.from))
	for i := range g.n {
		if g.island[i] != 0 || len(ends[i]) == 0 {
			continue
		}
		roots = append(roots, float64(i+1))
		id := float64(len(roots))
		g.island[i] = id
		g.first = append(g.first, float64(len(g.members)+1))
		queue := []int{i}
		for len(queue) > 0 {
			k := queue[0]
			queue = queue[1:]
			g.members = append(g.members, float64(k+1))
			for _, to := range ends[k] {
				if g.island[to.node] != 0 {
					continue
				}
				g.island[to.node], used[to.edge] = id, true
				child, parent, edge = append(child, float64(to.node+1)), append(parent, float64(k+1)), append(edge, float64(to.edge))
				queue = append(queue, to.node)
			}
		}
	}
	g.first = append(g.first, float64(len(g.members)+1))
	for e, in := range used {
		if !in {
			rest = append(rest, float64(e))
		}
	}
	return roots, child, parent, edge, rest
}
