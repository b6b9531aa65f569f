package anneal

import (
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// rungs are the inverse temperatures of a ladder, the first the lowest. Fields are exported for gob.
type rungs struct {
	Betas    []float64
	Rejected []float64 // by pair of neighbours: sum over proposed swaps of the probability of none
	Swaps    []float64 // proposed
	Moved    int       // how often the ladder was moved
}

func (l *rungs) begin(s Schedule, n int) {
	s.Kind = Geometric
	l.Rejected, l.Swaps = make([]float64, n-1), make([]float64, n-1)
	for i := range n {
		l.Betas = append(l.Betas, 1/s.Temperature(float64(i)/float64(n-1), 0))
	}
}

// respaced are the parts of a read after which the ladder is moved.
var respaced = [...]float64{1. / 32, 1. / 16, 1. / 8, 1. / 4, 1. / 2}

// temper sweeps each temperature, and proposes swaps of neighbours: of even pairs after one sweep, of odd ones after the next. It gives
// the lowest temperature.
func (g *group) temper(x float64) float64 {
	l := &g.Ladder
	if l.Moved < len(respaced) && x >= respaced[l.Moved] {
		l.respace()
		l.Moved++
	}
	for i, w := range g.walkers {
		g.count(w.Sweep(1/l.Betas[i], g.stream.Rand))
	}
	for i := g.Sweeps % 2; i+1 < len(g.walkers); i += 2 {
		g.swap(i)
	}
	return 1 / l.Betas[len(l.Betas)-1]
}

// swap proposes to swap the replicas of each read at a pair of neighbours, with probability min(1, e^{(β−β')(E−E')}).
func (g *group) swap(i int) {
	a, b := g.walkers[i], g.walkers[i+1]
	d := g.Ladder.Betas[i] - g.Ladder.Betas[i+1]
	for k := range a.Replicas() {
		accept := 1.0
		if log := d * (a.Energy(k) - b.Energy(k)); log < 0 {
			accept = vec.Exp(log)
		}
		g.Ladder.Rejected[i] += 1 - accept
		g.Ladder.Swaps[i]++
		switch {
		case accept < 1 && g.stream.Float64() >= accept:
		case a.Replicas() == 1:
			g.walkers[i], g.walkers[i+1] = b, a
		default:
			g.spare.Copy(0, a, k)
			a.Copy(k, b, k)
			b.Copy(k, g.spare, 0)
		}
	}
}

// respace moves the ladder so that all neighbours would be rejected equally often, between the same ends: the sum of the rejection rates up
// to an inverse temperature is a smooth function of it (Syed, Bouchard-Côté, Deligiannidis and Doucet, 2022, section 5.1).
func (l *rungs) respace() {
	n := len(l.Betas)
	sum := make([]float64, n)
	for i := range n - 1 {
		rate := 1.0
		if l.Swaps[i] > 0 {
			rate = max(l.Rejected[i]/l.Swaps[i], 1e-3)
		}
		sum[i+1] = sum[i] + rate
		l.Rejected[i], l.Swaps[i] = 0, 0
	}
	old := append([]float64(nil), l.Betas...)
	at := 0
	for i := 1; i < n-1; i++ {
		want := sum[n-1] * float64(i) / float64(n-1)
		for sum[at+1] < want {
			at++
		}
		l.Betas[i] = old[at] + float64((want-sum[at])/(sum[at+1]-sum[at])*(old[at+1]-old[at]))
	}
}
