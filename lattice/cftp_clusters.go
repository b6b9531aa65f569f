package lattice

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// clusterPast is chains of sets of open bonds. Behind the bonds of the graph, in the order of Graph.All, is one from each site to the ghost where there are
// fields.
type clusterPast struct {
	m     *Model
	down  bool     // the ghost is an Ising spin of −1
	joins []joined // what the bonds of the graph join
	apart []chance // of each bond: open where its ends are not connected otherwise
	near  []chance // and where they are

	least, most []bool // open bonds of the chains
	differ      int    // bonds that are open in one alone
	search      search
	parent      []int32 // of the clusters in write
	colour      []uint8
}

type joined struct{ i, j int32 }

func newClusterPast(m *Model, down bool) (*clusterPast, error) {
	n, bonds := m.Graph.Sites(), m.Graph.Bonds()
	all := bonds + len(m.Field)
	if err := memory.Room(float64(8*bonds) + float64(18*all) + float64(29*n) + float64(16*bonds)); err != nil {
		return nil, err
	}
	p := &clusterPast{m: m, down: down, joins: make([]joined, 0, bonds), apart: make([]chance, all), near: make([]chance, all),
		least: make([]bool, all), most: make([]bool, all), parent: make([]int32, n), colour: make([]uint8, n)}
	for b := range m.Graph.All() {
		p.joins = append(p.joins, joined{int32(b.I), int32(b.J)})
	}
	p.search = newSearch(n, p.joins, len(m.Field) > 0)
	return p, nil
}

func (p *clusterPast) setBeta(beta float64) {
	q := float64(p.m.States())
	set := func(b int, coupling float64) {
		x := math.Abs(coupling)
		if p.m.Q == 0 {
			x *= 2
		}
		open := -vec.Expm1(-times(beta, x))
		p.near[b], p.apart[b] = newChance(open), min(newChance(open), newChance(open/(open+float64(q*(1-open)))))
	}
	b := 0
	for bond := range p.m.Graph.All() {
		set(b, bond.Coupling)
		b++
	}
	for i, h := range p.m.Field {
		set(b+i, h)
	}
}

func (p *clusterPast) start() {
	for b := range p.least {
		p.least[b], p.most[b] = false, true
	}
	p.differ = len(p.least)
}

func (p *clusterPast) met() bool { return p.differ == 0 }

func (p *clusterPast) sweep(s streams.Stream) {
	for b := range p.least {
		u := next(&s)
		least, most := false, false
		switch {
		case p.apart[b].happens(u):
			least, most = true, true
		case p.near[b].happens(u):
			least = p.connected(p.least, b)
			most = least || p.differ > 0 && p.connected(p.most, b)
		}
		if p.least[b] != p.most[b] {
			p.differ--
		}
		if least != most {
			p.differ++
		}
		p.least[b], p.most[b] = least, most
	}
}

// connected says whether the ends of bond b are connected without it.
func (p *clusterPast) connected(open []bool, b int) bool {
	if ghost := b - len(p.joins); ghost >= 0 {
		return p.search.toGhost(open, int32(ghost), b)
	}
	return p.search.connected(open, p.joins[b].i, p.joins[b].j, b)
}

// write draws the colours of the clusters.
func (p *clusterPast) write(spins []uint8, s streams.Stream) {
	for i := range p.parent {
		p.parent[i] = int32(i)
		p.colour[i] = uint8(streams.Below(next(&s), p.m.States()))
	}
	for b, join := range p.joins {
		if p.least[b] {
			link(p.parent, join.i, join.j)
		}
	}
	ghost := uint8(0)
	if p.m.Q == 0 && !p.down {
		ghost = 1
	}
	for i, open := range p.least[len(p.joins):] {
		if open {
			p.colour[root(p.parent, int32(i))] = ghost
		}
	}
	for i := range spins {
		spins[i] = p.colour[root(p.parent, int32(i))]
	}
}

// search finds out whether two sites are connected by looking from both in turns: it ends with the smaller of two clusters, or where the sides meet.
type search struct {
	first  []int // of the bonds of each site
	ends   []int32
	bonds  []int32
	ghosts bool // site i has bond len(bonds)/2 + i to the ghost

	epoch uint32 // of this search
	seen  []uint32
	sides [2]side
}

// side is what has been seen from one of the sites.
type side struct {
	mark  uint32
	sites []int32
	at    int // of the sites whose bonds have not been looked at
	ghost bool
}

func newSearch(n int, joins []joined, ghosts bool) search {
	x := search{first: make([]int, n+1), ends: make([]int32, 2*len(joins)), bonds: make([]int32, 2*len(joins)), ghosts: ghosts, seen: make([]uint32, n)}
	for _, b := range joins {
		x.first[b.i+1]++
		x.first[b.j+1]++
	}
	for i := range n {
		x.first[i+1] += x.first[i]
	}
	put := func(i, j int32, b int) {
		x.ends[x.first[i]], x.bonds[x.first[i]] = j, int32(b)
		x.first[i]++
	}
	for b, join := range joins {
		put(join.i, join.j, b)
		put(join.j, join.i, b)
	}
	copy(x.first[1:], x.first)
	x.first[0] = 0
	for k := range x.sides {
		x.sides[k].sites = make([]int32, 0, n)
	}
	return x
}

// begin forgets the last search.
func (x *search) begin() {
	if x.epoch++; x.epoch == math.MaxUint32/2 {
		clear(x.seen)
		x.epoch = 1
	}
	for k := range x.sides {
		x.sides[k] = side{mark: 2*x.epoch + uint32(k), sites: x.sides[k].sites[:0]}
	}
}

func (x *search) add(s *side, i int32) {
	x.seen[i] = s.mark
	s.sites = append(s.sites, i)
}

// connected says whether open bonds other than one connect the sites.
func (x *search) connected(open []bool, i, j int32, without int) bool {
	x.begin()
	x.add(&x.sides[0], i)
	x.add(&x.sides[1], j)
	return x.meet(open, without)
}

// toGhost says whether open bonds other than one connect the site and the ghost.
func (x *search) toGhost(open []bool, i int32, without int) bool {
	x.begin()
	x.add(&x.sides[0], i)
	x.sides[1].ghost = true
	return x.meet(open, without)
}

// meet looks at the bonds of sites, of one side and the other in turns. A side that has come to the ghost waits for the other to do so.
func (x *search) meet(open []bool, without int) bool {
	a, b := &x.sides[0], &x.sides[1]
	for {
		if a.ghost && b.ghost {
			return true
		}
		if !a.ghost {
			if a.at == len(a.sites) {
				return false
			}
			if x.look(a, b.mark, open, without) {
				return true
			}
		}
		a, b = b, a
	}
}

// look looks at the bonds of a side's next site, and says whether one leads to the other side.
func (x *search) look(s *side, other uint32, open []bool, without int) bool {
	i := s.sites[s.at]
	s.at++
	if ghost := len(x.bonds)/2 + int(i); x.ghosts && open[ghost] && ghost != without {
		s.ghost = true
	}
	for k := x.first[i]; k < x.first[i+1]; k++ {
		b := x.bonds[k]
		if !open[b] || int(b) == without {
			continue
		}
		j := x.ends[k]
		if x.seen[j] == other {
			return true
		}
		if x.seen[j] != s.mark {
			x.add(s, j)
		}
	}
	return false
}
