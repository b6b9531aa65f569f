package lda

import (
	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// fixedTopics is a fitted model whose shares of words stay as they are, with what the draws of all documents have in common.
type fixedTopics struct {
	*Fitted
	none, factor []float64 // φ_kw = none_k + factor_k n_kw
	prior        []float64 // α_k factor_k
	smooth       float64   // Σ α_k none_k
	sum          float64   // Σ α_k
	longest      int       // counts of a word
}

// fix checks that the corpus is over the words of f.
func (f *Fitted) fix(c *corpus.Corpus) (*fixedTopics, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	if err := f.sameWords(c); err != nil {
		return nil, err
	}
	k := f.K()
	t := &fixedTopics{Fitted: f, none: make([]float64, k), factor: make([]float64, k), prior: make([]float64, k)}
	for k, a := range f.Alpha {
		t.none[k], t.factor[k] = f.Shares(k)
		t.prior[k] = float64(a * t.factor[k])
		t.smooth += float64(a * t.none[k])
		t.sum += a
	}
	for w := range f.Words {
		t.longest = max(t.longest, len(f.Counts.Word(w)))
	}
	return t, nil
}

// documentChain is a Gibbs chain over the topics z of the first tokens of one document, with
//
//	p(z_i = k | z¬i, w) ∝ (n¬_dk + α_k) φ_kw,
//
// whose weights are in the three buckets of SparseLDA: the counts of the word, and of what a word without tokens has, the
// part with n_dk and that with α_k.
type documentChain struct {
	*fixedTopics
	z      []uint16
	doc    docTopics
	weight []float64 // (n_dk + α_k) factor_k
	own    float64   // Σ n_dk none_k
	score  []float64 // of the counts of a word
}

func newDocumentChain(t *fixedTopics) *documentChain {
	c := &documentChain{fixedTopics: t, doc: newDocTopics(t.K()), weight: make([]float64, t.K()), score: make([]float64, t.longest)}
	copy(c.weight, t.prior)
	return c
}

// clear takes all tokens away.
func (c *documentChain) clear() {
	for _, k := range c.doc.topics {
		c.weight[k] = c.prior[k]
	}
	c.doc.clear()
	c.z, c.own = c.z[:0], 0
}

// become makes c be in the state of another chain.
func (c *documentChain) become(other *documentChain) {
	c.clear()
	c.z = append(c.z, other.z...)
	c.doc.fill(c.z)
	for _, k := range c.doc.topics {
		c.weight[k] = other.weight[k]
	}
	c.own = other.own
}

// count counts by, 1 or −1, more tokens of topic z.
func (c *documentChain) count(z uint16, by int32) {
	c.doc.add(z, by)
	c.weight[z] = float64((float64(c.doc.n[z]) + c.Alpha[z]) * c.factor[z])
	c.own += float64(float64(by) * c.none[z])
}

// mass is Σ_k (n_dk + α_k) φ_kw, and the part of it that the counts of the word have, whose scores it leaves.
func (c *documentChain) mass(w int32) (all, row float64) {
	entries, weight := c.Counts.Word(int(w)), c.weight
	score := c.score[:len(entries)]
	var even, odd float64
	i := 0
	for ; i+1 < len(entries); i += 2 {
		e, f := entries[i], entries[i+1]
		x, y := float64(float64(e.N)*weight[e.Topic]), float64(float64(f.N)*weight[f.Topic])
		score[i], score[i+1] = x, y
		even += x
		odd += y
	}
	if i < len(entries) {
		score[i] = float64(float64(entries[i].N) * weight[entries[i].Topic])
		even += score[i]
	}
	row = even + odd
	return row + c.own + c.smooth, row
}

// share is p(w | z), the probability that the next token is word w.
func (c *documentChain) share(w int32) float64 {
	all, _ := c.mass(w)
	return all / (float64(len(c.z)) + c.sum)
}

// draw is a topic for a token of word w that is not among those counted.
func (c *documentChain) draw(w int32, r streams.Stream) (uint16, streams.Stream) {
	all, row := c.mass(w)
	bits, r := r.Next()
	u := float64(streams.Unit(bits) * all)
	if u < row {
		entries := c.Counts.Word(int(w))
		for i, e := range entries {
			if u -= c.score[i]; u < 0 {
				return e.Topic, r
			}
		}
		return entries[len(entries)-1].Topic, r // rounding left a rest
	}
	return c.other(u - row), r
}

// other is the topic of u in the second bucket or, beyond, the third.
func (c *documentChain) other(u float64) uint16 {
	for _, k := range c.doc.topics {
		if u -= float64(float64(c.doc.n[k]) * c.none[k]); u < 0 {
			return k
		}
	}
	for k, a := range c.Alpha {
		if u -= float64(a * c.none[k]); u < 0 {
			return uint16(k)
		}
	}
	return uint16(c.K() - 1)
}

// extend draws the topic of one more token.
func (c *documentChain) extend(w int32, r streams.Stream) streams.Stream {
	z, r := c.draw(w, r)
	c.z = append(c.z, z)
	c.count(z, 1)
	return r
}

// sweep draws the topics of the chain's tokens anew, from token first on each step-th; words begins with the chain's.
func (c *documentChain) sweep(words []int32, first, step int, r streams.Stream) streams.Stream {
	c.own = 0 // what follows the changes begins anew
	for _, k := range c.doc.topics {
		c.own += float64(float64(c.doc.n[k]) * c.none[k])
	}
	for i := first; i < len(c.z); i += step {
		c.count(c.z[i], -1)
		c.z[i], r = c.draw(words[i], r)
		c.count(c.z[i], 1)
	}
	return r
}
