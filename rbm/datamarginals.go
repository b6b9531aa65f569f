package rbm

import (
	"github.com/ergodic-mcmc/ergodic/internal/f32"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// priorBatch is the number of cases for which 5 on and 5 off are added as prior counts.
const priorBatch = 100

// MarginalBiases are the visible biases of independent units with the data's
// marginals (base rates): logit((Σv + 5B)/(N + 10B)) for N cases in B batches
// of 100. The prior counts, 5 % on and 5 % off, keep the biases of constant
// units finite.
//
// Salakhutdinov and Murray's program has (Σv + 5B)/(N + 5B), which is 1 and
// hence infinite for a unit that is always on; the base need not fit exactly,
// and any other serves as well.
func (d *Data) MarginalBiases() []float64 {
	on := make([]float64, d.Visible)
	for n := range d.Cases {
		for i, u := range d.Case(n) {
			on[i] += float64(u)
		}
	}
	prior := float64(5 * max(1, float64(d.Cases)/priorBatch))
	for i := range on {
		on[i] = vec.Logit((on[i] + prior) / (float64(d.Cases) + float64(2*prior)))
	}
	return on
}

// marginals averages the probabilities of visible units given the hidden layer
// (a Rao-Blackwellised estimate of their marginals).
type marginals struct {
	sum   []float64
	input []float32
	n     float64
}

func newMarginals(f *Family) *marginals {
	return &marginals{sum: make([]float64, f.visible), input: make([]float32, f.visible)}
}

// add counts a particle that has just moved at beta.
func (r *marginals) add(f *Family, p *Particle, beta float64) {
	k, t := f.at(beta)
	s, u, b := float32(1-t), float32(t), float32(beta)
	for i, x := range p.above {
		r.input[i] = float32(float32(s*k.bias[i])+float32(u*k.next[i])) + float32(b*x)
	}
	f32.Sigmoid(r.input, r.input)
	for i, x := range r.input {
		r.sum[i] += float64(x)
	}
	r.n++
}

func (r *marginals) mean(i int) float64 { return r.sum[i] / r.n }

func (r *marginals) means() []float64 {
	m := make([]float64, len(r.sum))
	for i := range m {
		m[i] = r.mean(i)
	}
	return m
}

func (r *marginals) reset() {
	clear(r.sum)
	r.n = 0
}
