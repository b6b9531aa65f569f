// Package textreport is what the jobs that write sentences found, as JSON, as lines of JSON, and as text.
package textreport

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/report"
	"github.com/ergodic-mcmc/ergodic/text"
)

// Result is what a job found for all its cases.
type Result struct {
	Model      string        `json:"model"`
	Vocabulary int           `json:"vocabulary"`
	Order      int           `json:"order"`
	Method     string        `json:"method"`
	Cases      []*Case       `json:"cases"`
	Steps      int64         `json:"steps"` // of all chains
	StepsPerS  report.Number `json:"steps_per_cpu_s"`
	WallS      float64       `json:"wall_s"`
	CPUS       float64       `json:"cpu_s"`
}

// Case is what was found for one case.
type Case struct {
	Name       string        `json:"case,omitempty"`
	Conditions []string      `json:"conditions"`
	Accept     report.Number `json:"accept"`
	Moves      []Move        `json:"moves"`
	Rhat       report.Number `json:"rhat"` // of the score, over chains; null where they are annealed
	ESS        report.Number `json:"ess"`
	Agree      int           `json:"agree"` // chains that found the first sentence
	Chains     int           `json:"chains"`
	Sentences  []*Sentence   `json:"sentences"`
}

// Move is how often a kind of move was proposed and accepted.
type Move struct {
	Move     string `json:"move"`
	Proposed int64  `json:"proposed"`
	Accepted int64  `json:"accepted"`
}

// Sentence is one that was found: as JSON an object a line. The logarithm is natural.
type Sentence struct {
	Case           string        `json:"case,omitempty"`
	Text           string        `json:"text"`
	LogProb        report.Number `json:"log_prob"`          // of the language model, with the end of the sentence
	PerWord        report.Number `json:"log_prob_per_word"` // the end counts as a word
	Penalty        report.Number `json:"penalty"`           // what soft conditions add to it
	Accept         report.Number `json:"accept"`
	ConstraintsMet int           `json:"constraints_met"`
	Constraints    int           `json:"constraints"`
	Chain          int           `json:"chain"`
	BelowSource    bool          `json:"below_source,omitempty"` // less probable per word than the sentence that it paraphrases
	Weight         report.Number `json:"weight,omitempty"`       // of an importance sample, of their sum
}

// NewCase takes what chains found. Spell writes words as text.
func NewCase(c *text.Case, r *text.Result, sampled bool, spell func(words []int32) string) *Case {
	n := &Case{Name: c.Name, Accept: report.Number(r.Accept()), Rhat: report.Number(r.Rhat), ESS: report.Number(r.ESS), Agree: r.Agree, Conditions: []string{}, Moves: []Move{}, Sentences: []*Sentence{}}
	for _, d := range c.Target.Conditions() {
		what := d.String()
		if !math.IsInf(d.Weight, 1) {
			what += " (soft)"
		}
		n.Conditions = append(n.Conditions, what)
	}
	for i, m := range r.Moves {
		if m.Proposed > 0 {
			n.Moves = append(n.Moves, Move{text.MoveNames()[i], m.Proposed, m.Accepted})
		}
	}
	found := r.Best
	if sampled {
		found = r.Samples
	}
	for _, f := range found {
		met, of := c.Target.Met(f.Words)
		n.Sentences = append(n.Sentences, &Sentence{Case: c.Name, Text: spell(f.Words), LogProb: report.Number(f.Model), PerWord: report.Number(f.Model / float64(len(f.Words)+1)),
			Penalty: report.Number(f.Penalty), Accept: n.Accept, ConstraintsMet: met, Constraints: of, Chain: f.Chain + 1, BelowSource: c.Below(&f)})
	}
	return n
}

// WriteLines writes each sentence as a JSON object of a line.
func (r *Result) WriteLines(to io.Writer) error {
	w := bufio.NewWriter(to)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, c := range r.Cases {
		for _, s := range c.Sentences {
			if err := e.Encode(s); err != nil {
				return err
			}
		}
	}
	return w.Flush()
}

// Write writes the result for a person.
func (r *Result) Write(to io.Writer, on report.Screen) error {
	for i, c := range r.Cases {
		if i > 0 {
			if _, err := io.WriteString(to, "\n"); err != nil {
				return err
			}
		}
		if err := c.write(to, r.Method, on); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(to, "\n%s, order %d, %s; %s\n", wording.Brief(r.Model), r.Order, wording.Count(r.Vocabulary, "word", "words"), wording.Count(int(r.Steps), "step", "steps"))
	return err
}

func (c *Case) write(to io.Writer, method string, on report.Screen) error {
	var b strings.Builder
	if c.Name != "" {
		b.WriteString(wording.Brief(c.Name) + ": ")
	}
	b.WriteString(strings.Join(c.Conditions, "; "))
	if len(c.Conditions) == 0 {
		b.WriteString("no conditions")
	}
	b.WriteString("\n" + c.how(method) + "\n")
	if _, err := io.WriteString(to, b.String()); err != nil {
		return err
	}
	if note := c.below(); note != "" {
		if _, err := io.WriteString(to, note+"\n"); err != nil {
			return err
		}
	}
	verse := false
	for _, s := range c.Sentences {
		verse = verse || strings.Contains(s.Text, "\n")
	}
	if verse {
		return c.verse(to)
	}
	return c.table().Write(to, on)
}

// below says which sentences are less probable per word than the source.
func (c *Case) below() string {
	n := 0
	for _, s := range c.Sentences {
		if s.BelowSource {
			n++
		}
	}
	switch n {
	case 0:
		return ""
	case len(c.Sentences):
		return "no sentence was found that is as probable per word as the source: more steps may find one, or other conditions"
	}
	return "sentences marked * are less probable per word than the source"
}

// how says how chains went.
func (c *Case) how(method string) string {
	if len(c.Moves) == 0 {
		return method
	}
	var moves []string
	for _, m := range c.Moves {
		moves = append(moves, fmt.Sprintf("%s %.2g", m.Move, float64(m.Accepted)/float64(m.Proposed)))
	}
	text := fmt.Sprintf("%s, %s", method, wording.Count(c.Chains, "chain", "chains"))
	switch {
	case !math.IsNaN(float64(c.Rhat)):
		text += fmt.Sprintf("; R-hat %.3f, ESS %.0f", float64(c.Rhat), float64(c.ESS))
	case c.Chains > 1:
		text += fmt.Sprintf("; the first is found by %d", c.Agree)
	}
	return text + fmt.Sprintf("\naccepted %.2g: %s", float64(c.Accept), strings.Join(moves, ", "))
}

func (c *Case) table() report.Table {
	soft, weighed, conditions := false, false, false
	for _, s := range c.Sentences {
		soft, weighed, conditions = soft || s.Penalty != 0, weighed || s.Weight != 0, conditions || s.Constraints > 0
	}
	head := []string{"log_prob", "per_word"}
	if soft {
		head = append(head, "penalty")
	}
	if weighed {
		head = append(head, "weight")
	}
	if conditions {
		head = append(head, "met")
	}
	t := report.Table{Rows: [][]string{append(head, "sentence")}, Text: []int{len(head)}, Least: []string{"met", "penalty", "weight", "per_word"}}
	for _, s := range c.Sentences {
		row := []string{fixed(s.LogProb, 2), fixed(s.PerWord, 3)}
		if s.BelowSource {
			row[1] += "*"
		}
		if soft {
			row = append(row, fixed(s.Penalty, 2))
		}
		if weighed {
			row = append(row, fixed(s.Weight, 3))
		}
		if conditions {
			row = append(row, fmt.Sprintf("%d of %d", s.ConstraintsMet, s.Constraints))
		}
		t.Rows = append(t.Rows, append(row, s.Text))
	}
	return t
}

// verse writes sentences of several lines.
func (c *Case) verse(to io.Writer) error {
	for _, s := range c.Sentences {
		if _, err := fmt.Fprintf(to, "\n%s\n  log_prob %s, per word %s, %d of %d conditions\n", s.Text, fixed(s.LogProb, 2), fixed(s.PerWord, 3), s.ConstraintsMet, s.Constraints); err != nil {
			return err
		}
	}
	return nil
}

func fixed(x report.Number, digits int) string {
	return strconv.FormatFloat(float64(x), 'f', digits, 64)
}
