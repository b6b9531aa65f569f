package ngram

import (
	"context"
	"fmt"
	"os"
	"testing"
)

// BenchmarkNext asks for the tokens of the reference text in order, words being numbers already.
func BenchmarkNext(b *testing.B) {
	x := reference(b)
	for _, order := range []int{3, 5} {
		m, err := Train(context.Background(), x, Settings{Order: order})
		if err != nil {
			b.Fatal(err)
		}
		q, err := m.Quantise()
		if err != nil {
			b.Fatal(err)
		}
		for name, m := range map[string]*Model{"float32": m.Model, "codes": q} {
			b.Run(fmt.Sprintf("%d/%s", order, name), func(b *testing.B) {
				for b.Loop() {
					s := m.Empty()
					for _, w := range x.tokens {
						if w == begin {
							s = m.Start()
							continue
						}
						_, s = m.Next(s, w)
					}
				}
				b.ReportMetric(float64(len(x.tokens)-x.sentences)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtokens/s")
			})
		}
	}
}

// BenchmarkScore scores a file.
func BenchmarkScore(b *testing.B) {
	m, err := Train(context.Background(), reference(b), Settings{Order: 3})
	if err != nil {
		b.Fatal(err)
	}
	path := shared(b, "gutenberg_train.txt")
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	for b.Loop() {
		s, err := m.ScoreFile(context.Background(), path, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(s.Tokens)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtokens/s")
	}
}

// BenchmarkTrain trains from numbers of words.
func BenchmarkTrain(b *testing.B) {
	x := reference(b)
	for _, order := range []int{3, 5} {
		b.Run(fmt.Sprint(order), func(b *testing.B) {
			for b.Loop() {
				if _, err := Train(context.Background(), x, Settings{Order: order}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
