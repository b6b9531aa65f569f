package anneal

import (
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// weights are those of the replicas of a population since they were drawn anew. Fields are exported for gob.
type weights struct {
	Log  []float64 // nil before the first sweep
	Beta float64   // that the population is at
}

// leastEffective is the part of the population that its effective size may fall to before it is drawn anew.
const leastEffective = 0.8

// populate weighs the replicas for the inverse temperature at x, draws them anew where the weights differ widely, and sweeps them.
func (g *group) populate(x float64) float64 {
	t := g.Thermostat.temperature(x)
	if t > 0 {
		g.reweigh(1 / t)
	}
	before, accepted := g.Moves, g.Accepted
	for _, w := range g.walkers {
		g.count(w.Sweep(t, g.stream.Rand))
	}
	g.Thermostat.observe(x, g.Moves-before, g.Accepted-accepted, g.walkers)
	return t
}

func (g *group) reweigh(beta float64) {
	p := &g.Weights
	if p.Log == nil {
		p.Log, p.Beta = make([]float64, len(g.walkers)*g.lanes), beta
		return
	}
	d := beta - p.Beta
	p.Beta = beta
	most := p.Log[0]
	for k := range p.Log {
		p.Log[k] -= float64(d * g.walkers[k/g.lanes].Energy(k%g.lanes))
		if k == 0 || p.Log[k] > most {
			most = p.Log[k]
		}
	}
	sum, squares := 0.0, 0.0
	for k := range p.Log {
		p.Log[k] -= most
		w := vec.Exp(p.Log[k])
		sum += w
		squares += float64(w * w)
	}
	if sum*sum < leastEffective*float64(len(p.Log))*squares {
		g.drawAnew(sum)
	}
}

// drawAnew replaces the population by a systematic sample of it: each replica is there ⌊u + its share⌋ times, for one uniform u.
func (g *group) drawAnew(sum float64) {
	p := &g.Weights
	n := len(p.Log)
	copies := make([]int, n)
	at, before, u := 0.0, 0, float64(g.stream.Float64())
	for k := range p.Log {
		at += float64(n) * vec.Exp(p.Log[k]) / sum
		upTo := min(int(at+u), n)
		if k == n-1 {
			upTo = n
		}
		copies[k], before = upTo-before, upTo
		p.Log[k] = 0
	}
	g.keepChampion(copies)
	from := 0
	for k, c := range copies {
		if c > 0 {
			continue
		}
		for copies[from] < 2 {
			from++
		}
		copies[from]--
		g.walkers[k/g.lanes].Copy(k%g.lanes, g.walkers[from/g.lanes], from%g.lanes)
	}
}

// keepChampion lets spare have the best state of the population, if that is about to be overwritten.
func (g *group) keepChampion(copies []int) {
	best := 0
	of := func(k int) float64 { return g.walkers[k/g.lanes].Best(k % g.lanes) }
	for k := range copies {
		if of(k) < of(best) || of(k) == of(best) && copies[best] == 0 {
			best = k
		}
	}
	if copies[best] == 0 && (!g.Kept || of(best) < g.spare.Best(0)) {
		g.spare.Copy(0, g.walkers[best/g.lanes], best%g.lanes)
		g.Kept = true
	}
}
