// Package ldareport is what the jobs on topic models found, as JSON and as text.
package ldareport

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/lda"
	"github.com/ergodic-mcmc/ergodic/report"
)

// Training is what came of a training.
type Training struct {
	Documents             int           `json:"documents"`
	Tokens                int           `json:"tokens"`
	Vocabulary            int           `json:"vocabulary"`
	Topics                int           `json:"topics"`
	Sampler               string        `json:"sampler"`
	Sweeps                int           `json:"sweeps"`
	LogLikelihoodPerToken report.Number `json:"log_likelihood_per_token"`
	TokensPerCPUS         report.Number `json:"tokens_per_cpu_s"` // in sweeps
	CPUS                  float64       `json:"cpu_s"`            // of sweeps
	WallS                 float64       `json:"wall_s"`           // of this process
	Alpha                 []float64     `json:"alpha"`
	Beta                  float64       `json:"beta"`
	Trace                 []Score       `json:"trace"`
	Top                   []Topic       `json:"top_words"`
}

// Score is an evaluation.
type Score struct {
	Sweep                 int           `json:"sweep"`
	CPUS                  float64       `json:"cpu_s"`
	LogLikelihoodPerToken report.Number `json:"log_likelihood_per_token"`
}

// Topic is a topic's size and most frequent words.
type Topic struct {
	Tokens int      `json:"tokens"`
	Words  []string `json:"words"`
}

// topWords is how many words of a topic are shown.
const topWords = 12

// NewTraining collects what a training found.
func NewTraining(t *lda.Training, sampler string) *Training {
	m := t.Model
	c := m.Corpus()
	r := &Training{Documents: c.Len(), Tokens: len(c.Tokens), Vocabulary: c.Words, Topics: m.K(), Sampler: sampler, Sweeps: m.Sweeps(),
		CPUS: t.CPU(), Alpha: m.Alpha(), Beta: m.Beta(), Trace: []Score{}}
	if t.CPU() > 0 {
		r.TokensPerCPUS = report.Number(float64(len(c.Tokens)) * float64(m.Sweeps()) / t.CPU())
	}
	for _, s := range t.Trace() {
		r.Trace = append(r.Trace, Score{s.Sweep, s.CPU, report.Number(s.LogLikelihood)})
		r.LogLikelihoodPerToken = report.Number(s.LogLikelihood)
	}
	for _, topic := range m.Describe(topWords) {
		top := Topic{Tokens: topic.Tokens, Words: []string{}}
		for _, x := range topic.Words {
			top.Words = append(top.Words, m.Word(x.Word))
		}
		r.Top = append(r.Top, top)
	}
	return r
}

// mostTopics is how many topics a person is shown.
const mostTopics = 50

// Write writes it for a person: a line on the whole and a table of the topics.
func (r *Training) Write(to io.Writer, on report.Screen) error {
	_, err := fmt.Fprintf(to, "%d documents, %d tokens of %d words: %d topics after %d sweeps of %s, %.0f tokens a CPU second.\nLog likelihood per token %.4f.\n\n",
		r.Documents, r.Tokens, r.Vocabulary, r.Topics, r.Sweeps, r.Sampler, float64(r.TokensPerCPUS), float64(r.LogLikelihoodPerToken))
	if err != nil {
		return err
	}
	rows := [][]string{{"topic", "share", "words"}}
	for k, t := range r.Top[:min(len(r.Top), mostTopics)] {
		share := "0 %"
		if r.Tokens > 0 {
			share = strconv.FormatFloat(100*float64(t.Tokens)/float64(r.Tokens), 'f', 1, 64) + " %"
		}
		rows = append(rows, []string{strconv.Itoa(k + 1), share, fitting(t.Words, on.Width-18)})
	}
	if err := (report.Table{Rows: rows, Text: []int{2}}).Write(to, on); err != nil {
		return err
	}
	if left := len(r.Top) - mostTopics; left > 0 {
		_, err = fmt.Fprintf(to, "and %d more topics, in topics.tsv\n", left)
	}
	return err
}

// fitting are as many of the words as fit into the room; all where it is 0 or less.
func fitting(words []string, room int) string {
	text := strings.Join(words, " ")
	for len(words) > 1 && room > 0 && len([]rune(text)) > room {
		words = words[:len(words)-1]
		text = strings.Join(words, " ")
	}
	return text
}
