package ldareport

import (
	"io"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/lda"
	"github.com/ergodic-mcmc/ergodic/report"
)

// Topics is the topics of a finished training.
type Topics []NumberedTopic

// NumberedTopic is a topic with its number, from 1, and its part of the model.
type NumberedTopic struct {
	Number int           `json:"topic"`
	Alpha  float64       `json:"alpha"`
	Share  report.Number `json:"share"` // of all tokens
	Topic
}

// NewTopics gives the topics of f, each with up to so many words by relevance with this λ; with 1 they are the most frequent. What else is known of them is
// what the training found.
func NewTopics(f *lda.Fitted, found *Training, words int, lambda float64) Topics {
	ranks, tokens := f.Rankings(), 0.0
	for k := range f.K() {
		tokens += f.Tokens(k)
	}
	all := make(Topics, f.K())
	for k := range all {
		t := NumberedTopic{Number: k + 1, Alpha: f.Alpha[k], Share: report.Number(f.Tokens(k) / tokens), Topic: found.Top[k]}
		t.Words = []string{}
		for _, x := range ranks.Relevant(k, words, lambda) {
			t.Words = append(t.Words, f.Word(x.Word))
		}
		all[k] = t
	}
	return all
}

// Write writes the topics for a person.
func (ts Topics) Write(to io.Writer, on report.Screen) error {
	rows := [][]string{{"topic", "share", "c_npmi", "exclusivity", "words"}}
	for _, t := range ts {
		rows = append(rows, []string{strconv.Itoa(t.Number), percent(float64(t.Share), 1), decimals(t.NPMI, 2), decimals(t.Exclusivity, 2), fitting(t.Words, on.Width-39)})
	}
	return report.Table{Rows: rows, Text: []int{4}}.Write(to, on)
}
