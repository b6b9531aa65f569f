package main

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/lda"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// malletParticles is MALLET's default.
const malletParticles = 10

// plain is left-to-right as Wallach et al. (2009, Algorithm 3) and MALLET have it: particles are not selected, each moves all
// tokens before the next, and tokens come in the order of the bag. It returns the log likelihood of all documents.
func plain(f *lda.Fitted, c *corpus.Corpus, particles int, seed uint64) (logp float64) {
	p := newParticle(f, rand.New(rng.New(seed, "heldout plain")))
	for d := range c.Len() {
		words := c.Document(d)
		shares := make([]float64, len(words)) // Σ over particles of p(w_n | z)
		for range particles {
			p.pass(words, shares)
		}
		for _, s := range shares {
			logp += math.Log(s / float64(particles))
		}
	}
	return logp
}

// particle is topics of the first tokens of a document, by the formulas and no faster.
type particle struct {
	phi   [][]float64 // of each word
	alpha []float64
	sum   float64 // of alpha
	n     []float64
	z     []int
	up    []float64 // cumulative weights
	r     *rand.Rand
}

func newParticle(f *lda.Fitted, r *rand.Rand) *particle {
	p := &particle{alpha: f.Alpha, n: make([]float64, f.K()), up: make([]float64, f.K()), r: r}
	for _, a := range f.Alpha {
		p.sum += a
	}
	for w := range f.Words {
		phi := make([]float64, f.K())
		n := make([]float64, f.K())
		for _, e := range f.Counts.Word(w) {
			n[e.Topic] = float64(e.N)
		}
		for k := range phi {
			none, factor := f.Shares(k)
			phi[k] = none + factor*n[k]
		}
		p.phi = append(p.phi, phi)
	}
	return p
}

// pass goes through a document and adds the probability of each word given the topics before it.
func (p *particle) pass(words []int32, shares []float64) {
	clear(p.n)
	p.z = p.z[:0]
	for n, w := range words {
		for i, z := range p.z {
			p.n[z]--
			p.z[i] = p.draw(words[i])
			p.n[p.z[i]]++
		}
		shares[n] += p.weigh(w) / (float64(n) + p.sum)
		z := p.draw(w)
		p.z = append(p.z, z)
		p.n[z]++
	}
}

// weigh is Σ_k φ_kw (n_k + α_k).
func (p *particle) weigh(w int32) (sum float64) {
	for k, phi := range p.phi[w] {
		sum += phi * (p.n[k] + p.alpha[k])
		p.up[k] = sum
	}
	return sum
}

// draw is a topic for a token of word w that is not among those counted.
func (p *particle) draw(w int32) int {
	u := p.r.Float64() * p.weigh(w)
	for k, up := range p.up {
		if u < up {
			return k
		}
	}
	return len(p.up) - 1
}
