package mrf

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// blockPlan is how to eliminate a block of variables given all others: a step for each. It does not change, and chains share it.
type blockPlan struct {
	f     *Field
	steps []blockStep
	work  int // entries read
	most  int // values of a variable
}

// blockStep eliminates a variable: the product of its inputs is a table over the separator and the variable, which changes fastest.
// Its sums over the variable are the message that a later step has as an input.
type blockStep struct {
	variable  int32
	values    int
	separator []int32
	stride    []int32 // of the separator's variables in the message
	size      int     // of the message
	inputs    []blockInput
	table     int // where the table is among all tables of the block
	message   int // where the message is among all messages
}

// blockInput is a factor, or the message of a step.
type blockInput struct {
	factor  int32 // −1 for a message
	step    int32
	outside []link  // variables of the factor that are not in the block, and their strides
	offset  []int32 // by entry of the step's table
}

// newBlockPlan is a plan for the variables of the turns, in their order, and these factors; other variables are conditioned on.
func newBlockPlan(f *Field, turns []turn, factors []int32) (*blockPlan, error) {
	b := &blockPlan{f: f}
	at := make([]int32, len(f.cards)) // the turn of each variable
	for i := range at {
		at[i] = math.MaxInt32
	}
	tables, messages := 0, 0
	for t, u := range turns {
		at[u.variable] = int32(t)
		step := blockStep{variable: u.variable, values: int(f.cards[u.variable]), separator: u.separator, size: 1, table: tables, message: messages}
		step.stride = make([]int32, len(u.separator))
		for j := len(u.separator) - 1; j >= 0; j-- {
			step.stride[j] = int32(step.size)
			step.size *= int(f.cards[u.separator[j]])
		}
		b.most = max(b.most, step.values)
		tables += step.size * step.values
		messages += step.size
		b.steps = append(b.steps, step)
	}
	for _, a := range factors {
		h := &f.factors[a]
		t := slices.MinFunc(h.scope, func(i, j int32) int { return int(at[i]) - int(at[j]) })
		if at[t] == math.MaxInt32 {
			continue
		}
		in := blockInput{factor: a}
		var inside, stride []int32
		for j, i := range h.scope {
			if at[i] == math.MaxInt32 {
				in.outside = append(in.outside, link{i, h.stride[j]})
				continue
			}
			inside, stride = append(inside, i), append(stride, h.stride[j])
		}
		b.add(int(at[t]), in, inside, stride)
	}
	for t := range b.steps {
		s := &b.steps[t]
		if len(s.separator) == 0 {
			continue
		}
		to := slices.MinFunc(s.separator, func(i, j int32) int { return int(at[i]) - int(at[j]) })
		b.add(int(at[to]), blockInput{factor: -1, step: int32(t)}, s.separator, s.stride)
	}
	if err := memory.Room(float64(4*float64(b.work)) + float64(8*float64(tables+messages))); err != nil {
		return nil, err
	}
	for t := range b.steps {
		for k := range b.steps[t].inputs {
			b.steps[t].fill(f, &b.steps[t].inputs[k])
		}
	}
	return b, nil
}

// add gives a step an input over some of its variables, whose strides are kept in offset until fill.
func (b *blockPlan) add(t int, in blockInput, inside, stride []int32) {
	s := &b.steps[t]
	in.offset = make([]int32, 0, len(s.separator)+1)
	for _, i := range append(slices.Clone(s.separator), s.variable) {
		d := int32(0)
		if j := slices.Index(inside, i); j >= 0 {
			d = stride[j]
		}
		in.offset = append(in.offset, d)
	}
	s.inputs = append(s.inputs, in)
	b.work += s.size * s.values
}

// fill replaces the strides in offset by the place of each entry.
func (s *blockStep) fill(f *Field, in *blockInput) {
	stride, all := in.offset, make([]int32, s.size*s.values)
	variables := append(slices.Clone(s.separator), s.variable)
	done := 1 // entries of the variables from j+1 on
	for j := len(variables) - 1; j >= 0; j-- {
		for e := done; e < done*int(f.cards[variables[j]]); e++ {
			all[e] = all[e-done] + stride[j]
		}
		done *= int(f.cards[variables[j]])
	}
	in.offset = all
}

// block draws or maximises the variables of a plan given all others, exactly: forward elimination, and backward the values one after
// another. The memory is that of one chain.
type block struct {
	*blockPlan
	table, message []float64
	thresholds     []uint64
}

func newBlock(p *blockPlan) *block {
	b := &block{blockPlan: p, thresholds: make([]uint64, max(p.most, 1))}
	if n := len(p.steps); n > 0 {
		last := &p.steps[n-1]
		b.table, b.message = make([]float64, last.table+last.size*last.values), make([]float64, last.message+last.size)
	}
	return b
}

// draw gives the variables of the block a draw from their joint conditional.
func (b *block) draw(s *State, w *weights, r *rand.Rand) {
	b.f.settle(s)
	if _, ok := b.forward(s, w, false); !ok { // all states have probability 0, up to underflow
		return
	}
	b.backward(s, r)
}

// backward draws the variables one after another, the last that was eliminated first, given those drawn before.
func (b *block) backward(s *State, r *rand.Rand) {
	for t := len(b.steps) - 1; t >= 0; t-- {
		at := &b.steps[t]
		row, to := b.row(at, s), b.thresholds[:at.values-1]
		thresholds(to, row)
		b.f.set(s, at.variable, reached(to, r.Uint64()>>1))
	}
}

// maximise gives the variables of the block their most probable joint values.
func (b *block) maximise(s *State, w *weights) {
	b.f.settle(s)
	if _, ok := b.forward(s, w, true); !ok {
		return
	}
	for t := len(b.steps) - 1; t >= 0; t-- {
		at, best := &b.steps[t], 0
		row := b.row(at, s)
		for v, x := range row {
			if x > row[best] {
				best = v
			}
		}
		b.f.set(s, at.variable, int32(best))
	}
}

// row is the part of a table at the values of its separator.
func (b *block) row(at *blockStep, s *State) []float64 {
	e := int32(0)
	for j, i := range at.separator {
		e += s.X[i] * at.stride[j]
	}
	from := at.table + int(e)*at.values
	return b.table[from : from+at.values]
}

// forward makes the tables and messages. logZ is the logarithm of the sum, or of the maximum, over all values of the block.
func (b *block) forward(s *State, w *weights, most bool) (logZ float64, ok bool) {
	for t := range b.steps {
		at := &b.steps[t]
		table := b.table[at.table : at.table+at.size*at.values]
		b.multiply(table, at, s, w)
		message := b.message[at.message : at.message+at.size]
		top := reduce(message, table, at.values, most)
		if top < least {
			shift := b.logMultiply(table, at, s, w)
			if math.IsInf(shift, -1) {
				return shift, false
			}
			logZ += shift
			top = reduce(message, table, at.values, most)
		}
		logZ += vec.Log(top)
		scale := 1 / top
		for e := range message {
			message[e] *= scale
		}
	}
	return logZ, true
}

// multiply sets a table to the product of the inputs.
func (b *block) multiply(table []float64, at *blockStep, s *State, w *weights) {
	if len(at.inputs) == 0 {
		for e := range table {
			table[e] = 1
		}
		return
	}
	for n := range at.inputs {
		in := &at.inputs[n]
		from := b.source(in, s, w.lin)
		if n == 0 {
			for e, o := range in.offset {
				table[e] = from[o]
			}
			continue
		}
		for e, o := range in.offset {
			table[e] *= from[o]
		}
	}
}

// source is the table of an input, from the entry on that the variables outside the block give.
func (b *block) source(in *blockInput, s *State, weights []float64) []float64 {
	if in.factor < 0 {
		from := &b.steps[in.step]
		return b.message[from.message : from.message+from.size]
	}
	at := int32(b.f.factors[in.factor].at)
	for _, o := range in.outside {
		at += s.X[o.slot] * o.stride
	}
	return weights[at:]
}

// logMultiply is multiply by sums of logarithms, less their maximum, which it returns.
func (b *block) logMultiply(table []float64, at *blockStep, s *State, w *weights) (top float64) {
	clear(table)
	for n := range at.inputs {
		in := &at.inputs[n]
		from := b.source(in, s, w.log)
		for e, o := range in.offset {
			x := from[o]
			if in.factor < 0 {
				x = vec.Log(x)
			}
			table[e] += x
		}
	}
	if top = slices.Max(table); math.IsInf(top, -1) {
		return top
	}
	for e := range table {
		table[e] = vec.Exp(table[e] - top)
	}
	return top
}

// reduce sums or maximises over the variable that changes fastest, and returns the largest entry of the message.
func reduce(message, table []float64, values int, most bool) (top float64) {
	for e := range message {
		row := table[e*values : e*values+values]
		x := row[0]
		for _, y := range row[1:] {
			if most {
				x = max(x, y)
			} else {
				x += y
			}
		}
		message[e] = x
		top = max(top, x)
	}
	return top
}

// BlockSettings say which blocks are drawn. The zero value works.
type BlockSettings struct {
	// Trees makes each block a forest: of the variables that interact given those outside, none is in a circle. Otherwise a block is
	// as large as elimination with tables of up to Entries numbers allows.
	Trees   bool
	Entries int // 0: 64
	// Covers is how many times each variable is in a block at least, in blocks that are chosen at random; 0: 1.
	Covers int
	Seed   uint64 // of the choice of blocks

	total int // of the entries of all tables of a block; 0: any number
}

// Blocks draws blocks of variables, each jointly from its conditional given all others by elimination: on trees, forward filtering
// and backward sampling (Carter and Kohn 1994; for random fields Hamze and de Freitas 2004). A step draws each block once, and
// every variable is in one of them. Each draw leaves the distribution of the field invariant.
type Blocks struct {
	f      *Field
	w      weights
	blocks []*block
}

// NewBlocks returns a kernel for the model.
func NewBlocks(f *Field, set BlockSettings) (*Blocks, error) {
	plans, err := f.cover(set)
	if err != nil {
		return nil, err
	}
	return newBlocks(f, plans, f.target()), nil
}

func newBlocks(f *Field, plans []*blockPlan, w weights) *Blocks {
	k := &Blocks{f: f, w: w}
	for _, p := range plans {
		k.blocks = append(k.blocks, newBlock(p))
	}
	return k
}

// Sizes are the numbers of variables of the blocks.
func (k *Blocks) Sizes() []int {
	all := make([]int, len(k.blocks))
	for i, b := range k.blocks {
		all[i] = len(b.steps)
	}
	return all
}

// Step draws each block once.
func (k *Blocks) Step(s *State, r *rand.Rand) mcmc.Info {
	for _, b := range k.blocks {
		b.draw(s, &k.w, r)
	}
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

// one draws a block that is picked at random.
func (k *Blocks) one(s *State, r *rand.Rand) {
	if len(k.blocks) > 0 {
		k.blocks[r.IntN(len(k.blocks))].draw(s, &k.w, r)
	}
}
