package lda

import "github.com/ergodic-mcmc/ergodic/internal/streams"

// gibbs is the collapsed Gibbs sampler of Griffiths and Steyvers (2004, equation 5): each token's topic from its
// conditional distribution, with all K terms written out. It holds all K·V counts, of four bytes each.
type gibbs struct {
	m      *Model
	key    streams.Name
	word   []uint32  // n_kw at w·K + k
	doc    []float64 // n_dk + α_k of the document at hand
	totals totals
	upTo   []float64 // sums of the conditional weights
}

func newGibbs(m *Model, _ Options) (Sampler, error) {
	k := m.K()
	return &gibbs{
		m: m, key: streams.New(m.seed, "lda gibbs"), word: make([]uint32, k*m.corpus.Words),
		doc: make([]float64, k), totals: newTotals(k), upTo: make([]float64, k),
	}, nil
}

func (g *gibbs) Sweep() {
	m := g.m
	if m.take(g, nil) {
		g.count()
	}
	sweep := g.key.At(m.sweeps)
	for d := range m.corpus.Len() {
		g.document(m.corpus.Document(d), m.Document(d), sweep.Stream(uint64(d)))
	}
	m.sweeps++
}

// count takes the counts of the model's topics.
func (g *gibbs) count() {
	clear(g.word)
	for i, w := range g.m.corpus.Tokens {
		g.word[int(w)*g.m.K()+int(g.m.topics[i])]++
	}
	g.totals.count(g.m)
}

func (g *gibbs) document(words []int32, topics []uint16, s streams.Stream) {
	k := g.m.K()
	copy(g.doc, g.m.alpha)
	for _, z := range topics {
		g.doc[z]++
	}
	var u uint64
	for i, w := range words {
		word, z := g.word[int(w)*k:][:k], topics[i]
		word[z]--
		g.doc[z]--
		g.totals.add(z, -1)
		u, s = s.Next()
		z = g.draw(word, streams.Unit(u))
		word[z]++
		g.doc[z]++
		g.totals.add(z, 1)
		topics[i] = z
	}
}

// draw is a topic from the conditional distribution of a token whose word has these counts, by inversion of u.
func (g *gibbs) draw(word []uint32, u float64) uint16 {
	sum := 0.0
	for k, n := range word {
		sum += float64(float64(g.doc[k]*(float64(n)+g.m.beta)) * g.totals.inverse[k])
		g.upTo[k] = sum
	}
	u = float64(u * sum)
	for k, s := range g.upTo {
		if u < s {
			return uint16(k)
		}
	}
	return uint16(len(word) - 1)
}

func (g *gibbs) wordCounts(w int, row []Count, _ []uint32) []Count {
	for z, n := range g.word[w*g.m.K():][:g.m.K()] {
		if n > 0 {
			row = append(row, Count{uint16(z), n})
		}
	}
	return row
}
