package lattice

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync/atomic"

	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/internal/multispin"
	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// BitSweep is a checkerboard sweep over spins as bits: all of one colour, then all of the other, every spin with random bits of its
// own, with probabilities that are met to 2⁻⁵³ of themselves and 2⁻⁶⁴. It leaves exp(−βE)/Z invariant, but has no detailed balance.
// Zero threads are all cores; the draws of a stream do not depend on their number. A chain needs a sweep of its own.
type BitSweep struct {
	layout   bitLayout
	coupling float64
	kind     multispin.Kind
	rule     *multispin.Rule
	team     *fanout.Team
	lanes    []multispin.Lanes // of each block
	rows     int               // of a block
	reach    int               // blocks of one colour read rows of as many blocks of the other before and after their own
	done     []atomic.Uint64   // the sweep in which the first colour of a block was updated last

	// Of the step under way.
	state *Bits
	sweep uint64
	name  streams.Name
}

// blockWords is how many words of a colour a block has, or a row where that has more: 2¹⁹ spins take a thread 25 µs. More blocks would have
// their generators and spins go from processor to processor: with 2¹¹ words two threads were no faster than one at 4096².
const blockWords = 1 << 13

// NewBitMetropolis proposes to turn every spin once in a sweep and does so with probability min(1, exp(−βΔE)) (Metropolis et al.
// 1953). At β = 0 that turns all spins always. The errors are those of [NewBits] and of [BitSweep.SetBeta].
func NewBitMetropolis(l Geometry, coupling, beta float64, threads int) (*BitSweep, error) {
	return newBitSweep(l, multispin.Metropolis, coupling, beta, threads)
}

// NewBitHeatBath draws every spin once in a sweep from its distribution given its neighbours (Glauber 1963; Creutz 1980). The errors
// are those of [NewBits] and of [BitSweep.SetBeta].
func NewBitHeatBath(l Geometry, coupling, beta float64, threads int) (*BitSweep, error) {
	return newBitSweep(l, multispin.HeatBath, coupling, beta, threads)
}

func newBitSweep(l Geometry, kind multispin.Kind, coupling, beta float64, threads int) (*BitSweep, error) {
	layout, err := newBitLayout(l)
	if err != nil {
		return nil, err
	}
	if threads < 0 {
		return nil, fmt.Errorf("lattice: threads = %d must be 0 (all cores) or more", threads)
	}
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	if math.IsNaN(coupling) || math.IsInf(coupling, 0) {
		return nil, fmt.Errorf("lattice: coupling %v is not finite", coupling)
	}
	k := &BitSweep{layout: layout, coupling: coupling, kind: kind, rule: multispin.NewRule(kind, 2*layout.dimensions)}
	if err := k.SetBeta(beta); err != nil {
		return nil, err
	}
	k.rows = max(1, blockWords/layout.words)
	blocks := (layout.rows() + k.rows - 1) / k.rows
	k.reach = min((layout.size[1]+k.rows-1)/k.rows+1, blocks) // one more, as the last block may be short
	k.lanes, k.done = make([]multispin.Lanes, blocks), make([]atomic.Uint64, blocks)
	k.team = fanout.New(threads, k.task)
	return k, nil
}

// SetBeta changes the inverse temperature, which may be from 0 to +Inf. At +Inf no spin turns against the majority of its neighbours.
func (k *BitSweep) SetBeta(beta float64) error {
	if err := checkBeta(beta); err != nil {
		return err
	}
	var thresholds [3]uint64
	for c := range k.layout.dimensions {
		x := 4 * float64(c+1) * times(beta, math.Abs(k.coupling)) // β times the energy that a majority of 2(c+1) neighbours costs
		p := metropolisFlip(x)
		if k.kind == multispin.HeatBath {
			p = heatBathFlip(x)
		}
		thresholds[c] = bitThreshold(p)
	}
	k.rule.Set(thresholds[:k.layout.dimensions], k.coupling < 0)
	return nil
}

// bitThreshold is p·2⁶⁴, and 2⁶⁴ − 1 for 1.
func bitThreshold(p float64) uint64 {
	if p >= 1 {
		return math.MaxUint64
	}
	return uint64(math.Ldexp(p, 64))
}

// Step sweeps once.
func (k *BitSweep) Step(s *Bits, r *rand.Rand) mcmc.Info {
	if s.layout != k.layout {
		panic("lattice: a sweep of spins as bits of another size")
	}
	k.state, k.name = s, streams.From(r)
	k.sweep++
	k.team.Run(2 * len(k.lanes))
	k.state = nil
	return mcmc.Info{Accepted: true, AcceptProb: 1, Evals: k.layout.sites()}
}

// task updates a block: those of the first colour come first, and one of the second waits for those of the first that it touches. They
// have begun before, since tasks begin in order. So threads meet once a sweep, not after each colour.
func (k *BitSweep) task(i int) {
	blocks := len(k.lanes)
	if i < blocks {
		defer k.done[i].Store(k.sweep) // in a panic too, for those who wait
		k.lanes[i].Seed(k.name.Stream(uint64(i)))
		k.block(0, i)
		return
	}
	i -= blocks
	for d := -k.reach; d <= k.reach; d++ {
		for k.done[(i+d+blocks)%blocks].Load() != k.sweep {
			runtime.Gosched()
		}
	}
	k.block(1, i)
}

// block updates a colour of the rows of a block.
func (k *BitSweep) block(colour, i int) {
	for row := i * k.rows; row < min((i+1)*k.rows, k.layout.rows()); row++ {
		around := k.layout.around(&k.state.words, k.state.live, colour, row)
		around.Update(k.rule, &k.lanes[i])
		k.layout.copies(k.state.words[colour], row)
	}
}
