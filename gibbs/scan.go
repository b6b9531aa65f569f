package gibbs

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Scan is the order in which a step visits the nodes. Every scan leaves the target
// invariant; those that say so are reversible too (Liu, Wong and Kong, 1995).
type Scan uint8

const (
	Systematic  Scan = iota // each node once, in the order of their numbers
	Reverse                 // each node once, the last first
	Random                  // as many nodes as there are, each picked at random; reversible
	Permutation             // each node once, in an order drawn anew for each step; reversible
	Weighted                // as Random, but picked in proportion to Settings.Weights; reversible
)

var scanNames = [...]string{"systematic", "reverse", "random", "permutation", "weighted"}

func (s Scan) String() string {
	if int(s) < len(scanNames) {
		return scanNames[s]
	}
	return "Scan(" + strconv.Itoa(int(s)) + ")"
}

// Settings say which nodes a Sampler draws and in which order.
type Settings struct {
	Nodes    int // in the state
	Scan     Scan
	Observed []int     // nodes that keep the value they have
	Weights  []float64 // for Weighted: how often each node is picked; those of observed nodes are not used
}

// Sampler is a Gibbs sampler. A step makes as many draws as there are nodes that are not
// observed. It has nothing to tune; a chain needs one of its own.
type Sampler[S any] struct {
	cond  Conditional[S]
	scan  Scan
	free  []int32     // nodes that are drawn
	order []int32     // of Permutation
	pick  *dist.Alias // of Weighted, over positions in free
}

// NewSampler checks the settings.
func NewSampler[S any](c Conditional[S], set Settings) (*Sampler[S], error) {
	if c == nil {
		return nil, errors.New("gibbs: a sampler needs a Conditional that draws its nodes")
	}
	free, err := unobserved(set.Nodes, set.Observed)
	if err != nil {
		return nil, err
	}
	k := &Sampler[S]{cond: c, scan: set.Scan, free: free}
	if set.Scan != Weighted && set.Weights != nil {
		return nil, fmt.Errorf("gibbs: weights have no meaning in a %v scan; leave them out or choose Weighted", set.Scan)
	}
	switch set.Scan {
	case Systematic, Reverse, Random:
	case Permutation:
		k.order = make([]int32, len(free))
	case Weighted:
		if k.pick, err = weights(set.Weights, set.Nodes, free); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("gibbs: there is no scan of number %d; choose one of the constants of type Scan", set.Scan)
	}
	return k, nil
}

// unobserved lists the nodes that are drawn.
func unobserved(nodes int, observed []int) ([]int32, error) {
	if nodes < 1 || nodes > math.MaxInt32 {
		return nil, fmt.Errorf("gibbs: a state of %d nodes; there must be 1 to %d", nodes, math.MaxInt32)
	}
	fixed := make([]bool, nodes)
	for _, i := range observed {
		if i < 0 || i >= nodes {
			return nil, fmt.Errorf("gibbs: observed node %d is not among the nodes 0 to %d", i, nodes-1)
		}
		fixed[i] = true
	}
	var free []int32
	for i, f := range fixed {
		if !f {
			free = append(free, int32(i))
		}
	}
	if len(free) == 0 {
		return nil, fmt.Errorf("gibbs: all %d nodes are observed, so there is nothing to draw", nodes)
	}
	return free, nil
}

// weights is the table that picks among the free nodes.
func weights(w []float64, nodes int, free []int32) (*dist.Alias, error) {
	if len(w) != nodes {
		return nil, fmt.Errorf("gibbs: %d weights for %d nodes; a weighted scan needs one a node", len(w), nodes)
	}
	of := make([]float64, len(free))
	for j, i := range free {
		if !(w[i] > 0) || math.IsInf(w[i], 1) {
			return nil, fmt.Errorf("gibbs: the weight of node %d is %v; it must be positive and finite, or the node observed", i, w[i])
		}
		of[j] = w[i]
	}
	return dist.NewAlias(of)
}

// Step makes one scan.
func (k *Sampler[S]) Step(s S, r *rand.Rand) mcmc.Info {
	switch n := len(k.free); k.scan {
	case Systematic:
		k.draw(s, k.free, r)
	case Reverse:
		for j := n - 1; j >= 0; j-- {
			k.cond.Draw(s, int(k.free[j]), r)
		}
	case Random:
		for range n {
			k.cond.Draw(s, int(k.free[r.IntN(n)]), r)
		}
	case Permutation:
		k.shuffle(r)
		k.draw(s, k.order, r)
	case Weighted:
		for range n {
			k.cond.Draw(s, int(k.free[k.pick.Draw(r)]), r)
		}
	}
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

func (k *Sampler[S]) draw(s S, nodes []int32, r *rand.Rand) {
	for _, i := range nodes {
		k.cond.Draw(s, int(i), r)
	}
}

// shuffle permutes afresh from the same start (Fisher and Yates, inside out): a resumed
// chain does not know the last order.
func (k *Sampler[S]) shuffle(r *rand.Rand) {
	for j, i := range k.free {
		at := r.IntN(j + 1)
		k.order[j] = k.order[at]
		k.order[at] = i
	}
}
