package mrf

import (
	"cmp"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// conditionals say how the full conditional of each free variable is found. Where its blanket has few configurations, they are
// numbered and each has a row in a table; the number, as the place of the row, is a slot of the state. Others are products of
// rows of factors, and the place of such a factor's entry is a slot, too. A change of a variable adds to the slots of its links.
type conditionals struct {
	at       []int32     // by variable: its first row among the thresholds, −1 for a product
	size     int         // of the thresholds
	slots    int         // in a state: one a variable, then one a factor of a product
	origin   []int32     // the slots where all variables are 0
	links    rows[link]  // by variable
	products rows[link]  // by variable: the slots of its factors and its strides, for a product
	strides  rows[int32] // by variable with a table: what each variable of the blanket adds to the slot
}

type link struct{ slot, stride int32 }

const (
	defaultTable = 4096
	mostEntries  = 1 << 16 // of the tables of all variables
)

// make plans the conditionals of all free variables, those of small blankets first.
func (c *conditionals) make(f *Field, set FieldSettings) error {
	n := len(f.cards)
	most := cmp.Or(set.Table, defaultTable)
	c.at = make([]int32, n)
	strides := make([][]int32, n)
	for i := range c.at {
		c.at[i] = -1
		k, configs := int(f.cards[i])-1, 1
		for _, j := range f.near.of(int32(i)) {
			if configs *= int(f.cards[j]); configs > most {
				break
			}
		}
		if f.fixed[i] >= 0 || configs > most || c.size+configs*k > mostEntries {
			continue
		}
		c.at[i] = int32(c.size)
		c.size += configs * k
		near := f.near.of(int32(i))
		strides[i] = make([]int32, len(near))
		for j, stride := len(near)-1, int32(k); j >= 0; j-- {
			strides[i][j] = stride
			stride *= f.cards[near[j]]
		}
	}
	c.strides = makeRows(strides)
	c.link(f)
	return memory.Room(8 * float64(c.size))
}

// link lists what changes with each variable.
func (c *conditionals) link(f *Field) {
	links, products := make([][]link, len(f.cards)), make([][]link, len(f.cards))
	for i, at := range c.at {
		c.origin = append(c.origin, max(at, 0))
		if at < 0 {
			continue
		}
		for j, k := range f.near.of(int32(i)) {
			links[k] = append(links[k], link{int32(i), c.strides.of(int32(i))[j]})
		}
	}
	slot := make([]int32, len(f.factors))
	for i, at := range c.at {
		if at >= 0 || f.fixed[i] >= 0 {
			continue
		}
		for _, m := range f.in.of(int32(i)) {
			h := &f.factors[m.factor]
			if slot[m.factor] == 0 {
				slot[m.factor] = int32(len(c.origin))
				c.origin = append(c.origin, int32(h.at))
				for j, k := range h.scope {
					links[k] = append(links[k], link{slot[m.factor], h.stride[j]})
				}
			}
			products[i] = append(products[i], link{slot[m.factor], m.stride})
		}
	}
	c.links, c.products, c.slots = makeRows(links), makeRows(products), len(c.origin)
}

// weights are the entries of all tables of a field, as numbers and as logarithms: of the model or of a tempered one.
type weights struct{ lin, log []float64 }

// weights raises each factor to its power; holes is the logarithm that stands for one of 0 in it. Hosts have the factors of single
// variables as well where hosted is set.
func (f *Field) weights(power, holes func(a int) float64, hosted bool) weights {
	w := weights{make([]float64, f.entries), make([]float64, f.entries)}
	f.weigh(&w, power, holes, hosted)
	return w
}

// weigh is weights in the memory of earlier ones.
func (f *Field) weigh(w *weights, power, holes func(a int) float64, hosted bool) {
	for a := range f.factors {
		h := &f.factors[a]
		b, hole := power(a), holes(a)
		for k, x := range h.log {
			if x = float64(b * x); math.IsInf(h.log[k], -1) {
				x = hole
			}
			w.log[h.at+k] = x
		}
	}
	for a, g := range f.host {
		if g < 0 || !hosted {
			continue
		}
		h, own := &f.factors[g], &f.factors[a]
		for j, i := range h.scope {
			if i != own.scope[0] {
				continue
			}
			for k := range h.log {
				w.log[h.at+k] += w.log[own.at+k/int(h.stride[j])%len(own.log)]
			}
		}
	}
	columns.Exp(w.lin, w.log)
}

// target are the weights of the model itself.
func (f *Field) target() weights {
	return f.weights(func(int) float64 { return 1 }, func(int) float64 { return math.Inf(-1) }, true)
}

// least is the sum of a product of rows, each entry at most 1, below which it is computed again from logarithms.
const least = 1e-200

// product sets p to the conditional of variable i, up to a factor, given the places in the tables of its factors' entries where
// its value is 0.
func (f *Field) product(p []float64, w *weights, i int32, base []int32) {
	in := f.in.of(i)
	for v := range p {
		x, y := 1.0, 1.0 // of every other factor: neither product waits for the other
		for j, m := range in {
			if z := w.lin[base[j]+int32(v)*m.stride]; j%2 == 0 {
				x *= z
			} else {
				y *= z
			}
		}
		p[v] = x * y
	}
	sum := 0.0
	for _, x := range p {
		sum += x
	}
	if sum >= least {
		return
	}
	f.logProduct(p, w, i, base)
}

// logProduct is product by sums of logarithms. Where all values have probability 0, they are equally likely.
func (f *Field) logProduct(p []float64, w *weights, i int32, base []int32) {
	top := f.logRow(p, w, i, base)
	for v := range p {
		if math.IsInf(top, -1) {
			p[v] = 1
			continue
		}
		p[v] = vec.Exp(p[v] - top)
	}
}

// whole is the number of values of the random numbers that thresholds are compared with.
const whole = 1 << 63

// thresholds turns p into the cumulative probabilities of all values but the last, as multiples of 2⁻⁶³: the value drawn by a random
// number is how many of them it reaches. A value of probability 0 is never drawn.
func thresholds(dst []uint64, p []float64) {
	sum := 0.0
	for _, x := range p {
		sum += x
	}
	cumulative := 0.0
	for v := range dst {
		cumulative += p[v]
		dst[v] = uint64(cumulative / sum * whole)
	}
}

// tables computes the thresholds of all configurations of all variables that have them.
func (f *Field) tables(w *weights) []uint64 {
	all := make([]uint64, f.plan.size)
	values, members := int32(0), 0
	for _, i := range f.free {
		values, members = max(values, f.cards[i]), max(members, len(f.in.of(i)))
	}
	p, base, x := make([]float64, values), make([]int32, members), make([]int32, len(f.cards))
	for _, i := range f.free {
		if f.plan.at[i] >= 0 {
			f.table(all, w, i, p[:f.cards[i]], base[:len(f.in.of(i))], x)
		}
	}
	return all
}

// table computes the thresholds of one variable. x is scratch, all 0.
func (f *Field) table(all []uint64, w *weights, i int32, p []float64, base, x []int32) {
	near, k := f.near.of(i), len(p)-1
	for at := int(f.plan.at[i]); ; at += k {
		f.bases(base, x, i)
		f.product(p, w, i, base)
		thresholds(all[at:at+k], p)
		j := len(near) - 1
		for ; j >= 0; j-- { // the next configuration
			if x[near[j]]++; x[near[j]] < f.cards[near[j]] {
				break
			}
			x[near[j]] = 0
		}
		if j < 0 {
			return
		}
	}
}

// bases are the places of the entries of the factors of variable i at x, but at the value 0 of i.
func (f *Field) bases(base, x []int32, i int32) {
	for j, m := range f.in.of(i) {
		h := &f.factors[m.factor]
		base[j] = int32(h.at+h.index(x)) - x[i]*m.stride
	}
}
