package ngram_test

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/ergodic-mcmc/ergodic/text/ngram"
)

// A bigram model of three sentences: sit follows cats once in two times, sleep the other time, and every word may follow.
func ExampleTrain() {
	text := ngram.NewText()
	if err := text.Read(context.Background(), strings.NewReader("cats sit\ncats sleep\ndogs sleep\n"), "pets"); err != nil {
		fmt.Println(err)
		return
	}
	m, err := ngram.Train(context.Background(), text, ngram.Settings{Order: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	cats, _ := m.Number("cats")
	for _, next := range []string{"sit", "sleep", "dogs", "</s>", "<unk>"} {
		w, _ := m.Number(next)
		fmt.Printf("p(%s | cats) = %.3f\n", next, math.Exp(m.LogProb([]int32{m.Begin(), cats}, w)))
	}
	// Output:
	// p(sit | cats) = 0.327
	// p(sleep | cats) = 0.363
	// p(dogs | cats) = 0.077
	// p(</s> | cats) = 0.113
	// p(<unk> | cats) = 0.042
}
