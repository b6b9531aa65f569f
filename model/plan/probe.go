package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Visited is what the chains of a run have seen. Elements are those of the monitors, in the order in which they are recorded.
type Visited struct {
	Seed           uint64
	Chains, Warmup int
	Last           []*model.State // of each chain; they are not changed, but settled
	Least, Most    []float64      // values of each element over all draws
}

// Missed is a part of the posterior where no chain has been.
type Missed struct {
	// Labels says that it differs from where the chains are by the order of elements alone.
	Labels bool
	// Mass is about what share of the posterior it holds, of what it and the chains' part hold together.
	Mass  float64
	Where []Excursion // what tells it from the chains' part, the farthest first
}

// Excursion is an element whose values in a missed part lie where the chains have none.
type Excursion struct {
	Name        string
	Value       float64 // its mean there
	Least, Most float64 // in the chains

	discrete bool
}

// Probe looks for parts of the posterior that no chain has visited, after a run. From draws of the prior, as different from one another as
// possible, it anneals pilots by raising the likelihood from power 0 to 1 step by step, each step a sweep of kernels that know nothing of the plan.
// Where a pilot ends in values that no chain had, and stays there while it moves for a while, the densities that it meets and the widths over
// which it moves are held against those of pilots that start from the chains' last states: the estimate of the
// masses takes both parts for normal.
//
// Such a part counts if the plan's kernels do not leave it at once either: from where they do, chains would have been there.
//
// The work is at most a tenth of what the chains' warm-up took, both counted in rows of the model, so that the result depends on
// nothing but the run. Where that is not enough to anneal a few pilots there is none.
//
// Before that, neighbouring elements are exchanged in all arrays of one length, and the labels of categories with them. Where that leaves the
// density as it is and no chain has been, the order is missed.
func (j *Job) Probe(v Visited) []Missed {
	j.ready()
	if j.Plan.cuts() {
		return nil // there is no joint density to look at
	}
	for _, s := range v.Last {
		s.Settle()
	}
	p := newProbe(j, v)
	if p == nil {
		return nil
	}
	all := p.orders()
	if !p.affordable() || !p.scout() {
		return all
	}
	if !p.anneal() {
		return all
	}
	for _, m := range p.judge() {
		if !m.Labels || len(all) == 0 {
			all = append(all, m)
		}
	}
	return all
}

const (
	probeShare = 0.08 // of the work of the warm-up
	stayShare  = 0.02 // of its iterations, in which the plan's kernels may leave a part
	scouts     = 1000 // draws from the prior
	mostPilots = 20
	fewPilots  = 6
	mostSteps  = 40 // powers of the likelihood
	fewSteps   = 8
	lookSweeps = 40 // over which parts are compared
	fewSweeps  = 12
	mostLooks  = 3     // parts that are looked at
	leastShare = 0.005 // of the mass that a part must hold
	pilotCells = 1 << 21
	keepCells  = 1 << 19
	beyond     = 0.3 // of the chains' range, by which a value must lie outside it
)

// probe is one at work.
type probe struct {
	*Job
	v      Visited
	rung   *rung
	prior  *fromPrior
	lik    []model.Seg // data below the nodes
	whole  []int32     // cells of the nodes, the first of which tell scouts apart
	budget int         // rows left
	used   int         // of rung.spent, that the budget has paid for
	sweep  int         // rows of a sweep

	pilots []*model.State
	least  float64 // power of the likelihood at which the pilots start
	rand   *rand.Rand
}

func newProbe(j *Job, v Visited) *probe {
	m := j.Plan.Model
	p := &probe{Job: j, v: v, rung: newRung(j.Plan), prior: newFromPrior(j.Plan), lik: m.ObservedRows(), rand: rng.New(v.Seed, "probe").Rand}
	if len(p.rung.nodes) == 0 || len(v.Last) == 0 {
		return nil
	}
	for _, n := range p.rung.nodes {
		p.whole = append(p.whole, n.cells...)
	}
	for i, n := range p.rung.nodes {
		p.sweep += p.rung.cost[i] * evalsOf(n)
	}
	p.budget = int(probeShare * float64(v.Chains) * float64(v.Warmup) * j.Plan.work())
	return p
}

// affordable tells whether the budget is enough for a few pilots, and their memory bounded.
func (p *probe) affordable() bool {
	return p.budget >= p.sweep*(fewPilots*fewSteps+2*fewSweeps) && len(p.Plan.Model.Init) <= pilotCells/fewPilots
}

// evalsOf is about how many evaluations of its density a rung's kernel takes.
func evalsOf(n *node) int {
	const ofSlice = 6
	if size, ok := n.supportSize(); ok && n.scalar() && n.t.Stoch.Scalar.Discrete {
		return min(size, ofSlice)
	}
	if n.dist() == "ddirch" {
		return ofSlice * len(n.cells)
	}
	return ofSlice
}

// work is how many rows an iteration of a chain computes, about and rather too few.
func (p *Plan) work() float64 {
	total := 0.0
	for _, it := range p.Items {
		var cells []int32
		for _, r := range it.Rows {
			t, i := p.Model.TemplateOf(r)
			cells = append(cells, t.Cells(i)...)
		}
		b := p.Model.Blanket(cells)
		total += float64(float64(len(it.Rows)+model.Count(b.Det)+model.Count(b.Stoch)) * evalsPerStep(it.Kernel))
	}
	return total
}

// evalsPerStep is about how often a kernel of the plan computes the rows around its nodes: a conjugate one reads of a row what a density
// takes twice as long for, and an adaptive one has two evaluations a step once it has learnt.
func evalsPerStep(kernel string) float64 {
	switch kernel {
	case "adaptive":
		return 3
	case "slice", "elliptical-slice", "slice-doubling", "simplex-slice", exchangeName:
		return 4
	case "enumerate":
		return 2
	case nutsName, walnutsName, cheesName, staticName, langevinName:
		return 2 // a trajectory has seven gradients or more, but by columns, which take a tenth of the time that rows one by one do
	case blockGLM, blockVolatility:
		return 4
	case blockNormal:
		return 1
	}
	return 0.5
}

// pay takes what the rung has spent off the budget.
func (p *probe) pay() {
	p.budget -= p.rung.spent - p.used
	p.used = p.rung.spent
}

// scout draws from the prior and picks the pilots' starts, with the widths that slices begin with. It tells whether there are any.
func (p *probe) scout() bool {
	s := p.Plan.Model.NewState()
	cells := p.whole[:min(len(p.whole), keepCells/scouts)]
	rows := len(p.prior.order) + model.Count(p.lik)
	n := max(min(scouts, p.budget/5/rows), 2*fewPilots)
	p.budget -= n * rows
	var found []scouted
	for k := range n {
		r := rng.New(p.v.Seed, "scout", uint64(k)).Rand
		if !p.prior.draw(s, r) {
			continue
		}
		f := scouted{index: k, lik: s.LogProb(p.lik), at: make([]float64, len(cells))}
		if !vec.Finite(f.lik) || !vec.Finite(s.LogProb(p.density)) {
			continue
		}
		for i, c := range cells {
			f.at[i] = s.V[c]
		}
		found = append(found, f)
	}
	size := min(mostPilots, p.budget*3/5/(p.sweep*fewSteps), pilotCells/len(p.Plan.Model.Init))
	if len(found) < fewPilots || size < fewPilots {
		return false
	}
	p.least = firstPower(found, max(float64(size), float64(len(found))/4))
	widths := p.scale(found)
	for _, f := range apart(found, widths, size) {
		s := p.Plan.Model.NewState()
		p.prior.draw(s, rng.New(p.v.Seed, "scout", uint64(f.index)).Rand)
		p.pilots = append(p.pilots, s)
	}
	p.rung.widen(widths)
	return true
}

// scouted is a draw from the prior.
type scouted struct {
	index  int
	lik    float64 // log likelihood
	weight float64 // at the first power, relative to the greatest
	at     []float64
}

// firstPower is that at which weights by the likelihood leave this effective number of draws. It fills in the weights.
func firstPower(found []scouted, ess float64) float64 {
	lik := make([]float64, len(found))
	for i, f := range found {
		lik[i] = f.lik
	}
	power := largestPower(lik, 0, ess)
	top := slices.Max(lik)
	for i := range found {
		found[i].weight = vec.Exp(float64(power * (lik[i] - top)))
	}
	return power
}

// largestPower is the greatest up to 1 to which weights likˣ⁻ᶠʳᵒᵐ leave an effective number of draws, to a part in a thousand.
func largestPower(lik []float64, from, ess float64) float64 {
	top := slices.Max(lik)
	enough := func(power float64) bool {
		sum, squares := 0.0, 0.0
		for _, l := range lik {
			w := vec.Exp(float64((power - from) * (l - top)))
			sum += w
			squares += float64(w * w)
		}
		return float64(sum*sum) >= float64(ess*squares)
	}
	if enough(1) {
		return 1
	}
	lo, hi := 0.0, 1-from // of the increase, in which it is found on the logarithm
	for step := hi; ; step /= 2 {
		if step < 1e-12 || enough(from+step) {
			lo = step
			break
		}
		hi = step
	}
	for range 10 {
		if mid := float64((lo + hi) / 2); enough(from + mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return from + lo
}

// scale is the standard deviation of each coordinate under the weights.
func (p *probe) scale(found []scouted) []float64 {
	out := make([]float64, len(found[0].at))
	for i := range out {
		sum, mean, squares := 0.0, 0.0, 0.0
		for _, f := range found {
			sum += f.weight
			mean += float64(f.weight * f.at[i])
		}
		mean /= sum
		for _, f := range found {
			d := f.at[i] - mean
			squares += float64(f.weight * float64(d*d))
		}
		out[i] = math.Sqrt(squares / sum)
	}
	return out
}

// apart picks the most likely draw, and then ever the one farthest from those picked, of those with some weight.
func apart(found []scouted, scale []float64, n int) []scouted {
	const some = 1e-4
	best := 0
	for i, f := range found {
		if f.lik > found[best].lik {
			best = i
		}
	}
	near := make([]float64, len(found))
	for i := range near {
		near[i] = math.Inf(1)
	}
	picked := []scouted{found[best]}
	for len(picked) < n {
		last, next := picked[len(picked)-1], -1
		for i, f := range found {
			d := 0.0
			for k, x := range f.at {
				if scale[k] > 0 {
					z := (x - last.at[k]) / scale[k]
					d += float64(z * z)
				}
			}
			near[i] = min(near[i], d)
			if f.weight > some && near[i] > 0 && (next < 0 || near[i] > near[next]) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		picked = append(picked, found[next])
	}
	return picked
}

// widen gives slices a width to begin with, by the cells of the nodes.
func (g *rung) widen(widths []float64) {
	at := 0
	for i, n := range g.nodes {
		if k, ok := g.kernels[i].(*sliceNode); ok && at < len(widths) && widths[at] > 0 && vec.Finite(widths[at]) {
			k.u.Width = widths[at]
		}
		at += len(n.cells)
	}
}

// anneal takes the pilots from the first power of the likelihood to 1. It tells whether the budget was enough.
func (p *probe) anneal() bool {
	lik := make([]float64, len(p.pilots))
	reserve := p.budget * 2 / 5
	step := 0
	for power := p.least; ; step++ {
		p.rung.to(power)
		for i, s := range p.pilots {
			p.rung.Adapt(s, p.rand, warm)
			lik[i] = s.LogProb(p.lik)
		}
		p.budget -= len(p.pilots) * model.Count(p.lik)
		before := p.budget
		p.pay()
		p.sweep = max(p.sweep, (before-p.budget)*5/4/len(p.pilots)) // some sweeps take more than the mean
		if power == 1 || p.budget <= 0 {
			return power == 1
		}
		left := (p.budget - reserve) / max(before-p.budget, 1)
		next := largestPower(lik, power, 0.6*float64(len(lik)))
		if left = min(left, mostSteps-step); left <= 1 {
			next = 1
		} else { // so that the powers reach 1 in the steps that are left
			next = max(next, float64(power*vec.Exp(-vec.Log(power)/float64(left))))
		}
		power = min(next, 1)
	}
}
