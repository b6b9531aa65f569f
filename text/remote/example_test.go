package remote_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"

	"github.com/ergodic-mcmc/ergodic/text/ngram"
	"github.com/ergodic-mcmc/ergodic/text/remote"
)

// A model is served, as a program that has a neural network would serve it, and asked for a sentence.
func ExampleOpen() {
	ctx := context.Background()
	x := ngram.NewText()
	if err := x.Read(ctx, strings.NewReader("cats sleep\ndogs sleep\n"), "pets"); err != nil {
		fmt.Println(err)
		return
	}
	own, err := ngram.Train(ctx, x, ngram.Settings{Order: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(remote.Handler(own))
	defer server.Close()

	m, err := remote.Open(ctx, server.URL, remote.Settings{})
	if err != nil {
		fmt.Println(err)
		return
	}
	cats, _ := m.Number("cats")
	sleep, _ := m.Number("sleep")
	p, err := m.Ask(ctx, []remote.Query{{Text: []int32{m.Begin(), cats, sleep, m.End()}, From: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", p)
	// Output: [[-1.050 -0.431 -0.511]]
}
