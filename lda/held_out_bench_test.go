package lda

import (
	"context"
	"fmt"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// trained is a model after sweeps of warp and some of sparse, and every tenth document of its corpus.
func trained(b *testing.B, name string, topics int) (*Fitted, *corpus.Corpus) {
	b.Helper()
	c := sharedCorpus(b, name)
	m, err := New(c, Settings{Alpha: Symmetric(50, topics), Beta: 0.01, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range []Phase{{"warp", 200}, {"sparse", 5}} {
		s, err := NewSampler(p.Method, m, Options{})
		if err != nil {
			b.Fatal(err)
		}
		for range p.Sweeps {
			s.Sweep()
		}
	}
	var docs [][]int32
	for d := 0; d < c.Len(); d += 10 {
		docs = append(docs, c.Document(d))
	}
	return m.Fitted(), gather(docs, c.Words)
}

// BenchmarkNewDocuments says how many draws of a topic a second of the processor makes, and how long a document takes.
func BenchmarkNewDocuments(b *testing.B) {
	for _, x := range []struct {
		corpus string
		topics int
	}{{"reuters", 50}, {"20news", 1000}} {
		f, c := trained(b, x.corpus, x.topics)
		set := Inference{Chains: 2, Sweeps: 50, BurnIn: 10, Seed: 1}
		e := Evaluation{Method: "left-to-right", Runs: 2, Particles: 50, Seed: 1}
		squares := int64(0)
		for d := range c.Len() {
			n := int64(len(c.Document(d)))
			squares += n * (n + 1) / 2 / between
		}
		for _, job := range []struct {
			name  string
			draws int64
			do    func() error
		}{
			{"infer", int64(set.Chains*(set.Sweeps+1)) * int64(len(c.Tokens)), func() error {
				_, err := f.Infer(context.Background(), c, set)
				return err
			}},
			{"left-to-right", int64(e.Runs*e.Particles) * squares, func() error {
				_, err := f.Evaluate(context.Background(), c, e)
				return err
			}},
		} {
			b.Run(fmt.Sprintf("%s/K=%d/%s", x.corpus, x.topics, job.name), func(b *testing.B) {
				b.ReportAllocs()
				from := cputime.Process()
				for range b.N {
					if err := job.do(); err != nil {
						b.Fatal(err)
					}
				}
				used := cputime.Process() - from
				b.ReportMetric(float64(b.N)*float64(job.draws)/1e6/used, "Mdraws/CPUs")
				b.ReportMetric(1e3*used/float64(b.N*c.Len()), "CPUms/doc")
			})
		}
	}
}
