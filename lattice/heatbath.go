package lattice

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// NewHeatBath is the heat bath, or Gibbs sampler, or Glauber dynamics (Glauber 1963; Creutz 1979; Geman and Geman 1984): a spin is drawn
// from its distribution given its neighbours. At β = +Inf it takes a value of least energy, each of several alike.
func NewHeatBath(m *Model, beta float64, set ScanSettings) (*SingleSite, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	return newSingleSite(m, heatBath(m), beta, set)
}

func heatBath(m *Model) rule {
	if t, ok := newIsingTable(m, heatBathFlip); ok {
		return t
	}
	if m.Q == 0 {
		return &isingGeneral{m: m, flip: heatBathFlip}
	}
	if _, uniform := m.Graph.Uniform(); uniform && m.Field == nil {
		return newPottsHeatBath(m)
	}
	return &pottsHeatBathGeneral{m: m}
}

// heatBathFlip is 1/(1 + e^x).
func heatBathFlip(x float64) float64 { return vec.Ilogit(-x) }

// pottsHeatBath is the heat bath of a Potts model with the same coupling for all bonds and no fields.
type pottsHeatBath struct {
	g      *Graph
	q      int
	weight []float64 // of a value by how many bonds it is worse than the best
}

func newPottsHeatBath(m *Model) *pottsHeatBath {
	return &pottsHeatBath{m.Graph, m.Q, make([]float64, m.Graph.degree()+1)}
}

func (p *pottsHeatBath) at(beta float64) {
	for k := range p.weight {
		p.weight[k] = vec.Exp(-times(beta, math.Abs(p.g.uniform)*float64(k)))
	}
}

func (p *pottsHeatBath) draw(spins []uint8, sites []int32, s streams.Stream) streams.Stream {
	var equal [256]int32
	var weight [256]float64
	n, w := equal[:p.q], weight[:p.q]
	for _, i := range sites {
		clear(n)
		for _, j := range p.g.Of(int(i)) {
			n[spins[j]]++
		}
		best := n[0]
		for _, k := range n {
			if p.g.uniform > 0 {
				best = max(best, k)
			} else {
				best = min(best, k)
			}
		}
		sum := 0.0
		for c, k := range n {
			sum += p.weight[max(best-k, k-best)]
			w[c] = sum
		}
		var u uint64
		u, s = s.Next()
		spins[i] = pick(w, u)
	}
	return s
}

// add makes sums of weights.
func add(w []float64) {
	sum := 0.0
	for c, x := range w {
		sum += x
		w[c] = sum
	}
}

// pick is a value in proportion to weights, of which these are the sums. The product is below the last sum, also as rounded, so that a
// value of weight 0 is never picked.
func pick(sums []float64, u uint64) uint8 {
	x := streams.Unit(u) * sums[len(sums)-1]
	c := 0
	for _, w := range sums[:len(sums)-1] {
		c += one(x >= w)
	}
	return uint8(c)
}

// pottsHeatBathGeneral is the heat bath of a Potts model.
type pottsHeatBathGeneral struct {
	m    *Model
	beta float64
}

func (p *pottsHeatBathGeneral) at(beta float64) { p.beta = beta }

func (p *pottsHeatBathGeneral) draw(spins []uint8, sites []int32, s streams.Stream) streams.Stream {
	var room [256]float64
	w := room[:p.m.Q]
	for _, i := range sites {
		p.m.weights(w, spins, int(i), p.beta)
		add(w)
		var u uint64
		u, s = s.Next()
		spins[i] = pick(w, u)
	}
	return s
}

// weights fills w with the probabilities of the values of site i given its neighbours, up to a factor that makes the largest 1, and
// returns their sum.
func (m *Model) weights(w []float64, spins []uint8, i int, beta float64) float64 {
	clear(w)
	if m.Field != nil {
		for c := range w {
			w[c] = m.worth(i, uint8(c))
		}
	}
	for k, j := range m.Graph.Of(i) {
		w[spins[j]] += m.gap(m.Graph.Coupling(i, k))
	}
	best := math.Inf(-1)
	for _, e := range w {
		best = max(best, e)
	}
	sum := 0.0
	for c, e := range w {
		w[c] = vec.Exp(times(beta, e-best))
		sum += w[c]
	}
	return sum
}
