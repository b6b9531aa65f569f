package lattice

import (
	"encoding/binary"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// clusterData is what is known of clusters, at their roots.
type clusterData struct {
	size   []int32
	colour []uint8   // Ising: 1 where the cluster is turned
	pull   []float64 // Σ h_i s_i, or Σ h_i of a Potts model; nil without fields
}

func newClusterData(m *Model) clusterData {
	n := m.Graph.Sites()
	c := clusterData{size: make([]int32, n), colour: make([]uint8, n)}
	if m.Field != nil {
		c.pull = make([]float64, n)
	}
	return c
}

// flatten makes the parents of the sites from here to the last roots, and counts the sites of their clusters.
func flatten(parent, size []int32, from int) Clusters {
	clusters, squares, largest := 0, 0, int32(0)
	size = size[:len(parent)]
	for i := from; i < len(parent); i++ {
		size[i] = 0
		top := parent[parent[i]]
		parent[i] = top
		n := size[top] + 1
		size[top] = n
		squares += 2*int(n) - 1
		largest = max(largest, n)
		clusters += int((uint64(uint32(top)^uint32(i)) - 1) >> 63) // where they are the same
	}
	return Clusters{clusters, int(largest), float64(squares)}
}

// drawFree draws the colours of clusters from one of q uniformly.
func (c *clusterData) drawFree(stream *streams.Stream, q int, parent []int32, from, to int) {
	if q == 2 {
		randomBits(stream, c.colour[from:to])
		return
	}
	for i := from; i < to; i++ {
		if int(parent[i]) == i {
			c.colour[i] = uint8(streams.Below(next(stream), q))
		}
	}
}

// randomBits makes each byte 0 or 1.
func randomBits(stream *streams.Stream, b []uint8) {
	for len(b) >= 64 {
		u := next(stream)
		for i := range 8 {
			binary.LittleEndian.PutUint64(b[8*i:], u>>i&ones)
		}
		b = b[64:]
	}
	u := next(stream)
	for i := range b {
		b[i] = uint8(u >> i & 1)
	}
}

// sumPull adds up the fields on the clusters of a block whose parents are roots.
func (c *clusterData) sumPull(m *Model, spins []uint8, parent []int32, from, to int) {
	for i := from; i < to; i++ {
		h := m.Field[i]
		if m.Q == 0 && spins[i] == 0 {
			h = -h
		}
		if int(parent[i]) == i {
			c.pull[i] = 0
		}
		c.pull[parent[i]] += h
	}
}

// clusterColour is what becomes of a cluster with β Σ h_i s_i or β Σ h_i = gain, by a uniform u: 1 where an Ising cluster is turned, and the
// colour of a Potts cluster, which is 0 with probability e^gain/(e^gain + q − 1).
func (m *Model) clusterColour(u, gain float64) uint8 {
	if m.Q == 0 {
		if u < vec.Ilogit(-2*gain) {
			return 1
		}
		return 0
	}
	others := float64(m.Q - 1)
	p := vec.Ilogit(vec.Log(others) - gain) // of another than 0
	if u >= p {
		return 0
	}
	return 1 + uint8(min(u/p*others, others-1))
}
