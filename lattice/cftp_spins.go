package lattice

import (
	"bytes"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// spinPast is chains of Ising spins under the heat bath, site by site: a spin is up where a uniform is below the probability, which rises with every spin
// that is up.
type spinPast struct {
	m           *Model
	beta        float64
	least, most []uint8
	together    bool
}

func newSpinPast(m *Model) (*spinPast, error) {
	n := m.Graph.Sites()
	if err := memory.Room(float64(2 * n)); err != nil {
		return nil, err
	}
	return &spinPast{m: m, least: make([]uint8, n), most: make([]uint8, n)}, nil
}

func (p *spinPast) setBeta(beta float64) { p.beta = beta }

func (p *spinPast) start() {
	p.together = false
	for i := range p.least {
		p.least[i], p.most[i] = 0, 1
	}
}

func (p *spinPast) sweep(s streams.Stream) {
	for i := range p.least {
		u := streams.Unit(next(&s))
		p.least[i] = p.up(p.least, i, u)
		if p.together {
			continue
		}
		p.most[i] = p.up(p.most, i, u)
	}
	p.together = p.together || bytes.Equal(p.least, p.most)
}

func (p *spinPast) up(spins []uint8, i int, u float64) uint8 {
	g, sum := p.m.Graph, p.m.Field[i]
	for k, j := range g.Of(i) {
		if spins[j] == 1 {
			sum += g.Coupling(i, k)
		} else {
			sum -= g.Coupling(i, k)
		}
	}
	if u < vec.Ilogit(2*times(p.beta, sum)) {
		return 1
	}
	return 0
}

func (p *spinPast) met() bool { return p.together }

func (p *spinPast) write(spins []uint8, _ streams.Stream) { copy(spins, p.least) }
