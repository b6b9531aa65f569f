package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// poolSums sums the densities of all counts of some pools, and of what depends on them, over the counts' values: forwards from one pool to the next, as along a hidden Markov chain,
// with weights of each pool's sum. Counts are then drawn backwards (Carter and Kohn 1994). Values whose weight is below leastWeight of the largest, given what comes before them, are left out.
type poolSums struct {
	c    *countPools
	at   []poolSum
	kept []float64 // counts, before a sum
	next []float64 // that are drawn

	survivors, recruits, part, spare countWeights
	prefix                           []countWeights
	h, m                             []float64
	pick                             countWeights
	x, q                             []float64 // of binomial rows: data, and probabilities to be missed
	work, most                       float64   // products in the last sum, and at most
	stale                            bool      // the last sum is not that where the nodes are
}

const (
	mostPoolWork  = 1 << 26 // products of a sum
	startPoolWork = 1 << 12 // at a start, for each pool
)

// poolSum is a pool's part.
type poolSum struct {
	countWeights         // of its counts' sum, all that comes before it summed over
	base         float64 // what stands still in its gate
	more         int     // trials of its survivors beside those from the pool's counts
	alone        []float64
	pairs        [][]float64 // what stands still in trials
	drawn        int
}

func newPoolSums(c *countPools) *poolSums {
	g := &poolSums{c: c, most: mostPoolWork, at: make([]poolSum, len(c.pools)), kept: make([]float64, len(c.cells)), next: make([]float64, len(c.cells))}
	rows, counts := 0, 0
	for k := range c.pools {
		n, t := &c.pools[k], &g.at[k]
		t.alone = make([]float64, len(n.alone))
		rows, counts = max(rows, len(n.alone)), max(counts, len(n.counts))
		for _, q := range n.pairs {
			t.pairs = append(t.pairs, make([]float64, len(q.rows)))
			rows = max(rows, len(q.rows))
		}
	}
	g.x, g.q = make([]float64, rows), make([]float64, rows)
	g.prefix = make([]countWeights, counts)
	return g
}

// begin learns what stands still, from a state in which all is up to date.
func (g *poolSums) begin(s *model.State) {
	for j, c := range g.c.cells {
		g.kept[j] = s.V[c]
	}
	for k := range g.at {
		n, t := &g.c.pools[k], &g.at[k]
		t.base = s.V[n.gate]
		for _, c := range n.counts {
			t.base -= s.V[c.cell]
		}
		for j, d := range n.alone {
			t.alone[j] = s.V[d.trials] - s.V[n.gate]
		}
		for i, q := range n.pairs {
			for j, d := range q.rows {
				t.pairs[i][j] = s.V[d.trials] - s.V[n.gate] - s.V[g.c.pools[q.with].gate]
			}
		}
	}
	for k := range g.at {
		n := &g.c.pools[k]
		for _, c := range n.counts {
			if c.linked && c.law == binomialCount {
				g.at[k].more = int(s.V[c.b] - s.V[g.c.pools[n.from].gate] + g.at[n.from].base)
			}
		}
	}
}

// restore puts the counts where they were when it began.
func (g *poolSums) restore(s *model.State) {
	for j, c := range g.c.cells {
		s.V[c] = g.kept[j]
	}
	s.Run(g.c.det)
}

func (g *poolSums) here(s *model.State, _ *rand.Rand) float64 {
	g.stale = false
	return g.log(s)
}

func (g *poolSums) value(s *model.State, _ *rand.Rand) float64 {
	g.stale = true
	return g.log(s)
}

func (g *poolSums) taken() { g.stale = false }

func (*poolSums) learn(*model.State, int) {}

func (*poolSums) fields() []*float64 { return nil }

// log is the log of the sum at the state's other cells: a number or −Inf. The counts and what depends on them are left anyhow.
func (g *poolSums) log(s *model.State) float64 {
	total := 0.0
	g.work = 0
	for k := range g.at {
		n, t := &g.c.pools[k], &g.at[k]
		if !g.expect(s, k) || !g.seeAlone(s, k) || !g.seeOthers(s, k) || !g.seePairs(s, k) || !t.trim() || len(t.w) > mostWide || g.work > g.most {
			return math.Inf(-1)
		}
		if n.next < 0 {
			total += vec.Log(t.sum()) + t.log
		}
	}
	if !vec.Finite(total) {
		return math.Inf(-1)
	}
	return total
}

// expect gives a pool its law given the one from which it comes.
func (g *poolSums) expect(s *model.State, k int) bool {
	n, t := &g.c.pools[k], &g.at[k]
	rate, survival, linked := 0.0, -1.0, false
	for i := range n.counts {
		switch c := &n.counts[i]; {
		case !c.linked && c.law == poissonCount:
			rate += s.V[c.a]
		case c.linked && c.law == poissonCount:
			linked = true
		case c.linked:
			survival = s.V[c.a]
		}
	}
	if linked {
		t.lo, t.w, t.log = 0, t.w[:0], g.at[n.from].log
		return g.eachFrom(s, k, func(_ int, f float64, survivors, recruits *countWeights) bool {
			for len(t.w) < survivors.end()+recruits.end()-1 {
				t.w = append(t.w, 0)
			}
			g.work += float64(len(survivors.w) * len(recruits.w))
			t.addProduct(survivors, recruits, f)
			return len(t.w) <= 4*mostWide
		})
	}
	if n.from >= 0 {
		from := &g.at[n.from]
		if !(survival >= 0 && survival <= 1) || from.end()+t.more < 1 || from.end()+t.more > 4*mostWide {
			return false
		}
		t.thin(&from.countWeights, t.more, survival)
		g.work += float64(len(t.w) * len(t.w))
		if !t.trim() {
			return false
		}
	} else {
		t.one()
	}
	return g.others(s, k, rate, &t.countWeights)
}

// zeros is a row of n numbers.
func (g *poolSums) zeros(n int) []float64 {
	g.h = zeros(g.h, n)
	return g.h
}

// others adds the counts of a pool that depend on no other: Poisson ones of a rate together, and the rest.
func (g *poolSums) others(s *model.State, k int, rate float64, to *countWeights) bool {
	if rate != 0 && !g.plus(to, poissonCount, rate, 0) {
		return false
	}
	n := &g.c.pools[k]
	for i := range n.counts {
		if c := &n.counts[i]; !c.linked && c.law != poissonCount && !g.plus(to, c.law, s.V[c.a], s.V[c.b]) {
			return false
		}
	}
	return true
}

// plus adds an independent count.
func (g *poolSums) plus(to *countWeights, law countLaw, a, b float64) bool {
	if !g.part.law(law, a, b) {
		return false
	}
	g.work += float64(len(to.w) * len(g.part.w))
	if len(to.w) == 1 && to.w[0] == 1 && to.lo == 0 {
		to.lo, to.w = g.part.lo, append(to.w[:0], g.part.w...)
		return true
	}
	g.spare.convolve(to, &g.part)
	to.lo, to.w = g.spare.lo, append(to.w[:0], g.spare.w...)
	return true
}

// eachFrom visits the values of the pool from which a pool comes, with their weights and the laws of survivors and of all other counts there.
func (g *poolSums) eachFrom(s *model.State, k int, visit func(x int, f float64, survivors, recruits *countWeights) bool) bool {
	n, t := &g.c.pools[k], &g.at[k]
	from := &g.at[n.from]
	free, survival := 0.0, -1.0
	for i := range n.counts {
		switch c := &n.counts[i]; {
		case !c.linked && c.law == poissonCount:
			free += s.V[c.a]
		case c.linked && c.law == binomialCount:
			survival = s.V[c.a]
		}
	}
	last := math.NaN()
	g.survivors.one()
	if survival >= 0 {
		if !g.survivors.law(binomialCount, survival, float64(max(from.lo+t.more, 0))) {
			return false
		}
	}
	any := false
	for i, f := range from.w {
		x := from.lo + i
		if survival >= 0 {
			if x+t.more < 0 {
				continue
			}
			if i > 0 && x+t.more > 0 {
				g.survivors.another(survival)
			}
		}
		rate := free + g.linkedRate(s, k, float64(x))
		if f == 0 || !(rate >= 0) {
			continue
		}
		if rate != last {
			g.recruits.one()
			if !g.others(s, k, rate, &g.recruits) {
				return false
			}
			last = rate
			g.work += float64(len(g.recruits.w))
		}
		g.work += float64(len(g.survivors.w))
		any = true
		if g.work > g.most || !visit(x, f, &g.survivors, &g.recruits) {
			return false
		}
	}
	return any
}

// linkedRate is the rate of the Poisson counts of a pool at a value of the pool from which they come.
func (g *poolSums) linkedRate(s *model.State, k int, x float64) (rate float64) {
	n := &g.c.pools[k]
	for i := range n.counts {
		if c := &n.counts[i]; c.linked && c.law == poissonCount {
			rate += g.rateAt(s, n.from, c, x)
		}
	}
	return rate
}

func (g *poolSums) rateAt(s *model.State, from int, c *pooledCount, x float64) float64 {
	s.V[g.c.pools[from].gate] = g.at[from].base + x
	s.Run(c.rate)
	return s.V[c.a]
}

// fill weighs n trials and more by binomial rows, of whose trials some stand still; false where all weights are 0.
func (g *poolSums) fill(s *model.State, rows []trialsRow, beside []float64, n float64, h []float64) (log float64, ok bool) {
	start := n
	for j, d := range rows {
		g.x[j], g.q[j] = s.V[d.x], 1-s.V[d.p]
		start = max(start, g.x[j]-beside[j])
	}
	i := int(start - n)
	if i >= len(h) {
		return 0, false
	}
	clear(h[:i])
	for j, d := range rows {
		s.V[d.trials] = start + beside[j]
		log += s.LogProb(d.seg)
	}
	if !vec.Finite(log) {
		return 0, false
	}
	w := 1.0
	from := i
	for ; ; i++ {
		h[i] = w
		if i+1 == len(h) {
			return log, true
		}
		for j := range rows {
			trials := n + float64(i) + 1 + beside[j]
			w *= g.q[j] * trials / (trials - g.x[j])
		}
		if w > tallWeight {
			for b := from; b <= i; b++ {
				h[b] /= tallWeight
			}
			w /= tallWeight
			log += vec.Log(tallWeight)
		}
	}
}

// seeAlone weighs a pool by its own binomial rows.
func (g *poolSums) seeAlone(s *model.State, k int) bool {
	n, t := &g.c.pools[k], &g.at[k]
	if len(n.alone) == 0 {
		return true
	}
	h := g.zeros(len(t.w))
	log, ok := g.fill(s, n.alone, t.alone, t.base+float64(t.lo), h)
	for i, w := range h {
		t.w[i] *= w
	}
	t.log += log
	return ok
}

// seeOthers weighs it by the other rows.
func (g *poolSums) seeOthers(s *model.State, k int) bool {
	n, t := &g.c.pools[k], &g.at[k]
	if len(n.any) == 0 {
		return true
	}
	h := g.zeros(len(t.w))
	top := math.Inf(-1)
	for i := range h {
		s.V[n.gate] = t.base + float64(t.lo+i)
		for _, d := range n.any {
			s.Run(d.det)
			h[i] += s.LogProb(d.self)
		}
		top = max(top, h[i])
	}
	if !vec.Finite(top) {
		return false
	}
	for i, l := range h {
		t.w[i] *= vec.Exp(l - top)
	}
	t.log += top
	return true
}

// seePairs takes in the pools before it that are among the trials of the same rows.
func (g *poolSums) seePairs(s *model.State, k int) bool {
	n, t := &g.c.pools[k], &g.at[k]
	for i, q := range n.pairs {
		o := &g.at[q.with]
		h := g.zeros(len(t.w) + len(o.w) - 1)
		log, ok := g.fill(s, q.rows, t.pairs[i], t.base+o.base+float64(t.lo+o.lo), h)
		if !ok {
			return false
		}
		g.work += float64(len(t.w) * len(o.w))
		for b := range t.w {
			sum := 0.0
			for a, w := range h[b : b+len(o.w)] {
				sum += float64(o.w[a] * w)
			}
			t.w[b] *= sum
		}
		t.log += log + o.log
	}
	return true
}

// weigh gives the values of the pool from which pool k comes a weight each, in m, by the laws of survivors and recruits there.
func (g *poolSums) weigh(s *model.State, k int, weight func(survivors, recruits *countWeights) float64) bool {
	from := &g.at[g.c.pools[k].from]
	g.m = zeros(g.m, len(from.w))
	return g.eachFrom(s, k, func(x int, _ float64, survivors, recruits *countWeights) bool {
		g.m[x-from.lo] = weight(survivors, recruits)
		g.work += float64(len(survivors.w))
		return true
	})
}

// finish draws the counts given the rest. It is false where rounding leaves them no values: then they are not drawn.
func (g *poolSums) finish(s *model.State, r *rand.Rand) bool {
	if g.stale {
		g.here(s, r)
	}
	g.work = 0
	for k := len(g.at) - 1; k >= 0; k-- {
		n, t := &g.c.pools[k], &g.at[k]
		v := &g.pick
		v.lo, v.w = t.lo, append(v.w[:0], t.w...)
		if n.next >= 0 && !g.given(s, k, v) {
			return false
		}
		var ok bool
		if t.drawn, ok = v.draw(r); !ok {
			return false
		}
	}
	j := 0
	for k := range g.at { // from the first pools to the last, whose laws depend on them
		if !g.divide(s, r, k, g.next[j:]) {
			return false
		}
		j += len(g.c.pools[k].counts)
	}
	copy(g.kept, g.next)
	g.restore(s)
	return true
}

// given weighs a pool's values by the value of the next pool.
func (g *poolSums) given(s *model.State, k int, v *countWeights) bool {
	next := g.c.pools[k].next
	n, t := &g.c.pools[next], &g.at[next]
	if n.from == k {
		if !g.weigh(s, next, func(survivors, recruits *countWeights) float64 { return survivors.ofSum(recruits, t.drawn) }) {
			return false
		}
		for i, w := range g.m {
			v.w[i] *= w
		}
		return true
	}
	for i, q := range n.pairs {
		if q.with != k {
			continue
		}
		h := g.zeros(len(v.w))
		if _, ok := g.fill(s, q.rows, t.pairs[i], t.base+float64(t.drawn)+g.at[k].base+float64(v.lo), h); !ok {
			return false
		}
		for a, w := range h {
			v.w[a] *= w
		}
	}
	return true
}

// divide draws the counts of a pool given their sum.
func (g *poolSums) divide(s *model.State, r *rand.Rand, k int, to []float64) bool {
	n, t := &g.c.pools[k], &g.at[k]
	left := t.drawn
	laws := func(i int) bool {
		c := &n.counts[i]
		a, b := s.V[c.a], s.V[c.b]
		if c.linked {
			x := g.at[n.from].drawn
			if b = float64(x + t.more); c.law == poissonCount {
				a = g.rateAt(s, n.from, c, float64(x))
			}
		}
		return g.part.law(c.law, a, b)
	}
	last := len(n.counts) - 1
	for i := range last {
		if !laws(i) {
			return false
		}
		p := &g.prefix[i]
		if i == 0 {
			p.lo, p.w = g.part.lo, append(p.w[:0], g.part.w...)
			continue
		}
		p.convolve(&g.prefix[i-1], &g.part)
	}
	for i := last; i > 0; i-- {
		if !laws(i) {
			return false
		}
		v := &g.part
		for j := range v.w {
			v.w[j] *= g.prefix[i-1].at(left - v.lo - j)
		}
		x, ok := v.draw(r)
		if !ok {
			return false
		}
		to[i] = float64(x)
		left -= x
	}
	to[0] = float64(left)
	return true
}
