package mrf

import (
	"math/bits"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/gibbs"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Gibbs draws one variable at a time from its full conditional (Geman and Geman, 1984). It leaves the distribution of the field
// invariant, but where zeros forbid some states it need not get from one of positive probability to all others: see [Block].
//
// Time is that of one random number and of the blanket's slots that a change concerns where the conditional has been computed
// beforehand (see [FieldSettings]), and otherwise that of a row of each factor. A chain needs a Gibbs of its own.
type Gibbs struct {
	f     *Field
	w     weights
	table []uint64
	sites []site
	scan  *gibbs.Sampler[*State] // nil for the systematic one

	p         []float64
	threshold []uint64
	base      []int32
}

// site is what a draw of a variable reads.
type site struct {
	variable, at int32 // at < 0: a product
	values       int32
	from, to     int32 // links
}

// NewGibbs returns a kernel for the model. Fixed variables are never drawn.
func NewGibbs(f *Field, scan gibbs.Scan) (*Gibbs, error) {
	return newGibbs(f, f.target(), scan)
}

func newGibbs(f *Field, w weights, scan gibbs.Scan) (*Gibbs, error) {
	k := &Gibbs{f: f, w: w, table: f.tables(&w)}
	members, values := 0, int32(1)
	for _, i := range f.free {
		k.sites = append(k.sites, site{i, f.plan.at[i], f.cards[i], f.plan.links.start[i], f.plan.links.start[i+1]})
		members, values = max(members, len(f.in.of(i))), max(values, f.cards[i])
	}
	k.p, k.threshold, k.base = make([]float64, values), make([]uint64, values), make([]int32, members)
	if scan == gibbs.Systematic || len(f.free) == 0 {
		return k, nil
	}
	var observed []int
	for i, v := range f.fixed {
		if v >= 0 {
			observed = append(observed, i)
		}
	}
	var err error
	k.scan, err = gibbs.NewSampler[*State](k, gibbs.Settings{Nodes: len(f.cards), Scan: scan, Observed: observed})
	return k, err
}

// Step makes one scan: as many draws as there are free variables.
func (k *Gibbs) Step(s *State, r *rand.Rand) mcmc.Info {
	k.f.settle(s)
	if k.scan != nil {
		return k.scan.Step(s, r)
	}
	x, slots, links := s.X, s.slots, k.f.plan.links.all
	// Half of the time would be calls of the stream: it seeds a generator of the sweep, xoshiro256++ (Blackman and Vigna, 2021).
	a, b, c, e := r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()|1
	for n := range k.sites {
		at := &k.sites[n]
		u := (bits.RotateLeft64(a+e, 23) + a) >> 1
		t := b << 17
		c ^= a
		e ^= b
		b ^= c
		a ^= e
		c ^= t
		e = bits.RotateLeft64(e, 45)
		i := at.variable
		var value int32
		switch {
		case at.at >= 0 && at.values == 2:
			if u >= k.table[slots[i]] {
				value = 1
			}
		case at.values == 2:
			value = k.binary(s, i, u)
		default:
			value = k.choose(s, at, u)
		}
		d := value - x[i]
		if d == 0 {
			continue
		}
		x[i] = value
		for _, l := range links[at.from:at.to] {
			slots[l.slot] += d * l.stride
		}
	}
	s.known = false
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

// Draw draws one variable.
func (k *Gibbs) Draw(s *State, i int, r *rand.Rand) {
	f := k.f
	at := site{int32(i), f.plan.at[i], f.cards[i], 0, 0}
	f.set(s, int32(i), k.choose(s, &at, r.Uint64()>>1))
}

// choose is the value that a random number draws.
func (k *Gibbs) choose(s *State, at *site, u uint64) int32 {
	i := at.variable
	if at.at >= 0 {
		row := s.slots[i]
		return reached(k.table[row:row+at.values-1], u)
	}
	if at.values == 2 {
		return k.binary(s, i, u)
	}
	p, base := k.p[:at.values], k.base[:0]
	for _, l := range k.f.plan.products.of(i) {
		base = append(base, s.slots[l.slot]-s.X[i]*l.stride)
	}
	k.f.product(p, &k.w, i, base)
	thresholds(k.threshold[:len(p)-1], p)
	return reached(k.threshold[:len(p)-1], u)
}

// binary is choose for a variable with two values.
func (k *Gibbs) binary(s *State, i int32, u uint64) int32 {
	x, all, slots, lin := s.X[i], k.f.plan.products.of(i), s.slots, k.w.lin
	p0, p1, q0, q1 := 1.0, 1.0, 1.0, 1.0 // see Field.product
	n := 0
	for ; n+1 < len(all); n += 2 {
		l, m := all[n], all[n+1]
		at, to := slots[l.slot]-x*l.stride, slots[m.slot]-x*m.stride
		p0 *= lin[at]
		p1 *= lin[at+l.stride]
		q0 *= lin[to]
		q1 *= lin[to+m.stride]
	}
	if n < len(all) {
		at := slots[all[n].slot] - x*all[n].stride
		p0 *= lin[at]
		p1 *= lin[at+all[n].stride]
	}
	p0, p1 = float64(p0*q0), float64(p1*q1)
	if p0+p1 < least {
		base := k.base[:0]
		for _, l := range k.f.plan.products.of(i) {
			base = append(base, s.slots[l.slot]-x*l.stride)
		}
		k.f.logProduct(k.p[:2], &k.w, i, base)
		p0, p1 = k.p[0], k.p[1]
	}
	if u >= uint64(p0/(p0+p1)*whole) {
		return 1
	}
	return 0
}

// reached counts the thresholds that a random number reaches.
func reached(thresholds []uint64, u uint64) int32 {
	n := int32(0)
	for _, t := range thresholds {
		if u < t {
			break
		}
		n++
	}
	return n
}

// conditional sets p to the full conditional of variable i.
func (k *Gibbs) conditional(p []float64, s *State, i int32) {
	if at := k.f.plan.at[i]; at >= 0 {
		row, last := s.slots[i], uint64(0)
		for v := range p[:len(p)-1] {
			t := k.table[int(row)+v]
			p[v] = float64(t-last) / whole
			last = t
		}
		p[len(p)-1] = float64(whole-last) / whole
		return
	}
	base := k.base[:0]
	for _, l := range k.f.plan.products.of(i) {
		base = append(base, s.slots[l.slot]-s.X[i]*l.stride)
	}
	k.f.product(p, &k.w, i, base)
	sum := 0.0
	for _, x := range p {
		sum += x
	}
	for v := range p {
		p[v] /= sum
	}
}
