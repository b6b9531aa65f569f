package gibbs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// ParallelSettings say what a Parallel sampler draws. Blankets are needed; the zero value
// of the rest works.
type ParallelSettings struct {
	Blankets *Blankets
	Observed []int // nodes that keep the value they have
	Colours  []int // one a node, where better ones are known than Blankets.Colour finds; nil: those
	Threads  int   // goroutines that draw at a time; 0: all cores. Draws do not depend on it
}

// Parallel is a Gibbs sampler that draws nodes of one colour at the same time, as blocks of
// blockSize nodes; the colours have their turns in order (Gonzalez, Low, Gretton and Guestrin,
// 2011). It is a systematic scan: colour by colour, nodes in order within a colour. Each
// block of each step has a random stream of its own, named by 128 bits that the step takes
// from the chain's stream and the number of the block, so that draws do not depend on who
// does a block and when. It has nothing to tune; a chain needs one of its own.
//
// Goroutines live as long as the colour they draw, so there is nothing to close.
type Parallel[S any] struct {
	cond    Conditional[S]
	colours []class
	workers []*worker[S]

	// Of the step under way.
	state  S
	hi, lo uint64
	now    class
	team   []*worker[S] // workers that draw this colour
	run    *fanout.Team // of their work
}

// class is the nodes of one colour, in ascending order.
type class struct {
	nodes []int32
	first uint64 // number of its first block
}

func (c class) blocks() int { return (len(c.nodes) + blockSize - 1) / blockSize }

// blockSize is the number of nodes that share a stream: naming one costs about as much as
// two draws, and the thread that ends last is late by half a block in the mean. It is part of what
// determines the draws.
const blockSize = 1024

// worker is one of the goroutines that draw. Each begins with a share of the blocks that
// lie together, so that from colour to colour a part of the state stays in one processor's
// cache, and then helps the others. The padding keeps what two of them write off one cache
// line, which would cost more than a second thread gains.
type worker[S any] struct {
	_     [128]byte
	pcg   rand.PCG
	r     *rand.Rand
	taken atomic.Int64 // first block of its share that nobody has
	end   int64        // of its share
	_     [128]byte
}

// NewParallel checks the settings, and colours the nodes where they give no colours.
func NewParallel[S any](c Conditional[S], set ParallelSettings) (*Parallel[S], error) {
	switch {
	case c == nil:
		return nil, errors.New("gibbs: a sampler needs a Conditional that draws its nodes")
	case set.Blankets == nil:
		return nil, errors.New("gibbs: a parallel sampler needs the Markov blankets of the nodes; Undirected and Directed make them from a graph")
	case set.Threads < 0:
		return nil, fmt.Errorf("gibbs: threads = %d must be 0 (all cores) or more", set.Threads)
	}
	colours, err := set.colours()
	if err != nil {
		return nil, err
	}
	k := &Parallel[S]{cond: c, colours: classes(colours)}
	k.makeWorkers(set.Threads)
	return k, nil
}

// colours are those given, observed nodes fixed, or new ones.
func (set ParallelSettings) colours() ([]int, error) {
	if set.Colours == nil {
		return set.Blankets.Colour(set.Observed...)
	}
	colours, n := slices.Clone(set.Colours), set.Blankets.Nodes()
	if len(colours) != n {
		return nil, set.Blankets.Proper(colours)
	}
	if _, err := unobserved(n, set.Observed); err != nil {
		return nil, err
	}
	for _, i := range set.Observed {
		colours[i] = Fixed
	}
	if err := set.Blankets.Proper(colours); err != nil {
		return nil, err
	}
	if slices.Max(colours) == Fixed {
		return nil, fmt.Errorf("gibbs: all %d nodes are fixed, so there is nothing to draw", n)
	}
	return colours, nil
}

// classes lists the nodes by colour and numbers the blocks; colours without nodes drop out.
func classes(colours []int) []class {
	sizes := make([]int, slices.Max(colours)+1)
	for _, c := range colours {
		if c != Fixed {
			sizes[c]++
		}
	}
	all := make([]class, len(sizes))
	for c, n := range sizes {
		all[c].nodes = make([]int32, 0, n)
	}
	for i, c := range colours {
		if c != Fixed {
			all[c].nodes = append(all[c].nodes, int32(i))
		}
	}
	all = slices.DeleteFunc(all, func(c class) bool { return len(c.nodes) == 0 })
	first := uint64(0)
	for c := range all {
		all[c].first = first
		first += uint64(all[c].blocks())
	}
	return all
}

// makeWorkers makes as many workers as have something to do.
func (k *Parallel[S]) makeWorkers(threads int) {
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	most := 0
	for _, c := range k.colours {
		most = max(most, c.blocks())
	}
	for range min(threads, most) {
		h := new(worker[S])
		h.r = rand.New(&h.pcg)
		k.workers = append(k.workers, h)
	}
	k.run = fanout.New(len(k.workers), k.work)
}

// Colours is the number of colours.
func (k *Parallel[S]) Colours() int { return len(k.colours) }

// Step draws each node once.
func (k *Parallel[S]) Step(s S, r *rand.Rand) mcmc.Info {
	k.state, k.hi, k.lo = s, r.Uint64(), r.Uint64()
	for _, c := range k.colours {
		k.share(c)
		k.run.Run(len(k.team))
	}
	var none S
	k.state = none
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

// share cuts the blocks of a colour into a share a worker.
func (k *Parallel[S]) share(c class) {
	blocks := c.blocks()
	k.now, k.team = c, k.workers[:min(len(k.workers), blocks)]
	for w, h := range k.team {
		h.taken.Store(int64(w * blocks / len(k.team)))
		h.end = int64((w + 1) * blocks / len(k.team))
	}
}

// work draws the blocks of worker w, and then those of the others that are left.
func (k *Parallel[S]) work(w int) {
	self := k.team[w]
	for i := range k.team {
		from := k.team[(w+i)%len(k.team)]
		for {
			b := from.taken.Add(1) - 1
			if b >= from.end {
				break
			}
			k.block(self, int(b))
		}
	}
}

// block draws one block of the colour.
func (k *Parallel[S]) block(h *worker[S], b int) {
	h.pcg.Seed(name(k.hi, k.lo, k.now.first+uint64(b)))
	nodes := k.now.nodes[b*blockSize:]
	for _, i := range nodes[:min(blockSize, len(nodes))] {
		k.cond.Draw(k.state, int(i), h.r)
	}
}

// name is the state of the generator of a block: two counters that start at the step's
// bits, each through the finalizer of SplitMix64 (Steele, Lea and Flood, 2014). It is one to
// one, so two blocks of a step never share a state.
func name(hi, lo, block uint64) (uint64, uint64) {
	return mix(hi + block*0x9e3779b97f4a7c15), mix(lo + block*0xd1342543de82ef95)
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
