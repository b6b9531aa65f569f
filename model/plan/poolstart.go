package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// countStart makes the counts of a start few where the sum over them is too long: populations that a wide prior lets grow every year are thousands of times those of the data, and
// far from all that data speak for. Pools get one to three times what the data ask for; kernels of the parameters do the rest.
type countStart struct {
	short func(s *model.State) bool // tells whether the sum over counts can be taken there
	pools []startPool               // each after those on which it depends
	cells []int32
	det   []model.Seg
	stoch []model.Seg // densities that depend on counts
}

type startPool struct {
	counts []pooledCount
	x      []int32 // successes among binomial trials
	det    []model.Seg
}

const mostTimes = 3

func newCountStart(p *pooling, short func(s *model.State) bool) *countStart {
	k := &countStart{short: short}
	var rows []int32
	for _, n := range p.pools {
		t := startPool{}
		var cells []int32
		for _, r := range n.counts {
			c := p.count(r, n)
			t.counts, cells = append(t.counts, c), append(cells, c.cell)
			rows = append(rows, r)
		}
		for d := range rowsOf(p.m, n.around.Stoch) {
			rows = append(rows, d.row())
			if _, own := p.own[d.row()]; !own && p.trialsOf(d, n) {
				t.x = append(t.x, d.out[0])
			}
		}
		t.det = p.m.Blanket(cells).Det
		k.pools, k.cells = append(k.pools, t), append(k.cells, cells...)
	}
	slices.Sort(rows)
	k.det, k.stoch = p.m.Blanket(k.cells).Det, runsOf(p.m, slices.Compact(rows))
	return k
}

// place changes the counts of a start, unless the sum over them can be taken there, or fewer counts have no density.
func (k *countStart) place(s *model.State, r *rand.Rand) {
	times := 1 + float64((mostTimes-1)*r.Float64())
	if k.short(s) {
		return
	}
	var kept []float64
	for _, c := range k.cells {
		kept = append(kept, s.V[c])
	}
	for i := range k.pools {
		k.pools[i].place(s, times)
	}
	if vec.Finite(s.LogProb(k.stoch)) {
		return
	}
	for j, c := range k.cells {
		s.V[c] = kept[j]
	}
	s.Run(k.det)
}

// shortSums tells whether sums along trees are short.
func shortSums(c *countPools) func(s *model.State) bool {
	return func(s *model.State) bool {
		g := newPoolSums(c)
		g.most = float64(startPoolWork * len(c.pools))
		g.begin(s)
		short := vec.Finite(g.log(s))
		g.restore(s)
		return short
	}
}

// few tells whether counts are few for what is seen of them.
func (k *countStart) few(s *model.State) bool {
	all, need := 0.0, 0.0
	for _, c := range k.cells {
		all += s.V[c]
	}
	for i := range k.pools {
		need += k.pools[i].need(s)
	}
	return all <= mostTimes*need
}

// place gives half of those that may survive, and recruits as many as are missing.
func (n *startPool) place(s *model.State, times float64) {
	need := math.Floor(n.need(s) * times)
	open := slices.ContainsFunc(n.counts, func(c pooledCount) bool { return c.law != binomialCount })
	for _, c := range n.counts {
		if c.law == binomialCount {
			x := s.V[c.b]
			if open {
				x = math.Floor(x / 2)
			}
			s.V[c.cell] = x
			need -= x
		}
	}
	for _, c := range n.counts {
		if c.law != binomialCount {
			s.V[c.cell] = max(1, need)
			need = 0
		}
	}
	s.Run(n.det)
}

// need is the least that the data ask for.
func (n *startPool) need(s *model.State) float64 {
	need := 0.0
	for _, x := range n.x {
		need = max(need, s.V[x])
	}
	return need
}
