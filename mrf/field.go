package mrf

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Field is a model as kernels read it. Variables that its zeros leave only one value are fixed, factors over the same variables are
// one, and of a factor without zeros only the interaction is left: what it says of single variables is with their own factors. The
// density is that of the model. A Field does not change, and kernels and chains share it.
type Field struct {
	model   *Model
	cards   []int32
	domains [][]bool // values that arc consistency leaves
	fixed   []int32  // the only one of them, −1 where there are several
	free    []int32  // variables that are not fixed, ascending

	scale   float64 // log density = scale + Σ log of tables
	factors []factor
	entries int   // of all tables
	unary   []int // the factor of a single variable; −1 where it has none
	host    []int // by factor: of a single variable, the larger factor whose table has it, too; −1 for others
	zeros   bool  // a factor over several free variables is 0 somewhere

	in   rows[member] // by variable: the factors that a change of it concerns, those of single variables with a host left out
	near rows[int32]  // by variable: its blanket, ascending
	plan conditionals
}

// factor is a table of logarithms over free variables, ascending, the last of which changes fastest.
type factor struct {
	scope, stride []int32
	at            int // of the table among those of all factors
	log           []float64
	zeros         bool
	reach         float64 // the largest less the smallest finite logarithm
}

// member is a factor's dependence on a variable.
type member struct{ factor, stride int32 }

// rows are lists of different lengths, one after another.
type rows[T any] struct {
	start []int32
	all   []T
}

func (r *rows[T]) of(i int32) []T { return r.all[r.start[i]:r.start[i+1]] }

func makeRows[T any](lists [][]T) rows[T] {
	r := rows[T]{start: make([]int32, 1, len(lists)+1)}
	for _, l := range lists {
		r.all = append(r.all, l...)
		r.start = append(r.start, int32(len(r.all)))
	}
	return r
}

// FieldSettings say how a model is prepared. The zero value works.
type FieldSettings struct {
	// Table is the most configurations of a variable's blanket for which its conditional distribution is computed beforehand; 0:
	// 4096, negative: none, and conditionals are products of the factors' rows.
	Table int
}

// NewField prepares a model. It is an [*ImpossibleError] when zeros alone show that every state has probability 0.
func NewField(m *Model, set FieldSettings) (*Field, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	entries := 0.0
	for _, f := range m.Factors {
		entries += float64(len(f.Table))
	}
	if err := memory.Room(24 * entries); err != nil {
		return nil, err
	}
	f := &Field{model: m, cards: make([]int32, len(m.Cards)), fixed: make([]int32, len(m.Cards))}
	p := newPropagation(m)
	if !p.all() {
		return nil, &ImpossibleError{"every state has probability 0: no values of the variables agree with the zeros of the factors"}
	}
	f.domains = p.domain
	for i, k := range m.Cards {
		f.cards[i], f.fixed[i] = int32(k), p.only(i)
		if f.fixed[i] < 0 {
			f.free = append(f.free, int32(i))
		}
	}
	f.merge()
	f.centre()
	f.index()
	return f, f.plan.make(f, set)
}

// merge reduces the factors to free variables and multiplies those of the same ones.
func (f *Field) merge() {
	at, x := map[string]int{}, make([]int, len(f.cards))
	for _, g := range f.model.Factors {
		h := f.reduce(g, x)
		if len(h.scope) == 0 {
			f.scale += h.log[0]
			continue
		}
		key := make([]byte, 0, 4*len(h.scope))
		for _, i := range h.scope {
			key = binary.LittleEndian.AppendUint32(key, uint32(i))
		}
		if a, ok := at[string(key)]; ok {
			for k, x := range h.log {
				f.factors[a].log[k] += x
			}
			continue
		}
		at[string(key)] = len(f.factors)
		f.factors = append(f.factors, h)
	}
}

// reduce takes the logarithm of a factor at the fixed variables. x is scratch.
func (f *Field) reduce(g Factor, x []int) factor {
	var h factor
	for _, i := range g.Scope {
		if f.fixed[i] < 0 {
			h.scope = append(h.scope, int32(i))
		}
	}
	slices.Sort(h.scope)
	size := h.shape(f.cards)
	h.log = make([]float64, size)
	for _, i := range g.Scope {
		x[i] = int(max(f.fixed[i], 0))
	}
	for k := range h.log {
		for j, i := range h.scope {
			x[i] = k / int(h.stride[j]) % int(f.cards[i])
		}
		h.log[k] = vec.Log(g.Table[g.index(f.model.Cards, x)])
	}
	return h
}

// shape sets the strides and returns the number of entries.
func (h *factor) shape(cards []int32) int {
	h.stride = make([]int32, len(h.scope))
	size := int32(1)
	for j := len(h.scope) - 1; j >= 0; j-- {
		h.stride[j] = size
		size *= cards[h.scope[j]]
	}
	return int(size)
}

// centre moves what a factor without zeros says of single variables to factors of their own: of the rest, the means over all values
// of the other variables are 0. Factors are left in order, those of single variables first, and each has the maximum 0.
func (f *Field) centre() {
	f.unary = make([]int, len(f.cards))
	single := make([][]float64, len(f.cards))
	for _, i := range f.free {
		single[i] = make([]float64, f.cards[i])
	}
	var larger []factor
	for _, h := range f.factors {
		if len(h.scope) == 1 {
			for v, x := range h.log {
				single[h.scope[0]][v] += x
			}
			continue
		}
		if h.summary(); !h.zeros {
			f.split(&h, single)
			h.summary()
		}
		f.zeros = f.zeros || h.zeros
		if h.zeros || h.reach > 1e-13 {
			larger = append(larger, h)
		}
	}
	f.factors = f.factors[:0]
	for i := range f.unary {
		if f.unary[i] = -1; single[i] == nil {
			continue
		}
		h := factor{scope: []int32{int32(i)}, stride: []int32{1}, log: single[i]}
		f.scale += h.normalise()
		if h.summary(); h.zeros || h.reach > 0 {
			f.unary[i] = len(f.factors)
			f.factors = append(f.factors, h)
		}
	}
	for _, h := range larger {
		f.scale += h.normalise()
		f.factors = append(f.factors, h)
	}
}

// split subtracts the mean of a table, which goes to the scale, and the part of each variable, which goes to single.
func (f *Field) split(h *factor, single [][]float64) {
	mean := 0.0
	for _, x := range h.log {
		mean += x
	}
	mean /= float64(len(h.log))
	f.scale += mean
	for k := range h.log {
		h.log[k] -= mean
	}
	for j, i := range h.scope {
		part := make([]float64, f.cards[i])
		for k, x := range h.log {
			part[k/int(h.stride[j])%len(part)] += x
		}
		for v := range part {
			part[v] /= float64(len(h.log) / len(part))
			single[i][v] += part[v]
		}
		for k := range h.log {
			h.log[k] -= part[k/int(h.stride[j])%len(part)]
		}
	}
}

// normalise makes the maximum 0 and returns what it was.
func (h *factor) normalise() float64 {
	top := slices.Max(h.log)
	for k := range h.log {
		h.log[k] -= top
	}
	return top
}

// summary notes zeros and the reach.
func (h *factor) summary() {
	low, high := math.Inf(1), math.Inf(-1)
	h.zeros = false
	for _, x := range h.log {
		if math.IsInf(x, -1) {
			h.zeros = true
			continue
		}
		low, high = min(low, x), max(high, x)
	}
	h.reach = max(high-low, 0)
}

// index lays the tables one after another and lists the factors and the blanket of each variable.
func (f *Field) index() {
	f.host = make([]int, len(f.factors))
	hosts := make([]int, len(f.cards))
	for i := range hosts {
		hosts[i] = -1
	}
	for a := range f.factors {
		h := &f.factors[a]
		h.shape(f.cards)
		h.at = f.entries
		f.entries += len(h.log)
		f.host[a] = -1
		for _, i := range h.scope {
			if g := hosts[i]; len(h.scope) > 1 && (g < 0 || len(h.log) < len(f.factors[g].log)) {
				hosts[i] = a
			}
		}
	}
	in, near := make([][]member, len(f.cards)), make([][]int32, len(f.cards))
	for a, h := range f.factors {
		if len(h.scope) == 1 {
			f.host[a] = hosts[h.scope[0]]
		}
		if f.host[a] >= 0 {
			continue
		}
		for j, i := range h.scope {
			in[i] = append(in[i], member{int32(a), h.stride[j]})
			for _, k := range h.scope {
				if k != i {
					near[i] = append(near[i], k)
				}
			}
		}
	}
	for i := range near {
		slices.Sort(near[i])
		near[i] = slices.Compact(near[i])
	}
	f.in, f.near = makeRows(in), makeRows(near)
}

// Variables is the number of variables, fixed ones included.
func (f *Field) Variables() int { return len(f.cards) }

// Fixed is the only value that the zeros of the factors leave to variable i, if there is one.
func (f *Field) Fixed(i int) (value int, fixed bool) { return int(f.fixed[i]), f.fixed[i] >= 0 }

// LogDensity is that of the model, up to rounding.
func (f *Field) LogDensity(x []int32) float64 {
	sum := f.scale
	for a := range f.factors {
		h := &f.factors[a]
		sum += h.log[h.index(x)]
	}
	return sum
}

// index is the place of a state in the table.
func (h *factor) index(x []int32) int {
	k := int32(0)
	for j, i := range h.scope {
		k += x[i] * h.stride[j]
	}
	return int(k)
}
