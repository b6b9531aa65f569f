package lattice

import (
	"fmt"
	"math/rand/v2"
	"runtime"

	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// SwendsenWang is the algorithm of Swendsen and Wang (1987). Each bond that is satisfied is open with probability 1 − exp(−β|J|·c), where c is
// 2 for Ising spins and 1 for Potts spins; then each cluster of sites that open bonds connect is drawn anew, given the bonds (Edwards and Sokal
// 1988). A Potts cluster gets colour c with probability proportional to exp(β Σ h_i δ(c, 0)) over its sites. The spins of an Ising
// cluster are turned together with probability 1/(1 + exp(2β Σ h_i s_i)), or left, so that bonds may be of any sign: an antiferromagnetic one is satisfied by
// different spins.
//
// The sites are cut into blocks. The clusters of a block are found in one pass in the order of the sites by union-find, whose roots are the first sites of
// clusters as in Hoshen and Kopelman (1976); then the bonds between blocks join them. Threads share the blocks, which have random streams of their own, so that
// draws do not depend on threads. A step takes O(sites + bonds). A kernel belongs to one chain.
type SwendsenWang struct {
	model   *Model
	beta    float64
	block   int         // sites of a block
	same    chance      // of a bond where couplings are uniform
	regular *strips     // bonds within blocks; nil: inner has them
	inner   earlier     // bonds within blocks, where they are not regular
	outer   crossing    // bonds between blocks
	parent  []int32     // of the union-find: a root is its own
	cluster clusterData // at roots
	joined  []int32     // roots of blocks that outer bonds joined to others
	blocks  []Clusters
	all     Clusters

	find, draw, paint *fanout.Team

	// Of the step under way.
	spins []uint8
	name  streams.Name
}

// blockSites is the number of sites of a block, which share a stream. It is part of what determines the draws.
const blockSites = 1 << 16

// Clusters is what is known of the clusters of one step.
type Clusters struct {
	Count   int     // clusters
	Largest int     // sites of the largest
	Squares float64 // Σ n² of their sites n: without fields Squares/N estimates N⟨m²⟩ of an Ising ferromagnet
}

// NewSwendsenWang is the kernel at the inverse temperature β ≥ 0, which may be +Inf, on so many threads, 0 for all cores. The couplings of a Potts
// model must be 0 or more: a bond that is satisfied by several pairs of colours makes no clusters.
func NewSwendsenWang(m *Model, beta float64, threads int) (*SwendsenWang, error) {
	return newSwendsenWang(m, beta, threads, blockSites)
}

func newSwendsenWang(m *Model, beta float64, threads, block int) (*SwendsenWang, error) {
	if err := m.clusterable(); err != nil {
		return nil, err
	}
	if threads < 0 {
		return nil, fmt.Errorf("lattice: threads = %d must be 0 (all cores) or more", threads)
	}
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	n := m.Graph.Sites()
	if err := memory.Room(18 * float64(n)); err != nil {
		return nil, err
	}
	k := &SwendsenWang{model: m, block: block, parent: make([]int32, n), blocks: make([]Clusters, (n+block-1)/block)}
	k.cluster = newClusterData(m)
	if _, uniform := m.Graph.Uniform(); uniform {
		k.regular = newStrips(m.Graph, block)
	}
	if err := k.sortBonds(); err != nil {
		return nil, err
	}
	k.joined = make([]int32, 0, min(n, len(k.outer.sites)))
	k.find, k.draw, k.paint = fanout.New(threads, k.findBlock), fanout.New(threads, k.drawBlock), fanout.New(threads, k.paintBlock)
	if err := k.SetBeta(beta); err != nil {
		return nil, err
	}
	return k, nil
}

// SetBeta changes the inverse temperature.
func (k *SwendsenWang) SetBeta(beta float64) error {
	if err := checkBeta(beta); err != nil {
		return err
	}
	k.beta = beta
	c, uniform := k.model.Graph.Uniform()
	if uniform {
		k.same = k.model.bondChance(beta, c)
		return nil
	}
	within, between := 0, 0
	k.eachEarlier(func(_ int, _ int32, coupling float64, crosses bool) {
		c := k.model.bondChance(beta, coupling)
		if crosses {
			k.outer.chance[between] = c
			between++
			return
		}
		k.inner.chance[within] = c
		within++
	})
	return nil
}

// Clusters are those of the last step.
func (k *SwendsenWang) Clusters() Clusters { return k.all }

// Statistic is "clusters", "largest_cluster" or "cluster_squares" of the last step: see [Clusters].
func (k *SwendsenWang) Statistic(name string) (float64, bool) { return k.all.statistic(name) }

func (c Clusters) statistic(name string) (float64, bool) {
	switch name {
	case "clusters":
		return float64(c.Count), true
	case "largest_cluster":
		return float64(c.Largest), true
	case "cluster_squares":
		return c.Squares, true
	}
	return 0, false
}

// Step draws which bonds are open, and then all clusters.
func (k *SwendsenWang) Step(s *State, r *rand.Rand) mcmc.Info {
	k.spins, k.name = s.Spins, streams.From(r)
	k.find.Run(len(k.blocks))
	k.joinBlocks()
	if k.cluster.pull != nil {
		k.draw.Run(len(k.blocks))
	}
	k.paint.Run(len(k.blocks))
	k.spins = nil
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

func (k *SwendsenWang) sites(block int) (from, to int) {
	return block * k.block, min((block+1)*k.block, len(k.parent))
}

// findBlock finds the clusters of a block and their sizes, and draws their colours where there are no fields.
func (k *SwendsenWang) findBlock(b int) {
	stream := k.name.Stream(uint64(b))
	from, to := k.sites(b)
	if k.regular != nil {
		c, _ := k.model.Graph.Uniform()
		o := newOpener(&stream, k.same, c < 0)
		for _, s := range k.regular.of(b) {
			joinStrip(&o, s, k.spins, k.parent)
		}
	} else {
		k.inner.join(&stream, k.same, from, to, k.spins, k.parent)
	}
	k.blocks[b] = flatten(k.parent[:to], k.cluster.size[:to], from)
	if k.cluster.pull != nil {
		k.cluster.sumPull(k.model, k.spins, k.parent, from, to)
		return
	}
	k.cluster.drawFree(&stream, k.model.States(), k.parent, from, to)
}

// joinBlocks opens the bonds between blocks, and adds up the clusters that they join.
func (k *SwendsenWang) joinBlocks() {
	stream := k.name.Stream(uint64(len(k.blocks)))
	k.joined = k.outer.join(&stream, k.same, k.spins, k.parent, k.joined[:0])
	k.all = Clusters{}
	for _, t := range k.blocks {
		k.all.Count += t.Count
		k.all.Squares += t.Squares
		k.all.Largest = max(k.all.Largest, t.Largest)
	}
	c := &k.cluster
	for _, i := range k.joined {
		top := root(k.parent, i)
		k.parent[i] = top
		n, more := c.size[top], c.size[i]
		c.size[top] = n + more
		k.all.Count--
		k.all.Squares += float64(2 * int(n) * int(more))
		k.all.Largest = max(k.all.Largest, int(n+more))
		if c.pull != nil {
			c.pull[top] += c.pull[i]
		}
	}
}

// drawBlock draws the colours of the clusters whose roots are in a block, in fields.
func (k *SwendsenWang) drawBlock(b int) {
	stream := k.name.Stream(uint64(len(k.blocks) + 1 + b))
	from, to := k.sites(b)
	for i := from; i < to; i++ {
		if int(k.parent[i]) == i {
			k.cluster.colour[i] = k.model.clusterColour(streams.Unit(next(&stream)), times(k.beta, k.cluster.pull[i]))
		}
	}
}

// paintBlock gives the sites of a block what was drawn for their clusters. A site's parent is a root of its block, and that one's a root.
func (k *SwendsenWang) paintBlock(b int) {
	from, to := k.sites(b)
	parent, colour, spins := k.parent, k.cluster.colour, k.spins
	if k.model.Q == 0 {
		for i := from; i < to; i++ {
			spins[i] ^= colour[parent[parent[i]]]
		}
		return
	}
	for i := from; i < to; i++ {
		spins[i] = colour[parent[parent[i]]]
	}
}
