package spinlanes

import "math"

// Field is a number that holds Σ_j |J_ij| + |h_i| of every spin.
type Field interface{ int16 | int32 }

// MaxField is the largest sum of the absolute values of the couplings and the field of a spin that 32 bits may hold here.
const MaxField = 1 << 30

// Graph is the couplings of a system, by spins. It does not change.
type Graph struct {
	bound int32 // max_i Σ_j |J_ij| + |h_i|
	unit  bool  // all couplings are 1 or −1, in 16 bits
	wide  bool  // 32 bits
	field []int32
	// The neighbours of spin i are those from ends[2i] to before ends[2i+2]; where unit is set, those from ends[2i+1] on have the coupling
	// −1. A neighbour j is where its fields lie: j times the bytes of a vector of them, divided by 8.
	ends   []uint32
	at     []uint32
	weight []int32
}

// NewGraph takes the fields of the spins and their neighbours in compressed rows: those of spin i are at[first[i]:first[i+1]],
// with the couplings at the same places of weight. Each pair of spins is there from both sides, once, with the same coupling; none is its
// own neighbour.
func NewGraph(field []int32, first, at []uint32, weight []int32) *Graph {
	n := len(field)
	g := &Graph{unit: true, field: field, ends: make([]uint32, 2*n+1), at: make([]uint32, len(at)), weight: make([]int32, len(at))}
	for i, h := range field {
		sum := abs(h)
		for _, w := range weight[first[i]:first[i+1]] {
			sum += abs(w)
			g.unit = g.unit && (w == 1 || w == -1)
		}
		if sum > MaxField {
			panic("spinlanes: couplings are too large")
		}
		g.bound = max(g.bound, int32(sum))
	}
	g.wide = g.bound > math.MaxInt16
	g.unit = g.unit && !g.wide
	g.rows(first, at, weight)
	return g
}

func abs(x int32) int64 { return max(int64(x), -int64(x)) }

// scale is the bytes of a vector of fields, divided by 8.
func (g *Graph) scale() uint32 {
	if g.wide {
		return Lanes * 4 / 8
	}
	return Lanes * 2 / 8
}

func (g *Graph) rows(first, at []uint32, weight []int32) {
	scale := g.scale()
	end := uint32(0)
	put := func(e uint32) {
		g.at[end], g.weight[end] = at[e]*scale, weight[e]
		end++
	}
	for i := range g.field {
		for e := first[i]; e < first[i+1]; e++ {
			if weight[e] > 0 || !g.unit {
				put(e)
			}
		}
		g.ends[2*i+1] = end
		for e := first[i]; g.unit && e < first[i+1]; e++ {
			if weight[e] < 0 {
				put(e)
			}
		}
		g.ends[2*i+2] = end
	}
}

// Spins is their number.
func (g *Graph) Spins() int { return len(g.field) }

// Bound is the largest Σ_j |J_ij| + |h_i|, at most [MaxField].
func (g *Graph) Bound() int32 { return g.bound }

// Wide says that fields take 32 bits.
func (g *Graph) Wide() bool { return g.wide }

// Fields says whether a spin has a field.
func (g *Graph) Fields() bool {
	for _, h := range g.field {
		if h != 0 {
			return true
		}
	}
	return false
}

// Rows are the neighbours of all spins: those of spin i are at[first[i]:first[i+1]].
func (g *Graph) Rows() (first []uint32, at []int32) {
	first, at = make([]uint32, len(g.field)+1), make([]int32, len(g.at))
	for i := range first {
		first[i] = g.ends[2*i]
	}
	scale := g.scale()
	for e, a := range g.at {
		at[e] = int32(a / scale)
	}
	return first, at
}
