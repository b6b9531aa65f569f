package lda

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// drawnModel has documents from shares of topics with parameter alpha, topics with shares of words with parameter beta, and the topics that made them.
func drawnModel(t *testing.T, documents, words int, alpha []float64, beta float64) *Model {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 5))
	phi := make([][]float64, len(alpha))
	for k := range phi {
		phi[k] = make([]float64, words)
		dist.Dirichlet(phi[k], r, slices.Repeat([]float64{beta}, words))
	}
	theta := make([]float64, len(alpha))
	c := &corpus.Corpus{Words: words, Starts: []int64{0}}
	var topics []uint16
	for d := range documents {
		dist.Dirichlet(theta, r, alpha)
		for range 20 + d%30 {
			z := pick(r, theta)
			topics = append(topics, uint16(z))
			c.Tokens = append(c.Tokens, int32(pick(r, phi[z])))
		}
		c.Starts = append(c.Starts, int64(len(c.Tokens)))
	}
	m, err := New(c, Settings{Alpha: Symmetric(1, len(alpha)), Beta: 0.5, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetTopics(topics); err != nil {
		t.Fatal(err)
	}
	return m
}

func pick(r *rand.Rand, p []float64) int {
	u := r.Float64()
	for i, x := range p {
		if u -= x; u < 0 {
			return i
		}
	}
	return len(p) - 1
}

// At the priors that are found the slope of the log posterior density is 0, by differences of LogLikelihood, whose formula
// is another: that of the joint density, plus log a − a for each parameter.
func TestOptimisePriorsIsAMaximum(t *testing.T) {
	for _, symmetric := range []bool{false, true} {
		m := drawnModel(t, 200, 40, []float64{0.05, 0.3, 1.5}, 0.1)
		for range 40 { // each ends within a part in 10⁴ of where the next one does
			m.OptimisePriors(symmetric)
		}
		alpha, beta := slices.Clone(m.alpha), m.beta
		density := func(alpha []float64, beta float64) float64 {
			if err := m.SetPriors(alpha, beta); err != nil {
				t.Fatal(err)
			}
			l := m.LogLikelihood() + math.Log(beta) - beta
			for _, a := range alpha {
				l += math.Log(a) - a
				if symmetric {
					break
				}
			}
			return l
		}
		slope := func(move func(by float64) float64) float64 {
			const by = 1e-4
			return (move(1+by) - move(1/(1+by))) / (2 * by) // by log a
		}
		for k := range alpha {
			s := slope(func(by float64) float64 {
				a := slices.Clone(alpha)
				for j := range a {
					if symmetric || j == k {
						a[j] *= by
					}
				}
				return density(a, beta)
			})
			if math.Abs(s) > 0.1 { // of a curvature of hundreds
				t.Errorf("symmetric %v: slope %v by log alpha_%d = log %v", symmetric, s, k+1, alpha[k])
			}
		}
		if s := slope(func(by float64) float64 { return density(alpha, beta*by) }); math.Abs(s) > 0.1 {
			t.Errorf("symmetric %v: slope %v by log beta = log %v", symmetric, s, beta)
		}
	}
}

// The priors that topics and words were drawn with are found from the topics. The scatter of an estimate is below a tenth of it
// (2000 documents; 3·500 cells of words), and 40 % is more than four times that.
func TestOptimisePriorsFindsThem(t *testing.T) {
	alpha := []float64{0.1, 0.4, 2}
	m := drawnModel(t, 2000, 500, alpha, 0.05)
	m.OptimisePriors(false)
	for k, a := range alpha {
		if x := m.Alpha()[k] / a; x < 0.7 || x > 1.4 {
			t.Errorf("alpha_%d = %v, drawn with %v", k+1, m.Alpha()[k], a)
		}
	}
	if x := m.Beta() / 0.05; x < 0.7 || x > 1.4 {
		t.Errorf("beta = %v, drawn with 0.05", m.Beta())
	}
}

// A topic without tokens keeps a positive α; a document, or a word, without tokens changes nothing.
func TestOptimisePriorsOfEmptyTopic(t *testing.T) {
	m := smallModel(t)
	if err := m.SetTopics(make([]uint16, 5)); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		m.OptimisePriors(false)
	}
	if a := m.Alpha(); !(a[1] > 0 && a[1] < a[0]) || !(m.Beta() > 0) {
		t.Errorf("alpha %v, beta %v", a, m.Beta())
	}
	c := &corpus.Corpus{Words: 2, Starts: []int64{0, 0}}
	empty, err := New(c, Settings{Alpha: []float64{1, 2}, Beta: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	empty.OptimisePriors(true)
	if a := empty.Alpha(); a[0] != 1 || a[1] != 1 || empty.Beta() != 1 { // the hyperprior's mode
		t.Errorf("alpha %v, beta %v of no tokens", a, empty.Beta())
	}
}
