package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// countFilter estimates the sum of the densities of the counts of a graph, and of what depends on them, over the counts' values, part by part by a particle filter, without bias (Del Moral 2004), so
// that moves by the ratio of estimates have the right stationary distribution (Andrieu and Roberts 2009; Andrieu, Doucet and Holenstein 2010). The estimate at the counts that a state has comes from
// a filter one of whose particles they are.
//
// Particles are drawn from laws that look ahead: the probability of all that is seen later is taken for exp(Σ a N), with a from the last count to the first. Counts that are Poisson or binomial stay so
// under such a factor, what a count's children have of it is again of that form in the count, and so is what is seen of it where nothing is; elsewhere the slope of the log probability is taken where the sum is
// expected. What the form misses is in the weights.
type countFilter struct {
	g          *countGraph
	jac        *model.Jacobian
	kept, next []float64   // counts, and those that the last filter drew
	parts      []partSizes // learnt in warm-up

	log  float64   // of what does not depend on particles
	at   []float64 // where sums are expected
	tilt []float64 // e^a of each count
	d    []float64 // what is left of a for the weights
	acc  []float64 // slopes of the log probability of what is seen later, by children; means, in expect
	sees []float64 // and by what is seen of the count itself

	drawn, now []float64 // counts by particles: as they were drawn, and those of the ancestors of particles
	from       []int32   // ancestors, by steps
	parted     []bool    // steps after which particles had ancestors other than themselves
	w, lw, sum []float64
	logFact    []float64
	inverse    []float64 // 1/k
	power      []float64
}

// partSizes is what is learnt of a part.
type partSizes struct {
	particles float64
	spread    float64   // log of the variance of the log of an estimate, times the particles, about the mean over warm-up
	now, last float64   // the variance of the last filter, times the particles; its log for the last that was taken
	found     []float64 // where each sum is expected, in what a round of all rows finds of it; −1 before it is known
}

const (
	firstParticles = 64
	leastParticles = 4
	mostParticles  = 1024
	noiseOfSum     = 0.8     // variance of the log of an estimate of the whole sum
	mostFilterWork = 1 << 19 // counts of all particles, but for the least: then there is more noise
	mostTilt       = 3       // log of the most that weight of a count's value goes up by the next one
	leastTilt      = -30
	wastedShare    = 0.5 // of the particles, and they are drawn anew by their weights
	mostInverted   = 10  // the largest mean of a count that is drawn by inversion
	inverses       = 256 // values beyond which have no probability then
	mostRate       = 1e9
	logFacts       = 1 << 12
	leastSpread    = 0.01
	learnGain      = 0.03
	expectGain     = 0.15 // part of a step of expect: it settles where a sum moves all laws by up to ten times as much as its own rows do
	expectSteps    = 8
	firstExpected  = 15 // times as many at the start
	mostExpected   = 1e6
)

func newCountFilter(g *countGraph) *countFilter {
	n := len(g.cells)
	f := &countFilter{g: g, jac: g.m.NewJacobian(&g.around, g.forms), kept: make([]float64, n), next: make([]float64, n), parts: make([]partSizes, len(g.parts)), logFact: make([]float64, logFacts)}
	for k := 2; k < logFacts; k++ {
		f.logFact[k] = f.logFact[k-1] + vec.Log(float64(k))
	}
	f.inverse, f.power = make([]float64, inverses), make([]float64, inverses)
	for k := 1; k < inverses; k++ {
		f.inverse[k] = 1 / float64(k)
	}
	counts, steps, seen := 0, 0, 0
	for i := range g.parts {
		p := &g.parts[i]
		counts, steps, seen = max(counts, len(p.counts)), max(steps, len(p.steps)), max(seen, len(p.seen))
		t := &f.parts[i]
		t.particles, t.found = firstParticles, make([]float64, len(p.seen))
		for j := range t.found {
			t.found[j] = -1
		}
	}
	for _, x := range []*[]float64{&f.d, &f.tilt, &f.acc, &f.sees} {
		*x = make([]float64, counts)
	}
	f.at, f.parted = make([]float64, seen), make([]bool, steps)
	return f
}

// begin sets the counts aside: from then on what depends on them is as if they were 0.
func (f *countFilter) begin(s *model.State) {
	for j, c := range f.g.cells {
		f.kept[j] = s.V[c]
		s.V[c] = 0
	}
	s.Run(f.g.around.Det)
}

// restore puts the counts back.
func (f *countFilter) restore(s *model.State) {
	for j, c := range f.g.cells {
		s.V[c] = f.kept[j]
	}
	s.Run(f.g.around.Det)
}

// here estimates the sum given the counts, and draws these anew.
func (f *countFilter) here(s *model.State, r *rand.Rand) float64 {
	total := f.estimate(s, r, true)
	if vec.Finite(total) {
		f.taken()
	}
	return total
}

// value estimates the sum.
func (f *countFilter) value(s *model.State, r *rand.Rand) float64 { return f.estimate(s, r, false) }

// taken makes the counts those that the last filter drew.
func (f *countFilter) taken() {
	copy(f.kept, f.next)
	for i := range f.parts {
		f.parts[i].last = vec.Log(leastSpread + f.parts[i].now)
	}
}

// finish leaves the counts in the state.
func (f *countFilter) finish(s *model.State, _ *rand.Rand) bool {
	f.restore(s)
	return true
}

func (f *countFilter) estimate(s *model.State, r *rand.Rand, given bool) float64 {
	f.jac.Eval(s)
	total := 0.0
	for i := range f.g.parts {
		if total += f.filter(s, r, i, given); !vec.Finite(total) {
			return math.Inf(-1)
		}
	}
	return total
}

// filter estimates the sum of a part, and draws its counts. Given its counts, these are the first particle.
func (f *countFilter) filter(s *model.State, r *rand.Rand, i int, given bool) float64 {
	p, t := &f.g.parts[i], &f.parts[i]
	n := int(t.particles)
	f.room(p, n)
	f.lookAhead(s, i)
	log := f.log
	w, lw := f.w[:n], f.lw[:n]
	for k := range w {
		w[k] = 1 / float64(n)
	}
	t.now = 0
	for j := range p.steps {
		step := &p.steps[j]
		clear(lw)
		for _, c := range step.counts {
			f.draw(s, r, p, c, n, given)
		}
		for _, h := range step.seen {
			f.see(s, p, h, n)
		}
		more, ok := f.weigh(n)
		if !ok {
			return math.Inf(-1)
		}
		log += more
		square := 0.0
		for _, x := range w {
			square += float64(x * x)
		}
		waste := max(float64(float64(n)*square)-1, 0)
		last := j == len(p.steps)-1
		f.parted[j] = !last && waste > 1/wastedShare-1
		if last || f.parted[j] {
			t.now += waste
		}
		if f.parted[j] {
			f.renew(r, step, j, n, given)
		}
	}
	f.pick(r, p, n)
	return log
}

// room makes room for the particles of a part.
func (f *countFilter) room(p *graphPart, n int) {
	if k := n * len(p.counts); len(f.drawn) < k {
		f.drawn, f.now = make([]float64, k), make([]float64, k)
	}
	if k := n * len(p.steps); len(f.from) < k {
		f.from = make([]int32, k)
	}
	if len(f.w) < n {
		f.w, f.lw, f.sum = make([]float64, n), make([]float64, n), make([]float64, n)
	}
}

// draw draws a count of each particle.
func (f *countFilter) draw(s *model.State, r *rand.Rand, p *graphPart, k, n int, given bool) {
	c := &p.counts[k]
	x, now, lw, sum := f.drawn[k*n:k*n+n], f.now[k*n:k*n+n], f.lw[:n], f.sum[:n]
	tilt, d := f.tilt[k], f.d[k]
	base, chance := s.V[c.a], 0.0
	if c.law == binomialCount {
		base, chance = s.V[c.b], s.V[c.a]
		chance = float64(chance*tilt) / (1 - chance + float64(chance*tilt))
	}
	for i := range sum {
		sum[i] = base
	}
	for _, l := range c.on {
		slope := f.jac.Val[l.at]
		for i, y := range f.now[l.from*n : l.from*n+n] {
			sum[i] += float64(slope * y)
		}
	}
	switch c.law {
	case poissonCount:
		f.poissons(r, x, sum, tilt)
	case binomialCount:
		f.binomials(r, x, sum, chance)
	default:
		for i := range x {
			x[i] = dist.NegBinomial(r, 1-float64((1-base)*tilt), s.V[c.b])
		}
	}
	if given {
		x[0] = f.kept[p.first+k]
	}
	for i, y := range x {
		if !(y >= 0) {
			x[i], lw[i] = 0, math.Inf(-1)
			continue
		}
		lw[i] += float64(d * y)
	}
	copy(now, x)
}

// poissons draws Poisson counts with rates that a factor goes into, by inversion where they are small; −1 where there is no such law.
func (f *countFilter) poissons(r *rand.Rand, x, rates []float64, tilt float64) {
	last, none := -1.0, 1.0 // a rate, and the probability of 0
	for i, rate := range rates {
		rate = float64(rate * tilt)
		switch {
		case !(rate >= 0 && rate < mostRate):
			x[i] = -1
		case rate == 0:
			x[i] = 0
		case rate >= mostInverted:
			x[i] = dist.Poisson(r, rate)
		default:
			if rate != last {
				last, none = rate, vec.Exp(-rate)
			}
			u, n, w := r.Float64()-none, 0, none
			for ; u >= 0 && n+1 < len(f.inverse); u -= w {
				n++
				w = float64(w * float64(rate*f.inverse[n]))
			}
			x[i] = float64(n)
		}
	}
}

// binomials draws binomial counts of one probability; NaN where there is no such law.
func (f *countFilter) binomials(r *rand.Rand, x, trials []float64, chance float64) {
	flip := chance > 0.5
	if flip {
		chance = 1 - chance
	}
	odds, powers := chance/(1-chance), 1
	f.power[0] = 1
	for i, n := range trials {
		if !(n > 0 && n < float64(len(f.power)) && n == math.Floor(n) && float64(n*chance) < mostInverted) {
			if x[i] = dist.Binomial(r, chance, n); flip {
				x[i] = n - x[i]
			}
			continue
		}
		for ; powers <= int(n); powers++ {
			f.power[powers] = float64(f.power[powers-1] * (1 - chance))
		}
		w := f.power[int(n)]
		u, k := r.Float64()-w, 0
		for ; u >= 0 && k < int(n) && k+1 < len(f.inverse); u -= w {
			k++
			w = float64(w * float64(odds*(n-float64(k)+1)*f.inverse[k]))
		}
		if x[i] = float64(k); flip {
			x[i] = n - x[i]
		}
	}
}

// see weighs particles by what is seen of a sum.
func (f *countFilter) see(s *model.State, p *graphPart, j, n int) {
	h := &p.seen[j]
	lw, sum := f.lw[:n], f.sum[:n]
	clear(sum)
	for _, k := range h.of {
		for i, y := range f.now[k*n : k*n+n] {
			sum[i] += y
		}
	}
	for _, d := range h.rows {
		x, base := s.V[d.x], s.V[d.trials]
		miss := vec.Log1p(-s.V[d.p])
		always := -f.factorial(x)
		if x > 0 {
			always += float64(x * vec.Log(s.V[d.p]))
		}
		for i, y := range sum {
			trials := y + base
			switch {
			case !(trials >= x):
				lw[i] = math.Inf(-1)
			case trials > x:
				lw[i] += f.factorial(trials) - f.factorial(trials-x) + float64((trials-x)*miss) + always
			default:
				lw[i] += f.factorial(trials) + always
			}
		}
	}
}

func (f *countFilter) factorial(n float64) float64 {
	if n < logFacts {
		return f.logFact[int(n)]
	}
	return vec.Lgamma(n + 1)
}

// weigh brings log weights into the weights, and gives the log of the mean of what they are multiplied by; false where none is positive.
func (f *countFilter) weigh(n int) (log float64, ok bool) {
	w, lw := f.w[:n], f.lw[:n]
	top := math.Inf(-1)
	for _, l := range lw {
		top = max(top, l)
	}
	if !vec.Finite(top) {
		return 0, false
	}
	total := 0.0
	for i, l := range lw {
		w[i] = float64(w[i] * vec.Exp(l-top))
		total += w[i]
	}
	if !(total > 0) {
		return 0, false
	}
	for i := range w {
		w[i] /= total
	}
	return top + vec.Log(total), true
}

// renew draws particles anew by their weights, from points at equal distances. Given the first, it is kept: its point is anywhere in its weight (Chopin and Singh 2015).
func (f *countFilter) renew(r *rand.Rand, step *graphStep, j, n int, given bool) {
	w, from := f.w[:n], f.from[j*n:j*n+n]
	u, own := r.Float64(), -1
	if given {
		u = float64(u * float64(w[0]*float64(n)))
		own = int(u)
		u -= float64(own)
		from[0] = 0
	}
	i, end := 0, float64(w[0]*float64(n))
	to := 0
	if given {
		to = 1
	}
	for m := range n {
		for u+float64(m) >= end && i < n-1 {
			i++
			end += float64(w[i] * float64(n))
		}
		if m != own && to < n {
			from[to] = int32(i)
			to++
		}
	}
	for _, k := range step.live {
		now := f.now[k*n : k*n+n]
		copy(f.sum, now)
		for i, o := range from {
			now[i] = f.sum[o]
		}
	}
	for i := range w {
		w[i] = 1 / float64(n)
	}
}

// pick draws a particle by its weight, and takes its counts and those of its ancestors.
func (f *countFilter) pick(r *rand.Rand, p *graphPart, n int) {
	u, i := r.Float64(), -1
	for k, x := range f.w[:n] {
		if x > 0 {
			i = k
		}
		if u -= x; u < 0 && i == k {
			break
		}
	}
	for j := len(p.steps) - 1; j >= 0; j-- {
		if f.parted[j] {
			i = int(f.from[j*n+i])
		}
		for _, c := range p.steps[j].counts {
			f.next[p.first+c] = f.drawn[c*n+i]
		}
	}
}

// learn learns from a state in warm-up.
func (f *countFilter) learn(s *model.State, iteration int) {
	f.begin(s)
	f.jac.Eval(s)
	times := 1
	if iteration == 0 {
		times = firstExpected
	}
	total, work := 0.0, 0.0
	gain := max(learnGain, 1/float64(iteration+1))
	for i := range f.parts {
		for range times {
			f.lookAhead(s, i)
			f.learnFound(s, i, gain)
		}
		t := &f.parts[i]
		t.spread += float64(gain * (t.last - t.spread))
		total += vec.Exp(t.spread / 2)
		work += float64(float64(len(f.g.parts[i].counts)) * vec.Exp(t.spread/2))
	}
	f.restore(s)
	if iteration == 0 || iteration%learnEvery != 0 {
		return
	}
	noise := max(noiseOfSum, float64(work*total)/mostFilterWork)
	for i := range f.parts {
		t := &f.parts[i]
		t.particles = min(max(math.Ceil(vec.Exp(t.spread/2)*total/noise), leastParticles), mostParticles)
	}
}

func (f *countFilter) learnFound(s *model.State, i int, gain float64) {
	p, t := &f.g.parts[i], &f.parts[i]
	for j := range p.seen {
		chance := 0.0
		for _, d := range p.seen[j].rows {
			chance += s.V[d.p]
		}
		if to := float64(chance * f.at[j]); vec.Finite(to) {
			t.found[j] = max(t.found[j], 0)
			t.found[j] += float64(gain * (to - t.found[j]))
		}
	}
}

func (f *countFilter) fields() (all []*float64) {
	for i := range f.parts {
		t := &f.parts[i]
		all = append(all, &t.particles, &t.spread, &t.last)
		for j := range t.found {
			all = append(all, &t.found[j])
		}
	}
	return all
}
