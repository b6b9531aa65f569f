package mrf

import "math"

// climb gives each free variable in turn its most probable value given all others until none changes: iterated conditional modes
// (Besag, 1986). Of values that are equally probable the present one stays. The field is one without tables.
func (k *Gibbs) climb(s *State) (changed bool) {
	f := k.f
	f.settle(s)
	for again := true; again; {
		again = false
		for _, i := range f.free {
			p, base := k.p[:f.cards[i]], k.base[:0]
			for _, l := range f.plan.products.of(i) {
				base = append(base, s.slots[l.slot]-s.X[i]*l.stride)
			}
			f.logRow(p, &k.w, i, base)
			best := s.X[i]
			for v, x := range p {
				if x > p[best]+1e-12 {
					best = int32(v)
				}
			}
			if best != s.X[i] {
				f.set(s, i, best)
				again, changed = true, true
			}
		}
	}
	return changed
}

// logRow sets p to the logarithms of the conditional of variable i, up to a constant.
func (f *Field) logRow(p []float64, w *weights, i int32, base []int32) (top float64) {
	top = math.Inf(-1)
	for v := range p {
		p[v] = 0
		for j, m := range f.in.of(i) {
			p[v] += w.log[base[j]+int32(v)*m.stride]
		}
		top = max(top, p[v])
	}
	return top
}
