package lda

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// small are corpora whose assignments can be listed: K^tokens states.
var small = []struct {
	name  string
	docs  [][]int32
	words int
	alpha []float64
	beta  float64
}{
	{"two topics", [][]int32{{0, 0, 1}, {1, 2}}, 3, []float64{0.5, 0.5}, 0.1},
	{"words repeated, asymmetric", [][]int32{{0, 0, 0, 1}, {0, 0}}, 2, []float64{0.3, 1.7}, 0.05},
	{"three topics, a document empty", [][]int32{{0, 1, 1}, {}, {1}}, 4, []float64{0.2, 0.5, 1.1}, 0.3},
	{"short documents", [][]int32{{0}, {0}, {0, 1}, {0, 0}}, 2, []float64{0.8, 0.1}, 0.02},
}

func gather(docs [][]int32, words int) *corpus.Corpus {
	c := &corpus.Corpus{Words: words, Starts: []int64{0}}
	for _, d := range docs {
		c.Tokens = append(c.Tokens, d...)
		c.Starts = append(c.Starts, int64(len(c.Tokens)))
	}
	return c
}

// joint is the log joint probability, token by token from Pólya's urns: it shares nothing with LogLikelihood.
func joint(c *corpus.Corpus, alpha []float64, beta float64, topics []uint16) float64 {
	sum, logp := 0.0, 0.0
	for _, a := range alpha {
		sum += a
	}
	word, total := map[[2]int]float64{}, map[uint16]float64{}
	for d := range c.Len() {
		doc := map[uint16]float64{}
		for j, w := range c.Document(d) {
			z := topics[int(c.Starts[d])+j]
			at := [2]int{int(w), int(z)}
			logp += math.Log((doc[z] + alpha[z]) / (float64(j) + sum))
			logp += math.Log((word[at] + beta) / (total[z] + float64(c.Words)*beta))
			doc[z]++
			word[at]++
			total[z]++
		}
	}
	return logp
}

// assignment is assignment i of n tokens to k topics.
func assignment(i, n, k int) []uint16 {
	topics := make([]uint16, n)
	for j := range topics {
		topics[j] = uint16(i % k)
		i /= k
	}
	return topics
}

func number(topics []uint16, k int) int {
	i := 0
	for j := len(topics) - 1; j >= 0; j-- {
		i = i*k + int(topics[j])
	}
	return i
}

// sweeper makes a kernel of a method: each step is a sweep of a fresh seed.
type sweeper struct {
	method string
	o      Options
}

func (s sweeper) Step(m *Model, r *rand.Rand) mcmc.Info {
	m.seed = r.Uint64()
	sampler, err := NewSampler(s.method, m, s.o)
	if err != nil {
		panic(err)
	}
	sampler.Sweep()
	sampler.Sweep() // with the counts that the first left
	return mcmc.Info{}
}

// exactMethods are those whose distribution is the posterior.
var exactMethods = []struct {
	method string
	o      Options
}{
	{"gibbs", Options{}},
	{"sparse", Options{}},
	{"alias", Options{}}, {"alias", Options{Steps: 2}},
	{"light", Options{}}, {"light", Options{Steps: 3}},
}

// The exact samplers leave the enumerated posterior as it is, and from one assignment come to it. The expected
// frequencies are those of joint; eight tests a method, at a false-alarm rate of 1e-8 each.
func TestExact(t *testing.T) {
	for _, e := range exactMethods {
		for _, s := range small {
			t.Run(fmt.Sprint(e.method, e.o.Steps, " ", s.name), func(t *testing.T) {
				t.Parallel()
				c, k := gather(s.docs, s.words), len(s.alpha)
				f := kerneltest.Finite[*Model]{
					State: func(i int) *Model {
						m, err := New(c, Settings{Alpha: s.alpha, Beta: s.beta})
						if err == nil {
							err = m.SetTopics(assignment(i, len(c.Tokens), k))
						}
						if err != nil {
							panic(err)
						}
						return m
					},
					Index:  func(m *Model) int { return number(m.Topics(), k) },
					Kernel: sweeper{e.method, e.o},
				}
				for i := range int(math.Pow(float64(k), float64(len(c.Tokens)))) {
					f.LogWeight = append(f.LogWeight, joint(c, s.alpha, s.beta, assignment(i, len(c.Tokens), k)))
				}
				if err := kerneltest.Exact(f, kerneltest.Settings{Seed: 1, Replicates: 30_000, Alpha: 1e-8}); err != nil {
					t.Error(err)
				}
				if err := kerneltest.Reaches(f, 1, kerneltest.Settings{Seed: 2, Steps: 40, Replicates: 4_000, Alpha: 1e-8}); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// LogLikelihood is the joint probability of the urns, to rounding.
func TestLogLikelihood(t *testing.T) {
	for _, s := range small {
		c, k := gather(s.docs, s.words), len(s.alpha)
		m, err := New(c, Settings{Alpha: s.alpha, Beta: s.beta})
		if err != nil {
			t.Fatal(err)
		}
		for i := range int(vec.Pow(float64(k), float64(len(c.Tokens)))) {
			topics := assignment(i, len(c.Tokens), k)
			if err := m.SetTopics(topics); err != nil {
				t.Fatal(err)
			}
			want := joint(c, s.alpha, s.beta, topics)
			if got := m.LogLikelihood(); math.Abs(got-want) > 1e-12*math.Abs(want) {
				t.Fatalf("%s, %v: %v, want %v", s.name, topics, got, want)
			}
		}
	}
}
