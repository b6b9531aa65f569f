package labels

import (
	"cmp"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// points are the draws as k components of several features each: x[(t*k+j)*features+f].
type points struct {
	k, features, draws int
	x                  []float64
}

func (p *points) component(t, j int) []float64 {
	at := (t*p.k + j) * p.features
	return p.x[at : at+p.features]
}

// mostTurns bounds the turns of [points.improve], which end by themselves: the loss falls, and there are finitely many orders. mostStarts bounds the features by
// which draws are sorted for a start.
const (
	mostTurns  = 200
	mostStarts = 16
)

// nearest finds for each draw the order of its components under which all draws together have the greatest likelihood as independent normal
// features (Stephens 1997 on Richardson and Green; 2000, "Dealing with label switching in mixture models", algorithm 4.1 with that loss):
// order[t*k+j] is the component that becomes number j. It starts from the draws as they are, and from those sorted by each feature, and keeps the best.
func (p *points) nearest() (order []int) {
	best := math.Inf(1)
	order = p.sorted(-1)
	for start := -1; start < min(p.features, mostStarts); start++ {
		o := p.sorted(start)
		if loss := p.improve(o); loss < best {
			best, order = loss, o
		}
	}
	p.ascend(order)
	return order
}

// ascend names the components by the ascending means of the first feature.
func (p *points) ascend(order []int) {
	if p.features == 0 {
		return
	}
	mean, _ := p.moments(order)
	by := make([]int, p.k)
	for j := range by {
		by[j] = j
	}
	slices.SortStableFunc(by, func(a, b int) int { return cmp.Compare(mean[a*p.features], mean[b*p.features]) })
	was := make([]int, p.k)
	for t := range p.draws {
		o := order[t*p.k : (t+1)*p.k]
		copy(was, o)
		for j := range o {
			o[j] = was[by[j]]
		}
	}
}

// sorted orders the components of each draw by a feature; −1 leaves them.
func (p *points) sorted(feature int) []int {
	order := make([]int, p.draws*p.k)
	for t := range p.draws {
		o := order[t*p.k : (t+1)*p.k]
		for j := range o {
			o[j] = j
		}
		if feature >= 0 {
			slices.SortStableFunc(o, func(a, b int) int { return cmp.Compare(p.component(t, a)[feature], p.component(t, b)[feature]) })
		}
	}
	return order
}

// improve gives each draw the order nearest the means, and computes these anew, until nothing changes; it returns the loss.
func (p *points) improve(order []int) float64 {
	a, cost := newAssigner(p.k), make([]float64, p.k*p.k)
	next, last := make([]int, p.k), math.Inf(1)
	var loss float64
	for range mostTurns {
		mean, variance := p.moments(order)
		loss = 0
		for _, v := range variance {
			loss += float64(0.5 * float64(p.draws) * vec.Log(v))
		}
		changed := false
		for t := range p.draws {
			p.costs(cost, t, mean, variance)
			a.assign(next, cost)
			o := order[t*p.k : (t+1)*p.k]
			was, now := 0.0, 0.0
			for j := range o {
				was, now = was+cost[j*p.k+o[j]], now+cost[j*p.k+next[j]]
			}
			if now < was-1e-9*(1+math.Abs(was)) {
				copy(o, next)
				changed = true
				was = now
			}
			loss += was
		}
		if !changed || !(loss < last) {
			break
		}
		last = loss
	}
	return loss
}

// smallest is the least variance of a feature within a component, as a share of its variance over all components: below it draws differ by rounding.
const smallest = 1e-12

// moments are the mean and the variance of each feature of each ordered component.
func (p *points) moments(order []int) (mean, variance []float64) {
	n := p.k * p.features
	mean, variance = make([]float64, n), make([]float64, n)
	each := func(f func(at int, x float64)) {
		for t := range p.draws {
			for j := range p.k {
				for i, x := range p.component(t, order[t*p.k+j]) {
					f(j*p.features+i, x)
				}
			}
		}
	}
	each(func(at int, x float64) { mean[at] += x / float64(p.draws) })
	each(func(at int, x float64) { variance[at] += float64((x-mean[at])*(x-mean[at])) / float64(p.draws) })
	for i := range p.features {
		all, middle := 0.0, 0.0
		for j := range p.k {
			middle += mean[j*p.features+i] / float64(p.k)
		}
		for j := range p.k {
			d := mean[j*p.features+i] - middle
			all += (variance[j*p.features+i] + float64(d*d)) / float64(p.k)
		}
		for j := range p.k {
			variance[j*p.features+i] = max(variance[j*p.features+i], smallest*all, math.SmallestNonzeroFloat64/smallest)
		}
	}
	return mean, variance
}

// costs are those of each component of a draw in each place.
func (p *points) costs(cost []float64, t int, mean, variance []float64) {
	for j := range p.k {
		for c := range p.k {
			sum := 0.0
			for i, x := range p.component(t, c) {
				d := x - mean[j*p.features+i]
				sum += float64(d*d) / (2 * variance[j*p.features+i])
			}
			cost[j*p.k+c] = sum
		}
	}
}
