package rbm

import "github.com/ergodic-mcmc/ergodic/internal/f32"

// collect computes the means of the statistics and lists, for each visible unit,
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
		t.addSparsity()
	}
	copy(t.gradA, t.dh)
	const memory = 0.99 // Melchior, Fischer and Wiskott (2016) find 0.99 and 0.999 much alike
	f32.Blend(t.hiddens, memory, t.plus, 1-memory)
	if !t.set.Plain {
		t.centre()
	}
}

// centre prepares the terms that centring subtracts from the gradient. Row i of the centred
// statistics is Cᵢ = gᵢ − μᵢ·dh − dvᵢ·λ, where gᵢ sums the rows sₙ of the
// statistics in which unit i is on. The biases lose Cᵢ·λ and Σ μᵢCᵢ; their
// first terms are sums over the few rows, Σₙ sₙ·λ and Σₙ (Σᵢ μᵢvᵢₙ) sₙ.
func (t *Trainer) centre() {
	for k, on := range t.on {
		row := t.stats[k*t.stride : (k+1)*t.stride]
		t.along[k] = f32.Dot(row, t.hiddens)
		m := 0.0
		for _, i := range on {
			m += float64(t.meanOn[i])
		}
		f32.Axpy(t.gradA, -float32(m), row)
	}
	t.dhAlong, t.hiddensAlong = f32.Dot(t.dh, t.hiddens), f32.Dot(t.hiddens, t.hiddens)
	var squares, cross float64
	for i, m := range t.meanOn {
		squares += float64(float64(m) * float64(m))
		t.dv[i] = t.excess(i)
		cross += float64(float64(m) * float64(t.dv[i]))
	}
	f32.Axpy2(t.gradA, float32(squares), t.dh, float32(cross), t.hiddens)
}

// centringTerm is Cᵢ·λ, which the gradient of visible bias i loses.
func (t *Trainer) centringTerm(i int) float32 {
	s := 0.0
	for _, k := range t.rows[i] {
		s += t.along[k]
	}
	s -= float64(float64(t.meanOn[i]) * t.dhAlong)
	return float32(s - float64(float64(t.dv[i])*t.hiddensAlong))
}

// addSparsity adds to the hidden units' input the gradient of minus the cross
// entropy between the target and their running mean (Hinton, 2010, §11).
func (t *Trainer) addSparsity() {
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
}

// updateWeights moves the weights of one block along the gradient.
func (t *Trainer) updateWeights(k int) {
	b := t.blocks[k]
	for i := b.from; i < b.to; i++ {
		f32.SumRows(b.grad, t.stats, t.stride, t.rows[i])
		if t.set.Plain {
			t.gradB[i] = t.excess(i)
		} else {
			f32.Axpy2(b.grad, -t.meanOn[i], t.dh, -t.dv[i], t.hiddens)
			t.gradB[i] = t.dv[i] - t.centringTerm(i)
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
	t.step(func(p *parameters) []float32 { return p.a }, t.gradA, 0)
	t.step(func(p *parameters) []float32 { return p.b }, t.gradB, 0)
}
