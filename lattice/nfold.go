package lattice

import (
	"bytes"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Continuous is Glauber dynamics in continuous time (Glauber 1963) without rejections: the n-fold way of Bortz, Kalos and Lebowitz (1975), or
// kinetic Monte Carlo. Each site is struck at rate 1 and is then drawn from its distribution given its neighbours, so that it leaves its
// value at a rate below 1; a spin that changes is picked in proportion to these rates, after an exponential time of mean 1 over their sum.
//
// A step advances the time by 1, in which a site is struck once in the mean, as in a sweep of the heat bath by random scan. States at the
// ends of steps all weigh the same; a step costs time in proportion to the spins that change in it, which are few where it is cold, and a
// comparison of the state with that of the step before. It leaves the distribution of the model invariant and is reversible. At
// β = +Inf no spin moves once each is in its own least energy alone.
//
// The sum of rates is a tree of sums of eight, which is a function of the state alone: it has nothing to tune or to save. A chain needs a
// kernel of its own. It takes nine bytes a site and more.
type Continuous struct {
	m     *Model
	beta  float64
	table *isingTable // nil: rates are computed
	rates []float64   // of flips, by the index of the table
	seen  []uint8     // the spins that the tree is of; nil: none
	now   []uint8     // the same, before the first step
	sums  [][]float64 // rates of sites, then of eights, and so on to their sum
}

// NewContinuous makes the kernel for an inverse temperature, as SetBeta does.
func NewContinuous(m *Model, beta float64) (*Continuous, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	sites := m.Graph.Sites()
	k := &Continuous{m: m, now: make([]uint8, sites)}
	if t, ok := newIsingTable(m, heatBathFlip); ok {
		k.table, k.rates = t, make([]float64, len(t.flip))
	}
	for n := sites; ; n = (n + fan - 1) / fan {
		k.sums = append(k.sums, make([]float64, n))
		if n == 1 {
			break
		}
	}
	if err := k.SetBeta(beta); err != nil {
		return nil, err
	}
	return k, nil
}

// fan is the number of parts of a sum.
const fan = 8

// SetBeta changes the inverse temperature: 0 or more, and +Inf for a temperature of zero.
func (k *Continuous) SetBeta(beta float64) error {
	if err := checkBeta(beta); err != nil {
		return err
	}
	k.beta, k.seen = beta, nil
	for n := range k.rates {
		k.rates[n] = heatBathFlip(k.table.rise(beta, n))
	}
	return nil
}

// Step advances the time by 1. Evals is the number of spins that changed.
func (k *Continuous) Step(s *State, r *rand.Rand) mcmc.Info {
	if k.seen == nil || !bytes.Equal(k.seen, s.Spins) {
		k.begin(s.Spins)
	}
	all, changes := &k.sums[len(k.sums)-1][0], 0
	for left := 1.0; *all > 0; changes++ {
		if left -= dist.StdExp(r) / *all; left < 0 {
			break
		}
		i := k.find(r.Float64())
		k.change(s.Spins, i, r)
	}
	return mcmc.Info{Accepted: changes > 0, AcceptProb: 1, Evals: changes}
}

// begin makes the tree of a state.
func (k *Continuous) begin(spins []uint8) {
	k.seen = k.now
	copy(k.seen, spins)
	for i := range spins {
		k.sums[0][i] = k.rate(spins, i)
	}
	for level := 1; level < len(k.sums); level++ {
		for i := range k.sums[level] {
			k.sums[level][i] = k.sum(level, i)
		}
	}
}

// sum adds up the parts of a sum.
func (k *Continuous) sum(level, i int) float64 {
	parts := k.sums[level-1][fan*i:]
	sum := 0.0
	for _, x := range parts[:min(fan, len(parts))] {
		sum += x
	}
	return sum
}

// find is the site at a share, from 0 to 1, of the sum of rates.
func (k *Continuous) find(share float64) int {
	i := 0
	x := share * k.sums[len(k.sums)-1][0]
	for level := len(k.sums) - 2; level >= 0; level-- {
		parts := k.sums[level][fan*i:]
		i *= fan
		last := i // of those with a rate: rounding may lead past it
		for j, rate := range parts[:min(fan, len(parts))] {
			if rate == 0 {
				continue
			}
			last = i + j
			if x < rate {
				break
			}
			x -= rate
		}
		i = last
	}
	return i
}

// change gives site i another value, drawn from its distribution.
func (k *Continuous) change(spins []uint8, i int, r *rand.Rand) {
	if k.m.States() == 2 {
		spins[i] = 1 - spins[i]
	} else {
		spins[i] = k.other(spins, i, r.Uint64())
	}
	k.seen[i] = spins[i]
	k.update(i, k.rate(spins, i))
	for _, j := range k.m.Graph.Of(i) {
		k.update(int(j), k.rate(spins, int(j)))
	}
}

// update changes the rate of a site and the sums that it is in.
func (k *Continuous) update(i int, rate float64) {
	for level := 0; k.sums[level][i] != rate; {
		k.sums[level][i] = rate
		if level++; level == len(k.sums) {
			return
		}
		i /= fan
		rate = k.sum(level, i)
	}
}

// rate is that at which site i leaves its value: the probability of the others given its neighbours.
func (k *Continuous) rate(spins []uint8, i int) float64 {
	if k.table != nil {
		return k.rates[k.table.index(spins, i)]
	}
	var room [256]float64
	w := room[:k.m.States()]
	sum := k.m.weights(w, spins, i, k.beta)
	others := 0.0
	for c, x := range w {
		if c != int(spins[i]) {
			others += x
		}
	}
	return others / sum
}

// other is a value for site i other than its own, in proportion to the probabilities given its neighbours.
func (k *Continuous) other(spins []uint8, i int, u uint64) uint8 {
	var room [256]float64
	w := room[:k.m.States()]
	k.m.weights(w, spins, i, k.beta)
	w[spins[i]] = 0
	add(w)
	return pick(w, u)
}
