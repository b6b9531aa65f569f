package lattice

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Kawasaki exchanges the spins of neighbours that differ (Kawasaki 1966): how many spins have each value never changes, so that the magnetisation
// is that of the start. A step makes as many proposals as there are sites: a site at random, one of its bonds at random, and an exchange
// of the spins at its ends with probability min(1, exp(−β ΔE)). Given those numbers of spins it leaves the distribution of the model invariant, is
// reversible, and on a connected graph comes to all states; a field that is the same at all sites makes no difference. It
// has nothing to tune; a chain needs one of its own.
type Kawasaki struct {
	m        *Model
	beta     float64
	coupling float64 // energy of two equal neighbours, below that of two others
	reach    int
	take     []uint64 // threshold by how many more pairs of neighbours are equal after the exchange, from −reach; nil: couplings or fields differ
}

// NewKawasaki makes the kernel for an inverse temperature, as SetBeta does.
func NewKawasaki(m *Model, beta float64) (*Kawasaki, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	k := &Kawasaki{m: m}
	if c, all := m.Graph.Uniform(); all && m.uniformField() {
		k.coupling = m.gap(c)
		k.reach = 2 * m.Graph.degree()
		k.take = make([]uint64, 2*k.reach+1)
	}
	if err := k.SetBeta(beta); err != nil {
		return nil, err
	}
	return k, nil
}

// SetBeta changes the inverse temperature: 0 or more, and +Inf for a temperature of zero.
func (k *Kawasaki) SetBeta(beta float64) error {
	if err := checkBeta(beta); err != nil {
		return err
	}
	k.beta = beta
	for n := range k.take {
		k.take[n] = threshold(metropolisFlip(-times(beta, k.coupling*float64(n-k.reach))))
	}
	return nil
}

// Step makes as many proposals as there are sites. AcceptProb is the share of proposals that changed the state.
func (k *Kawasaki) Step(s *State, r *rand.Rand) mcmc.Info {
	g, x, stream := k.m.Graph, s.Spins, streams.From(r).Stream(0)
	sites, exchanged := g.Sites(), 0
	for range sites {
		var u, v uint64
		u, stream = stream.Next()
		i := streams.Below(u, sites)
		row := g.Of(i)
		if len(row) == 0 {
			continue
		}
		v, stream = stream.Next()
		j := int(row[streams.Below(v, len(row))])
		if x[i] == x[j] {
			continue
		}
		u, stream = stream.Next()
		if k.accepts(x, i, j, u) {
			x[i], x[j] = x[j], x[i]
			exchanged++
		}
	}
	return mcmc.Info{Accepted: exchanged > 0, AcceptProb: float64(exchanged) / float64(sites)}
}

// accepts says whether the spins of i and j, which differ, are to be exchanged.
func (k *Kawasaki) accepts(x []uint8, i, j int, u uint64) bool {
	if k.take != nil {
		return u>>1 < k.take[k.reach+k.equal(x, i, j)+k.equal(x, j, i)]
	}
	gain := k.gain(x, i, j) + k.gain(x, j, i)
	return gain >= 0 || streams.Unit(u) < vec.Exp(times(k.beta, gain))
}

// equal is how many more neighbours of i, j aside, have the value of j than have that of i.
func (k *Kawasaki) equal(x []uint8, i, j int) int {
	n, own, other := 0, x[i], x[j]
	for _, to := range k.m.Graph.Of(i) {
		if int(to) != j {
			n += one(x[to] == other) - one(x[to] == own)
		}
	}
	return n
}

// gain is the energy given up by site i as it takes the value of j, the bonds between them aside.
func (k *Kawasaki) gain(x []uint8, i, j int) float64 {
	e, own, other := 0.0, x[i], x[j]
	if k.m.Field != nil {
		e = k.m.worth(i, other) - k.m.worth(i, own)
	}
	for b, to := range k.m.Graph.Of(i) {
		switch c := k.m.gap(k.m.Graph.Coupling(i, b)); {
		case int(to) == j:
		case x[to] == other:
			e += c
		case x[to] == own:
			e -= c
		}
	}
	return e
}
