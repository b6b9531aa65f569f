package plan

import (
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// lookAhead finds the laws from which the particles of a part are drawn: where sums are expected and the laws that look ahead from there should agree, and a few steps from where they did in warm-up bring
// them close enough.
func (f *countFilter) lookAhead(s *model.State, i int) {
	for j := range f.g.parts[i].seen {
		f.at[j] = f.foundAt(s, i, j)
	}
	if !f.anySeen(s, i) {
		f.lawsAt(s, i)
		return
	}
	for range expectSteps {
		f.lawsAt(s, i)
		f.expect(s, i)
	}
	f.lawsAt(s, i)
}

// anySeen tells whether there is anything, without which the laws do not depend on where sums are expected.
func (f *countFilter) anySeen(s *model.State, i int) bool {
	for j := range f.g.parts[i].seen {
		for _, d := range f.g.parts[i].seen[j].rows {
			if s.V[d.x] > 0 {
				return true
			}
		}
	}
	return false
}

// lawsAt finds the laws that look ahead from where sums are expected.
func (f *countFilter) lawsAt(s *model.State, i int) {
	p := &f.g.parts[i]
	n := len(p.counts)
	clear(f.acc[:n])
	clear(f.sees[:n])
	f.log = 0
	for j := range p.seen {
		slope := f.slopeOf(s, p, j)
		for _, k := range p.seen[j].of {
			f.sees[k] += slope
		}
	}
	for k := n - 1; k >= 0; k-- {
		c := &p.counts[k]
		a := min(max(f.acc[k]+f.sees[k], leastTilt), mostTilt)
		if c.law == negbinCount {
			q := 1 - s.V[c.a]
			a = min(a, vec.Log((1+q)/(2*q)))
			f.log += float64(s.V[c.b] * vec.Log(s.V[c.a]/(1-float64(q*vec.Exp(a)))))
		}
		more := vec.Expm1(a)
		f.d[k], f.tilt[k] = f.acc[k]-a, more+1
		switch c.law {
		case poissonCount:
			f.log += float64(s.V[c.a] * more)
			for _, l := range c.on {
				f.acc[l.from] += float64(f.jac.Val[l.at] * more)
			}
		case binomialCount:
			more = vec.Log1p(s.V[c.a] * more)
			f.log += float64(s.V[c.b] * more)
			for _, l := range c.on {
				f.acc[l.from] += more
			}
		}
	}
}

// slopeOf is the slope of the log probability of what is seen of a sum, where that is expected to be.
func (f *countFilter) slopeOf(s *model.State, p *graphPart, j int) float64 {
	slope := 0.0
	for _, d := range p.seen[j].rows {
		slope += vec.Log1p(-s.V[d.p])
		if x := s.V[d.x]; x > 0 {
			n := f.at[j] + s.V[d.trials] + 0.5
			slope += vec.Log(n / (n - x))
		}
	}
	return slope
}

// expect moves where sums are expected to be to what the laws that look ahead from there expect, by a Newton step for each sum, shortened since sums depend on one another.
func (f *countFilter) expect(s *model.State, i int) {
	p := &f.g.parts[i]
	mean := f.acc
	for k := range p.counts {
		c := &p.counts[k]
		base, chance := s.V[c.a], s.V[c.a]
		if c.law == binomialCount {
			base = s.V[c.b]
		}
		for _, l := range c.on {
			base += float64(f.jac.Val[l.at] * mean[l.from])
		}
		switch tilt := f.tilt[k]; c.law {
		case poissonCount:
			mean[k] = base * tilt
		case binomialCount:
			mean[k] = base * chance * tilt / (1 - chance + float64(chance*tilt))
		default:
			mean[k] = s.V[c.b] * (1 - chance) * tilt / (1 - float64((1-chance)*tilt))
		}
		mean[k] = min(max(mean[k], 0), mostExpected)
	}
	for j := range p.seen {
		h := &p.seen[j]
		sum, most, bend := 0.0, 0.0, 0.0
		for _, k := range h.of {
			sum += mean[k]
		}
		at := f.at[j]
		for _, d := range h.rows {
			x := s.V[d.x]
			n := at + s.V[d.trials] + 0.5
			most = max(most, x-s.V[d.trials])
			bend += x / n / (n - x)
		}
		next := at + expectGain*(sum-at)/(1+float64(bend*sum))
		if next < most {
			next = (at + most) / 2
		}
		f.at[j] = next
	}
}

// foundAt is where a sum is expected at first.
func (f *countFilter) foundAt(s *model.State, i, j int) float64 {
	chance, seen, most := 0.0, 0.0, 0.0
	for _, d := range f.g.parts[i].seen[j].rows {
		chance += s.V[d.p]
		seen += s.V[d.x]
		most = max(most, s.V[d.x]-s.V[d.trials])
	}
	if at := f.parts[i].found[j]; at >= 0 {
		seen = at
	}
	return max(seen/chance, most)
}
