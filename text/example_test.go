package text_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/ergodic-mcmc/ergodic/text"
	"github.com/ergodic-mcmc/ergodic/text/ngram"
)

const weather = `the rain came in the night .
the wind came from the sea .
the wind is cold in the morning .
we saw a light on the sea .
we saw the boat in the rain .
the boat came home at night .
the moon was over the sea .
the moon was bright that night .
`

// model is trained on a few sentences.
func model() (*ngram.Model, error) {
	t := ngram.NewText()
	if err := t.Read(context.Background(), strings.NewReader(strings.Repeat(weather, 3)), "weather"); err != nil {
		return nil, err
	}
	m, err := ngram.Train(context.Background(), t, ngram.Settings{Order: 3})
	if err != nil {
		return nil, err
	}
	return m.Model, nil
}

// A task says in words what is asked for; chains that are annealed find the most probable sentences.
func ExampleRun() {
	m, err := model()
	if err != nil {
		panic(err)
	}
	lists, err := text.NewLists(m, 0)
	if err != nil {
		panic(err)
	}
	task := text.Task{Keywords: []string{"moon", "boat"}}
	c, err := task.Case(m)
	if err != nil {
		panic(err)
	}
	found, err := text.Run(context.Background(), lists, []text.Case{c}, text.Settings{Seed: 1, Cold: 0.2, Best: 2})
	if err != nil {
		panic(err)
	}
	for _, f := range found[0].Best {
		fmt.Printf("%s (%.2f)\n", text.Join(m, f.Words), f.Model)
	}
	// Output:
	// the moon was over the boat came home at night . (-8.28)
	// the moon was over the boat in the night . (-9.05)
}

// What a vocabulary has not is said, with what is spelled most like it.
func ExampleFindAll() {
	m, err := model()
	if err != nil {
		panic(err)
	}
	_, err = text.FindAll(m, []string{"moon", "boot"})
	fmt.Println(err)
	// Output:
	// text: the vocabulary has no "boot"; it has "boat", "moon"
}

// Conditions that exclude each other are refused before any search.
func ExampleNewTarget() {
	m, err := model()
	if err != nil {
		panic(err)
	}
	words, err := text.FindAll(m, []string{"moon", "boat", "rain"})
	if err != nil {
		panic(err)
	}
	_, err = text.NewTarget(m, 1, 2, text.Hard(text.NewKeywords(m, words, false)))
	fmt.Println(err)
	// Output:
	// text: the condition keywords moon, boat, rain needs 3 words, and the sentence may have 2 at most
}
