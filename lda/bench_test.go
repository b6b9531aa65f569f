package lda

import (
	"fmt"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/cputime"
)

// BenchmarkSweep says how many tokens a method moves in a second of the processor, after warm sweeps of warp or its own.
func BenchmarkSweep(b *testing.B) {
	for _, corpus := range []struct {
		name   string
		topics int
	}{{"reuters", 50}, {"20news", 100}, {"20news", 1000}, {"win32", 1000}} {
		for _, method := range Methods() {
			for threads := 1; threads <= 2; threads++ {
				if threads > 1 && method != "warp" {
					continue
				}
				b.Run(fmt.Sprintf("%s/K=%d/%s/threads=%d", corpus.name, corpus.topics, method, threads), func(b *testing.B) {
					c := sharedCorpus(b, corpus.name)
					m, err := New(c, Settings{Alpha: Symmetric(50, corpus.topics), Beta: 0.01, Seed: 1})
					if err != nil {
						b.Fatal(err)
					}
					if warm, err := NewSampler("warp", m, Options{}); err == nil {
						for range 100 {
							warm.Sweep()
						}
					}
					s, err := NewSampler(method, m, Options{Threads: threads})
					if err != nil {
						b.Fatal(err)
					}
					s.Sweep()
					b.ReportAllocs()
					b.ResetTimer()
					from := cputime.Process()
					for range b.N {
						s.Sweep()
					}
					used := cputime.Process() - from
					b.StopTimer()
					b.ReportMetric(float64(b.N)*float64(len(c.Tokens))/1e6/used, "Mtokens/CPUs")
					b.ReportMetric(m.LogLikelihoodPerToken(), "loglik/token")
				})
			}
		}
	}
}
