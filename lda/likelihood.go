package lda

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// LogLikelihood is the logarithm of the joint probability of words and topics given the priors, the sum of
//
//	Σ_d [lnΓ(Σα) − lnΓ(Σα + N_d) + Σ_k (lnΓ(n_dk + α_k) − lnΓ(α_k))]
//	Σ_k [lnΓ(Vβ) − lnΓ(Vβ + n_k) + Σ_w (lnΓ(n_kw + β) − lnΓ(β))]
//
// from the topics (Griffiths and Steyvers, 2004, equations 2 and 3). Divided by the number of tokens it is what programs
// print. It takes O(tokens), and before the first sweep two bytes a token of memory for the while.
func (m *Model) LogLikelihood() float64 {
	return m.documentTerm() + m.wordTerm()
}

// LogLikelihoodPerToken is LogLikelihood divided by the number of tokens, 0 where there are none.
func (m *Model) LogLikelihoodPerToken() float64 {
	if m.tokens() == 0 {
		return 0
	}
	return m.LogLikelihood() / float64(m.tokens())
}

func (m *Model) documentTerm() float64 {
	total, count := 0.0, make([]int32, m.K())
	m.eachDocument(func(_ int, own []uint16) {
		total += m.documentSum(own, count)
		total -= rising(m.sum, len(own))
	})
	return total
}

// documentSum is the sum over topics, in the order in which they occur. It leaves count zero as it found it.
func (m *Model) documentSum(own []uint16, count []int32) float64 {
	for _, z := range own {
		count[z]++
	}
	sum := 0.0
	for _, z := range own {
		if count[z] > 0 {
			sum += rising(m.alpha[z], int(count[z]))
			count[z] = 0
		}
	}
	return sum
}

// wordTerm sums over how many counts of words there are of each size: so the sum does not depend on the order of counts,
// which samplers have in the order of their history.
func (m *Model) wordTerm() float64 {
	var small [256]int64
	var large []uint32
	totals := make([]int, m.K())
	m.eachWord(func(_ int, row []Count) {
		for _, e := range row {
			totals[e.Topic] += int(e.N)
			if e.N < uint32(len(small)) {
				small[e.N]++
			} else {
				large = append(large, e.N)
			}
		}
	})
	total := 0.0
	for n, times := range small {
		total += float64(float64(times) * rising(m.beta, n))
	}
	slices.Sort(large)
	for _, n := range large {
		total += rising(m.beta, int(n))
	}
	vb := float64(float64(m.corpus.Words) * m.beta)
	for _, n := range totals {
		total -= rising(vb, n)
	}
	return total
}

// rising is lnΓ(a+n) − lnΓ(a); for large a, where the difference would be rounding, by Stirling's series of both.
func rising(a float64, n int) float64 {
	if n == 0 {
		return 0
	}
	b := a + float64(n)
	if a < 1e6 {
		return vec.Lgamma(b) - vec.Lgamma(a)
	}
	return float64(float64(n)*(vec.Log(a)-1)) + float64((b-0.5)*vec.Log1p(float64(n)/a)) + (1/b-1/a)/12
}

// wordStarts is where the tokens of each word begin when they are sorted by word.
func (m *Model) wordStarts() []int64 {
	starts := make([]int64, m.corpus.Words+1)
	for _, w := range m.corpus.Tokens {
		starts[w+1]++
	}
	for w := range m.corpus.Words {
		starts[w+1] += starts[w]
	}
	return starts
}
