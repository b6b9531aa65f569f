// Package ldareport is what the jobs on topic models found, as JSON and as text.
package ldareport

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
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
	Coherence             *Coherence    `json:"coherence,omitempty"`
	Chains                []Chain       `json:"chains,omitempty"`    // where there are several
	Likeliest             int           `json:"likeliest,omitempty"` // the chain that the rest is of, from 1
	Rhat                  report.Number `json:"r_hat,omitempty"`     // of the chains' likelihoods, second half of the evaluations
	Top                   []Topic       `json:"top_words"`
}

// Coherence is the mean of the topics' coherences.
type Coherence struct {
	Windows string        `json:"windows"` // what c_npmi and c_v look for words in: tokens, or documents where those have no order
	UMass   report.Number `json:"u_mass"`
	NPMI    report.Number `json:"c_npmi"`
	CV      report.Number `json:"c_v"`
}

// Score is an evaluation.
type Score struct {
	Sweep                 int           `json:"sweep"`
	CPUS                  float64       `json:"cpu_s"`
	LogLikelihoodPerToken report.Number `json:"log_likelihood_per_token"`
}

// Topic is a topic's size, its most frequent words, and its diagnosis.
type Topic struct {
	Tokens           int           `json:"tokens"`
	Words            []string      `json:"words"`
	UMass            report.Number `json:"u_mass"`
	NPMI             report.Number `json:"c_npmi"`
	CV               report.Number `json:"c_v"`
	Exclusivity      report.Number `json:"exclusivity"`
	EffectiveWords   report.Number `json:"effective_words"`
	RankOneDocuments int           `json:"rank1_documents"`
}

// AddTopics adds the topics with their diagnoses, in a collection of bags or not.
func (r *Training) AddTopics(ranks *lda.Rankings, diagnoses []lda.Diagnosis, bags bool) {
	var uMass, npmi, cv float64
	n := 0.0
	for k, d := range diagnoses {
		t := Topic{Tokens: int(math.Round(ranks.Tokens(k))), Words: []string{}, UMass: report.Number(d.UMass), NPMI: report.Number(d.NPMI), CV: report.Number(d.CV),
			Exclusivity: report.Number(d.Exclusivity), EffectiveWords: report.Number(d.EffectiveWords), RankOneDocuments: d.RankOneDocuments}
		for _, x := range ranks.Relevant(k, topWords, 1) {
			t.Words = append(t.Words, ranks.Word(x.Word))
		}
		r.Top = append(r.Top, t)
		if !math.IsNaN(d.NPMI) { // topics with fewer than two words have none
			uMass, npmi, cv, n = uMass+d.UMass, npmi+d.NPMI, cv+d.CV, n+1
		}
	}
	r.Coherence = &Coherence{"tokens", report.Number(uMass / n), report.Number(npmi / n), report.Number(cv / n)}
	if bags {
		r.Coherence.Windows = "documents"
	}
}

// topWords is how many words of a topic are shown.
const topWords = 12

// Chain is one of several chains.
type Chain struct {
	LogLikelihoodPerToken report.Number `json:"log_likelihood_per_token"`
	Trace                 []Score       `json:"trace"`
}

// NewTraining collects what the chains of a training found; topics and likelihood are those of the likeliest.
func NewTraining(chains []*lda.Training, likeliest int) *Training {
	t := chains[likeliest]
	m := t.Model
	c := m.Corpus()
	r := &Training{Documents: c.Len(), Tokens: len(c.Tokens), Vocabulary: c.Words, Topics: m.K(), Sampler: samplers(t), Sweeps: m.Sweeps(),
		Alpha: m.Alpha(), Beta: m.Beta(), Trace: scores(t)}
	sweeps := 0
	for _, t := range chains {
		r.CPUS += t.CPU()
		sweeps += t.Model.Sweeps()
	}
	if r.CPUS > 0 {
		r.TokensPerCPUS = report.Number(float64(len(c.Tokens)) * float64(sweeps) / r.CPUS)
	}
	r.LogLikelihoodPerToken = last(r.Trace)
	if len(chains) > 1 {
		r.Likeliest = likeliest + 1
		for _, t := range chains {
			trace := scores(t)
			r.Chains = append(r.Chains, Chain{last(trace), trace})
		}
		r.Rhat = rhat(r.Chains)
	}
	return r
}

// samplers names those of the phases.
func samplers(t *lda.Training) string {
	var names []string
	for _, p := range t.Phases {
		names = append(names, p.Method)
	}
	return strings.Join(names, ", then ")
}

func scores(t *lda.Training) []Score {
	all := []Score{}
	for _, s := range t.Trace() {
		all = append(all, Score{s.Sweep, s.CPU, report.Number(s.LogLikelihood)})
	}
	return all
}

func last(trace []Score) report.Number {
	if len(trace) == 0 {
		return 0
	}
	return trace[len(trace)-1].LogLikelihoodPerToken
}

// rhat is that of the second halves of the traces.
func rhat(chains []Chain) report.Number {
	values := make([][]float64, len(chains))
	for i, c := range chains {
		for _, s := range c.Trace[len(c.Trace)/2:] {
			values[i] = append(values[i], float64(s.LogLikelihoodPerToken))
		}
	}
	return report.Number(diag.Rhat(values))
}

// rhatText says what there is of it.
func rhatText(x report.Number) string {
	if math.IsNaN(float64(x)) {
		return "unknown: it takes eight evaluations or more, which differ"
	}
	return strconv.FormatFloat(float64(x), 'f', 2, 64)
}

// mostRhat is that of chains of which a warning is given. A likelihood per token still rises by what no reader would notice
// when R-hat of its trend is far above the 1.01 of a converged parameter.
const mostRhat = 1.1

// Warnings say what is to be doubted.
func (r *Training) Warnings() []report.Warning {
	all := []report.Warning{}
	if r.Rhat > mostRhat {
		all = append(all, report.Warning{Code: "likelihood", Value: r.Rhat, Message: fmt.Sprintf("R-hat of the log likelihood of %d chains is %.2f, above %v: they have not come to the same likelihood, and their topics may differ; more sweeps help, or fewer topics", len(r.Chains), float64(r.Rhat), mostRhat)})
	}
	return all
}

// mostTopics is how many topics a person is shown.
const mostTopics = 50

// Write writes it for a person: a line on the whole and a table of the topics.
func (r *Training) Write(to io.Writer, on report.Screen) error {
	_, err := fmt.Fprintf(to, "%s, %s of %s: %s after %s of %s, %.0f tokens a CPU second.\nLog likelihood per token %.4f%s; alpha sums to %s, beta is %.3g.\n%s\n",
		wording.Count(r.Documents, "document", "documents"), wording.Count(r.Tokens, "token", "tokens"), wording.Count(r.Vocabulary, "word", "words"),
		wording.Count(r.Topics, "topic", "topics"), wording.Count(r.Sweeps, "sweep", "sweeps"), r.Sampler, float64(r.TokensPerCPUS), float64(r.LogLikelihoodPerToken), r.chains(), sum(r.Alpha), r.Beta, r.coherence())
	if err != nil {
		return err
	}
	rows := [][]string{{"topic", "share", "c_npmi", "words"}}
	for k, t := range r.Top[:min(len(r.Top), mostTopics)] {
		rows = append(rows, []string{strconv.Itoa(k + 1), percent(float64(t.Tokens), float64(r.Tokens)), decimals(t.NPMI, 2), fitting(t.Words, on.Width-26)})
	}
	if err := (report.Table{Rows: rows, Text: []int{3}}).Write(to, on); err != nil {
		return err
	}
	if left := len(r.Top) - mostTopics; left > 0 {
		_, err = fmt.Fprintf(to, "and %d more topics, in topics.tsv\n", left)
	}
	return err
}

// coherence says what c_npmi is.
func (r *Training) coherence() string {
	switch {
	case r.Coherence == nil:
		return ""
	case r.Coherence.Windows == "documents":
		return fmt.Sprintf("Mean coherence c_npmi %s, of words in the same document:\nthe order of the words, for windows of 10, is not in a bag of words.\n", decimals(r.Coherence.NPMI, 2))
	}
	return fmt.Sprintf("Mean coherence c_npmi %s, in windows of 10 words.\n", decimals(r.Coherence.NPMI, 2))
}

func percent(part, whole float64) string {
	if whole == 0 {
		return "0 %"
	}
	return decimals(report.Number(100*part/whole), 1) + " %"
}

// decimals writes x with so many digits after the point; a number that does not exist is a dash.
func decimals(x report.Number, n int) string {
	if math.IsNaN(float64(x)) {
		return "-"
	}
	return strconv.FormatFloat(float64(x), 'f', n, 64)
}

// sum is that of a parameter.
func sum(alpha []float64) string { return strconv.FormatFloat(floats.Sum(alpha), 'g', 3, 64) }

// chains says what the others are beside the likeliest.
func (r *Training) chains() string {
	if len(r.Chains) < 2 {
		return ""
	}
	least := r.LogLikelihoodPerToken
	for _, c := range r.Chains {
		least = min(least, c.LogLikelihoodPerToken)
	}
	return fmt.Sprintf(", that of chain %d, the likeliest of %d (least %.4f, R-hat %s)", r.Likeliest, len(r.Chains), float64(least), rhatText(r.Rhat))
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
