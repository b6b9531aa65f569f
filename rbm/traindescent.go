package rbm

import "github.com/ergodic-mcmc/ergodic/internal/f32"

// collect makes the means of the statistics and lists, for each visible unit,
// the rows in which it is on.
func (t *Trainer) collect() {
	for i := range t.rows {
		t.rows[i] = t.rows[i][:0]
	}
	for k, on := range t.on {
		for _, i := range on {
			t.rows[i] = append(t.rows[i], int32(k))
		}
	}
	batch := t.set.Batch
	f32.SumRows(t.plus, t.stats, t.stride, t.each[:batch])
	f32.SumRows(t.minus, t.stats, t.stride, t.each[batch:])
	copy(t.dh, t.plus)
	f32.Axpy(t.dh, 1, t.minus)
	if t.set.Sparsity > 0 {
		t.sparsen()
	}
	copy(t.gradA, t.dh)
	const memory = 0.99 // Melchior, Fischer and Wiskott (2016) find 0.99 and 0.999 much alike
	f32.Blend(t.hiddens, memory, t.plus, 1-memory)
}

// sparsen adds to the hidden units' input the gradient of minus the cross
// entropy between the target and their running mean (Hinton, 2010, §11).
func (t *Trainer) sparsen() {
	copy(t.missed, t.wanted)
	f32.Axpy(t.missed, -1, t.hiddens)
	cost := float32(t.set.SparsityCost)
	f32.Axpy(t.dh, cost, t.missed)
	for k := range t.set.Batch {
		f32.Axpy(t.stats[k*t.stride:(k+1)*t.stride], cost/float32(t.set.Batch), t.missed)
	}
}

// rowBlock is some rows of weights.
type rowBlock struct {
	from, to int
	grad     []float32 // of one row
	pull     []float32 // Σ μᵢ·gradient, which centring takes from the hidden biases'
}

func newRowBlock(t *Trainer, from, to int) *rowBlock {
	return &rowBlock{from, to, make([]float32, t.stride), make([]float32, t.stride)}
}

// descend moves the weights of one block.
func (t *Trainer) descend(k int) {
	b := t.blocks[k]
	clear(b.pull)
	for i := b.from; i < b.to; i++ {
		f32.SumRows(b.grad, t.stats, t.stride, t.rows[i])
		dv := t.excess(i)
		t.gradB[i] = dv
		if !t.set.Plain {
			f32.Axpy(b.grad, -t.meanOn[i], t.dh)
			f32.Axpy(b.grad, -dv, t.hiddens)
			t.gradB[i] -= float32(f32.Dot(b.grad, t.hiddens))
			f32.Axpy(b.pull, t.meanOn[i], b.grad)
		}
		row := func(p *parameters) []float32 { return p.w[i*t.stride : (i+1)*t.stride] }
		t.step(row, b.grad, t.set.Decay)
	}
	x := b.from * t.stride
	f32.Transpose(t.up[b.from:], t.tall, t.down.w[x:], t.stride, b.to-b.from, t.hidden)
}

// excess is the mean of visible unit i over the cases less that over the
// particles.
func (t *Trainer) excess(i int) float32 {
	plus := 0
	for plus < len(t.rows[i]) && t.rows[i][plus] < int32(t.set.Batch) {
		plus++
	}
	minus := len(t.rows[i]) - plus
	return float32(plus)/float32(t.set.Batch) - float32(minus)/float32(t.set.Particles)
}

// step moves a part of the parameters along its gradient.
func (t *Trainer) step(part func(*parameters) []float32, grad []float32, decay float64) {
	x := part(&t.now)
	keep := float32(1 - float64(float64(t.rate)*decay))
	if t.change != nil {
		c := part(t.change)
		f32.Blend(c, float32(t.set.Momentum), grad, t.rate)
		f32.Blend(x, keep, c, 1)
	} else {
		f32.Blend(x, keep, grad, t.rate)
	}
	if t.fast != nil {
		f, sum := part(t.fast), part(&t.down)
		f32.Blend(f, float32(t.set.FastDecay), grad, float32(t.set.FastRate))
		copy(sum, x)
		f32.Axpy(sum, 1, f)
	}
	if t.average != nil {
		share := float32((t.set.Average + 1) / (float64(t.done) + 1 + t.set.Average))
		f32.Blend(part(t.average), 1-share, x, share)
	}
}

// finish moves the biases.
func (t *Trainer) finish() {
	if !t.set.Plain {
		for _, b := range t.blocks {
			f32.Axpy(t.gradA, -1, b.pull)
		}
	}
	t.step(func(p *parameters) []float32 { return p.a }, t.gradA, 0)
	t.step(func(p *parameters) []float32 { return p.b }, t.gradB, 0)
}
