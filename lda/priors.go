package lda

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Optimisation says when a training fits the priors to the topics, by [Model.OptimisePriors].
type Optimisation struct {
	Interval  int  // sweeps between two fits; 0: never
	BurnIn    int  // sweeps before the first
	Symmetric bool // all topics have the same α
}

// due tells whether the priors are fitted after this number of sweeps.
func (o Optimisation) due(sweeps int) bool {
	return o.Interval > 0 && sweeps > o.BurnIn && (sweeps-o.BurnIn)%o.Interval == 0
}

const (
	priorIterations = 200
	priorTolerance  = 1e-4
)

// OptimisePriors moves α and β to a maximum of P(topics | α) P(words | topics, β) times a Gamma(2, 1) hyperprior of each
// parameter, by the fixed point of Minka (2000) and Wallach (2008, section 2.3)
//
//	α_k ← (α_k Σ_d [ψ(n_dk + α_k) − ψ(α_k)] + 1) / (Σ_d [ψ(N_d + Σα) − ψ(Σα)] + 1)
//
// for each topic, or with sums over the topics for all of them at once, and
//
//	β ← (β Σ_kw [ψ(n_kw + β) − ψ(β)] + 1) / (V Σ_k [ψ(n_k + Vβ) − ψ(Vβ)] + 1).
//
// The hyperprior keeps the α of a topic without tokens above 0. Each step raises the posterior density; they end when none
// changes a parameter by more than a part in 10⁴, or after 200. It takes O(tokens), and memory for the different values of n_dk.
func (m *Model) OptimisePriors(symmetric bool) {
	alpha, beta := m.optimalAlpha(symmetric), m.optimalBeta()
	if err := m.setPriors(alpha, beta); err != nil {
		panic(err) // positive numbers times positive numbers
	}
}

// histogram is positive values in ascending order, each with how often it occurs.
type histogram []frequency

type frequency struct{ value, times int }

// digammas is Σ ψ(n + a) − ψ(a) over the values.
func (h histogram) digammas(a float64) float64 {
	at, sum := vec.Digamma(a), 0.0
	for _, f := range h {
		sum += float64(float64(f.times) * (vec.Digamma(a+float64(f.value)) - at))
	}
	return sum
}

// timesOf is how often each value occurs.
type timesOf []int

func (c *timesOf) add(value int) {
	if value >= len(*c) {
		*c = append(*c, make([]int, value+1-len(*c))...)
	}
	(*c)[value]++
}

// histogram has the values in ascending order.
func (c timesOf) histogram() (h histogram) {
	for value, times := range c {
		if value > 0 && times > 0 {
			h = append(h, frequency{value, times})
		}
	}
	return h
}

func histogramOf(values []int) (h histogram) {
	slices.Sort(values)
	for _, v := range values {
		switch n := len(h); {
		case v == 0:
		case n > 0 && h[n-1].value == v:
			h[n-1].times++
		default:
			h = append(h, frequency{v, 1})
		}
	}
	return h
}

// documentHistograms are those of n_dk, for each topic or for all, and of N_d.
func (m *Model) documentHistograms(symmetric bool) (topics []histogram, lengths histogram) {
	counters := make([]timesOf, m.K())
	n, lens := make([]int, m.K()), make([]int, m.corpus.Len())
	m.eachDocument(func(d int, own []uint16) {
		lens[d] = len(own)
		for _, z := range own {
			n[z]++
		}
		for _, z := range own {
			if n[z] > 0 {
				k := z
				if symmetric {
					k = 0
				}
				counters[k].add(n[z])
				n[z] = 0
			}
		}
	})
	for _, c := range counters {
		topics = append(topics, c.histogram())
	}
	return topics, histogramOf(lens)
}

func (m *Model) optimalAlpha(symmetric bool) []float64 {
	topics, lengths := m.documentHistograms(symmetric)
	alpha := slices.Clone(m.alpha)
	alike := 1.0 // topics that share a parameter
	if symmetric {
		alike = float64(m.K())
		alpha, topics = []float64{m.sum / alike}, topics[:1]
	}
	for range priorIterations {
		sum := 0.0
		for _, a := range alpha {
			sum += a
		}
		below := float64(alike*lengths.digammas(float64(sum*alike))) + 1
		most := 0.0
		for k, a := range alpha {
			alpha[k] = (float64(a*topics[k].digammas(a)) + 1) / below
			most = max(most, math.Abs(alpha[k]/a-1))
		}
		if most < priorTolerance {
			break
		}
	}
	if symmetric {
		return slices.Repeat(alpha, m.K())
	}
	return alpha
}

func (m *Model) optimalBeta() float64 {
	var words timesOf
	totals := make([]int, m.K())
	m.EachWord(func(_ int32, topics []uint16, counts []int32) {
		for i, n := range counts {
			words.add(int(n))
			totals[topics[i]] += int(n)
		}
	})
	above, below := words.histogram(), histogramOf(totals)
	beta, v := m.beta, float64(m.corpus.Words)
	for range priorIterations {
		was := beta
		beta = (float64(was*above.digammas(was)) + 1) / (float64(v*below.digammas(float64(v*was))) + 1)
		if math.Abs(beta/was-1) < priorTolerance {
			break
		}
	}
	return beta
}
