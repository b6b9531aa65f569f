package lattice

import (
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Wolff is the algorithm of Wolff (1989): from a site chosen uniformly a cluster grows over bonds that are open with the probabilities of [SwendsenWang].
// An Ising cluster is turned, a Potts cluster gets one of the other colours, each as likely. Couplings may be as in SwendsenWang.
//
// In fields the change is accepted with probability min(1, exp(−βΔ)), where Δ is what the fields' part of the energy changes by: given the open bonds the spins of
// the cluster have a density proportional to exp(−β) of that part (Edwards and Sokal 1988), and the proposal is symmetric. In a uniform field that is
// as likely as that no bond to a ghost spin (Wang 1989) is open. The exponential variate that decides is drawn first; where fields and couplings have one sign
// a cluster is given up as soon as it costs more, as the cluster that reaches the ghost is.
//
// A step makes a fixed number of clusters. To stop when so many sites are turned would prefer small clusters at the end and bias
// the draws. At β = 0 every step turns one spin, so that the chain alternates between even and odd numbers of turned spins. A kernel belongs to one chain.
type Wolff struct {
	model    *Model
	beta     float64
	clusters int
	same     chance
	chance   []chance // of the ends of the graph's bonds; nil: uniform
	regular  *strides // nil where couplings or neighbours differ too much
	signed   bool     // some couplings are below 0
	monotone bool     // what a cluster costs in fields only rises or only falls while it grows
	members  []int32  // sites of the cluster
	stack    []int32  // empty, with room: those whose bonds have not been looked at, the last first, as what lies near is in the cache

	// Of the last step.
	grown, turned int
}

// NewWolff is the kernel at the inverse temperature β ≥ 0, which may be +Inf, of so many clusters a step, 1 or more.
func NewWolff(m *Model, beta float64, clusters int) (*Wolff, error) {
	if err := m.clusterable(); err != nil {
		return nil, err
	}
	if clusters < 1 {
		return nil, fmt.Errorf("lattice: %d clusters a step: there must be 1 or more", clusters)
	}
	g := m.Graph
	c, uniform := g.Uniform()
	k := &Wolff{model: m, clusters: clusters, signed: c < 0}
	room := float64(8 * g.Sites())
	if !uniform {
		room += float64(16 * g.Bonds())
	}
	if err := memory.Room(room); err != nil {
		return nil, err
	}
	k.members, k.stack = make([]int32, 0, g.Sites()), make([]int32, 0, g.Sites())
	if uniform {
		k.regular = g.patterns()
	} else {
		k.chance = make([]chance, 2*g.Bonds())
		for b := range g.All() {
			k.signed = k.signed || b.Coupling < 0
		}
	}
	k.monotone = m.Field != nil && !k.signed && oneSign(m.Field)
	if err := k.SetBeta(beta); err != nil {
		return nil, err
	}
	return k, nil
}

func oneSign(h []float64) bool {
	lowest, highest := 0.0, 0.0
	for _, x := range h {
		lowest, highest = min(lowest, x), max(highest, x)
	}
	return lowest == 0 || highest == 0
}

// SetBeta changes the inverse temperature.
func (k *Wolff) SetBeta(beta float64) error {
	if err := checkBeta(beta); err != nil {
		return err
	}
	k.beta = beta
	g := k.model.Graph
	if c, uniform := g.Uniform(); uniform {
		k.same = k.model.bondChance(beta, c)
		return nil
	}
	for i := range g.Sites() {
		for b := range g.Of(i) {
			k.chance[g.start[i]+b] = k.model.bondChance(beta, g.Coupling(i, b))
		}
	}
	return nil
}

// Sites are those of the clusters of the last step, and those whose spins it changed. Without fields they are the same, and their mean over steps of one cluster is
// the mean of [Clusters.Squares]/N, as clusters are met in proportion to their size. A cluster that was given up counts as far as it had grown.
func (k *Wolff) Sites() (grown, changed int) { return k.grown, k.turned }

// Statistic is "cluster_sites" or "changed_sites", of the last step as Sites gives them.
func (k *Wolff) Statistic(name string) (float64, bool) {
	switch name {
	case "cluster_sites":
		return float64(k.grown), true
	case "changed_sites":
		return float64(k.turned), true
	}
	return 0, false
}

// Step makes the clusters.
func (k *Wolff) Step(s *State, r *rand.Rand) mcmc.Info {
	k.grown, k.turned = 0, 0
	accepted := 0
	for range k.clusters {
		if k.cluster(s.Spins, r) {
			accepted++
		}
	}
	return mcmc.Info{Accepted: accepted > 0, AcceptProb: float64(accepted) / float64(k.clusters)}
}

// growth is a cluster while it grows.
type growth struct {
	r          *rand.Rand
	from, to   uint8   // its colour and the one proposed
	cost       float64 // of the members looked at so far, in the fields
	most       float64 // an exponential variate: what the cluster may cost, times β
	word, left uint64  // random bits
}

// open tells whether a bond is, by 16 random bits and where they are those of the threshold by another 48.
func (g *growth) open(c chance) bool {
	if g.left == 0 {
		g.word, g.left = g.r.Uint64(), 4
	}
	lane := uint32(g.word & 0xffff)
	g.word >>= 16
	g.left--
	return lane < c.high() || lane == c.high() && c.tie(g.r.Uint64())
}

// cluster grows one cluster and changes it, or leaves it.
func (k *Wolff) cluster(spins []uint8, r *rand.Rand) bool {
	g := growth{r: r}
	seed := int32(r.IntN(len(spins)))
	g.from = spins[seed]
	switch q := k.model.States(); q {
	case 2:
		g.to = 1 - g.from
	default:
		if g.to = uint8(r.IntN(q - 1)); g.to >= g.from {
			g.to++
		}
	}
	if k.model.Field != nil {
		g.most = -vec.Log1p(-r.Float64())
	}
	var accept bool
	k.members = append(k.members[:0], seed)
	if k.signed {
		accept = k.growSigned(&g, spins)
	} else {
		accept = k.grow(&g, spins)
	}
	k.grown += len(k.members)
	if accept {
		k.turned += len(k.members)
	}
	return accept
}

// grow changes the sites that it adds, so that no site is added twice, and changes them back where it does not accept.
func (k *Wolff) grow(g *growth, spins []uint8) bool {
	graph, members, stack := k.model.Graph, k.members, append(k.stack, k.members[0])
	spins[members[0]] = g.to
	accept := true
	for len(stack) > 0 && accept {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		accept = k.affords(g, i, g.from)
		if k.regular != nil {
			for _, d := range k.regular.rows[k.regular.pattern[i]] {
				if j := i + d; spins[j] == g.from && g.open(k.same) {
					spins[j] = g.to
					members, stack = append(members, j), append(stack, j)
				}
			}
			continue
		}
		first := graph.start[i]
		for b, j := range graph.ends[first:graph.start[i+1]] {
			if spins[j] == g.from && g.open(k.of(first+b)) {
				spins[j] = g.to
				members, stack = append(members, j), append(stack, j)
			}
		}
	}
	k.members = members
	if accept = accept && times(k.beta, g.cost) <= g.most; accept {
		return true
	}
	for _, i := range members {
		spins[i] = g.from
	}
	return false
}

// of is the chance of the bond of this end.
func (k *Wolff) of(end int) chance {
	if k.chance == nil {
		return k.same
	}
	return k.chance[end]
}

// marked is the bit of an Ising spin that says that it is in the cluster.
const marked = 0x80

// growSigned grows a cluster of Ising spins over bonds of any sign. All its sites are turned at the end.
func (k *Wolff) growSigned(g *growth, spins []uint8) bool {
	graph, members, stack := k.model.Graph, k.members, append(k.stack, k.members[0])
	spins[members[0]] |= marked
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		s := spins[i] &^ marked
		k.affords(g, i, s)
		first := graph.start[i]
		for b, j := range graph.ends[first:graph.start[i+1]] {
			want := s
			if graph.coupling == nil || graph.coupling[first+b] < 0 {
				want ^= 1
			}
			if spins[j] == want && g.open(k.of(first+b)) {
				spins[j] |= marked
				members, stack = append(members, j), append(stack, j)
			}
		}
	}
	k.members = members
	accept := times(k.beta, g.cost) <= g.most
	turn := uint8(marked)
	if accept {
		turn |= 1
	}
	for _, i := range members {
		spins[i] ^= turn
	}
	return accept
}

// affords adds what site i of spin s costs in the fields, and tells whether the cluster may still be accepted.
func (k *Wolff) affords(g *growth, i int32, s uint8) bool {
	if k.model.Field == nil {
		return true
	}
	h := k.model.Field[i]
	switch {
	case k.model.Q == 0 && s == 1:
		g.cost += float64(2 * h)
	case k.model.Q == 0:
		g.cost -= float64(2 * h)
	case g.from == 0:
		g.cost += h
	case g.to == 0:
		g.cost -= h
	}
	return !k.monotone || times(k.beta, g.cost) <= g.most
}
