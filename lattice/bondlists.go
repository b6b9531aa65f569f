package lattice

import (
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/streams"
)

// earlier are bonds by their later site: those of site i lead to ends[start[i]:start[i+1]], all before i. The end of a bond with a
// negative coupling is stored as its complement.
type earlier struct {
	start  []int
	ends   []int32
	chance []chance // beside ends; nil: the same for all
}

// crossing are bonds between blocks as pairs of sites, the later one first, with ends as earlier has them.
type crossing struct {
	sites  []int32
	ends   []int32
	chance []chance
}

// eachEarlier yields the bonds of each site to sites before it, and whether they cross from one block to another.
func (k *SwendsenWang) eachEarlier(yield func(i int, j int32, coupling float64, crosses bool)) {
	g := k.model.Graph
	for i := range g.Sites() {
		for b, j := range g.Of(i) {
			if int(j) < i {
				yield(i, j, g.Coupling(i, b), int(j)/k.block != i/k.block)
			}
		}
	}
}

// sortBonds sorts the bonds of the graph into those within blocks, where these are not regular, and those between them.
func (k *SwendsenWang) sortBonds() error {
	within, between := 0, 0
	k.eachEarlier(func(_ int, _ int32, _ float64, crosses bool) {
		switch {
		case crosses:
			between++
		case k.regular == nil:
			within++
		}
	})
	n, each := k.model.Graph.Sites(), 4.0
	_, uniform := k.model.Graph.Uniform()
	if !uniform {
		each += 8
	}
	if err := memory.Room(float64(8*n) + float64(each*float64(within)) + float64((each+4)*float64(between))); err != nil {
		return err
	}
	k.outer = crossing{sites: make([]int32, 0, between), ends: make([]int32, 0, between)}
	if k.regular == nil {
		k.inner = earlier{start: make([]int, n+1), ends: make([]int32, 0, within)}
	}
	if !uniform {
		k.inner.chance, k.outer.chance = make([]chance, within), make([]chance, between)
	}
	k.eachEarlier(func(i int, j int32, coupling float64, crosses bool) {
		if coupling < 0 {
			j = ^j
		}
		switch {
		case crosses:
			k.outer.sites, k.outer.ends = append(k.outer.sites, int32(i)), append(k.outer.ends, j)
		case k.regular == nil:
			k.inner.ends = append(k.inner.ends, j)
			k.inner.start[i+1]++
		}
	})
	for i := range len(k.inner.start) - 1 {
		k.inner.start[i+1] += k.inner.start[i]
	}
	return nil
}

// join opens the bonds of the sites of a block and joins their clusters. A bond compares 16 random bits with the leading bits of its chance, and where
// they are equal another 48.
func (e *earlier) join(stream *streams.Stream, c chance, from, to int, spins []uint8, parent []int32) {
	var word uint64
	left := 0
	for i := from; i < to; i++ {
		parent[i] = int32(i)
		for b := e.start[i]; b < e.start[i+1]; b++ {
			if left == 0 {
				word, left = next(stream), 4
			}
			lane := uint32(word & 0xffff)
			word >>= 16
			left--
			if e.chance != nil {
				c = e.chance[b]
			}
			j, want := e.ends[b], spins[i]
			if j < 0 {
				j, want = ^j, want^1
			}
			if spins[j] == want && (lane < c.high() || lane == c.high() && c.tie(next(stream))) {
				link(parent, int32(i), j)
			}
		}
	}
}

// join opens the bonds and joins clusters; the roots that are none any more are appended to joined.
func (x *crossing) join(stream *streams.Stream, c chance, spins []uint8, parent, joined []int32) []int32 {
	for b, i := range x.sites {
		if x.chance != nil {
			c = x.chance[b]
		}
		j, want := x.ends[b], spins[i]
		if j < 0 {
			j, want = ^j, want^1
		}
		if spins[j] != want || !c.happens(next(stream)) {
			continue
		}
		if i, j = root(parent, i), root(parent, j); i != j {
			parent[max(i, j)] = min(i, j)
			joined = append(joined, max(i, j))
		}
	}
	return joined
}
